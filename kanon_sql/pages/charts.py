"""The charts of the pages, as altair charts: every one has a table behind it in the page. Colours keep apart for the colour-blind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kanon_sql.pages.page import needed

BLUE, ORANGE, GREEN, GREY = "#0b5fa5", "#c2410c", "#0f766e", "#6b7280"
SERIES = [BLUE, ORANGE, GREEN, "#7e22ce", "#a16207", "#be123c", "#374151", "#0891b2", "#65a30d", "#db2777"]
Rows = Sequence[Mapping[str, Any]]


def class_size_chart(bins: Rows) -> Any:
    """How many rows stand in classes of which size. `bins`: size, rows, classes."""
    altair = needed("altair")
    base = altair.Chart(altair.Data(values=list(bins))).encode(
        x=altair.X("size:N", sort=None, title="rows that share a combination", axis=altair.Axis(labelAngle=-35)),
        y=altair.Y("rows:Q", title="published rows"),
        tooltip=["size:N", "rows:Q", "classes:Q"],
    )
    return _styled(base.mark_bar(color=BLUE, cornerRadiusEnd=3), 220)


def level_chart(levels: Rows, value: str, title: str, scheme: str) -> Any:
    """What each level of each column costs or is worth; the published one is framed. `levels`: column, level, chosen, <value>."""
    altair = needed("altair")
    base = altair.Chart(altair.Data(values=list(levels))).encode(
        x=altair.X("level:O", title="level (0 is the value as stored)", axis=altair.Axis(labelAngle=0)),
        y=altair.Y("column:N", sort=None, title=None, axis=altair.Axis(labelLimit=120)),
        tooltip=["column:N", "level:O", "meaning:N", f"{value}:Q", "labels:Q"],
    )
    tiles = base.mark_rect().encode(
        color=altair.Color(f"{value}:Q", title=title, scale=altair.Scale(scheme=scheme), legend=None)
    )
    frames = base.transform_filter("datum.chosen").mark_rect(fillOpacity=0, stroke="#111827", strokeWidth=3)
    middle = (max([float(row[value]) for row in levels], default=0.0)) * 0.55
    texts = base.mark_text(fontSize=12).encode(
        text=altair.Text(f"{value}:Q", format=".2f" if value != "rv" else ".3f"),
        color=altair.condition(f"datum.{value} > {middle}", altair.value("white"), altair.value("#111827")),
    )
    return _styled(tiles + frames + texts, 60 + 30 * len({row["column"] for row in levels}))


def path_chart(tried: Rows) -> Any:
    """The nodes a search tried, in order. `tried`: place, loss, verdict (passes, fails, chosen), node, suppressed, k."""
    altair = needed("altair")
    domain, colours = ["fails", "passes", "chosen"], [GREY, BLUE, ORANGE]
    chart = (
        altair.Chart(altair.Data(values=list(tried)))
        .mark_point(filled=True)
        .encode(
            x=altair.X("place:Q", title="check, in order", axis=altair.Axis(tickMinStep=1)),
            y=altair.Y("loss:Q", title="loss", scale=altair.Scale(zero=False)),
            color=altair.Color(
                "verdict:N",
                title=None,
                scale=altair.Scale(domain=domain, range=colours),
                legend=altair.Legend(orient="top"),
            ),
            shape=altair.Shape(
                "verdict:N",
                title=None,
                scale=altair.Scale(domain=domain, range=["cross", "circle", "diamond"]),
                legend=altair.Legend(orient="top"),
            ),
            size=altair.condition("datum.verdict === 'chosen'", altair.value(320), altair.value(45)),
            tooltip=["place:Q", "node:N", "verdict:N", "loss:Q", "k:Q", "suppressed:Q"],
        )
    )
    return _styled(chart, 260)


def timeline_chart(moments: Rows, metric: str) -> Any:
    """The best loss and the proven bound of a search over time. `moments`: seconds, checks, loss, bound."""
    altair = needed("altair")
    lines = [
        {"seconds": moment["seconds"], "checks": moment["checks"], "line": line, "loss": moment[key]}
        for moment in moments
        for key, line in (("loss", "best found"), ("bound", "proven bound"))
        if moment[key] is not None
    ]
    domain = ["best found", "proven bound"]
    chart = (
        altair.Chart(altair.Data(values=lines))
        .mark_line(interpolate="step-after", point=True)
        .encode(
            x=altair.X("seconds:Q", title="seconds of search"),
            y=altair.Y("loss:Q", title=metric),
            color=altair.Color(
                "line:N",
                title=None,
                scale=altair.Scale(domain=domain, range=[BLUE, ORANGE]),
                legend=altair.Legend(orient="top"),
            ),
            strokeDash=altair.StrokeDash(
                "line:N",
                title=None,
                scale=altair.Scale(domain=domain, range=[[1, 0], [6, 3]]),
                legend=altair.Legend(orient="top"),
            ),
            tooltip=["line:N", "seconds:Q", "checks:Q", "loss:Q"],
        )
    )
    return _styled(chart, 240)


def frontier_points(points: Rows, metric: str, chosen: int | None) -> Any:
    """The frontier to click on. `points`: point (from 1), k, loss, knee, node; the parameter `picked` is the point shown beside it."""
    altair = needed("altair")
    picked = altair.param(name="picked", value=chosen or 0)
    base = altair.Chart(altair.Data(values=list(points))).encode(
        x=altair.X("k:Q", scale=altair.Scale(type="log", nice=False), title="k (logarithmic)", axis=altair.Axis(format="d", tickCount=8)),
        y=altair.Y("loss:Q", title=f"loss ({metric})"),
    )  # fmt: skip
    # A loss holds for every k up to the next point's, so the line rises before the point: a step, not a slope.
    line = base.mark_line(interpolate="step-before", color=GREY, opacity=0.6)
    dots = base.mark_point(filled=True, opacity=1).encode(
        size=altair.condition("datum.point === picked", altair.value(260), altair.value(70)),
        color=altair.condition("datum.point === picked", altair.value(ORANGE), altair.value(BLUE)),
    )
    knees = base.transform_filter("datum.knee").mark_point(shape="diamond", size=220, strokeWidth=2, color=GREEN)
    # What is clicked is larger than what is seen.
    targets = base.mark_point(filled=True, opacity=0.001, size=500, cursor="pointer").encode(
        tooltip=["k:Q", "loss:Q", "node:N", "suppressed:Q"]
    )
    return _styled((line + knees + dots + targets).add_params(picked), 300)


def comparison_chart(rows: Rows, measure: str, title: str, logarithmic: bool) -> Any:
    """One measure against k, a line per algorithm. `rows`: algorithm, k, value."""
    altair = needed("altair")
    scale = altair.Scale(type="log") if logarithmic else altair.Scale(zero=False)
    names = list(dict.fromkeys(row["algorithm"] for row in rows))
    legend = altair.Legend(orient="top", columns=3, labelLimit=110)
    colours = [SERIES[i % len(SERIES)] for i in range(len(names))]
    base = altair.Chart(altair.Data(values=list(rows))).encode(
        x=altair.X("k:O", title="k", axis=altair.Axis(labelAngle=0)),
        y=altair.Y("value:Q", title=title, scale=scale),
        color=altair.Color("algorithm:N", title=None, scale=altair.Scale(domain=names, range=colours), legend=legend),
        tooltip=["algorithm:N", "k:O", altair.Tooltip("value:Q", title=measure)],
    )
    points = base.mark_point(filled=True, size=80).encode(
        shape=altair.Shape("algorithm:N", title=None, scale=altair.Scale(domain=names), legend=legend)
    )
    return _styled(base.mark_line(strokeWidth=2) + points, 260)


def _styled(chart: Any, height: Any) -> Any:
    """As wide as its place in the page, in the page's letters."""
    return (
        chart.properties(
            width="container", height=height, background="transparent", autosize=needed("altair").AutoSizeParams(type="fit-x", contains="padding")
        )
        .configure(font="system-ui, sans-serif")
        .configure_axis(labelFontSize=12, titleFontSize=12, titleFontWeight="normal", gridColor="#e5e7eb", domainColor="#9ca3af")
        .configure_legend(labelFontSize=12, symbolSize=90)
        .configure_view(stroke=None)
    )  # fmt: skip
