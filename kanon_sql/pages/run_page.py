"""The report of a run as one page: what was published and why, what is guaranteed, what it cost, and what else there was to choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kanon_sql.frozen import dataclass
from kanon_sql.model.measures import MEASURES
from kanon_sql.pages import charts
from kanon_sql.pages.page import render_page
from kanon_sql.results import Result
from kanon_sql.version import VERSION

MOST_SQL = 6_000
"""Characters of a statement that are shown."""
LISTS_SHOWN = ("levels", "rv", "accept")
"""Lists of a job file that name no value of the table."""
PROVEN = {True: "proven to be the best", False: "the best found; a better one is not ruled out"}
RISKS = {
    "prosecutor": "Prosecutor: someone who knows that a person is in the table finds the row with at most this chance",
    "journalist": "Journalist: someone who does not know, and links through the population",
    "marketer": "Marketer: of all people linked, this share is expected to be right",
    "journalist_marketer": "Marketer, linking through the population",
    "unique_share": "Rows that are alone in their class",
    "threshold": "The threshold the job asks for",
    "share_above": "Rows above that threshold",
}


@dataclass(frozen=True)
class RunReport(Result):
    """Everything the page shows, gathered; no value of a class below k is in it. `hidden` are rule values too rare to be named."""

    run: dict[str, Any]
    release: dict[str, Any]
    figures: dict[str, Any]
    job_file: str
    k: int
    metric: str
    quasi_identifiers: Sequence[str]
    roles: Mapping[str, str]
    published: Sequence[str]
    sample: Sequence[Any]
    sizes: Sequence[Mapping[str, Any]]
    levels: Sequence[Mapping[str, Any]]
    score: Mapping[str, Any] | None
    frontier: Mapping[str, Any] | None
    notes: Sequence[str]
    hidden: set[str]
    statements: Sequence[Mapping[str, Any]]
    page: str = ""
    """The file it was written to."""

    def to_dict(self) -> dict[str, Any]:
        return {"page": self.page, "run": self.run["run"], "release": self.release["view"]}


def run_page(report: RunReport) -> str:
    """The page's HTML."""
    figures = report.figures
    tried = _tried(report)
    points, chosen = _points(report)
    drawn: dict[str, Any] = {"sizes": charts.class_size_chart(report.sizes)}
    drawable = [name for name in MEASURES if report.levels and name in report.levels[0] and name != "rv"]
    loss = report.metric if report.metric in drawable else "glm"
    drawn["loss"] = charts.level_chart(report.levels, loss, "loss", "orangered")
    drawn["worth"] = charts.level_chart(report.levels, "rv", "research value", "blues")
    if tried:
        drawn["path"] = charts.path_chart(tried)
    moments = (figures.get("figures") or {}).get("timeline") or []
    if len(moments) > 1:
        drawn["timeline"] = charts.timeline_chart(moments, report.metric)
    if points:
        drawn["frontier"] = charts.frontier_points(points, str((report.frontier or {})["metric"]), chosen)
    return render_page(
        "run.html.j2",
        drawn,
        title=f"{report.release['view']}, version {report.release['version']}",
        report=report,
        figures=figures,
        verified=figures.get("verified") or {},
        proven=PROVEN[bool(figures.get("exact"))],
        measures=[(described(name), name, value) for name, value in _measures(report).items()],
        level_measures=[(described(name)[0], name) for name in drawable],
        chosen_levels=[level for level in report.levels if level["chosen"]],
        loss_name=MEASURES[loss].title,
        loss=loss,
        rules=_rules(report),
        risks=[(RISKS[name], name, value) for name, value in (figures.get("risk") or {}).items() if name in RISKS and value is not None],
        guards=figures.get("guards") or [],
        composition=(figures.get("composition") or {}).get("message"),
        guarantees=figures.get("guarantees") or [],
        withheld=[name for name, role in report.roles.items() if role in ("identifier", "drop")],
        as_stored=[name for name, role in report.roles.items() if role in ("sensitive", "keep")],
        tried=tried,
        moments=moments if len(moments) > 1 else [],
        runners_up=_runners_up(report, tried),
        points=points,
        chosen=chosen,
        frontier_kept=bool((report.frontier or {}).get("run")),
        parameters=_parameters(report.run.get("parameters") or {}),
        timings=(report.run.get("timings") or {}).get("statements") or {},
        statements=[dict(s) | {"sql": _cut(str(s["sql"]))} for s in report.statements],
        version=VERSION,
    )  # fmt: skip


