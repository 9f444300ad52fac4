"""k-anonymization inside the database.

>>> from kanon_sql import load_job, plan, run, check
>>> job = load_job("census.yml")
>>> plan(job).node          # what would be published
>>> run(job).release        # publish it
>>> check(job).k            # measure a table as it stands
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from kanon_sql.flows import VERBS
from kanon_sql.version import VERSION

if TYPE_CHECKING:
    from kanon_sql.config.load import load_job as load_job
    from kanon_sql.config.schema import Job as Job
    from kanon_sql.errors import ExitCode as ExitCode
    from kanon_sql.errors import KanonError as KanonError
    from kanon_sql.flows.attack import attack as attack
    from kanon_sql.flows.check import check as check
    from kanon_sql.flows.compare import compare as compare
    from kanon_sql.flows.demo import demo as demo
    from kanon_sql.flows.diff import diff as diff
    from kanon_sql.flows.doctor import doctor as doctor
    from kanon_sql.flows.emit import emit as emit
    from kanon_sql.flows.export import export as export
    from kanon_sql.flows.forget import forget as forget
    from kanon_sql.flows.grants import grants as grants
    from kanon_sql.flows.hierarchy import hierarchy as hierarchy
    from kanon_sql.flows.history import history as history
    from kanon_sql.flows.init import init as init
    from kanon_sql.flows.janitor import janitor as janitor
    from kanon_sql.flows.migrate import migrate as migrate
    from kanon_sql.flows.pareto import pareto as pareto
    from kanon_sql.flows.plan import plan as plan
    from kanon_sql.flows.report import report as report
    from kanon_sql.flows.rollback import rollback as rollback
    from kanon_sql.flows.run import run as run
    from kanon_sql.flows.schema import schema as schema
    from kanon_sql.flows.score import score as score
    from kanon_sql.flows.show import show as show
    from kanon_sql.flows.simulate import simulate as simulate
    from kanon_sql.flows.simulate import simulate_shapes as simulate_shapes
    from kanon_sql.flows.status import status as status
    from kanon_sql.flows.tree import tree as tree
    from kanon_sql.flows.validate import validate as validate
    from kanon_sql.flows.workload import workload as workload
    from kanon_sql.observer import Observer as Observer
    from kanon_sql.results import CheckResult as CheckResult
    from kanon_sql.results import PlanResult as PlanResult
    from kanon_sql.results import RunResult as RunResult

__version__ = VERSION

_HOMES = {verb: f"kanon_sql.flows.{verb}" for verb in VERBS} | {
    "simulate_shapes": "kanon_sql.flows.simulate",
    "load_job": "kanon_sql.config.load",
    "Job": "kanon_sql.config.schema",
    "PlanResult": "kanon_sql.results",
    "RunResult": "kanon_sql.results",
    "CheckResult": "kanon_sql.results",
    "Observer": "kanon_sql.observer",
    "KanonError": "kanon_sql.errors",
    "ExitCode": "kanon_sql.errors",
}

__all__ = ["__version__", *sorted(_HOMES)]


def __getattr__(name: str) -> Any:
    """Public names are imported when first used: the command line starts without waiting for all of them."""
    if name not in _HOMES:
        raise AttributeError(f"module 'kanon_sql' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
