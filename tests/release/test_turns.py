"""A switch that readers hold up is tried again in short turns; nothing else is, and not for ever."""

from __future__ import annotations

import pytest

from kanon_sql.errors import StatementFailed, StatementTimedOut
from kanon_sql.release import publish


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publish, "SWITCH_ATTEMPTS", 3)
    monkeypatch.setattr("time.sleep", lambda seconds: None)


def switched(*outcomes: Exception | None) -> int:
    """How many turns it takes, each with its outcome."""
    taken = 0
    for turn in publish.turns():
        with turn:
            taken += 1
            if (outcome := outcomes[taken - 1]) is not None:
                raise outcome
    return taken


def test_a_turn_that_waited_too_long_is_followed_by_another() -> None:
    late = StatementTimedOut("a reader holds the view")
    assert switched(None) == 1
    assert switched(late, None) == 2
    assert switched(late, late, None) == 3
    with pytest.raises(StatementTimedOut, match="a reader holds the view"):
        switched(late, late, late)


def test_what_fails_otherwise_is_not_tried_again() -> None:
    with pytest.raises(StatementFailed, match="refused"):
        switched(StatementTimedOut("late"), StatementFailed("refused"), None)
