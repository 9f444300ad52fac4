"""How many examples are drawn: few in the ordinary suite, and as many times more as KANON_TEST_TIMES says (`make redteam` says it)."""

from __future__ import annotations

import os

TIMES = int(os.environ.get("KANON_TEST_TIMES", "1"))


def drawn(few: int) -> int:
    """So many examples."""
    return few * TIMES
