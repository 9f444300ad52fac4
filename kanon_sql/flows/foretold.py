"""What the composition guard would say of a plan, told by `kanon plan`: it reads the ledger and writes nothing."""

from __future__ import annotations

import dataclasses

from kanon_sql.errors import CompositionRisk, JobError, KanonError
from kanon_sql.release.composition import off
from kanon_sql.release.recoding import Chosen, GlobalRecoding
from kanon_sql.release.register_place import open_register
from kanon_sql.workbench.workbench import Workbench


def foretell(bench: Workbench, chosen: Chosen) -> Chosen:
    """The plan with a note on what it gives away together with the earlier releases, where it is of levels and there is a ledger."""
    job = bench.job
    if job.publish is None or off(job) is not None or not isinstance(chosen.recoding, GlobalRecoding):
        return chosen
    note, withheld = None, 0
    try:
        with open_register(job, bench.backend, read_only=True) as register:
            if not register.readable():
                return chosen
            # The first plan of a job has nothing to compare with.
            from kanon_sql.release.composition_guard import CompositionGuard
            from kanon_sql.release.ledger import Ledger, scope_of
            from kanon_sql.release.previous_release import recipe_of, recoding_digest

            ledger = Ledger(bench.backend, register, scope_of(job, bench.backend))
            if ledger.known is None or not bench.backend.exists(ledger.names.people):
                return chosen
            chosen.recoding.prepare(bench)
            guard = CompositionGuard(bench, register, bench.names.run, publishes=False)
            guard.open(ledger=ledger)
            digest = recoding_digest(recipe_of(bench), chosen.plan, bench.names.run)
            found = guard.judge(chosen.recoding, digest, chosen.plan.suppressed)
            note, withheld = found.message, found.withheld
            if found.status == "blocked":
                note += "; a run would look for a node that composes"
    except (CompositionRisk, JobError) as refused:
        note = f"a run would be refused: {refused.message.removeprefix('not published: ')} ({refused.hint})"
    except KanonError:  # a register or a ledger that cannot be read from here: a run says more
        return chosen
    plan = dataclasses.replace(chosen.plan, notes=[*chosen.plan.notes, note], withheld=withheld)
    return dataclasses.replace(chosen, plan=plan)
