"""What the public functions return, and the stable JSON shape of each (keys may be added, not renamed)."""

from __future__ import annotations

from dataclasses import field
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any

from kanon_sql.errors import NotInstalled
from kanon_sql.frozen import dataclass

if TYPE_CHECKING:
    import pandas
    import pyarrow


def installed(module: str, extra: str) -> Any:
    """A module of an optional extra, or an error that says how to install it."""
    try:
        return import_module(module)
    except ImportError as missing:
        hint = f"pip install 'kanon_sql[{extra}]'"
        raise NotInstalled(f"this needs {module}, which is not installed", hint) from missing


class Result:
    """What a verb returns: `to_dict` is the document of `--json`, `records` its rows, and a notebook shows both."""

    def to_dict(self) -> dict[str, Any]:
        raise NotImplementedError

    def records(self) -> list[dict[str, Any]]:
        """The result as rows: here one, of its plain figures. A result that is a table gives its lines."""
        return [self._figures()]

    def to_pandas(self) -> pandas.DataFrame:
        """`records` as a DataFrame (extra `notebook`)."""
        frame: pandas.DataFrame = installed("pandas", "notebook").DataFrame(self.records())
        return frame

    def to_arrow(self) -> pyarrow.Table:
        """`records` as an Arrow table (extra `notebook`); a column of several types becomes text."""
        arrow, rows = installed("pyarrow", "notebook"), self.records()
        columns: dict[str, Any] = {}
        for name in dict.fromkeys(name for row in rows for name in row):
            values = [row.get(name) for row in rows]
            try:
                columns[name] = arrow.array(values)
            except (arrow.ArrowInvalid, arrow.ArrowTypeError):
                columns[name] = arrow.array([None if value is None else str(value) for value in values])
        table: pyarrow.Table = arrow.table(columns)
        return table

    def _figures(self) -> dict[str, Any]:
        return {key: value for key, value in self.to_dict().items() if not isinstance(value, dict | list)}

    def _repr_html_(self) -> str:
        """What a notebook shows: the plain figures, then the rows. Everything is escaped."""
        figures = [{"": key, "value": value} for key, value in self._figures().items()]
        rows = self.records()
        shown = _html_table(figures) if figures else ""
        if rows != [self._figures()]:
            shown += _html_table(rows)
        return f"<div><b>{escape(type(self).__name__)}</b>{shown}</div>"


def _html_table(rows: list[dict[str, Any]]) -> str:
    columns = list(dict.fromkeys(column for row in rows for column in row))
    head = "".join(f"<th>{escape(str(column))}</th>" for column in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_cell(row.get(column)))}</td>" for column in columns) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class PlanResult(Result):
    """The chosen recoding and its figures; nothing was published."""

    algorithm: str
    exact: bool
    gap: float | None
    k: int
    rows: int
    suppressed: int
    classes: int
    utility: dict[str, float]
    node: dict[str, int] | None = None
    groups: int | None = None
    rules: list[dict[str, Any]] = field(default_factory=list)
    checks: int = 0
    nodes: int = 0
    statements: int = 0
    seconds: float = 0.0
    runners_up: list[dict[str, Any]] = field(default_factory=list)
    risk: dict[str, Any] = field(default_factory=dict)
    guarantees: list[dict[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)
    choice: list[dict[str, Any]] = field(default_factory=list)
    """What is published of each column, in words, with an example that k rows share and its share of the loss."""
    example_rows: int | None = None
    """How many rows (or persons) share the labels of the examples together."""
    alternatives: list[dict[str, Any]] = field(default_factory=list)
    """What a person would consider instead: recodings that lose little more, or keep a column that this one withholds."""
    tried: list[dict[str, Any]] = field(default_factory=list)
    """The nodes a lattice search checked, in order: kept in the register for the report, not printed."""
    withheld: int = 0
    """Rows that are left out beside the suppressed ones, because earlier releases would single their people out."""
    why: list[dict[str, Any]] | None = None
    """What each quasi-identifier costs, where it was asked for: see kanon_sql.evaluate.attribute_costs."""

    def to_dict(self) -> dict[str, Any]:
        """The documented shape of `--json`."""
        document: dict[str, Any] = {
            "algorithm": self.algorithm,
            "exact": self.exact,
            "gap": self.gap,
            "k": self.k,
            "rows": self.rows,
            "suppressed": self.suppressed,
            "withheld": self.withheld,
            "classes": self.classes,
        }
        if self.node is not None:
            document["node"] = self.node
        if self.groups is not None:
            document["groups"] = self.groups
        if self.why is not None:
            document["why"] = self.why
        return document | {
            "utility": self.utility,
            "rules": self.rules,
            "checks": self.checks,
            "nodes": self.nodes,
            "statements": self.statements,
            "seconds": round(self.seconds, 3),
            "runners_up": self.runners_up,
            "risk": self.risk,
            "guarantees": self.guarantees,
            "notes": self.notes,
            "figures": self.figures,
            "choice": self.choice,
            "example_rows": self.example_rows,
            "alternatives": self.alternatives,
        }

    def records(self) -> list[dict[str, Any]]:
        """One row per quasi-identifier: its level, or what the groups of a local recoding cost it."""
        if self.node is not None:
            return [{"column": column, "level": level} for column, level in self.node.items()]
        return [{"column": column} | dict(part) for column, part in self.figures.get("attributes", {}).items()]


@dataclass(frozen=True)
class RunResult(Result):
    """A published, verified release and the plan it came from."""

    plan: PlanResult
    run: str
    release: str
    version: int
    verified: dict[str, Any]
    guards: list[dict[str, Any]] = field(default_factory=list)
    composition: dict[str, Any] = field(default_factory=dict)
    recipe: str = ""
    fingerprint: str | None = None
    unchanged: bool = False
    held: str = ""
    """The rollback that holds, so that nothing was published; empty where none does."""
    digest: str = ""
    """Of every published value: another one tells that somebody changed the release."""

    def to_dict(self) -> dict[str, Any]:
        return self.plan.to_dict() | {
            "run": self.run,
            "release": self.release,
            "version": self.version,
            "verified": self.verified,
            "guards": self.guards,
            "composition": self.composition,
            "recipe": self.recipe,
            "fingerprint": self.fingerprint,
            "unchanged": self.unchanged,
            "held": self.held or None,
            "digest": self.digest,
        }

    def records(self) -> list[dict[str, Any]]:
        """As the plan's: one row per quasi-identifier."""
        return self.plan.records()


@dataclass(frozen=True)
class CheckResult(Result):
    """A table as it stands, measured against the job's thresholds."""

    k: int
    rows: int
    classes: int
    unique_rows: int
    rows_below_k: int
    passes: bool
    threshold: int
    l: dict[str, float] = field(default_factory=dict)  # noqa: E741
    t: dict[str, float] = field(default_factory=dict)
    risk: dict[str, float | None] = field(default_factory=dict)
    models: list[dict[str, Any]] = field(default_factory=list)
    counts: str = "rows"
    """What k counts: rows, or persons where the table says whose a row is."""
    person: str | None = None
    """The column that says it in the source."""
    unexpected: list[str] = field(default_factory=list)
    """Columns of a named table that no release of the job has."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "k": self.k,
            "counts": self.counts,
            "rows": self.rows,
            "classes": self.classes,
            "unique_rows": self.unique_rows,
            "rows_below_k": self.rows_below_k,
            "l": self.l,
            "t": self.t,
            "risk": self.risk,
            "models": self.models,
            "unexpected": self.unexpected,
            "passes": self.passes,
        }
