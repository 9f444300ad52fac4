"""Random COUNT and SUM queries, answered from a release under uniformity, against the truth (Xu et al. 2006, section 5).

A query asks for ranges of some attributes: of a numeric a range between two values that occur, of a categorical a value or an inner label
of its hierarchy. A SUM query adds up a numeric that it does not ask about. The relative error is |answer - truth| / truth; a query whose
true answer is 0 has none and is counted apart.
"""

from __future__ import annotations

import random
import statistics
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from kanon_sql.errors import JobError
from kanon_sql.evaluate.published import PublishedTable, read_release
from kanon_sql.evaluate.score import described_attribute
from kanon_sql.frozen import dataclass
from kanon_sql.results import Result
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.statement import Statement
from kanon_sql.workbench.objectives import resolutions
from kanon_sql.workbench.workbench import Workbench

Part = tuple[int, int, int, int, int]
"""(query, attribute, level, first code, last code)"""


@dataclass(frozen=True)
class Workload:
    """Queries with their true answers. `asked[query]` are the attributes a query asks about; the first half are COUNT queries."""

    queries: int
    summed: int | None
    asked: tuple[tuple[int, ...], ...]
    picked: tuple[Relation, ...]
    truth: dict[int, float]

    def counts(self, query: int) -> bool:
        return self.summed is None or query < self.queries


@dataclass(frozen=True)
class WorkloadError(Result):
    """Mean and median relative errors of COUNT and SUM queries; `empty` queries have a true answer of 0."""

    queries: int
    empty: int
    count_mean: float | None
    count_median: float | None
    sum_mean: float | None
    sum_median: float | None
    summed: str | None

    def to_dict(self) -> dict[str, Any]:
        return {
            "queries": self.queries,
            "empty": self.empty,
            "count": {"mean": self.count_mean, "median": self.count_median},
            "sum": {"column": self.summed, "mean": self.sum_mean, "median": self.sum_median},
        }

    def records(self) -> list[dict[str, Any]]:
        """One row per kind of query."""
        rows = [{"query": "COUNT", "mean": self.count_mean, "median": self.count_median}]
        if self.summed is not None:
            rows.append({"query": f"SUM({self.summed})", "mean": self.sum_mean, "median": self.sum_median})
        return rows


def draw_workload(
    bench: Workbench, queries: int, attributes: int | None = None, sum_column: str | None = None, seed: int = 1
) -> Workload:
    """Draw `queries` COUNT queries and as many SUM queries, and answer them from the source.

    Each asks about `attributes` of the quasi-identifiers (all of them: the paper's), drawn at random; codes and draws are the same on
    every engine.
    """
    summed = _summed(bench, sum_column)
    draw = random.Random(seed)
    asked: list[tuple[int, ...]] = []
    parts: list[Part] = []
    for query in range(queries * (1 if summed is None else 2)):
        eligible = [i for i in range(len(bench.attributes)) if query < queries or i != summed]
        if not eligible:
            raise JobError("a SUM query needs a second quasi-identifier to ask about")
        wanted = min(attributes or len(eligible), len(eligible))
        chosen = tuple(sorted(draw.sample(eligible, wanted)))
        asked.append(chosen)
        parts += [(query, i, *_range(bench, i, draw)) for i in chosen]
    picked = _picked(bench, parts)
    truth: dict[int, float] = {}
    value = None
    if summed is not None:
        attribute = described_attribute(bench, summed, 1.0)
        value = (summed, bench.names.dictionary(summed), attribute.finite)
    for subset in sorted(set(asked)):
        tables = [(i, picked[i]) for i in subset]
        statement = statements.evaluate.true_answers(bench.dialect, bench.names.base, tables, value)
        _collect(bench, statement, subset, asked, queries, summed, truth)
    return Workload(queries, summed, tuple(asked), picked, truth)


