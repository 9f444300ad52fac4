"""A release held against the ledger: who would be in which class and cell, who is withheld, and the proof."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.person_keys import person_key, row_key, written
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement
from kanon_sql.sql.statements.ledger.names import Columns, Labels, LedgerNames, Night, Persons, shown_without


def nameless(dialect: Dialect, rows: Relation, person: str) -> Statement:
    return render(dialect, "ledger/nameless", rows=rows, person=person)


def classes(
    dialect: Dialect,
    table: Relation,
    base: Relation,
    keys: Sequence[str],
    labels: Labels,
    salt: str,
    node: Sequence[str],
    violating: Relation | None,
) -> Statement:
    """`node`: the labels of every attribute, as expressions over d<index>.label. Holds the salt."""
    class_key = dialect.person_digest(dialect.text_literal(salt), written(dialect, node))
    statement = render(
        dialect,
        "ledger/classes",
        table=table,
        base=base,
        keys=keys,
        labels=labels,
        class_key=class_key,
        violating=violating,
    )
    return shown_without(dialect, statement, salt)


def classes_of_groups(
    dialect: Dialect, table: Relation, staged_persons: Relation, columns: Sequence[str], salt: str
) -> Statement:
    """Holds the salt: traces show it without."""
    labels = written(dialect, [f"label{place}" for place in range(len(columns))])
    class_key = dialect.person_digest(dialect.text_literal(salt), labels)
    statement = render(
        dialect,
        "ledger/classes_of_groups",
        table=table,
        staged_persons=staged_persons,
        columns=columns,
        class_key=class_key,
    )
    return shown_without(dialect, statement, salt)


def present(
    dialect: Dialect,
    night: Night,
    names: LedgerNames,
    rows: Relation,
    person: str,
    quasi: Sequence[str],
    keys: Sequence[str],
    sensitive: Columns,
    persons: Persons,
) -> Statement:
    """Holds the salt: traces show it without."""
    values = [(column, f"v{place}") for place, column in enumerate(quasi)]
    statement = render(
        dialect,
        "ledger/present",
        table=night.present,
        rows=rows,
        classes=night.classes,
        people=names.people,
        person=person,
        values=values,
        keys=keys,
        sensitive=sensitive,
        known=persons.known,
        single=persons.single,
        **_keys(dialect, persons, "named", "numbered", [alias for _, alias in values]),
    )
    return shown_without(dialect, statement, persons.salt)


def present_in_groups(
    dialect: Dialect,
    night: Night,
    names: LedgerNames,
    staged_persons: Relation,
    columns: Sequence[str],
    person: str,
    row: str,
    number: str,
    raw: Sequence[str],
    sensitive: Columns,
    persons: Persons,
) -> Statement:
    """Holds the salt: traces show it without."""
    values = [(column, f"v{place}") for place, column in enumerate(raw)]
    statement = render(
        dialect,
        "ledger/present_in_groups",
        table=night.present,
        staged_persons=staged_persons,
        people=names.people,
        columns=columns,
        person=person,
        row=row,
        number=number,
        values=values,
        sensitive=sensitive,
        **_keys(dialect, persons, "numbered", "numbered", [alias for _, alias in values], "numbered.place"),
    )
    return shown_without(dialect, statement, persons.salt)


def _keys(
    dialect: Dialect,
    persons: Persons,
    named: str,
    numbered: str,
    values: Sequence[str],
    place: str | None = None,
) -> dict[str, object]:
    own = [f"{named}.{alias}" for alias in values]
    nameless = [f"{numbered}.{alias}" for alias in values]
    salt = persons.salt
    return {
        "several": persons.several,
        "nameless": persons.nameless,
        "person_key": person_key(dialect, salt, f"{named}.person"),
        "row_key": row_key(dialect, salt, f"{named}.person", own, place) if persons.several else "0",
        "nameless_person": row_key(dialect, salt, None, nameless, f"{numbered}.place"),
        "nameless_row": row_key(dialect, salt, None, nameless),
    }


def batches(dialect: Dialect, night: Night, names: LedgerNames, job: str, recoding: str, several: bool) -> Statement:
    return render(
        dialect,
        "ledger/batches",
        table=night.batches,
        present=night.present,
        classes=night.classes,
        cells=names.cells,
        job=job,
        recoding=recoding,
        several=several,
    )


def batch_rows(dialect: Dialect, night: Night, sensitive: Sequence[tuple[int, Relation]]) -> Statement:
    """`sensitive`: (index, dictionary) of the columns that models speak of."""
    return render(
        dialect,
        "ledger/batch_rows",
        table=night.batch_rows,
        present=night.present,
        batches=night.batches,
        sensitive=sensitive,
    )


def decided(
    dialect: Dialect,
    night: Night,
    names: LedgerNames,
    job: str,
    k: int,
    *,
    poor: bool,
    strict: bool,
    accepted: bool,
) -> Statement:
    return render(
        dialect,
        "ledger/decided",
        table=night.decided,
        batches=night.batches,
        cells=names.cells,
        poor=night.poor if poor else None,
        job=job,
        k=k,
        strict=strict,
        accepted=accepted,
    )


def outcomes(dialect: Dialect, night: Night, cell: int, trail: int) -> Statement:
    return render(dialect, "ledger/outcomes", table=night.outcomes, decided=night.decided, cell=cell, trail=trail)


def fellows(dialect: Dialect, night: Night, names: LedgerNames, k: int, whole: bool) -> Statement:
    return render(
        dialect,
        "ledger/fellows",
        table=night.fellows,
        present=night.present,
        people=names.people,
        outcomes=night.outcomes,
        k=k,
        whole=whole,
    )


def new_people(dialect: Dialect, night: Night, sequence: int, several: bool, fellows: bool) -> Statement:
    return render(
        dialect,
        "ledger/new_people",
        table=night.people,
        present=night.present,
        outcomes=night.outcomes,
        fellows=night.fellows if fellows else None,
        several=several,
        sequence=sequence,
    )


def new_cells(
    dialect: Dialect, night: Night, names: LedgerNames, job: str, recoding: str, sequence: int, last: int
) -> Statement:
    return render(
        dialect,
        "ledger/new_cells",
        table=night.cells,
        outcomes=night.outcomes,
        cells=names.cells,
        new_people=night.people,
        job=job,
        recoding=recoding,
        sequence=sequence,
        last=last,
    )


def night_figures(dialect: Dialect, night: Night) -> Statement:
    return render(dialect, "ledger/night_figures", outcomes=night.outcomes)


def poor_sets(dialect: Dialect, night: Night, k: int) -> Statement:
    return render(dialect, "ledger/poor_sets", poor=night.poor, batches=night.batches, k=k)


def waiting(dialect: Dialect, night: Night, names: LedgerNames, since: int) -> Statement:
    return render(dialect, "ledger/waiting", people=names.people, changed=night.people, since=since)


def left(dialect: Dialect, night: Night, names: LedgerNames, job: str, several: bool) -> Statement:
    return render(dialect, "ledger/left", cells=names.cells, present=night.present, job=job, several=several)


def withheld(
    dialect: Dialect,
    night: Night,
    source: Relation,
    person: str,
    quasi: Sequence[str],
    n: str,
    persons: Persons,
    fellows: bool,
) -> Statement:
    """Holds the salt: traces show it without."""
    values = [f"source.{dialect.identifier(column)}" for column in quasi]
    named = f"source.{dialect.identifier(person)}"
    statement = render(
        dialect,
        "ledger/withheld",
        table=night.withheld,
        source=source,
        present=night.present,
        outcomes=night.outcomes,
        person=person,
        quasi=quasi,
        n=n,
        fellows=night.fellows if fellows else None,
        several=persons.several,
        nameless=persons.nameless,
        row_key=row_key(dialect, persons.salt, named, values),
        nameless_row=row_key(dialect, persons.salt, None, values),
    )
    return shown_without(dialect, statement, persons.salt)


def withheld_in_groups(dialect: Dialect, night: Night, fellows: bool) -> Statement:
    return render(
        dialect,
        "ledger/withheld_in_groups",
        table=night.withheld,
        present=night.present,
        outcomes=night.outcomes,
        fellows=night.fellows if fellows else None,
    )


def released(
    dialect: Dialect, view: Relation, source: Relation, withheld: Relation, person: str, quasi: Sequence[str], n: str
) -> Statement:
    return render(
        dialect, "ledger/released", view=view, source=source, withheld=withheld, person=person, quasi=quasi, n=n
    )


def released_groups(
    dialect: Dialect, view: Relation, staged_persons: Relation, withheld: Relation, row: str
) -> Statement:
    return render(
        dialect, "ledger/released_groups", view=view, staged_persons=staged_persons, withheld=withheld, row=row
    )


def withheld_rows(dialect: Dialect, withheld: Relation, n: str | None) -> Statement:
    return render(dialect, "ledger/withheld_rows", withheld=withheld, n=n)


def proof(
    dialect: Dialect,
    night: Night,
    names: LedgerNames,
    k: int,
    *,
    strict: bool,
    persons: Persons,
    fellows: bool,
) -> Statement:
    return render(
        dialect,
        "ledger/proof",
        present=night.present,
        outcomes=night.outcomes,
        cells=names.cells,
        changed=night.people,
        new_cells=night.cells,
        fellows=night.fellows if fellows else None,
        k=k,
        strict=strict,
        several=persons.several,
        known=persons.known,
        single=persons.single,
    )


def retire_class(
    dialect: Dialect, table: Relation, columns: Sequence[str], salt: str, classes: Sequence[str]
) -> Statement:
    """Holds the salt: traces show it without."""
    labels = written(dialect, [dialect.identifier(column) for column in columns])
    class_key = dialect.person_digest(dialect.text_literal(salt), labels)
    statement = render(dialect, "ledger/retire_class", table=table, class_key=class_key, classes=list(classes))
    return shown_without(dialect, statement, salt)
