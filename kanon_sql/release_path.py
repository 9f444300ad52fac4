"""From a choice to what readers see: stage, verify, guard, publish; and the night on which nothing changed."""

from __future__ import annotations

import dataclasses
from contextlib import suppress
from dataclasses import dataclass

from kanon_sql.errors import KanonError
from kanon_sql.observer import Observer
from kanon_sql.release.again import LastRelease, recoding_digest
from kanon_sql.release.entries import DONE, utc_now
from kanon_sql.release.guards import run_guards, stop_if_blocked
from kanon_sql.release.ledger import CompositionGuard
from kanon_sql.release.lock import account
from kanon_sql.release.publish import drop_table, next_version, publish
from kanon_sql.release.recoding import Chosen, GlobalRecoding
from kanon_sql.release.register import Register
from kanon_sql.release.verify import verify
from kanon_sql.release.verify_models import verify_models
from kanon_sql.results import RunResult
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.relations import staged_table
from kanon_sql.workbench.workbench import Workbench


@dataclass(frozen=True)
class Night:
    """One run of a job: what it reads from, where it writes, what went before, and what somebody answers for."""

    bench: Workbench
    register: Register
    observer: Observer
    run: str
    view: Relation
    last: LastRelease | None
    recipe: str
    fingerprint: str | None
    accept_composition: str | None = None

    @property
    def accepted(self) -> dict[str, str] | None:
        """Who accepts what releases give away together, why and when."""
        if self.accept_composition is None:
            return None
        return {"by": account(), "why": self.accept_composition, "when": f"{utc_now():%Y-%m-%d %H:%M:%S}Z"}


def released(night: Night, chosen: Chosen) -> RunResult:
    """Stage, verify, publish: a staged table that fails is dropped, and the view is switched last, in one transaction."""
    bench, register, observer = night.bench, night.register, night.observer
    backend, job = bench.backend, bench.job
    assert job.publish is not None
    staged = staged_table(night.view, night.run, backend.dialect.max_identifier_bytes)
    observer.step("staging the release")
    backend.scale_to(bench.rows)
    backend.create_schema(str(night.view.schema))
    try:
        chosen.recoding.stage(bench, staged)
        observer.step("verifying")
        kept = chosen.plan.rows - chosen.plan.suppressed
        quasi = chosen.recoding.quasi_columns(bench)
        verified = verify(backend, staged, quasi, job.privacy.k, kept)
        node = chosen.recoding.node if isinstance(chosen.recoding, GlobalRecoding) else None
        models = verify_models(bench, staged, quasi, node, chosen.recoding.behind(bench))
        guards = run_guards(bench, staged, quasi, node, chosen.plan.suppressed)
        stop_if_blocked(guards)
        observer.step("comparing with earlier releases")
        version = next_version(backend, register, job.name, night.view)
        guard = CompositionGuard(
            bench, register, chosen.recoding, recoding_digest(night.recipe, chosen.plan, night.run)
        )
        composition = guard.check(version, night.last.release.version if night.last else None, night.accepted)
        if composition.status != "passed":
            observer.note(composition.message)
        observer.step("publishing")
        result = RunResult(
            observer.finished(chosen.plan),
            night.run,
            job.publish.table,
            version,
            verified.to_json() | {"models": [finding.to_json() for finding in models]},
            [finding.to_json() for finding in guards],
            composition.to_json(),
            night.recipe,
            night.fingerprint,
        )

        def note(table: Relation) -> None:
            guard.record(version)
            register.publish_run(night.run, job, result, table)

        publish(backend, register, night.view, staged, version, note)
    except BaseException:
        # Once published it has another name: there is nothing to drop, whatever comes after.
        with suppress(KanonError):
            drop_table(backend, staged)
        raise
    return result


def unchanged(night: Night) -> RunResult | None:
    """The release readers see, when neither the source nor the job changed since, and it still verifies; else none."""
    last, job = night.last, night.bench.job
    if last is None or night.fingerprint is None or last.told("fingerprint") != night.fingerprint:
        return None
    if last.told("recipe") != night.recipe:
        return None
    backend = night.bench.backend
    night.observer.step("verifying the release of an unchanged source")
    try:
        table = backend.relation(last.release.table)
        verified = verify(backend, table, job.columns_with("quasi"), job.privacy.k, last.release.rows)
    except KanonError:
        return None  # somebody touched it: release anew
    plan = dataclasses.replace(last.plan(), checks=0)
    assert job.publish is not None
    result = RunResult(
        night.observer.finished(plan),
        night.run,
        job.publish.table,
        last.release.version,
        (last.told("verified") or {}) | verified.to_json(),
        last.told("guards") or [],
        last.told("composition") or {},
        night.recipe,
        night.fingerprint,
        unchanged=True,
    )
    night.register.finish_run(night.run, DONE, node=plan.node, figures=result.to_json())
    return result
