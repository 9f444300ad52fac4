"""The box of a group without one of its rows, against brute force: on every engine what moves and swaps are weighed by."""

from __future__ import annotations

from pathlib import Path

from kanon_sql.flows.session import opened
from kanon_sql.observer import Observer
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.relations import GroupTable
from kanon_sql.sql.statement import Statement
from kanon_sql.workbench.coding import build_coding
from kanon_sql.workbench.group_answers import GroupAnswers
from kanon_sql.workbench.objectives import build_weights
from kanon_sql.workbench.workbench import Workbench
from tests.cluster.people import job, load, people


def test_the_box_without_a_row(engine_url: str, tmp_path: Path) -> None:
    load(engine_url, people(120, seed=3))
    asked = job(engine_url, "mondrian", 3, base=tmp_path)
    with opened(asked, Observer(), read_only=True, run="t") as backend, Workbench(backend, asked, "t") as bench:
        bench.prepare()
        answers = GroupAnswers(bench, build_coding(bench, build_weights(bench)), 3)
        boxes, table = answers.coded.boxes, Relation((asked.source.work_schema, "t_grouped"))
        dialect = backend.dialect
        # Small groups and a large one, so that an end is held by one row or by several.
        grouped = f"select rid, least(rid % 31, 20) as g from {dialect.relation(answers.coded.rows)}"
        bench.make_table(table, Statement("test", f"{dialect.create_work_table(dialect.relation(table))} as {grouped}"))
        answers.tables[GroupTable.ASSIGNMENT] = table
        answers.refresh_boxes()
        source = [column for name in boxes.columns for column in (boxes.row_column(name), f"w_{name}")]
        context = dialect.relation(answers.tables[GroupTable.ROW_CONTEXT])
        found = backend.fetch(Statement("test", f"select rid, g, n, {', '.join(source)} from {context}"))
    rows = {int(row[0]): (int(row[1]), int(row[2]), [int(value or 0) for value in row[3::2]]) for row in found}
    assert len(rows) == 120
    assert {n for _, n, _ in rows.values()} >= {3, 4}
    assert any(name.startswith("b") for name in boxes.columns) and any(name.startswith("lo") for name in boxes.columns)
    for row in found:
        others = [values for rid, (g, _, values) in rows.items() if g == int(row[1]) and rid != int(row[0])]
        for place, name in enumerate(boxes.columns):
            held = [values[place] for values in others]
            expected = min(held) if name.startswith("lo") else max(held)
            if name.startswith("b"):
                expected = 0
                for bits in held:
                    expected |= bits
            assert int(row[4 + 2 * place]) == expected, (name, row)
