"""First groups from the classes of k rows or more at a list of nodes."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.frozen import dataclass
from kanon_sql.sql.boxes import Boxes, RangeCode, SetCode
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.packed_keys import ordered_keys
from kanon_sql.sql.render import render, rendered
from kanon_sql.sql.statement import Statement

RANGE_STEPS = (4, 16)
"""A numeric without levels is classes at its values, at ranges of so many of them, and at `*`."""


@dataclass(frozen=True)
class ClassLevel:
    """A level of an attribute at which rows are put together: its key over a row (none at `*`), the key's values, what a row loses."""

    key: str | None
    size: int
    loss: str


def class_levels(dialect: Dialect, boxes: Boxes, sizes: dict[int, int]) -> list[list[ClassLevel]]:
    levels: list[list[ClassLevel]] = []
    for code in boxes.codes:
        i, size = code.index, sizes[code.index]
        if isinstance(code, SetCode):
            whole = code.unit * (size - (0 if code.counts_first else 1))
            beyond = [] if code.rule else [ClassLevel(None, 1, str(whole))]  # no class lies across a rule
            levels.append([ClassLevel(f"c{i}", size, "0"), *beyond])
        elif isinstance(code, RangeCode):
            steps = [
                ClassLevel(dialect.quotient(f"c{i}", str(step)), size // step + 1, str(code.full * (step - 1) // size))
                for step in RANGE_STEPS
                if step < size
            ]
            levels.append([ClassLevel(f"c{i}", size, "0"), *steps, ClassLevel(None, 1, str(code.full))])
        else:
            plus = f" + {code.extra}" if code.extra else ""
            inner = [
                ClassLevel(
                    f"f{i}_{j}",
                    size,
                    f"case when t{i}_{j} = f{i}_{j} then 0 else {code.unit} * (t{i}_{j} - f{i}_{j}{plus}) end",
                )
                for j in code.levels
            ]
            levels.append([ClassLevel(f"a{i}", size, "0"), *inner, ClassLevel(None, 1, str(code.full))])
    return levels


def class_columns(boxes: Boxes) -> list[str]:
    trees = [f"{end}{code.index}_{j}" for code in boxes.trees for j in code.levels for end in "ft"]
    return [*boxes.cut_columns, *(f"a{code.index}" for code in boxes.positional), *trees]


def level_losses(dialect: Dialect, rows: Relation, levels: Sequence[Sequence[ClassLevel]]) -> Statement:
    options = [(i, j, level.loss) for i, of in enumerate(levels) for j, level in enumerate(of)]
    return render(dialect, "cluster/seed_classes/level_losses", rows=rows, options=options)


def unassigned_rows(
    dialect: Dialect, table: Relation, rows: Relation, boxes: Boxes, classes: Relation | None
) -> Statement:
    return render(
        dialect,
        "cluster/seed_classes/unassigned_rows",
        table=table,
        rows=rows,
        columns=class_columns(boxes),
        classes=classes,
    )


def assign_classes(
    dialect: Dialect,
    table: Relation,
    free: Relation,
    levels: Sequence[Sequence[ClassLevel]],
    nodes: Sequence[Sequence[int]],
    k: int,
    first: int,
) -> Statement:
    chosen = [[levels[i][level] for i, level in enumerate(node)] for node in nodes]
    keyed = [ordered_keys([(of.key, of.size) for of in node if of.key is not None]) or ["0"] for node in chosen]
    parts = max(map(len, keyed))
    padded = [[*keys, *["0"] * (parts - len(keys))] for keys in keyed]
    return render(
        dialect, "cluster/seed_classes/assign_classes", table=table, free=free, nodes=padded, k=k, first=first
    )


@rendered
def append_singletons(dialect: Dialect, finished: Relation, free: Relation, first: int) -> Statement: ...


@rendered
def class_counts(dialect: Dialect, free: Relation, classes: Relation) -> Statement: ...
