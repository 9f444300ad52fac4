"""The share of people who left a job's release night by night, as the register has seen it."""

from __future__ import annotations

from kanon_sql.config.schema import Job
from kanon_sql.model.counted import counted
from kanon_sql.release.entries import PUBLISHED
from kanon_sql.release.register import Register

NIGHTS = 30
"""So many nights back."""


def seen_churn(register: Register, job: str) -> tuple[float, str] | None:
    """The share of the kept groups' people who left or changed out of their group in a night, on average, and over which nights."""
    done = [run for run in register.history(job, 2 * NIGHTS) if run.status == PUBLISHED]
    told = [((run.figures or {}).get("figures") or {}).get("night") for run in done]
    nights = [night for night in told if night and night.get("members_before")][:NIGHTS]
    if not nights:
        return None
    left = sum(int(night["gone"]) + int(night["moved"]) for night in nights)
    return left / sum(int(night["members_before"]) for night in nights), f"seen on {counted(len(nights), 'night')}"


def settle_margin(job: Job, register: Register | None) -> tuple[Job, str | None]:
    """The job with a margin in figures, and why it is that, where the job leaves it to us."""
    if job.privacy.margin != "auto":
        return job, None
    seen = seen_churn(register, job.name) if register is not None else None
    chosen = job.privacy.chosen_margin(job.search.algorithm, seen)
    return job.with_margin(chosen.margin), chosen.why
