"""What an examination finds: one line each, with what to do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from kanon_sql.errors import ConnectionFailed, ExitCode, InternalError, KanonError
from kanon_sql.results import Result

OK, WARN, FAIL = "ok", "warn", "fail"


@dataclass(frozen=True)
class Finding:
    """One line: what was looked at, how it stands, what to do."""

    check: str
    status: str
    message: str
    hint: str = ""
    exit_code: ExitCode = ExitCode.DONE

    def to_dict(self) -> dict[str, Any]:
        return {"check": self.check, "status": self.status, "message": self.message, "hint": self.hint}


@dataclass
class Findings(Result):
    """The findings so far, in the order they were made; `heard` is told each one."""

    heard: Callable[[Finding], None] = lambda finding: None
    found: list[Finding] = field(default_factory=list)

    def _add(self, finding: Finding) -> None:
        self.found.append(finding)
        self.heard(finding)

    def ok(self, check: str, message: str) -> None:
        self._add(Finding(check, OK, message))

    def warn(self, check: str, message: str, hint: str = "") -> None:
        self._add(Finding(check, WARN, message, hint))

    def fail(self, check: str, message: str, hint: str = "", exit_code: ExitCode = ExitCode.JOB_FILE) -> None:
        self._add(Finding(check, FAIL, message, hint, exit_code))

    def error(self, check: str, error: KanonError) -> None:
        """An error that a run would meet: what concerns the database is 4, the rest is the job's."""
        database = isinstance(error, (ConnectionFailed, InternalError))
        self.fail(check, error.message, error.hint, ExitCode.CONNECTION if database else ExitCode.JOB_FILE)

    @property
    def exit_code(self) -> ExitCode:
        """The worst: 4 before 3 before 0."""
        return max((finding.exit_code for finding in self.found), default=ExitCode.DONE)

    def counts(self) -> dict[str, int]:
        return {status: sum(f.status == status for f in self.found) for status in (OK, WARN, FAIL)}

    def records(self) -> list[dict[str, Any]]:
        """One row per finding."""
        return [finding.to_dict() for finding in self.found]

    def failed(self, checks: Sequence[str]) -> bool:
        return any(f.status == FAIL and f.check in checks for f in self.found)

    def to_dict(self) -> dict[str, Any]:
        document: dict[str, Any] = {"exit_code": int(self.exit_code), "counts": self.counts()}
        return document | {"findings": self.records()}
