"""Run ids: short, sortable by time, unique, and fit to be part of a table's name."""

from __future__ import annotations

import secrets
import time


def new_run_id() -> str:
    """As 20260101t020000x3f9a: the time in UTC and a random suffix; letters and digits only."""
    return time.strftime("%Y%m%dt%H%M%S", time.gmtime()) + "x" + secrets.token_hex(2)
