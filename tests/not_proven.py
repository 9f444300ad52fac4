"""What a run of the suite did not prove, said at its end: a test left out for want of something on this machine is no proof."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import pytest


def not_proven(skipped: list[Any]) -> list[str]:
    """The lines of the summary: by what was missing, the sentences (names of tests) that nobody held against the code."""
    by_reason: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for report in skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        file, _, name = report.nodeid.partition("::")
        sentence = name.split("::")[-1].split("[")[0].removeprefix("test_").replace("_", " ")
        by_reason[reason.removeprefix("Skipped: ")][file][sentence or "the whole file"] += 1
    lines = []
    for reason in sorted(by_reason):
        files = by_reason[reason]
        tests = sum(sum(sentences.values()) for sentences in files.values())
        lines.append(f"{reason} ({tests} {'test' if tests == 1 else 'tests'})")
        for file in sorted(files):
            told = (f"{text} ({times}x)" if times > 1 else text for text, times in files[file].items())
            lines.append(f"  {file}: {'; '.join(told)}")
    return lines


def summarize(terminal: pytest.TerminalReporter) -> None:
    """Write the section, if anything was left out."""
    lines = not_proven(terminal.stats.get("skipped", []))
    if lines:
        terminal.section("not proven here", yellow=True)
        for line in lines:
            terminal.write_line(line)
