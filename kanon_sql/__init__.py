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

from kanon_sql.version import VERSION

if TYPE_CHECKING:
    from kanon_sql.config.load import load_job as load_job
    from kanon_sql.config.schema import Job as Job
    from kanon_sql.errors import ExitCode as ExitCode
    from kanon_sql.errors import KanonError as KanonError
    from kanon_sql.pipeline import check as check
    from kanon_sql.pipeline import plan as plan
    from kanon_sql.pipeline import run as run
    from kanon_sql.results import CheckResult as CheckResult
    from kanon_sql.results import PlanResult as PlanResult
    from kanon_sql.results import RunResult as RunResult

__version__ = VERSION

_HOMES = {
    "load_job": "kanon_sql.config.load",
    "Job": "kanon_sql.config.schema",
    "plan": "kanon_sql.pipeline",
    "run": "kanon_sql.pipeline",
    "check": "kanon_sql.pipeline",
    "PlanResult": "kanon_sql.results",
    "RunResult": "kanon_sql.results",
    "CheckResult": "kanon_sql.results",
    "KanonError": "kanon_sql.errors",
    "ExitCode": "kanon_sql.errors",
}

__all__ = ["__version__", *sorted(_HOMES)]


def __getattr__(name: str) -> Any:
    """Public names are imported when first used: the command line starts without waiting for all of them."""
    if name not in _HOMES:
        raise AttributeError(f"module 'kanon_sql' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
