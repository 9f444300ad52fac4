"""What a run leaves for other programs: run_results.json, and metrics for Prometheus's text-file collector. Written at once or not at all."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from kanon_sql.frozen import dataclass
from kanon_sql.pages.written_file import check_place, write_file

HELP = {
    "kanon_run_success": "Whether the last run of the job succeeded.",
    "kanon_run_exit_code": "Exit code of the last run.",
    "kanon_run_end_timestamp_seconds": "When the last run ended.",
    "kanon_run_duration_seconds": "How long the last run took.",
    "kanon_run_statements": "Statements of the last run.",
    "kanon_run_unchanged": "Whether the last run found the source unchanged and kept its release.",
    "kanon_last_success_timestamp_seconds": "When a run last succeeded.",
    "kanon_release_version": "Version of the release that readers see.",
    "kanon_release_rows": "Rows of that release.",
    "kanon_release_k": "Smallest class of that release.",
    "kanon_release_classes": "Classes of that release.",
    "kanon_release_suppressed_rows": "Rows left out of that release.",
}


@dataclass(frozen=True)
class RunOutcome:
    """How a run ended. Times are seconds since the epoch; `result` and `error` are the documents `--json` gives."""

    job: str
    run: str
    started: float
    ended: float
    exit_code: int
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None

    @property
    def status(self) -> str:
        if self.result is None:
            return "failed"
        return "unchanged" if self.result.get("unchanged") else "published"

    def to_dict(self) -> dict[str, Any]:
        return {
            "job": self.job,
            "run": self.run,
            "status": self.status,
            "exit_code": self.exit_code,
            "started": self.started,
            "ended": self.ended,
            "seconds": round(self.ended - self.started, 3),
            "result": self.result,
            "error": self.error,
        }


def write_results(path: Path, outcome: RunOutcome) -> None:
    write_file(path, json.dumps(outcome.to_dict(), indent=2, default=str, ensure_ascii=False) + "\n")


def write_metrics(path: Path, outcome: RunOutcome) -> None:
    """What a failed run does not know, it takes over from the file of the one before."""
    check_place(path)
    earlier = path.read_text(encoding="utf-8") if path.is_file() else ""
    write_file(path, prometheus(outcome, earlier))


def prometheus(outcome: RunOutcome, earlier: str = "") -> str:
    """The metrics in Prometheus's text format."""
    values: dict[str, float] = {
        "kanon_run_success": int(outcome.exit_code == 0),
        "kanon_run_exit_code": outcome.exit_code,
        "kanon_run_end_timestamp_seconds": round(outcome.ended, 3),
        "kanon_run_duration_seconds": round(outcome.ended - outcome.started, 3),
    }
    if outcome.result is not None:
        told = outcome.result
        values |= {
            "kanon_run_statements": told["statements"],
            "kanon_run_unchanged": int(bool(told.get("unchanged"))),
            "kanon_last_success_timestamp_seconds": round(outcome.ended, 3),
            "kanon_release_version": told["version"],
            "kanon_release_rows": told["verified"]["rows"],
            "kanon_release_k": told["verified"]["k"],
            "kanon_release_classes": told["verified"]["classes"],
            "kanon_release_suppressed_rows": told["suppressed"],
        }
    label = outcome.job.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    lines = []
    for name, text in HELP.items():
        value = values.get(name, _earlier(earlier, name))
        if value is not None:
            lines += [f"# HELP {name} {text}", f"# TYPE {name} gauge", f'{name}{{job="{label}"}} {value}']
    return "\n".join(lines) + "\n"


def _earlier(text: str, name: str) -> float | None:
    if name.startswith("kanon_run_"):
        return None
    found = re.search(rf"^{name}\{{.*\}} (\S+)$", text, re.MULTILINE)
    return None if found is None else float(found[1])
