"""The job file as frozen pydantic models. The shape is a contract: keys may be added, not renamed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, PrivateAttr, model_validator

from kanon_sql.config.privacy import Privacy
from kanon_sql.config.registered import Registered
from kanon_sql.model.algorithms import algorithm_names
from kanon_sql.model.engines import ENGINES, scheme_of
from kanon_sql.model.measures import searched_measures
from kanon_sql.model.names import split_name, written_name
from kanon_sql.model.section import Section

DATE_PARTS = ("day", "week", "month", "quarter", "year", "decade")


class Source(Section):
    """Where the table is."""

    url: str | None = Field(None, description="duckdb:///file.duckdb or postgresql+psycopg://user@host/database")
    table: str | None = Field(None, description="table or schema.table; a view will do")
    file: str | None = Field(None, description="a CSV or Parquet file, read by the embedded engine")
    options: dict[str, Any] = Field(default_factory=dict, description="options of read_csv for `file`")
    person: str | None = Field(None, description="a class's size is then its number of distinct persons")
    work_schema: str = Field("kanon_work", description="the schema of the run's work tables")
    statement_timeout: float | None = Field(None, gt=0, description="seconds a statement may take")
    append_key: str | None = Field(
        None, description="rows are only ever added, with ever greater values here: count only the new ones"
    )
    changed_at: str | None = Field(None, description="a row's last change: count only what changed since last night")
    fingerprint: bool = Field(True, description="end at once when the source is that of the last release")
    memory_limit: str | None = Field(
        None,
        description="memory the embedded engine may use, as 2GB; a quarter of the machine's, at most 4 GiB, unless given",
    )

    @model_validator(mode="after")
    def _one_source(self) -> Source:
        if (self.table is None) == (self.file is None):
            raise ValueError("name either `table` or `file`")
        if self.append_key is not None and self.changed_at is not None:
            raise ValueError("name either `append_key` or `changed_at`")
        if self.table is not None and self.url is None:
            raise ValueError("`table` needs `url`")
        return self


def _as_width(value: object) -> object:
    return {"width": value} if isinstance(value, (int, float)) and not isinstance(value, bool) else value


class Width(Section):
    """Intervals of equal width."""

    width: float = Field(gt=0)


class Cuts(Section):
    """Intervals between cut points."""

    cuts: list[float] = Field(min_length=1)


class Prefix(Section):
    """The first characters."""

    prefix: int = Field(ge=1)


LevelEntry = Annotated[
    Width | Cuts | Prefix | Literal["day", "week", "month", "quarter", "year", "decade", "*"],
    BeforeValidator(_as_width),
]
Value = str | int | float | bool
Grouping = dict[str, list[Value]] | Literal["*"]


class Rule(Section):
    """A data-constraint rule: a cut of a numeric, or values (or sets of values) kept apart."""

    cut: float | None = Field(None, description="65 keeps 64 and 65 apart")
    apart: tuple[Value | list[Value], Value | list[Value]] | None = None
    importance: float = Field(1.0, gt=0)

    @model_validator(mode="after")
    def _one_kind(self) -> Rule:
        if (self.cut is None) == (self.apart is None):
            raise ValueError("a rule has either `cut` or `apart`")
        return self


class Column(Section):
    """One column of the table and its part in the release."""

    role: Literal["quasi", "identifier", "sensitive", "keep", "drop"]
    type: Literal["numeric", "categorical", "date"] | None = Field(None, description="guessed from the table if absent")
    weight: float | None = Field(None, ge=0)
    levels: list[LevelEntry] | None = None
    hierarchy: str | None = Field(None, description="a file: value;level1;level2;...;*")
    groups: list[Grouping] | None = Field(None, description="one mapping per level")
    rules: list[Rule] = Field(default_factory=list)
    rv: list[float] | None = Field(None, description="the research value of each level, given by an expert")
    min_level: int = Field(0, ge=0)
    max_level: int | None = Field(None, ge=0)
    snap: float | Literal["levels"] | None = Field(
        None, description="local recoding: interval ends on a grid of this width, or labels of the levels"
    )

    @model_validator(mode="after")
    def _quasi_only(self) -> Column:
        given = [key for key in ("levels", "hierarchy", "groups") if getattr(self, key) is not None]
        if self.role != "quasi" and given:
            raise ValueError(f"`{given[0]}` belongs to a column with role quasi")
        if len(given) > 1:
            raise ValueError(f"name one of levels, hierarchy, groups, not {' and '.join(given)}")
        if isinstance(self.snap, float) and self.snap <= 0:
            raise ValueError("snap is a width above 0, or `levels`")
        if self.max_level is not None and self.max_level < self.min_level:
            raise ValueError("max_level is below min_level")
        return self


class Utility(Section):
    """What is left for the researcher, and how it is measured."""

    metric: Annotated[str, Registered("metric", searched_measures)] = Field(
        "glm", description="what a search optimises"
    )
    target: str | None = Field(None, description="the column that classification error predicts")
    base: float = Field(0.0, ge=0, description="added to the rules' sums")
    importance: float = Field(0.5, ge=0, le=1, description="granularity (0) against rules (1)")
    weights: Literal["given", "auto"] = "given"


class Search(Section):
    """Which algorithm, and its settings."""

    algorithm: Annotated[str, Registered("algorithm", algorithm_names)] = Field(
        "best-first", description="a lattice search (levels for whole columns), or a local recoding (groups of rows)"
    )
    block: int = Field(400, ge=2, description="local recoding: rows per block")
    rounds: int | None = Field(None, ge=0, description="local recoding: rounds of moves (anneal), or of the final pass")
    relaxed: bool = Field(False, description="mondrian: equal values may be parted")
    cut: Literal["gain", "widest"] = Field(
        "gain", description="mondrian: where the loss falls most, or the widest range"
    )
    objective: Literal["gain", "merged"] = Field(
        "gain", description="udrv, bottom-up: the merger that costs the table least, or whose group is best by itself"
    )
    seed: int = 1
    embedded: Literal["auto", "always", "never"] = Field(
        "auto",
        description="search over codes and counts on the embedded engine (PostgreSQL, Spark): auto up to embedded_limit; "
        "never where counts may not leave the database",
    )
    embedded_limit: int = Field(2_000_000, ge=1, description="rows of the base frequency set that auto lets travel")
    reuse: bool = Field(True, description="keep last night's recoding while it holds; search only if it does not")
    time_limit: float | None = Field(
        None, gt=0, description="seconds after which a search reports the best found and its gap"
    )


class RegisterAt(Section):
    """Where the register of releases is kept."""

    url: str | None = None
    schema_name: str = Field("kanon", alias="schema")


class Publish(Section):
    """Where the release goes."""

    table: str
    keep: int = Field(7, ge=1, description="older releases kept for rollback")
    intervals: Literal["text", "typed", "both"] = Field(
        "text", description="local recoding: `[24-30]`, columns age_lo and age_hi, or both"
    )
    readers: list[str] = Field(
        default_factory=list, description="roles that every run lets read the release (PostgreSQL)"
    )
    types: dict[str, Literal["text", "stored", "integer", "double", "date"]] = Field(
        default_factory=dict,
        description="types of published quasi-identifiers: text unless declared, whatever the level; integer, double and date where "
        "every level gives them; stored is the table's own type at level 0 and text above",
    )
    guard: Literal["changed", "always", "never"] = Field(
        "changed",
        description="compare with all earlier releases of the same people, and leave out whom they would single out: for people who stay "
        "(changed), for those who come and go as well (always), or never",
    )
    audience: str | None = Field(
        None, description="who reads the release: releases for different audiences are taken never to be put together"
    )
    wait: int | None = Field(
        None, ge=1, description="nights after which somebody who waits to be published is reported"
    )


class Job(Section):
    """A whole job file."""

    version: Literal[1]
    source: Source
    privacy: Privacy
    columns: dict[str, Column] = Field(min_length=1)
    utility: Utility = Field(default_factory=lambda: Utility.model_validate({}))
    search: Search = Field(default_factory=lambda: Search.model_validate({}))
    register_at: RegisterAt = Field(default_factory=lambda: RegisterAt.model_validate({}), alias="register")
    publish: Publish | None = None

    _path: Path | None = PrivateAttr(None)
    _text: str = PrivateAttr("")

    @classmethod
    def from_dict(
        cls, document: Mapping[str, Any] | None = None, *, base: Path | str | None = None, **sections: Any
    ) -> Job:
        """A job from a dictionary with the keys of a job file, or from keyword arguments: source, privacy, columns, and so on.

        Paths in it are relative to `base`, which is the working directory unless given. Raises JobError as a job file would.
        """
        from kanon_sql.config.load import build_job

        return build_job({"version": 1} | dict(document or {}) | sections, None if base is None else Path(base))

    @property
    def base(self) -> Path:
        """The folder paths are relative to: the job file's."""
        return self._path.parent if self._path is not None else Path.cwd()

    @property
    def path(self) -> Path | None:
        return self._path

    @property
    def name(self) -> str:
        """What runs of this job are filed under: the view it publishes, however the job spells it."""
        if self.publish is not None:
            return self._target()
        return self._path.stem if self._path is not None else "job"

    def _target(self) -> str:
        assert self.publish is not None
        parts = split_name(self.publish.table)
        scheme = scheme_of(self.url)
        engine = ENGINES.get(scheme, ENGINES["postgresql"])
        if engine.folds_case:
            parts = tuple(part.lower() for part in parts)
        if scheme == "duckdb" and len(parts) == 3 and parts[0] in (Path(self.url).stem.lower(), "kanon_source"):
            parts = parts[1:]
        if len(parts) == 1:
            parts = (engine.schema, *parts)
        return written_name(parts)

    def with_k(self, k: int) -> Job:
        """The same job asking for another k."""
        changed = self.model_copy(update={"privacy": self.privacy.model_copy(update={"k": k})})
        changed._path, changed._text = self._path, self._text
        return changed

    def with_margin(self, margin: int) -> Job:
        """The same job with a margin in figures."""
        changed = self.model_copy(update={"privacy": self.privacy.model_copy(update={"margin": margin})})
        changed._path, changed._text = self._path, self._text
        return changed

    def with_algorithm(self, algorithm: str) -> Job:
        """The same job searched by another algorithm."""
        changed = self.model_copy(update={"search": self.search.model_copy(update={"algorithm": algorithm})})
        changed._path, changed._text = self._path, self._text
        return changed

    def columns_with(self, role: str) -> list[str]:
        return [name for name, column in self.columns.items() if column.role == role]

    @property
    def url(self) -> str:
        """The engine's URL: for a file without one, an embedded database beside the job file."""
        if self.source.url is not None:
            return self.source.url
        stem = self._path.stem if self._path is not None else "kanon"
        return f"duckdb:///{stem}.duckdb"


def job_schema() -> dict[str, Any]:
    """The job file's JSON Schema."""
    schema = Job.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "kanon_sql job file"} | schema
