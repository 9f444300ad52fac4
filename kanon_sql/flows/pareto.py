"""kanon pareto: the frontier of k against loss, and the way from a point of it back to a release."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from kanon_sql.backends.base import Backend
from kanon_sql.backends.stopping import stops
from kanon_sql.config.schema import Job
from kanon_sql.errors import JobError, NoSolution
from kanon_sql.flows.frontier_band import frontier_band
from kanon_sql.flows.groups_frontier import groups_frontier
from kanon_sql.flows.lattice import set_up
from kanon_sql.flows.session import opened, register_of, require_register
from kanon_sql.frozen import dataclass
from kanon_sql.model.algorithms import LOCAL_RECODINGS
from kanon_sql.model.counted import counted
from kanon_sql.model.lattice import Node
from kanon_sql.observer import Observer
from kanon_sql.release.register_place import open_register
from kanon_sql.release.run_id import new_run_id
from kanon_sql.results import Result
from kanon_sql.search.pareto import pareto as search_pareto
from kanon_sql.search.pareto_frontier import Frontier, FrontierPoint, frontier_from_json
from kanon_sql.search.poka import poka
from kanon_sql.search.settings import LIST_LIMIT
from kanon_sql.workbench.answers import drive
from kanon_sql.workbench.workbench import Workbench

FRONTIERS = ("pareto", "poka")


@dataclass(frozen=True)
class FrontierResult(Result):
    """A frontier, and the run it is registered under (none where it was not kept)."""

    frontier: Frontier
    seconds: float
    statements: int
    run: str | None

    def to_dict(self) -> dict[str, Any]:
        return self.frontier.to_dict(round(self.seconds, 3)) | {"run": self.run, "statements": self.statements}

    def records(self) -> list[dict[str, Any]]:
        """One row per point, in ascending k; the levels of its node are columns."""
        return [
            {key: value for key, value in point.items() if key != "node"}
            | {f"level of {name}": level for name, level in point["node"].items()}
            for point in self.frontier.to_dict()["points"]
        ]


def pareto(
    job: Job,
    observer: Observer | None = None,
    *,
    algorithm: str = "pareto",
    depth: int | None = None,
    l_column: str | None = None,
    keep: bool = True,
) -> FrontierResult:
    """Every k worth choosing and what it costs.

    `algorithm` is pareto (exact, by bounds) or poka (as published, with its `depth`); `l_column` adds the distinct l of a sensitive
    column as a second privacy dimension (pareto only); `keep` registers the frontier.
    Where the lattice is too large to list, pareto searches a ladder of k within the job's time limit (120 s without one) and
    says for each between which losses the frontier runs: the `band`.
    With a local recoding the frontier is that of groups: a ladder of k, each found from the groups of the next larger one.
    """
    observer = observer or Observer()
    if algorithm not in FRONTIERS:
        raise JobError(f"there is no frontier algorithm {algorithm!r}", f"known are {', '.join(FRONTIERS)}")
    if l_column is not None and job.columns.get(l_column, None) is None:
        raise JobError(f"--l {l_column}: that is not a column of the job")
    if l_column is not None and algorithm != "pareto":
        raise JobError("the frontier of k, l and loss is found by pareto alone")
    started = time.perf_counter()
    run_id = new_run_id()
    with opened(job, observer, read_only=not keep, run=run_id) as backend:
        with Workbench(backend, job, run_id) as bench:
            bench.also_needs(l_column)
            observer.step("reading the table")
            bench.prepare(searches=True)
            frontier = _find(bench, observer, algorithm, depth, l_column)
        seconds = time.perf_counter() - started
        if keep:
            with _registered(job, backend, run_id) as save:
                save(frontier.to_dict(round(seconds, 3)))
    return FrontierResult(frontier, seconds, len(observer.statements), run_id if keep else None)


def _find(bench: Workbench, observer: Observer, algorithm: str, depth: int | None, l_column: str | None) -> Frontier:
    if bench.job.search.algorithm in LOCAL_RECODINGS:
        if algorithm != "pareto" or l_column is not None:
            raise JobError(
                f"search.algorithm {bench.job.search.algorithm} makes groups, whose frontier is of k and loss alone",
                "leave out --algorithm and --l, or name a lattice search",
            )
        return groups_frontier(bench, observer)
    if algorithm == "pareto" and l_column is None and bench.lattice.size > LIST_LIMIT:
        return frontier_band(bench, observer)
    observer.step(f"measuring ({algorithm})")
    search = set_up(bench, observer)
    if l_column is not None:
        search.answers.measure_l(bench.sensitive.index(l_column))
    if algorithm == "poka":
        driver = poka(bench.lattice, search.built.objective, search.settings, depth)
    else:
        driver = search_pareto(bench.lattice, search.built.objective, search.settings, with_l=l_column is not None)
    return drive(driver, search.answers.answer, observer.anytime)


@contextmanager
def _registered(job: Job, backend: Backend, run_id: str) -> Iterator[Any]:
    with open_register(job, backend) as register:

        def save(document: dict[str, Any]) -> None:
            register.save_frontier(run_id, document)
            register.finish_run(
                run_id,
                "done",
                figures={key: document[key] for key in ("metric", "algorithm", "exact", "nodes", "evaluated")},
            )

        try:
            register.start_run(run_id, job, command="pareto")
            yield save
        except BaseException as error:
            with stops.shielded():
                register.fail_run(run_id, error)
            raise


def kept_frontier(job: Job, run: str | None = None, observer: Observer | None = None) -> tuple[str, Frontier]:
    """A frontier of this job from the register: of one run, or the newest."""
    with register_of(job, observer or Observer()) as register:
        require_register(register, "no frontier", "`kanon pareto JOB` finds and keeps one")
        runs = (
            [register.show(run).id]
            if run is not None
            else [entry.id for entry in register.history(job.name, limit=200)]
        )
        for candidate in runs:
            document = register.load_frontier(candidate)
            if document is not None:
                return candidate, frontier_from_json(document)
    raise JobError(
        f"run {run} has no frontier" if run is not None else "the register has no frontier of this job",
        "`kanon pareto JOB` finds and keeps one",
    )


def point_of_frontier(job: Job, frontier: Frontier, number: int) -> tuple[Job, Node]:
    """The job with the k of the N-th point in ascending k, and the node of that point."""
    if not 1 <= number <= len(frontier.points):
        raise JobError(
            f"--point {number}: the frontier has {counted(len(frontier.points), 'point')}",
            "`kanon pareto` numbers them",
        )
    point = frontier.points[number - 1]
    return job.with_k(point.k), _node_of(job, frontier, point)


def cheapest_point(job: Job, k: int) -> tuple[Job, Node]:
    """The job with this k, and the node of the cheapest point of the newest kept frontier that reaches it."""
    _, frontier = kept_frontier(job)
    point = frontier.at_k(k)
    if point is None:
        raise NoSolution(
            f"--at-k {k}: no node of the kept frontier reaches it", "`kanon pareto JOB` shows what is reached"
        )
    return job.with_k(k), _node_of(job, frontier, point)


def _node_of(job: Job, frontier: Frontier, point: FrontierPoint) -> Node:
    """The node of a point, in the order of the job's columns."""
    if not frontier.names:
        raise JobError(
            "the kept frontier is one of groups: its points have no node",
            f"--set privacy.k={point.k} asks for groups of {point.k} rows",
        )
    levels = dict(zip(frontier.names, point.node, strict=True))
    if set(levels) != set(job.columns_with("quasi")):
        raise JobError(
            "the frontier was found for other quasi-identifiers than the job has now",
            "`kanon pareto JOB` finds a new one",
        )
    return tuple(levels[name] for name in job.columns_with("quasi"))
