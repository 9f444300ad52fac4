"""Keeping groups from night to night: who stays, who joins, who waits, who retires, and what the next night begins with."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.frozen import dataclass
from kanon_sql.sql.boxes import ROW_PACK
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import render, rendered
from kanon_sql.sql.statement import Statement


@dataclass(frozen=True)
class FrozenLabels:
    """The attributes by how their labels are frozen. `sets`: (index, [(word, mask)]); `wide`: sets without bits; `values`: those of sets."""

    ranges: tuple[int, ...]
    trees: tuple[int, ...]
    sets: tuple[tuple[int, tuple[tuple[int, int], ...]], ...]
    wide: tuple[int, ...]
    values: Relation | None = None


@dataclass(frozen=True)
class RowIdentity:
    """How tonight's rows are told apart: numbering as at release, and expressions over `numbered` for the person of a row."""

    codes: Sequence[tuple[str, str]]
    numbering: Sequence[str]
    place: str
    ordinal: str
    person: str
    person_key: str
    row_key: str
    repeated: bool


Words = Sequence[tuple[int, Relation, str]]
"""(attribute, its dictionary, the word of a dictionary row as an expression over `words`)"""


def rows(
    dialect: Dialect,
    table: Relation,
    view: Relation,
    units: Relation,
    coded: Relation,
    identity: RowIdentity,
    values: Sequence[tuple[int, str]],
    words: Words,
    columns: Sequence[str],
    salt: str,
) -> Statement:
    """Holds the salt: traces show it without."""
    statement = render(
        dialect,
        "nights/rows",
        table=table,
        view=view,
        units=units,
        rows=coded,
        **vars(identity),
        values=values,
        words=words,
        columns=columns,
    )
    return Statement(statement.label, statement.sql, statement.sql.replace(dialect.text_literal(salt), "'***'"))


@rendered
def boxes(
    dialect: Dialect,
    table: Relation,
    labels: Relation,
    values: Relation | None,
    ranges: Sequence[int],
    trees: Sequence[tuple[int, Relation, Relation, Sequence[int]]],
    sets: Sequence[tuple[int, Relation, Relation, Sequence[int], str]],
    wide: Sequence[int],
) -> Statement: ...


@rendered
def placed(
    dialect: Dialect,
    table: Relation,
    rows: Relation,
    members: Relation | None,
    boxes: Relation | None,
    shape: FrozenLabels,
) -> Statement: ...


@rendered
def live_groups(dialect: Dialect, table: Relation, placed: Relation, k: int) -> Statement: ...


def joined(
    dialect: Dialect,
    table: Relation,
    placed: Relation,
    rows: Relation,
    boxes: Relation,
    live: Relation,
    shape: FrozenLabels,
) -> Statement:
    return render(
        dialect,
        "nights/joined",
        table=table,
        placed=placed,
        rows=rows,
        boxes=boxes,
        live=live,
        shape=shape,
        pack=ROW_PACK,
    )


@rendered
def assigned(
    dialect: Dialect, table: Relation, placed: Relation, live: Relation, joined: Relation | None
) -> Statement: ...


@rendered
def mean_loss(dialect: Dialect, assigned: Relation, boxes: Relation) -> Statement: ...


@rendered
def waiting_room(dialect: Dialect, table: Relation, placed: Relation, assigned: Relation) -> Statement: ...


@rendered
def subset(
    dialect: Dialect, table: Relation, units: Relation, chosen: Relation, columns: Sequence[str]
) -> Statement: ...


@rendered
def accepted_groups(
    dialect: Dialect,
    table: Relation,
    boxes: Relation,
    labels: Relation,
    order: Sequence[str],
    last: int,
    *,
    assignment: Relation | None = None,
    units: Relation | None = None,
    room: Relation | None = None,
    most: int = 0,
    patience: int = 0,
) -> Statement: ...


@rendered
def large_groups(
    dialect: Dialect,
    table: Relation,
    assigned: Relation,
    placed: Relation,
    live: Relation,
    labels: Relation,
    least: int,
) -> Statement: ...


