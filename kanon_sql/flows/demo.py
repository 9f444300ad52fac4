"""kanon demo: a synthetic census, its job file, a run and its report, in one folder."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from kanon_sql.config.load import load_job
from kanon_sql.flows.run import run
from kanon_sql.frozen import dataclass
from kanon_sql.observer import Observer
from kanon_sql.results import Result, RunResult
from kanon_sql.synthetic.make import make_demo


@dataclass(frozen=True)
class Demo(Result):
    """What was made: the job file, the run, and its report (none where the extra `report` is not installed)."""

    job_file: Path
    result: RunResult
    page: Path | None

    def records(self) -> list[dict[str, Any]]:
        return self.result.records()

    def to_dict(self) -> dict[str, Any]:
        page = None if self.page is None else str(self.page)
        return self.result.to_dict() | {"job": str(self.job_file), "report": page}


def demo(directory: Path | str = "demo", rows: int = 50_000, seed: int = 1, observer: Observer | None = None) -> Demo:
    """Make a synthetic census and its job file in a folder, run it, and report it. Nothing is downloaded."""
    observer = observer or Observer()
    job_file = make_demo(Path(directory), rows, seed)
    job = load_job(job_file)
    result = run(job, observer)
    if find_spec("altair") is None or find_spec("vl_convert") is None:
        return Demo(job_file, result, None)
    from kanon_sql.flows.report import report

    page = Path(directory) / "report.html"
    # Without the frontier, which takes longer than all the rest.
    run_id = (
        None if result.unchanged else result.run
    )  # made again, it is the same census: the page is the current release's
    report(job, run_id, page, observer, statements=list(observer.statements), with_frontier=False)
    return Demo(job_file, result, page)
