"""Where a night publishes nothing: the release that readers see stands, because it was rolled back to or nothing changed since."""

from __future__ import annotations

import dataclasses
from typing import Any

from kanon_sql.errors import KanonError, VerificationFailed
from kanon_sql.flows.release_context import ReleaseContext
from kanon_sql.release.column_types import keeps_types
from kanon_sql.release.entries import DONE
from kanon_sql.release.previous_release import (
    PreviousRelease,
    release_digest,
)
from kanon_sql.release.rollback_hold import WAY_OUT, rollback_hold
from kanon_sql.release.verify import verify
from kanon_sql.release.verify_models import measure_models, require_models
from kanon_sql.results import RunResult
from kanon_sql.workbench.reading import reading
from kanon_sql.workbench.workbench import Workbench


def keep_rolled_back_release(context: ReleaseContext) -> RunResult | None:
    """The release readers were rolled back to, while that rollback holds; else none."""
    session, previous = context.session, context.previous
    hold = rollback_hold(session.register, session.job.name)
    if hold is None or previous is None:
        return None
    session.observer.note(f"nothing was published: {hold}; {WAY_OUT}")
    result = RunResult(
        session.observer.finished(dataclasses.replace(previous.plan(), checks=0)),
        session.run,
        session.publish.table,
        previous.release.version,
        previous.figure("verified") or {},
        unchanged=True,
        held=str(hold),
    )
    session.register.finish_run(session.run, DONE, node=previous.run.node, figures=result.to_dict())
    return result


def keep_unchanged_release(context: ReleaseContext) -> RunResult | None:
    """The release readers see, if neither the source nor the job changed since, and it still verifies; else none."""
    session, previous = context.session, context.previous
    if previous is None or context.fingerprint is None or previous.figure("fingerprint") != context.fingerprint:
        return None
    if previous.figure("recipe") != context.recipe:
        return None
    if not keeps_types(context.bench, session.backend.relation(previous.release.table), context.bench.attributes):
        return None
    session.observer.step("verifying the release of an unchanged source")
    try:
        verified = _verified_again(context.bench, previous)
    except KanonError:
        return None  # somebody changed it: release anew
    plan = dataclasses.replace(previous.plan(), checks=0)
    result = RunResult(
        session.observer.finished(plan),
        session.run,
        session.publish.table,
        previous.release.version,
        (previous.figure("verified") or {}) | verified,
        previous.figure("guards") or [],
        previous.figure("composition") or {},
        context.recipe,
        context.fingerprint,
        unchanged=True,
        digest=previous.figure("digest"),
    )
    session.register.finish_run(session.run, DONE, node=plan.node, figures=result.to_dict())
    return result


def _verified_again(bench: Workbench, previous: PreviousRelease) -> dict[str, Any]:
    """Every promise of a release that can be counted anew; the rest holds because not one value of it changed."""
    table, quasi = bench.backend.relation(previous.release.table), previous.quasi_columns(bench.job)
    if release_digest(bench, table) != previous.figure("digest"):
        raise VerificationFailed("the release is not the one that was published")
    levels = previous.run.node
    node = tuple(int(levels[attribute.name]) for attribute in bench.attributes) if levels is not None else None
    with reading(bench, table, "previous") as read:
        counted = verify(bench.backend, read, quasi, bench.job.privacy.k, previous.release.rows)
        models = measure_models(bench, read, quasi, node)
    require_models(models)
    if models:
        return counted.to_dict() | {"models": [finding.to_dict() for finding in models]}
    return counted.to_dict()
