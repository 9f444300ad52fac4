"""What the steps of one run share: the job held against the table, the release before this one, who accepts a risk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kanon_sql.flows.plan import Reusable
from kanon_sql.flows.session import Session
from kanon_sql.frozen import dataclass
from kanon_sql.model.algorithms import LOCAL_RECODINGS
from kanon_sql.model.lattice import Node
from kanon_sql.release.churn import settle_margin
from kanon_sql.release.composition import Composition
from kanon_sql.release.composition_guard import CompositionGuard
from kanon_sql.release.entries import account, utc_now
from kanon_sql.release.kept_state import (
    keeps_groups,
    kept_tables,
    why_not_kept,
)
from kanon_sql.release.previous_release import (
    PreviousRelease,
    fingerprint_of,
    groups_recipe,
    previous_release,
    recipe_of,
    recoding_digest,
)
from kanon_sql.release.publish import next_version
from kanon_sql.release.readers import check_readers
from kanon_sql.release.recoding import Chosen
from kanon_sql.workbench.workbench import Workbench

if TYPE_CHECKING:
    from kanon_sql.flows.groups import Keeping


@dataclass(frozen=True)
class ReleaseContext:
    """What the steps of one run share: the session, the workbench, the release before this one, and who accepts a risk."""

    session: Session
    bench: Workbench
    previous: PreviousRelease | None
    recipe: str
    fingerprint: str | None
    watched: str | None
    """The fingerprint of a source that others may change during the run, and which must be the same after it."""
    accept_composition: str | None = None
    rebase: str | None = None

    @property
    def accepted(self) -> dict[str, str] | None:
        """Who accepts what releases give away together, why and when."""
        return _answered(self.accept_composition)

    @property
    def rebased(self) -> dict[str, str] | None:
        """Who begins anew, why and when."""
        return _answered(self.rebase)

    def last_node(self) -> Node | None:
        """The node of the previous release, where the job still means the same by it."""
        return None if self.previous is None else self.previous.node_for(self.bench, self.recipe)

    def reusable(self) -> Reusable | None:
        """That node, where the job wants it kept."""
        node = self.last_node() if self.bench.job.search.reuse else None
        return None if node is None or self.previous is None else Reusable(node, self.previous.release.version)

    def digest_of(self, chosen: Chosen) -> str:
        """Which recoding it is: the same digest every night means the same classes."""
        return recoding_digest(self.recipe, chosen.plan, self.session.run, chosen.recoding.kept)

    def judged(self, guard: CompositionGuard, chosen: Chosen) -> Composition:
        """What the guard says of a recoding."""
        return guard.judge(chosen.recoding, self.digest_of(chosen), chosen.plan.suppressed)

    def settle_margin(self) -> None:
        """A margin that the job leaves to us, from the nights that the register has seen."""
        self.bench.job, why = settle_margin(self.bench.job, self.session.register)
        self.bench.notes += [why] if why is not None else []

    def keeping(self, guard: CompositionGuard) -> Keeping | None:
        """How the groups of a local recoding are kept from night to night; none for other searches, and where they cannot be."""
        from kanon_sql.flows.groups import Keeping

        session, job = self.session, self.bench.job
        if not keeps_groups(job):
            if job.search.algorithm in LOCAL_RECODINGS and self.previous is None:
                session.observer.note(f"these groups are not kept for the next night: {why_not_kept(job)}")
            return None
        version = next_version(session.backend, session.register, job.name, session.view)
        kept = kept_tables(session.backend, job.name, groups_recipe(self.bench)) if self.rebase is None else None
        assert guard.ledger is not None  # where groups are kept, the guard is on
        salt = guard.ledger.salt
        searched = self.previous.searched_loss() if self.previous is not None and kept is not None else None
        strict, wait = session.publish.guard == "always", session.publish.wait or Keeping.wait
        return Keeping(salt, version, kept, strict=strict, wait=wait, searched_loss=searched)


def _answered(why: str | None) -> dict[str, str] | None:
    return None if why is None else {"by": account(), "why": why, "when": f"{utc_now():%Y-%m-%d %H:%M:%S}Z"}


def load(
    session: Session, bench: Workbench, accept_composition: str | None = None, rebase: str | None = None
) -> ReleaseContext:
    """Hold the job against the table, and find the release before this one."""
    session.observer.step("reading the table")
    bench.open_source()
    if told := check_readers(session.job, session.backend):
        session.observer.note(told)
    previous = previous_release(session.register, session.job.name)
    pinned = session.backend.pins(bench.table)
    found = fingerprint_of(bench) if session.job.source.fingerprint or not pinned else None
    fingerprint = found if session.job.source.fingerprint else None
    watched = None if pinned else found
    return ReleaseContext(session, bench, previous, recipe_of(bench), fingerprint, watched, accept_composition, rebase)
