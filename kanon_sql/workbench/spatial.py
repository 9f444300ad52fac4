"""Growing groups by the distances of SpatialDistance: from the seed for similar values, from the centre for rows."""

from __future__ import annotations

from kanon_sql.cluster.block_questions import StartGrowing
from kanon_sql.cluster.questions import Counts
from kanon_sql.sql import statements
from kanon_sql.sql.boxes import UNIT, RangeCode, SetCode
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.statement import Statement
from kanon_sql.sql.statements.cluster.spatial import Space, SpatialAttribute
from kanon_sql.workbench.growing import Growing
from kanon_sql.workbench.objectives import build_weights
from kanon_sql.workbench.rounds import Rounds


class SpatialGrowing(Growing):
    """Seeds in the order of the attribute of most values, then the rows nearest to the centre."""

    def __init__(self, rounds: Rounds, question: StartGrowing) -> None:
        self.space = space_of(rounds)
        super().__init__(rounds, question)

    def _first(self, table: Relation) -> Statement:
        return statements.cluster.spatial.no_centres(self.dialect, table, self.free, self.space)

    def grow(self) -> Counts:
        dialect, space, k = self.dialect, self.space, self.rounds.k
        self.turn += 1
        self.backend.execute(
            statements.cluster.spatial.sorted_seeds(dialect, self.grown, self.free, space, self.turn, k)
        )
        begun, free = self._counts()
        if begun:
            facing = self.rounds.make(
                "facing",
                lambda table: statements.cluster.spatial.seed_distances(
                    dialect, table, self.grown, self.free, space, self.turn, k
                ),
                analyze=True,
            )
            self._taken(1)
            for n in range(1, k):
                self.backend.execute(
                    statements.cluster.spatial.nearest_to_centre(dialect, self.grown, facing, space, self.turn, n)
                )
                self._taken(n + 1)
                facing = self._without_taken("facing", n + 1)
        return Counts(done=begun, open=free)

    def place(self) -> Counts:
        self.turn += 1
        rows = self.rounds.coded.rows
        self.backend.execute(
            statements.cluster.spatial.leftovers(self.dialect, self.grown, self.free, rows, self.space, self.turn)
        )
        self._taken(None)
        return self._left()


def space_of(rounds: Rounds) -> Space:
    bench, boxes = rounds.bench.origin or rounds.bench, rounds.coded.boxes
    width = len(bench.attributes)
    weights = build_weights(bench).values
    values = dict(rounds.coded.sizes)
    own = boxes.codes[:width]
    categoricals = [
        SpatialAttribute(code, values[code.index], int(weights[code.index] * width * UNIT + 0.5))
        for code in own
        if not isinstance(code, RangeCode) and values[code.index] > 1
    ]
    return Space(
        boxes,
        tuple(code for code in own if isinstance(code, RangeCode)),
        tuple(sorted(categoricals, key=lambda attribute: (attribute.values, attribute.index))),
        tuple(code for code in boxes.codes[width:] if isinstance(code, SetCode)),
        max(range(width), key=lambda index: (values[index], -index)),
    )
