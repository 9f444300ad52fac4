"""Growing groups by the distances of SpatialDistance: from the seed for similar values, from the centre for rows."""

from __future__ import annotations

from kanon_sql.cluster.block_questions import StartGrowing
from kanon_sql.cluster.questions import Counts
from kanon_sql.sql import statements
from kanon_sql.sql.boxes import UNIT, RangeCode, SetCode
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.relations import GroupTable
from kanon_sql.sql.statements.cluster.spatial import Space, SpatialAttribute
from kanon_sql.workbench.group_answers import GroupAnswers
from kanon_sql.workbench.growing import Growing
from kanon_sql.workbench.objectives import build_weights


class SpatialGrowing(Growing):
    """Seeds in the order of the attribute of most values, then the rows nearest to the centre."""

    def __init__(self, answers: GroupAnswers, question: StartGrowing) -> None:
        self.space = space_of(answers)
        super().__init__(answers, question)

    def _first_boxes(self) -> Relation:
        point = self.space.of_row("free")
        return self.answers.make(GroupTable.GROWN, statements.cluster.growing.first_boxes, self.free, point)

    def grow(self) -> Counts:
        spatial, answers, space, k = statements.cluster.spatial, self.answers, self.space, self.answers.k
        self.turn += 1
        answers.execute(spatial.sorted_seeds, self.grown, self.free, space, self.turn, k)
        self.begun, free = self._counts()
        if self.begun:
            distances = answers.make(
                GroupTable.SEED_DISTANCES, spatial.seed_distances, self.grown, self.free, space, self.turn, k
            )
            self._remove_joined(GroupTable.FREE_ROWS, 1)
            for n in range(1, k):
                answers.execute(spatial.nearest_to_centre, self.grown, distances, space, self.turn, n)
                self._remove_joined(GroupTable.FREE_ROWS, n + 1)
                distances = self._remove_joined(GroupTable.SEED_DISTANCES, n + 1)
        return Counts(done=self.begun, open=free)

    def _place_leftovers(self) -> None:
        box = self.space.with_row("nearby", "free")
        cost = self.space.distance("nearby", "free", self.space.apart_without_seed)
        statement, rows = statements.cluster.growing.leftovers, self.answers.coded.rows
        self.answers.execute(statement, self.grown, self.free, rows, box, cost, self.turn)


def space_of(answers: GroupAnswers) -> Space:
    bench, boxes = answers.bench.origin or answers.bench, answers.coded.boxes
    width = len(bench.attributes)
    weights = build_weights(bench).values
    values = dict(answers.coded.sizes)
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
