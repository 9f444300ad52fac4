"""A lower bound beside the loss of groups.

A row of a group of k rows loses no less than it would beside the (k - 1)-th of its nearest rows alone: one of its k - 1 companions is
no nearer, and a group's box holds both. The mean of that over all rows is below the loss of every grouping; it is estimated on a sample.
"""

from __future__ import annotations

import math

from kanon_sql.frozen import dataclass
from kanon_sql.sql import statements
from kanon_sql.sql.boxes import UNIT
from kanon_sql.sql.relations import GroupTable
from kanon_sql.workbench.group_answers import GroupAnswers

BOUNDED = ("glm", "ncp", "weighted_ncp")
"""The measures that a search for groups adds up cell by cell."""
PAIRS = 5_000_000
"""Rows of the sample times rows of the table."""
SMALLEST, LARGEST = 30, 300
"""Of the sample. Where fewer could be looked at, the table is too long to be bounded."""
NINETY_FIVE = 1.96
"""Standard errors on either side of a mean, 95% of the time."""


@dataclass(frozen=True)
class LossBound:
    """The mean loss of a cell that no grouping goes below, its 95% interval, and the rows of the sample."""

    loss: float
    low: float
    high: float
    sample: int

    def figures(self) -> dict[str, object]:
        return {
            "lower_bound": self.loss,
            "lower_bound_interval": [self.low, self.high],
            "lower_bound_sample": self.sample,
        }

    def note(self, metric: str, k: int) -> str:
        return (
            f"no groups of {k} rows have a {metric} below {self.loss:.4f} "
            f"({self.low:.4f} to {self.high:.4f}, from the nearest neighbours of {self.sample} rows)"
        )


def bounded_loss(answers: GroupAnswers) -> LossBound | None:
    """None where the table is too long for it, or the search looks at more than the job's measure of cells of rows."""
    bench, coded = answers.bench, answers.coded
    rows, sample = coded.count, min(LARGEST, coded.count, PAIRS // max(1, coded.count))
    origin = bench.origin or bench
    job, attributes = origin.job, len(bench.attributes)
    weights = {attribute.weight for attribute in bench.attributes}
    weighted = job.utility.metric != "weighted_ncp" and (job.utility.weights == "auto" or len(weights) > 1)
    ruled = len(coded.boxes.codes) > attributes
    if job.utility.metric not in BOUNDED or weighted or ruled or origin.counts_persons:
        return None
    if rows < answers.k or sample < min(SMALLEST, rows):
        return None
    if not answers.boxes_are_current:
        answers.make_boxes()
    statement = statements.cluster.bounding.nearest_rows(
        bench.dialect,
        coded.rows,
        answers.assignment,
        answers.tables[GroupTable.BOXES],
        coded.boxes,
        sample=sample,
        k=answers.k,
        seed=job.search.seed,
    )
    found = bench.backend.fetch_one(statement)
    n = int(found.sample)
    mean = float(found.total) / n
    spread = math.sqrt(max(0.0, float(found.squares) / n - mean * mean) / n)
    # A sample of all rows is no sample.
    off = NINETY_FIVE * spread if n < rows else 0.0
    cells = attributes * UNIT
    return LossBound(mean / cells, max(0.0, mean - off) / cells, (mean + off) / cells, n)
