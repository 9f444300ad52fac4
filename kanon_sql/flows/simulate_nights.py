"""kanon simulate --nights: what a job will publish and lose over the nights to come, on the table as it is, before any of them.

A part of the rows is set aside and comes night by night; as many leave. Every night is kept as a run would keep it, with the same
statements on work tables; nothing is published, no row leaves the database.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from kanon_sql.config.schema import Job
from kanon_sql.errors import JobError, NoSolution
from kanon_sql.flows.groups import Keeping, coded_rows, searched, settings_of
from kanon_sql.flows.session import reading
from kanon_sql.frozen import dataclass
from kanon_sql.model.algorithms import LOCAL_RECODINGS
from kanon_sql.observer import Observer
from kanon_sql.results import Result
from kanon_sql.sql import statements
from kanon_sql.sql.boxes import UNIT
from kanon_sql.sql.dialect import Relation
from kanon_sql.workbench.coding import Coded, part_of
from kanon_sql.workbench.group_answers import GroupAnswers
from kanon_sql.workbench.group_privacy import repair
from kanon_sql.workbench.kept_groups import Night
from kanon_sql.workbench.kept_tables import KeptTables
from kanon_sql.workbench.workbench import Workbench


@dataclass(frozen=True)
class SimulatedNight:
    """One night: the rows there are, those published, joined, waiting and retired, and the loss of a published row (0 none, 1 all)."""

    night: int
    rows: int
    published: int
    joined: int
    founded: int
    waiting: int
    retired: int
    loss: float

    @property
    def share(self) -> float:
        return self.published / self.rows if self.rows else 0.0


@dataclass(frozen=True)
class SimulatedNights(Result):
    """The nights, the margin they begin with, and what a fresh search at k loses on the last of them."""

    k: int
    margin: int
    churn: float
    nights: tuple[SimulatedNight, ...]
    fresh_loss: float
    why: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "k": self.k,
            "margin": self.margin,
            "churn": self.churn,
            "why": self.why,
            "fresh_loss": self.fresh_loss,
            "nights": self.records(),
        }

    def records(self) -> list[dict[str, Any]]:
        """One row per night."""
        return [vars(night) | {"share": night.share} for night in self.nights]


def simulate_nights(
    job: Job, nights: int, churn: float, observer: Observer | None = None, *, seed: int = 1
) -> SimulatedNights:
    """What a job with kept groups would publish and lose over some nights in each of which a share of the people leaves and as many come."""
    observer = observer or Observer()
    if job.search.algorithm not in LOCAL_RECODINGS:
        raise JobError(
            f"--nights: {job.search.algorithm} publishes one node for all rows, and needs no groups to outlast the nights",
            "simulate with a local recoding, as --set search.algorithm=mondrian",
        )
    if job.source.person is None:
        raise JobError("--nights: groups are kept by the persons in them", "name the person key (source.person)")
    why = None
    if job.privacy.margin == "auto":
        privacy = job.privacy.model_copy(update={"churn": churn, "nights": nights})
        chosen = privacy.chosen_margin(job.search.algorithm)
        job, why = job.with_margin(chosen.margin), chosen.why.replace("stated in privacy.churn", "as simulated")
    with reading(job, observer) as bench:
        observer.step("reading the table")
        bench.prepare()
        simulation = _Simulation(bench, observer, nights, churn, seed)
        told = []
        observer.expect(nights + 1)
        for night in range(nights + 1):
            told.append(simulation.next_night())
            observer.checks(night + 1)
        fresh = simulation.fresh_loss()
    return SimulatedNights(job.privacy.k, job.privacy.search_k - job.privacy.k, churn, tuple(told), fresh, why)


class _Simulation:
    """The nights on one workbench: the tables of a night are dropped when the next has read them."""

    def __init__(self, bench: Workbench, observer: Observer, nights: int, churn: float, seed: int) -> None:
        self.bench, self.observer = bench, observer
        self.nights, self.churn, self.seed = nights, churn, seed
        self.coded, self.privacy = coded_rows(bench)
        self.everybody = Night(bench, self.coded, "simulated", 0, None)
        self.everybody.everybody()
        publish = bench.job.publish
        self.wait = (publish.wait if publish is not None else None) or Keeping.wait
        self.night = -1
        self.kept: KeptTables | None = None
        self.present = Relation(())

    def next_night(self) -> SimulatedNight:
        bench, k = self.bench, self.bench.job.privacy.k
        self.night += 1
        self.observer.step(f"night {self.night} of {self.nights}")
        begun, apart = len(bench.made), f"{self.night}_"
        night = Night(bench, self.coded, "simulated", self.night + 1, self.kept, apart)
        self.present = bench.names.night(f"{apart}present")
        rows = bench.names.night("rows")
        columns = night.columns.compared
        statement = statements.nights.present(
            bench.dialect, self.present, rows, columns, self.night, self.nights, self.churn, self.seed
        )
        bench.make_table(self.present, statement)
        night.place_everybody(self.present)
        if self.kept is None:
            self._first(night)
        else:
            night.keep_groups(k, join=True)
            waiting = night.waiting_room(self.least)
            if waiting is not None and (found := self._grouped(waiting.coded, apart, self.least)) is not None:
                night.accept(waiting, found, night.make_labels(found), self.night + 1 - self.wait)
        assignment, labels = night.settle()
        told = self._told(night, assignment, labels)
        self._drop_before(begun, night)
        return told

    @property
    def least(self) -> int:
        return max(self.privacy.shape.k, 1)

    def _first(self, night: Night) -> None:
        part = part_of(self.bench, self.coded, self.present, "0_there")
        found = self._grouped(part, "0_", self.least)
        if found is None:
            raise NoSolution("the rows of the first night do not satisfy the privacy models together")
        night.found_all(found, night.make_labels(found), part.units)

    def _grouped(self, coded: Coded, search: str, k: int) -> GroupAnswers | None:
        try:
            settings = settings_of(self.bench, coded, k)
            _, answers = searched(self.bench, coded, settings, self.observer, search)
            repair(answers, dataclasses.replace(self.privacy.shape, k=k), settings)
        except NoSolution:
            return None
        return answers

    def _told(self, night: Night, assignment: Relation, labels: Relation) -> SimulatedNight:
        bench = self.bench
        rows = int(bench.backend.fetch_one(statements.checks.table_rows(bench.dialect, self.present)).rows)
        lost = bench.backend.fetch_one(statements.nights.mean_loss(bench.dialect, assignment, labels))
        published = int(lost.rows)
        loss = int(lost.loss) / published / self.coded.boxes.full if published else 1.0
        if self.kept is None:
            return SimulatedNight(self.night, rows, published, 0, published, rows - published, 0, loss)
        told = night.figures()
        counts = {name: told[name] for name in ("joined", "founded", "waiting", "retired")}
        return SimulatedNight(self.night, rows, published, loss=loss, **counts)

    def _drop_before(self, begun: int, night: Night) -> None:
        """Keep what the next night reads; drop the rest of this one and the state of the one before."""
        bench, state = self.bench, night.next_tables()
        before = set(vars(self.kept).values()) if self.kept is not None else set()
        kept = {*state.values(), self.present}
        gone = [each for each in bench.made[begun:] if each[1] not in kept]
        gone += [each for each in bench.made[:begun] if each[1] in before or each[1].name.endswith("_present")]
        bench.backend.drop_work(gone)
        bench.made = [each for each in bench.made if each not in gone]
        values = state.get("values", state["labels"])  # never read where no attribute is a set
        self.kept = KeptTables(self.night + 1, state["members"], state["labels"], values)

    def fresh_loss(self) -> float:
        """What a search at k loses on the rows of the last night."""
        part = part_of(self.bench, self.coded, self.present, "fresh")
        found = self._grouped(part, "fresh_", max(1, self.bench.job.privacy.k))
        if found is None:
            return 1.0
        counts = found.measure()
        return float(counts.loss) / part.count / (self.coded.boxes.full / UNIT)
