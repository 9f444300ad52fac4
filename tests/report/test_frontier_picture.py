"""The frontier's pictures show every point and mark the knees."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from kanon_sql.errors import JobError
from kanon_sql.pages.frontier_picture import frontier_table, frontier_text, write_frontier_picture


def document(with_l: bool = False) -> dict[str, Any]:
    points: list[dict[str, Any]] = [
        {"k": 1, "loss": 0.0, "node": {"age": 0, "sex": 0}, "suppressed": 0, "knee": False},
        {"k": 7, "loss": 0.125, "node": {"age": 1, "sex": 0}, "suppressed": 3, "knee": True},
        {"k": 4000, "loss": 1.0, "node": {"age": 2, "sex": 1}, "suppressed": 0, "knee": False},
    ]
    if with_l:
        points = [{**point, "l": i + 1} for i, point in enumerate(points)]
    return {"metric": "glm", "algorithm": "pareto", "exact": True, "points": points}


def test_the_table_has_a_line_per_point_and_marks_the_knee() -> None:
    lines = frontier_table(document()).splitlines()
    assert [line.split()[0] for line in lines] == ["k", "1", "7", "4000"]
    assert ["knee" in line.split() for line in lines] == [False, False, True, False]
    assert frontier_table(document(with_l=True)).splitlines()[2].split()[:2] == ["7", "2"]


def test_a_terminal_gets_a_plot_without_colour_codes() -> None:
    pytest.importorskip("plotext", reason="plotext is not installed")
    text = frontier_text(document(), width=60, height=15)
    plot = text.split("\n\n")[0]
    assert "K" in "".join(line for line in plot.splitlines() if "│" in line or "┤" in line)
    assert "\x1b" not in text
    assert frontier_table(document()) in text


def test_without_plotext_the_table_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "plotext", None)
    assert frontier_text(document()) == frontier_table(document())


@pytest.mark.parametrize("with_l", [False, True])
def test_svg_and_png_are_written(tmp_path: Path, with_l: bool) -> None:
    pytest.importorskip("altair", reason="altair is not installed")
    pytest.importorskip("vl_convert", reason="vl-convert is not installed")
    both = {"tonight": document(with_l), "last week": document(with_l)}
    write_frontier_picture(both, tmp_path / "frontier.svg")
    svg = (tmp_path / "frontier.svg").read_text(encoding="utf-8")
    assert svg.startswith("<svg")
    assert "k = 7" in svg
    assert "last week" in svg
    write_frontier_picture(both, tmp_path / "frontier.png")
    assert (tmp_path / "frontier.png").read_bytes().startswith(b"\x89PNG")


def test_another_ending_and_a_missing_library_say_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(JobError) as refused:
        write_frontier_picture({"tonight": document()}, tmp_path / "frontier.gif")
    assert ".svg" in refused.value.hint
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(JobError) as missing:
        write_frontier_picture({"tonight": document()}, tmp_path / "frontier.svg")
    assert "pip install" in missing.value.hint
