"""Every error of kanon_sql, in one tree.

KanonError
├── JobError                 3   the job file is wrong
│   ├── UnknownKey               a key the job file does not have
│   ├── ColumnError              a column is missing, unnamed, or of a type that cannot be used
│   ├── HierarchyError           a hierarchy misses a value, does not nest, or is ragged
│   ├── RuleError                a rule or a weight that makes no sense for its column
│   └── NotInstalled             a package of an optional extra is not installed
├── ConnectionFailed         4   the database cannot be reached
│   ├── PermissionDenied         the database says no
│   └── StatementTimedOut        the database took longer than the job allows
├── PrivacyGateFailed        1   the table does not meet the job's thresholds
│   ├── VerificationFailed       the staged release does not: it was dropped
│   └── CompositionRisk          together with earlier releases it would single people out: it was dropped
├── LockedByAnotherRun       5   another run of the same job is under way
├── NoSolution               6   no generalization satisfies the job
└── InternalError            7   a defect of ours
    ├── StatementFailed          the database refused a statement we wrote
    └── RegisterError            the register is newer than this program, or broken

Messages name columns, steps and counts; they never carry data values of classes below k, nor passwords.
"""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """What the process says to its caller. Documented in docs/commands.md; stable."""

    DONE = 0
    PRIVACY_GATE = 1
    USAGE = 2
    JOB_FILE = 3
    CONNECTION = 4
    LOCKED = 5
    NO_SOLUTION = 6
    INTERNAL = 7
    INTERRUPTED = 130


class Stopped(KeyboardInterrupt):
    """Somebody stopped the program: by which signal, before or in which statement, and in which step of the flow."""

    def __init__(self, signal: str, statement: str = "", step: str = "") -> None:
        self.signal = signal
        self.statement = statement
        self.step = step
        super().__init__(str(self))

    def __str__(self) -> str:
        step, statement = self.step and f" while {self.step}", self.statement and f" (statement {self.statement})"
        return f"interrupted by {self.signal}{step}{statement}"

    @property
    def ends_all(self) -> bool:
        """Whether not even the best found so far is wanted: only Ctrl-C asks for that."""
        return self.signal != "SIGINT"


class KanonError(Exception):
    """The base: one line of what is wrong, and a hint of what to do next."""

    exit_code = ExitCode.INTERNAL

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def to_dict(self) -> dict[str, object]:
        return {
            "type": type(self).__name__,
            "message": self.message,
            "hint": self.hint,
            "exit_code": int(self.exit_code),
        }


class JobError(KanonError):
    """The job file is wrong."""

    exit_code = ExitCode.JOB_FILE


class UnknownKey(JobError):
    """A key the job file does not have."""


class ColumnError(JobError):
    """A column is missing, unnamed, or of a type that cannot be used."""


class HierarchyError(JobError):
    """A hierarchy misses a value, does not nest, or is ragged."""


class RuleError(JobError):
    """A rule or a weight that makes no sense for its column."""


class NotInstalled(JobError):
    """A package of an optional extra is not installed."""


class ConnectionFailed(KanonError):
    """The database cannot be reached."""

    exit_code = ExitCode.CONNECTION


class PermissionDenied(ConnectionFailed):
    """The database says no."""


class StatementTimedOut(ConnectionFailed):
    """The database took longer than the job allows."""


class PrivacyGateFailed(KanonError):
    """The table does not meet the job's thresholds."""

    exit_code = ExitCode.PRIVACY_GATE


class VerificationFailed(PrivacyGateFailed):
    """The staged release does not meet the job's thresholds; it was dropped."""


class CompositionRisk(PrivacyGateFailed):
    """Together with earlier releases the staged one would single people out; it was dropped."""


class LockedByAnotherRun(KanonError):
    """Another run of the same job is under way."""

    exit_code = ExitCode.LOCKED


class NoSolution(KanonError):
    """No generalization satisfies the job."""

    exit_code = ExitCode.NO_SOLUTION


class InternalError(KanonError):
    """A defect of ours."""

    exit_code = ExitCode.INTERNAL


class StatementFailed(InternalError):
    """The database refused a statement we wrote."""


class RegisterError(InternalError):
    """The register is newer than this program, or broken."""