def measure_workload(bench: Workbench, workload: Workload, release: Relation) -> WorkloadError:
    """Answer the workload from a release, and compare."""
    published = read_release(bench, release, "workload")
    shares = _shares(bench, workload, published)
    value = None
    if workload.summed is not None:
        i = workload.summed
        value = (i, published.covers[i], bench.names.dictionary(i), published.attributes[i].finite)
    answers: dict[int, float] = {}
    for subset in sorted(set(workload.asked)):
        tables = [(i, shares[i]) for i in subset]
        statement = statements.evaluate.released_answers(bench.dialect, published.table, tables, value)
        _collect(bench, statement, subset, workload.asked, workload.queries, workload.summed, answers)
    errors: dict[bool, list[float]] = {True: [], False: []}
    for query in range(len(workload.asked)):
        if truth := workload.truth.get(query, 0.0):
            errors[workload.counts(query)].append(abs(answers.get(query, 0.0) - truth) / abs(truth))
    counted, added = errors[True], errors[False]
    return WorkloadError(
        queries=len(workload.asked),
        empty=len(workload.asked) - len(counted) - len(added),
        count_mean=statistics.fmean(counted) if counted else None,
        count_median=statistics.median(counted) if counted else None,
        sum_mean=statistics.fmean(added) if added else None,
        sum_median=statistics.median(added) if added else None,
        summed=None if workload.summed is None else bench.attributes[workload.summed].name,
    )


def _summed(bench: Workbench, column: str | None) -> int | None:
    """The numeric quasi-identifier that SUM queries add up: the one named, else the first."""
    names = [attribute.name for attribute in bench.attributes]
    if column is not None:
        if column not in names or not bench.attributes[names.index(column)].numeric:
            raise JobError(f"--sum {column}: that is not a numeric quasi-identifier of the job")
        return names.index(column)
    numerics = [i for i, attribute in enumerate(bench.attributes) if attribute.numeric]
    return numerics[0] if numerics and len(names) > 1 else None


def _range(bench: Workbench, index: int, draw: random.Random) -> tuple[int, int, int]:
    """A random range of an attribute: (level, first code, last code)."""
    attribute, sizes = bench.attributes[index], bench.sizes[index]
    if attribute.numeric:
        first, last = sorted(draw.choices(range(sizes[0]), k=2))
        return 0, first, last
    level = draw.randrange(attribute.star)
    code = draw.randrange(sizes[level])
    return level, code, code


def _picked(bench: Workbench, parts: Sequence[Part]) -> tuple[Relation, ...]:
    units = resolutions(bench)
    tables = []
    for i in range(len(bench.attributes)):
        attribute = described_attribute(bench, i, units.get(i, 1.0))
        own = [part for part in parts if part[1] == i] or [(-1, i, -1, 0, 0)]
        ranges = bench.names.workload_parts(i)
        bench.make_table(ranges, statements.evaluate.workload_parts(bench.dialect, ranges, own))
        tables.append(bench.names.workload_picked(i))
        statement = statements.evaluate.picked(bench.dialect, tables[-1], ranges, attribute)
        bench.make_table(tables[-1], statement)
    return tuple(tables)


def _shares(bench: Workbench, workload: Workload, published: PublishedTable) -> list[Relation]:
    tables = []
    for attribute, cover, picked in zip(published.attributes, published.covers, workload.picked, strict=True):
        tables.append(bench.names.shares("workload", attribute.index))
        statement = statements.evaluate.shares(bench.dialect, tables[-1], cover, picked, attribute)
        bench.make_table(tables[-1], statement)
    return tables


def _collect(
    bench: Workbench,
    statement: Statement,
    subset: tuple[int, ...],
    asked: Sequence[tuple[int, ...]],
    queries: int,
    summed: int | None,
    answers: dict[int, float],
) -> None:
    """The answers of the queries that ask about exactly this subset; those that share its first attributes are others' business."""
    own: dict[int, bool] = defaultdict(bool)
    for query, attributes in enumerate(asked):
        own[query] = attributes == subset
    for query, count, total in bench.backend.fetch(statement):
        if own[int(query)]:
            answers[int(query)] = float(count) if summed is None or int(query) < queries else float(total)