def described(name: str) -> tuple[str, str]:
    """A measure's title, and how its figure is read."""
    measure = MEASURES.get(name)
    return (name, "") if measure is None else (measure.title, f"{measure.reading}; {measure.direction}")


def _measures(report: RunReport) -> dict[str, float]:
    """What was registered when it was published; what is measured now where nothing was."""
    registered = report.figures.get("utility") or {}
    return {name: value for name, value in registered.items() if value is not None} or {
        name: value for name, value in (report.score or {}).get("measures", {}).items() if name in MEASURES
    }


def _rules(report: RunReport) -> list[dict[str, Any]]:
    """Rules kept and broken; one that names a value of fewer than k rows is not spelled out."""
    rules = []
    for rule in report.figures.get("rules") or []:
        named = str(rule["rule"])
        if any(value in named for value in report.hidden):
            named = f"a rule about a value that fewer than {report.k} rows have"
        rules.append(dict(rule) | {"rule": named})
    return rules


def _tried(report: RunReport) -> list[dict[str, Any]]:
    node = list((report.run.get("node") or {}).values())
    return [
        {
            "place": each["check"],
            "node": " ".join(map(str, each["node"])),
            "verdict": "chosen" if each["node"] == node else "passes" if each["passes"] else "fails",
            "loss": each["loss"],
            "k": each["k"],
            "suppressed": each["suppressed"],
        }
        for each in report.figures.get("tried") or []
    ]


def _runners_up(report: RunReport, tried: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The passing nodes that came closest, of all that were checked; those the search named where none were registered."""
    chosen = next((each["loss"] for each in tried if each["verdict"] == "chosen"), None)
    passing = sorted(
        (each for each in tried if each["verdict"] == "passes"), key=lambda each: (each["loss"], each["place"])
    )
    if chosen is None or not passing:
        return [
            {"node": " ".join(str(level) for level in other["node"].values())}
            | {key: other[key] for key in ("k", "suppressed", "loss", "why")}
            for other in report.figures.get("runners_up") or []
        ]
    return [
        {key: each[key] for key in ("node", "k", "suppressed", "loss")}
        | {"why": f"costs at least {each['loss'] - chosen:.4g} more" if each["loss"] > chosen else "ties, or costs more with its rows left out"}
        for each in passing[:5]
    ]  # fmt: skip


def _points(report: RunReport) -> tuple[list[dict[str, Any]], int | None]:
    """The frontier's points, numbered from 1, each with the command that publishes it; and which one was chosen."""
    if report.frontier is None:
        return [], None
    kept = report.frontier.get("run")
    first = "" if kept else f"kanon pareto {report.job_file} && "
    points, chosen = [], None
    released = report.run.get("node")
    for place, point in enumerate(report.frontier["points"], start=1):
        levels = [
            {"column": name, "level": level, "meaning": _meaning(report, name, level)}
            for name, level in point["node"].items()
        ]
        points.append(
            {
                "point": place,
                "k": point["k"],
                "loss": point["loss"],
                "suppressed": point["suppressed"],
                "knee": bool(point.get("knee")),
                "node": " ".join(str(level) for level in point["node"].values()),
                "levels": levels,
                "command": f"{first}kanon run {report.job_file} --at-k {point['k']}",
            }
        )
        if dict(point["node"]) == released:
            chosen = place
    return points, chosen


def _meaning(report: RunReport, column: str, level: int) -> str:
    return next((str(e["meaning"]) for e in report.levels if e["column"] == column and e["level"] == level), "")


def _parameters(parameters: Any, key: str = "") -> Any:
    """The job as registered, without the values it names: lists of them (groups, orders, rules) are counted, not shown."""
    if isinstance(parameters, Mapping):
        return {name: _parameters(value, str(name)) for name, value in parameters.items()}
    if isinstance(parameters, list) and key not in LISTS_SHOWN:
        return f"{len(parameters)} given in the job file" if parameters else []
    return parameters


def _cut(sql: str) -> str:
    return sql if len(sql) <= MOST_SQL else sql[:MOST_SQL] + "\n-- … cut here"
