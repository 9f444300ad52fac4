"""auto: the algorithm and the rounds for this table, this engine and the stated time.

Where a statement costs little, the table is not too long and there is time, anneal loses least: it begins with the best of several
starts, measures its heat on the table and never ends with more than it began with. Longer tables have no time to cool: mondrian and
rounds of moves, or mergers where rows repeat, whose price goes with the combinations. Where every statement has its price, mondrian
asks the fewest.
"""

from __future__ import annotations

from dataclasses import replace

from kanon_sql.cluster.anneal import MANY_ROWS, ROUNDS_OF_MANY_ROWS, anneal, default_rounds, merges_first
from kanon_sql.cluster.bottom_up import bottom_up
from kanon_sql.cluster.finish import FINAL_ROUNDS
from kanon_sql.cluster.mondrian import mondrian
from kanon_sql.cluster.questions import Driver, Grouping
from kanon_sql.cluster.settings import ClusterSettings
from kanon_sql.frozen import dataclass

LONGEST = 5_000_000
"""In tables of more rows a round of moves costs minutes."""
MANY_COMBINATIONS = 1_000_000
"""More are not merged in minutes."""
FEW_STATEMENTS_ROWS = 20_000
"""In a database, tables of no more rows get rounds of moves."""


@dataclass(frozen=True)
class Choice:
    """An algorithm, its rounds and why."""

    algorithm: str
    rounds: int
    why: str


def choose(settings: ClusterSettings) -> Choice:
    rows = settings.rows
    if not settings.embedded:
        rounds = 8 if rows <= FEW_STATEMENTS_ROWS else 0
        return Choice("mondrian", rounds, "the search stays in the database, where every statement has its price")
    if rows >= MANY_ROWS and settings.combinations <= MANY_COMBINATIONS and merges_first(settings):
        why = f"its {settings.combinations:,} combinations can be merged"
        return Choice("bottom-up", FINAL_ROUNDS, why) if rows > LONGEST else Choice("anneal", ROUNDS_OF_MANY_ROWS, why)
    if rows > LONGEST:
        return Choice("mondrian", 0, f"with {rows:,} rows a round of moves is long")
    if rows >= MANY_ROWS:
        return Choice("mondrian", ROUNDS_OF_MANY_ROWS, f"with {rows:,} rows there is no time for heat to cool")
    return Choice("anneal", default_rounds(settings), f"with {rows:,} rows it loses least")


def auto(settings: ClusterSettings) -> Driver:
    chosen = choose(settings)
    rounds = chosen.rounds if settings.rounds is None else settings.rounds
    driver = {"anneal": anneal, "bottom-up": bottom_up, "mondrian": mondrian}[chosen.algorithm]
    grouping = yield from driver(replace(settings, rounds=rounds))
    moves = f" and up to {rounds} rounds of moves" if rounds else ""
    note = f"search.algorithm auto: {chosen.algorithm}{moves}, since {chosen.why}"
    return Grouping(grouping.algorithm, grouping.rounds, (note, *grouping.notes))