@rendered
def whole_groups(dialect: Dialect, table: Relation, units: Relation, large: Relation) -> Statement: ...


@rendered
def split_groups(
    dialect: Dialect,
    table: Relation,
    assignment: Relation,
    units: Relation,
    large: Relation,
    boxes: Relation,
    labels: Relation,
    order: Sequence[str],
    least: int,
    last: int,
) -> Statement: ...


@rendered
def founded(
    dialect: Dialect, table: Relation, sources: Sequence[tuple[Relation, Relation | None, Relation]]
) -> Statement:
    """`sources`: (assignment, units of a part of the table or none, accepted groups)."""


@rendered
def assignment(
    dialect: Dialect, table: Relation, assigned: Relation, founded: Relation | None, resting: Relation | None
) -> Statement: ...


@rendered
def labels(
    dialect: Dialect,
    table: Relation,
    kept: Relation | None,
    live: Relation | None,
    founds: Sequence[tuple[Relation, Relation]],
    founded: Relation | None,
    placed: Relation,
    columns: Sequence[str],
) -> Statement:
    """`founds`: (labels of a search, its accepted groups)."""


@rendered
def values(
    dialect: Dialect,
    table: Relation,
    kept: Relation | None,
    live: Relation | None,
    assignment: Relation | None,
    units: Relation | None,
    sets: Words,
) -> Statement: ...


@rendered
def members(
    dialect: Dialect,
    table: Relation,
    placed: Relation,
    assignment: Relation,
    live: Relation | None,
    founded: Relation | None,
    before: Relation | None,
    version: int,
) -> Statement: ...


@rendered
def story(
    dialect: Dialect, placed: Relation, assignment: Relation, members: Relation, before: Relation, live: Relation
) -> Statement: ...


@rendered
def last_group(dialect: Dialect, members: Relation, labels: Relation) -> Statement: ...


@rendered
def keep(dialect: Dialect, table: Relation, made: Relation) -> Statement: ...


def forget_member(dialect: Dialect, members: Relation, person_key: str) -> Statement:
    """`person_key` is an expression with the salt and the person in it: traces show it without."""
    statement = render(dialect, "nights/forget_member", members=members, person_key=person_key)
    return Statement(statement.label, statement.sql, statement.sql.replace(person_key, "'***'"))


def without_member(dialect: Dialect, table: Relation, members: Relation, person_key: str) -> Statement:
    """As `forget_member`, into a table of its own."""
    statement = render(dialect, "nights/without_member", table=table, members=members, person_key=person_key)
    return Statement(statement.label, statement.sql, statement.sql.replace(person_key, "'***'"))


PARTS = 1_000_003
"""A prime: chances are shares of it."""


def _drawn(salt: int) -> str:
    """A number below PARTS that follows from a row's and looks as if it did not."""
    x = f"((rows.rid + {salt}) % {PARTS})"
    return f"(({x} * {x} % {PARTS}) * {x} + {salt % 997 + 2} * {x}) % {PARTS}"


def present(
    dialect: Dialect,
    table: Relation,
    rows: Relation,
    columns: Sequence[str],
    night: int,
    nights: int,
    churn: float,
    seed: int,
) -> Statement:
    """`churn`: the share of people who leave each night; as many come."""
    later = max(1, round(PARTS * churn * nights / (1 + churn * nights)))
    arrival = f"case when joining >= {later} then 0 else 1 + {dialect.quotient(f'joining * {nights}', str(later))} end"
    gone = [round(PARTS * (1 - (1 - churn) ** age)) for age in range(nights + 1)]
    return render(
        dialect,
        "nights/present",
        table=table,
        rows=rows,
        columns=columns,
        drawn=(_drawn(7919 + seed), _drawn(104_729 + 31 * seed)),
        arrival=arrival,
        night=night,
        lasts=dialect.element(gone, f"({night} - rows.arrival)"),
    )
