"""kanon tree: partition trees of the source and of a release for a control column, buckets side by side."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.config.schema import Job
from kanon_sql.errors import NoSolution
from kanon_sql.evaluate.tree import TreeComparison
from kanon_sql.evaluate.tree_data import check_control, source_tree, tree_of_release
from kanon_sql.flows.plan import choose_recoding
from kanon_sql.flows.session import reading, release_name
from kanon_sql.flows.trial import trial, trial_release
from kanon_sql.frozen import dataclass
from kanon_sql.observer import Observer
from kanon_sql.workbench.workbench import Workbench


def tree(
    job: Job,
    control: str,
    features: Sequence[str] = (),
    release: str | None = None,
    observer: Observer | None = None,
    *,
    leaves: int = 6,
    least: float = 0.02,
) -> TreeComparison:
    """Partition trees of the source and of a release for a control column; no leaf has fewer rows than `least` (a share) or k."""
    observer = observer or Observer()
    check_control(job, control)
    with reading(job, observer, file_database=True) as bench:
        _prepare(bench, observer, control)
        observer.step("growing trees")
        source = source_tree(bench, control, features, leaves, least)
        return tree_of_release(bench, source, bench.backend.relation(release_name(job, release)))


@dataclass(frozen=True)
class BucketsRow:
    """An algorithm at a k: the buckets of its release beside the source's, or why there is none."""

    algorithm: str
    k: int
    trees: TreeComparison | None = None
    failure: str = ""


def compare_buckets(
    job: Job,
    control: str,
    algorithms: Sequence[str],
    ks: Sequence[int],
    observer: Observer | None = None,
    *,
    leaves: int = 4,
    least: float = 0.02,
) -> list[BucketsRow]:
    """Which buckets survive under which algorithm (thesis, tables 13 to 17): trees of what each would release at each k."""
    observer = observer or Observer()
    rows: list[BucketsRow] = []
    check_control(job, control)
    with reading(job, observer) as bench:
        _prepare(bench, observer, control)
        source = source_tree(bench, control, (), leaves, least)
        for k in ks:
            for algorithm in algorithms:
                observer.step(f"{len(rows) + 1} of {len(ks) * len(algorithms)}: {algorithm}, k = {k}")
                bench.job = job.with_k(k).with_algorithm(algorithm)
                with trial(bench):
                    try:
                        chosen = choose_recoding(bench, observer)
                        trees = tree_of_release(bench, source, trial_release(bench, chosen.recoding))
                        rows.append(BucketsRow(algorithm, k, trees))
                    except NoSolution as nothing:
                        rows.append(BucketsRow(algorithm, k, failure=nothing.message))
    return rows


def _prepare(bench: Workbench, observer: Observer, control: str) -> None:
    """Read the table; the base frequency set keeps the control column as well."""
    if bench.job.columns[control].role != "quasi":
        bench.also_needs(control)
    observer.step("reading the table")
    bench.prepare()
