"""What only a terminal shows: a line of progress with the time left, bold headings, sparklines. Elsewhere output stays plain."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from kanon_sql.search.progress import SearchProgress

BLOCKS = "▁▂▃▄▅▆▇█"
BAR = 24
WIDE = 110
"""From so many columns on there is room for a bar."""


def is_terminal(stream: TextIO | None = None) -> bool:
    """Whether people look at it; a terminal that calls itself dumb is none."""
    stream = stream or sys.stdout
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def bold(text: str) -> str:
    """Bold on a terminal, unless NO_COLOR is set."""
    return f"\x1b[1m{text}\x1b[0m" if is_terminal() and "NO_COLOR" not in os.environ else text


def red(text: str) -> str:
    """Red on a terminal, unless NO_COLOR is set: only for what is lost."""
    return f"\x1b[31m{text}\x1b[0m" if is_terminal() and "NO_COLOR" not in os.environ else text


def wrapped(text: str, indent: str = "    ") -> str:
    """A sentence wrapped between words on a terminal; one line elsewhere, where programs read it."""
    if not is_terminal():
        return text
    width = max(40, shutil.get_terminal_size().columns)
    return textwrap.fill(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def sparkline(values: Sequence[float], most: int = 60) -> str:
    """Figures as a row of blocks, the least and the greatest at its ends; many are thinned out evenly."""
    if not values:
        return ""
    step = -(-len(values) // most)
    shown = values[::step]
    low, high = min(shown), max(shown)
    if high == low:
        return BLOCKS[0] * len(shown)
    return "".join(BLOCKS[min(len(BLOCKS) - 1, int((value - low) / (high - low) * len(BLOCKS)))] for value in shown)


def duration(seconds: float) -> str:
    """A time as people say it."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s"


class Progress:
    """One line on a terminal: the step, how many checks of how many, how long, and how long still at most."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.perf_counter) -> None:
        self.stream = stream
        self.clock = clock
        self.started = clock()
        self.name = ""
        self.begun = self.started
        self.expected: int | None = None
        self.shown = 0.0
        self.found: SearchProgress | None = None
        self.told_rounds = False

    def step(self, name: str) -> None:
        """A new step begins; how much it has to do is not known yet."""
        self.name, self.begun, self.expected, self.found = name, self.clock(), None, None
        self.told_rounds = False
        self._write(f"{name} … {duration(self.clock() - self.started)}")

    def expect(self, checks: int) -> None:
        """The step makes at most so many checks."""
        self.expected = checks

    def checks(self, count: int) -> None:
        """So many checks are done; shown ten times a second at most."""
        if self.told_rounds:
            return
        now = self.clock()
        if now - self.shown > 0.1:
            self.shown = now
            self._write(self.text(count))

    def search(self, progress: SearchProgress) -> None:
        """What the search has found and proven so far: shown with the checks."""
        self.found = progress

    def rounds(self, count: int, said: str) -> None:
        """So many rounds of local recoding are done; `said` is what came of the last. They are not shown as checks too."""
        self.told_rounds = True
        now = self.clock()
        if now - self.shown > 0.1:
            self.shown = now
            self._write(f"{self.name} … {count:,} rounds, {duration(now - self.started)}{said}")

    def text(self, count: int) -> str:
        """The line after so many checks of this step."""
        now = self.clock()
        elapsed = duration(now - self.started)
        if self.found is not None and self.found.loss is not None and (self.expected or 0) > count * 100:
            return f"{self.name} … {count:,} checks, {elapsed}, {self._found(self.found)}"
        if not self.expected or not count:
            return f"{self.name} … {count:,} checks, {elapsed}"
        share = min(1.0, count / self.expected)
        left = (now - self.begun) / count * max(0, self.expected - count)
        said = f"{count:,} of at most {self.expected:,} checks, {elapsed}, at most {duration(left)} left"
        if shutil.get_terminal_size().columns < WIDE:
            return f"{self.name} … {said}"
        return f"{self.name} {'█' * round(share * BAR)}{'░' * (BAR - round(share * BAR))} {said}"

    @staticmethod
    def _found(found: SearchProgress) -> str:
        """Best, time left and gap, in this order: a narrow terminal cuts the end off."""
        left = "" if found.seconds_left is None else f", about {duration(found.seconds_left)} left"
        proven = "" if found.bound is None else f", gap {found.gap:.4f} (proven: at least {found.bound:.4f})"
        return f"best loss {found.loss:.4f}{left}{proven}"

    def clear(self) -> None:
        self.stream.write("\r\x1b[2K")
        self.stream.flush()

    def _write(self, text: str) -> None:
        width = shutil.get_terminal_size().columns - 1
        self.stream.write("\r\x1b[2K" + text[:width])
        self.stream.flush()
