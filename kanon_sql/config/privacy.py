"""The privacy section of a job file: k, the models beyond it, the population, presets and guards."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from kanon_sql.config.section import Section
from kanon_sql.model.privacy.presets import PRESETS

GUARDS = (
    "rows_per_person",
    "nearly_unique_columns",
    "published_combinations",
    "homogeneous_classes",
    "recoverable_suppression",
    "margin",
)
GuardName = Literal[
    "rows_per_person",
    "nearly_unique_columns",
    "published_combinations",
    "homogeneous_classes",
    "recoverable_suppression",
    "margin",
]


class LDiversity(Section):
    """l-diversity of one sensitive column."""

    kind: Literal["distinct", "entropy", "recursive"] = "distinct"
    l: float = Field(ge=1, description="the number of well-represented values")  # noqa: E741
    c: float | None = Field(None, gt=0, description="the constant of recursive (c,l)-diversity")

    @model_validator(mode="after")
    def _belongs_together(self) -> LDiversity:
        if (self.kind == "recursive") != (self.c is not None):
            raise ValueError("`c` belongs to kind recursive, which needs it")
        if self.kind != "entropy" and self.l != int(self.l):
            raise ValueError(f"l of kind {self.kind} is a whole number")
        return self


class TCloseness(Section):
    """t-closeness of one sensitive column: a number alone is t with the equal distance."""

    t: float = Field(ge=0, le=1)
    distance: Literal["equal", "ordered", "hierarchical"] = "equal"
    order: list[str | int | float | bool] | None = Field(
        None, description="the values from low to high (ordered); by default the column's own order, NULL first"
    )
    hierarchy: str | None = Field(None, description="a file: value;level1;level2;...;* (hierarchical)")

    @model_validator(mode="after")
    def _belongs_together(self) -> TCloseness:
        if (self.distance == "hierarchical") != (self.hierarchy is not None):
            raise ValueError("`hierarchy` belongs to the distance hierarchical, which needs it")
        if self.order is not None and self.distance != "ordered":
            raise ValueError("`order` belongs to the distance ordered")
        return self


class Alpha(Section):
    """(alpha,k)-anonymity of one sensitive column: a number alone is alpha for every value."""

    alpha: float = Field(gt=0, le=1)
    values: list[str | int | float | bool] = Field(default_factory=list, description="only these values; default: all")


class BetaLikeness(Section):
    """beta-likeness of one sensitive column: a number alone is beta of the enhanced kind."""

    beta: float = Field(gt=0)
    kind: Literal["basic", "enhanced"] = "enhanced"


class DeltaPresence(Section):
    """delta-presence against the population: a number alone is the maximum."""

    min: float = Field(0.0, ge=0, le=1)
    max: float = Field(gt=0, le=1)

    @model_validator(mode="after")
    def _in_order(self) -> DeltaPresence:
        if self.min > self.max:
            raise ValueError("min is above max")
        return self


class Population(Section):
    """The population the source is a part of: a table of the same database, or a file, with the quasi-identifiers' columns."""

    table: str | None = None
    file: str | None = Field(None, description="a CSV or Parquet file, read by the embedded engine")
    options: dict[str, Any] = Field(default_factory=dict, description="options of read_csv for `file`")
    person: str | None = Field(
        None,
        description="its column that names a person: persons are counted, not rows; by default source.person, where the population has it",
    )

    @model_validator(mode="after")
    def _one(self) -> Population:
        if (self.table is None) == (self.file is None):
            raise ValueError("name either `table` or `file`")
        return self


def _number_as(key: str) -> BeforeValidator:
    def wrapped(value: object) -> object:
        return {key: value} if isinstance(value, (int, float)) and not isinstance(value, bool) else value

    return BeforeValidator(wrapped)


class Privacy(Section):
    """What a release must guarantee."""

    k: int = Field(ge=1, description="the least size of a class; 1 only together with k_map or delta_presence")
    suppression: float = Field(0.0, ge=0, le=1, description="the share of rows that may be dropped; 1 is no limit")
    risk: Literal["hipaa", "ema", "strict"] | None = Field(
        None, description="a preset: sets k where it is not given, and the least levels of dates, ages and postal codes"
    )
    margin: int = Field(0, ge=0, description="search at k + margin; the release is verified against k")
    l_diversity: dict[str, LDiversity] = Field(default_factory=dict)
    t_closeness: dict[str, Annotated[TCloseness, _number_as("t")]] = Field(default_factory=dict)
    p_sensitive: dict[str, Annotated[int, Field(ge=1)]] = Field(default_factory=dict)
    alpha: dict[str, Annotated[Alpha, _number_as("alpha")]] = Field(default_factory=dict)
    beta_likeness: dict[str, Annotated[BetaLikeness, _number_as("beta")]] = Field(default_factory=dict)
    delta_presence: Annotated[DeltaPresence, _number_as("max")] | None = None
    k_map: int | None = Field(None, ge=2, description="the least number of persons of the population a class fits")
    population: Population | None = None
    accept: list[GuardName] = Field(default_factory=list, description="guards whose findings are accepted knowingly")
    guards: Literal["default", "block"] = Field(
        "default", description="block: every finding stops a run unless accepted"
    )

    @model_validator(mode="before")
    @classmethod
    def _k_of_preset(cls, values: Any) -> Any:
        if isinstance(values, dict) and values.get("risk") in PRESETS and "k" not in values:
            return {**values, "k": PRESETS[values["risk"]].k}
        return values

    @model_validator(mode="after")
    def _fits_together(self) -> Privacy:
        if self.risk is not None and self.k < PRESETS[self.risk].k:
            needed = PRESETS[self.risk].k
            raise ValueError(f"risk: {self.risk} asks for k = {needed} at least, the job says {self.k}")
        if (self.k_map is not None or self.delta_presence is not None) and self.population is None:
            raise ValueError("k_map and delta_presence need `population: {table: ...}`")
        if self.k == 1 and self.k_map is None and self.delta_presence is None:
            raise ValueError("k = 1 protects nobody: k is 2 or more, or k_map or delta_presence is given")
        return self

    @property
    def search_k(self) -> int:
        """What the search asks of a class's size: k and the margin."""
        return self.k + self.margin

    @property
    def risk_threshold(self) -> float:
        """The largest risk of linking a record that the job accepts: the preset's, or 1/k."""
        return PRESETS[self.risk].threshold if self.risk is not None else 1 / self.k

    @property
    def sensitive_columns(self) -> list[str]:
        """The columns the models speak of, in the job's order, each once."""
        sections = (self.l_diversity, self.t_closeness, self.p_sensitive, self.alpha, self.beta_likeness)
        return list(dict.fromkeys(name for section in sections for name in section))
