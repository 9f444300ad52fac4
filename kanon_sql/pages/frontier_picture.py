"""The frontier as a picture: SVG and PNG with altair, plain text with plotext, a table where that is not installed.

It draws the JSON document of a frontier, so one that the register kept last week is drawn as well as tonight's. Knees
are marked.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from kanon_sql.errors import JobError
from kanon_sql.pages.page import render_page
from kanon_sql.pages.written_file import check_place, write_file

Document = Mapping[str, Any]


def frontier_chart(documents: Mapping[str, Document]) -> Any:
    """The altair chart of one or more frontiers, by the name each shall carry; k on a logarithmic axis."""
    try:
        altair = import_module("altair")
    except ImportError as missing:
        raise JobError("a picture needs altair, which is not installed", "pip install 'kanon_sql[report]'") from missing
    rows = [
        {
            "frontier": name,
            "k": point["k"],
            "loss": point["loss"],
            "l": point.get("l"),
            "node": _node(point),
            "suppressed": point["suppressed"],
            "knee": bool(point.get("knee")),
            "label": f"k = {point['k']}",
        }
        for name, document in documents.items()
        for point in document["points"]
    ]
    metric = next(iter(documents.values()))["metric"] if documents else "loss"
    color = altair.Color("frontier:N", title=None, legend=altair.Legend() if len(documents) > 1 else None)
    base = altair.Chart(altair.Data(values=rows)).encode(
        x=altair.X("k:Q", scale=altair.Scale(type="log"), title="k (logarithmic)"),
        y=altair.Y("loss:Q", title=f"loss ({metric})"),
        color=color,
    )
    tooltip = ["k:Q", "l:Q", "loss:Q", "node:N", "suppressed:Q"]
    # A loss holds for every k up to the next point's, so the line rises before the point: a step, not a slope.
    line = base.mark_line(interpolate="step-before", opacity=0.5)
    points = base.mark_point(filled=True, size=30).encode(tooltip=tooltip)
    knees = base.transform_filter("datum.knee")
    rings = knees.mark_point(shape="diamond", size=160, strokeWidth=2)
    labels = knees.mark_text(align="right", dx=-10, dy=-8).encode(text="label:N")
    chart = (points + rings + labels) if _has_l(documents.values()) else (line + points + rings + labels)
    return chart.properties(width=640, height=400, title=_title(documents))


def write_frontier_picture(documents: Mapping[str, Document], path: Path) -> None:
    """Write the chart as .svg, .png or .html (the file's ending decides); no network is used."""
    ending = path.suffix.lower()
    if ending not in (".svg", ".png", ".html"):
        raise JobError(
            f"a picture cannot be written as {ending or 'a file without an ending'}", "use .svg, .png or .html"
        )
    check_place(path)
    chart = frontier_chart(documents)
    if ending == ".html":
        # The page's own template: names of columns stand in it, and nothing that a name says may end a script.
        write_file(path, render_page("picture.html.j2", {"frontier": chart}, title=_title(documents)))
        return
    drawn: io.StringIO | io.BytesIO = io.BytesIO() if ending == ".png" else io.StringIO()
    try:
        chart.save(drawn, format=ending[1:], **({"scale_factor": 2} if ending == ".png" else {}))
    except (ImportError, ValueError) as missing:
        if "vl-convert" not in str(missing) and "vl_convert" not in str(missing):
            raise
        raise JobError(
            "a picture needs vl-convert, which is not installed", "pip install 'kanon_sql[report]'"
        ) from missing
    write_file(path, drawn.getvalue())


def frontier_text(document: Document, width: int = 80, height: int = 20) -> str:
    """The frontier for a terminal, without colours: a plot if plotext is installed, then the table."""
    plot = _plot(document, width, height)
    table = frontier_table(document)
    return f"{plot}\n\n{table}" if plot else table


def frontier_table(document: Document) -> str:
    """One line per point, knees marked."""
    points = document["points"]
    with_l = _has_l([document])
    header = ["k", *(["l"] if with_l else []), "loss", "suppressed", "", "node"]
    rows = [
        [
            str(point["k"]),
            *([str(point["l"])] if with_l else []),
            f"{point['loss']:.6g}",
            str(point["suppressed"]),
            "knee" if point.get("knee") else "",
            _node(point),
        ]
        for point in points
    ]
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    figures = len(header) - 2
    lines = [
        "  ".join(
            cell.rjust(w) if i < figures else cell.ljust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in [header, *rows]
    ]
    return "\n".join(line.rstrip() for line in lines)


def _plot(document: Document, width: int, height: int) -> str:
    points = document["points"]
    if len(points) < 2:
        return ""
    try:
        plotext = import_module("plotext")
    except ImportError:
        return ""
    # The names are those of version 5; version 6 has others.
    if not hasattr(plotext, "clear_figure"):
        return ""
    plotext.clear_figure()
    plotext.theme("clear")
    plotext.plotsize(width, height)
    _scatter(plotext, [point for point in points if not point.get("knee")], "*")
    _scatter(plotext, [point for point in points if point.get("knee")], "K")
    # plotext labels a logarithmic axis with powers of ten only; k is better read at its own values.
    ticks = _ticks([point["k"] for point in points])
    plotext.xticks([math.log10(k) for k in ticks], [str(k) for k in ticks])
    plotext.xlabel("k (logarithmic); K marks a knee")
    plotext.ylabel(f"loss ({document['metric']})")
    drawing: str = plotext.uncolorize(plotext.build())
    plotext.clear_figure()
    return drawing.rstrip()


def _scatter(plotext: Any, points: Sequence[Mapping[str, Any]], marker: str) -> None:
    if points:
        plotext.scatter(
            [math.log10(max(1, point["k"])) for point in points], [point["loss"] for point in points], marker=marker
        )


def _ticks(ks: Sequence[int]) -> list[int]:
    """1, 2, 5, 10, 20, 50 … within the frontier."""
    highest = max(ks)
    steps = [1, 10, 100, 1_000, 10_000] if highest > 1_000 else [1, 2, 5, 10, 20, 50, 100, 200, 500]
    ticks = [step for step in steps if min(ks) <= step <= highest]
    while ticks and ticks[-1] * 10 <= highest and highest > 1_000:
        ticks.append(ticks[-1] * 10)
    return ticks or sorted(set(ks))


def _node(point: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={level}" for name, level in point["node"].items())


def _has_l(documents: Any) -> bool:
    return any("l" in point for document in documents for point in document["points"])


def _title(documents: Mapping[str, Document]) -> str:
    states = {document["algorithm"]: "exact" if document["exact"] else "not proven" for document in documents.values()}
    return "Frontier of k against loss: " + ", ".join(f"{name} ({state})" for name, state in states.items())
