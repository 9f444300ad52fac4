"""PostgreSQL's errors as ours: what a DBA does next, and no data values."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError, OperationalError, PendingRollbackError

from kanon_sql.errors import ConnectionFailed, PermissionDenied, StatementFailed, StatementTimedOut


def statement_error(error: Exception, step: str, shown_url: str) -> Exception:
    """An error of a statement, by its SQLSTATE. `step`: the statement's name."""
    if isinstance(error, PendingRollbackError):  # what comes after a lost connection
        return ConnectionFailed(
            f"the connection to {shown_url} was lost before step {step}",
            "check the server and run again",
        )
    if not isinstance(error, DBAPIError):
        return error
    original = error.orig
    state = getattr(original, "sqlstate", None) or ""
    diagnosis = getattr(original, "diag", None)
    primary = getattr(diagnosis, "message_primary", None) or ""
    if state == "55P03":
        return StatementTimedOut(
            f"PostgreSQL stopped step {step}: {primary}", "a reader's or a backup's transaction holds it: end it"
        )
    if state == "57014" and "timeout" in primary:
        return StatementTimedOut(
            f"PostgreSQL stopped step {step}: {primary}", "raise source.statement_timeout, or ask for less"
        )
    if state == "57014":
        return KeyboardInterrupt()  # type: ignore[return-value]
    if state == "42501":
        return PermissionDenied(
            f"PostgreSQL denies step {step}: {primary}", "`kanon grants JOB` prints the grants a run needs"
        )
    if (
        state.startswith(("08", "57P"))
        or error.connection_invalidated
        or (isinstance(error, OperationalError) and not state)
    ):
        return ConnectionFailed(
            f"the connection to {shown_url} was lost in step {step}", "check the server and run again"
        )
    if state.startswith("53"):
        return ConnectionFailed(
            f"PostgreSQL is out of resources in step {step}: {primary}", "free disk or memory and run again"
        )
    # Class 22 and 23 messages quote data values: say only what kind of error it was.
    shown = f"SQLSTATE {state}" if state.startswith(("22", "23")) else primary
    return StatementFailed(f"PostgreSQL refused step {step}: {shown}", "run again with --debug for the statement")


def connect_error(error: Exception, shown_url: str) -> Exception:
    """Why there is no connection, without what the server says of it."""
    text = str(getattr(error, "orig", None) or error).strip().splitlines()
    lowered = " ".join(text).lower()
    reason = "the server cannot be reached"
    if "password" in lowered or "authentication" in lowered:
        reason = "the server refuses the user or password"
    elif "does not exist" in lowered:
        reason = "the database or role does not exist"
    elif "timeout" in lowered:
        reason = "the server did not answer in time"
    return ConnectionFailed(
        f"cannot connect to {shown_url}: {reason}",
        "check source.url, the password (environment, .pgpass) and the server",
    )
