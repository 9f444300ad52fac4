"""Tonight's classes and who is in them, as the composition guard holds them against the ledger, and the rows that it withholds."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from kanon_sql.release.recoding import GlobalRecoding, Recoding
from kanon_sql.sql import statements
from kanon_sql.sql.statement import Statement
from kanon_sql.sql.statements.ledger import LedgerNames, Night, Persons
from kanon_sql.workbench.workbench import Workbench


class Tonight:
    """The guard's work tables of one night."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        self.tables = Night(*(bench.names.ledger(field.name) for field in dataclasses.fields(Night)))

    def drop(self, kept: Sequence[str] = ()) -> None:
        """Drop them, to make them anew or to have the room."""
        for name, table in vars(self.tables).items():
            if name not in kept:
                self.bench.drop_table(table)

    def make(self, what: str, statement: Statement) -> None:
        table = getattr(self.tables, what)
        self.bench.make_table(table, statement)
        # Or a planner takes it for small, and loops over it once for every person.
        self.bench.backend.analyze(table, often=False)

    def follow(self, recoding: Recoding, names: LedgerNames, salt: str, persons: Persons) -> None:
        """Tonight's classes, and who is in which of them with which history."""
        bench, person = self.bench, self.bench.job.source.person
        assert person is not None
        sensitive = [(f"s{place}", name) for place, name in enumerate(bench.sensitive)]
        if isinstance(recoding, GlobalRecoding):
            self._classes(recoding, salt)
            keys = bench.keys(recoding.node, prefix=f"rows.{bench.code_prefix}")
            quasi = [attribute.name for attribute in bench.attributes]
            self.make(
                "present",
                statements.ledger.present(
                    bench.dialect,
                    self.tables,
                    names,
                    bench.coded_view(recoding.node),
                    person,
                    quasi,
                    keys,
                    sensitive,
                    persons,
                ),
            )
            return
        staged_persons = recoding.staged_persons(bench)
        assert staged_persons is not None
        columns = recoding.quasi_columns(bench)
        classes = statements.ledger.classes_of_groups(
            bench.dialect, self.tables.classes, staged_persons.table, columns, salt
        )
        self.make("classes", classes)
        self.make(
            "present",
            statements.ledger.present_in_groups(
                bench.dialect,
                self.tables,
                names,
                staged_persons.table,
                columns,
                staged_persons.person,
                staged_persons.row,
                f"{bench.code_prefix}class",
                [name for name, _ in staged_persons.raw],
                [(f"s{place}", name) for place, (name, _) in enumerate(staged_persons.sensitive)],
                persons,
            ),
        )

    def _classes(self, recoding: GlobalRecoding, salt: str) -> None:
        bench = self.bench
        keys = bench.keys(recoding.node)
        labels, shown = [], []
        for index, (attribute, level) in enumerate(zip(bench.attributes, recoding.node, strict=True)):
            if level == attribute.star:
                shown.append("'*'")
                continue
            labels.append((index, f"q{index}_{level}", bench.names.dictionary(index), f"label_{level}"))
            shown.append(f"d{index}.label")
        violating = recoding.violating(bench) if recoding.suppressed and keys else None
        statement = statements.ledger.classes(
            bench.dialect, self.tables.classes, bench.names.base, keys, labels, salt, shown, violating
        )
        self.make("classes", statement)

    def withhold(self, recoding: Recoding, persons: Persons, has_fellows: bool) -> int:
        """Take the rows that are withheld out of what is staged and verified; returns how many there are."""
        bench, person, night = self.bench, self.bench.job.source.person, self.tables
        assert person is not None
        if isinstance(recoding, GlobalRecoding):
            quasi = [attribute.name for attribute in bench.attributes]
            n = f"{bench.code_prefix}n"
            statement = statements.ledger.withheld(
                bench.dialect,
                night,
                bench.source,
                person,
                [q for q in quasi if q != person],
                n,
                persons,
                has_fellows,
            )
            self.make("withheld", statement)
            rows = int(bench.backend.fetch_one(statements.ledger.withheld_rows(bench.dialect, night.withheld, n)).rows)
            if rows:
                view, others = bench.names.released, [q for q in quasi if q != person]
                released = statements.ledger.released(
                    bench.dialect, view, bench.source, night.withheld, person, others, n
                )
                bench.make_view(view, released)
                bench.withhold(view)
            return rows
        self.make("withheld", statements.ledger.withheld_in_groups(bench.dialect, night, has_fellows))
        rows = int(bench.backend.fetch_one(statements.ledger.withheld_rows(bench.dialect, night.withheld, None)).rows)
        if rows:
            staged_persons = recoding.staged_persons(bench)
            assert staged_persons is not None
            view = bench.names.released
            statement = statements.ledger.released_groups(
                bench.dialect, view, staged_persons.table, night.withheld, staged_persons.row
            )
            bench.make_view(view, statement)
            bench.released_account = view
        return rows
