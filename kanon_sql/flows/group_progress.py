"""Local recoding for those who wait: a driver whose every round is told to the observer."""

from __future__ import annotations

import contextlib

from kanon_sql.cluster.questions import Counts, Driver, Grouping
from kanon_sql.observer import Observer


class RoundsHeard:
    """Tells the rounds of one search after the other: rows still open, groups, and the loss where a round measured it."""

    def __init__(self, observer: Observer, rows: int, columns: int) -> None:
        self.observer = observer
        self.cells = max(1, rows * columns)
        self.rounds = 0
        self.groups = 0
        self.loss: float | None = None

    def heard(self, driver: Driver) -> Driver:
        """The same questions and answers, each answer heard."""
        with contextlib.closing(driver):
            try:
                question = next(driver)
                while True:
                    answer = yield question
                    self._tell(answer)
                    question = driver.send(answer)
            except StopIteration as end:
                result: Grouping = end.value
                return result

    def _tell(self, answer: Counts) -> None:
        self.rounds += 1
        self.groups = answer.groups or self.groups
        self.loss = answer.loss if answer.loss > 0 else self.loss
        said = f", {answer.open:,} rows still open" if answer.open else ""
        said += f", {self.groups:,} groups" if self.groups else ""
        said += f", loss {self.loss / self.cells:.4f}" if self.loss is not None else ""
        self.observer.rounds(self.rounds, said)
        self.observer.checks(self.rounds)
