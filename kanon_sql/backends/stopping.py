"""A stop signal waits for a good moment: the running statement is stopped in the database, and what was made is dropped.

An exception that strikes inside a driver leaves its connection unusable, and nothing can be dropped by it. So the handler of a signal
raises only between statements. While one runs, it is cancelled in the database and the interrupt is raised where it ends. The first
signal is heard; those that follow do not tear the clean-up.
"""

from __future__ import annotations

import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from kanon_sql.errors import Stopped

AGAIN_SECONDS = 0.5
"""A statement that had not begun when it was cancelled is cancelled again."""
SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Stops:
    """What this process knows of being stopped."""

    def __init__(self) -> None:
        self.step = ""
        """The step an operator was told of last."""
        self.cleared: Counter[str] = Counter()
        """What the clean-up dropped, by kind."""
        self._came: str | None = None
        self.stopped: Stopped | None = None
        """What was raised, once it was."""
        self._shields = 0
        self._statements: list[tuple[Callable[[], None], threading.Event]] = []
        self._canceller: threading.Thread | None = None
        self._handled = False

    def clear(self, what: str, count: int = 1) -> None:
        """Remember for the operator that something was dropped because the program was stopped."""
        if self.stopped is not None and count:
            self.cleared[what] += count

    @contextmanager
    def handled(self, signals: tuple[signal.Signals, ...]) -> Iterator[None]:
        """Hear these signals, where nobody else does: a signal that is ignored (nohup) stays ignored."""
        if self._handled or threading.current_thread() is not threading.main_thread():
            yield
            return
        untouched = (signal.SIG_DFL, signal.default_int_handler)
        before = {number: handler for number in signals if (handler := signal.getsignal(number)) in untouched}
        self.__init__()  # type: ignore[misc]
        self._handled = True
        try:
            for number in before:
                signal.signal(number, self._hear)
            yield
        finally:
            self._handled = False
            for number, handler in before.items():
                signal.signal(number, handler)

    @contextmanager
    def statement(self, cancel: Callable[[], None], label: str) -> Iterator[None]:
        """While a statement runs, a signal cancels it. One that ended well all the same counts: the next one is not begun."""
        self._raise_if_stopped(label)
        running = (cancel, threading.Event())
        self._statements.append(running)
        try:
            yield
        except Exception as error:
            self._end(running)
            self._raise_if_stopped(label, error)
            raise
        finally:
            self._end(running)

    def _end(self, running: tuple[Callable[[], None], threading.Event]) -> None:
        running[1].set()
        if running in self._statements:
            self._statements.remove(running)
        canceller, self._canceller = self._canceller, None
        if canceller is not None:
            canceller.join()  # a cancel on its way would stop the next statement, which drops what was made

    @contextmanager
    def shielded(self) -> Iterator[None]:
        """What is begun here is ended; a signal that comes meanwhile is raised by the next statement after it."""
        self._shields += 1
        try:
            yield
        finally:
            self._shields -= 1

    def _raise_if_stopped(self, label: str, cause: Exception | None = None) -> None:
        if self._came is not None and self.stopped is None and not self._shields:
            self.stopped = Stopped(self._came, label, self.step)
            raise self.stopped from cause

    def _hear(self, number: int, frame: object) -> None:
        if self._came is not None:
            return
        self._came = signal.Signals(number).name
        if self._shields:
            return
        if self._statements:
            self._canceller = threading.Thread(target=self._cancel, args=self._statements[-1], daemon=True)
            self._canceller.start()
        else:
            self._raise_if_stopped("")

    @staticmethod
    def _cancel(cancel: Callable[[], None], ended: threading.Event) -> None:
        while not ended.is_set():
            with suppress(Exception):
                cancel()
            ended.wait(AGAIN_SECONDS)


stops = Stops()
