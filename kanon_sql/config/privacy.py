"""The privacy section of a job file: k, the models beyond it, the population, presets and guards."""

from __future__ import annotations

from collections.abc import Iterator
from types import GenericAlias
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field, create_model, model_validator

from kanon_sql.model.margin import ASSUMED_CHURN, Margin, choose_margin
from kanon_sql.model.privacy.presets import PRESETS
from kanon_sql.model.privacy.registry import JobKey, job_keys
from kanon_sql.model.section import Section

GuardName = Literal[
    "rows_per_person",
    "nearly_unique_columns",
    "published_combinations",
    "homogeneous_classes",
    "recoverable_suppression",
    "margin",
]
GUARDS: tuple[GuardName, ...] = get_args(GuardName)


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


AGAINST_POPULATION = [key for key, entry in job_keys().items() if entry.needs_population]


class PrivacyKeys(Section):
    """The keys of the privacy section that belong to no one model."""

    k: int = Field(
        ge=1, description=f"the least size of a class; 1 only together with {' or '.join(AGAINST_POPULATION)}"
    )
    suppression: float = Field(0.0, ge=0, le=1, description="the share of rows that may be dropped; 1 is no limit")
    risk: Literal["hipaa", "ema", "strict"] | None = Field(
        None, description="a preset: sets k where it is not given, and the least levels of dates, ages and postal codes"
    )
    margin: Annotated[int, Field(ge=0)] | Literal["auto"] = Field(
        0,
        description="search at k + margin; the release is verified against k. auto: what groups need to outlast the nights to come",
    )
    churn: float | None = Field(
        None, ge=0, lt=1, description="for margin: auto, the share of people who leave each night; else what was seen"
    )
    nights: int = Field(30, ge=1, description="for margin: auto, the nights that groups are to outlast")
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
    def _fits_together(self) -> PrivacyKeys:
        if self.risk is not None and self.k < PRESETS[self.risk].k:
            needed = PRESETS[self.risk].k
            raise ValueError(f"risk: {self.risk} asks for k = {needed} at least, the job says {self.k}")
        asked = any(column is None for _, column, _ in self.asked())
        if asked and self.population is None:
            raise ValueError(f"{' and '.join(AGAINST_POPULATION)} need `population: {{table: ...}}`")
        if self.k == 1 and not asked:
            raise ValueError(f"k = 1 protects nobody: k is 2 or more, or {' or '.join(AGAINST_POPULATION)} is given")
        return self

    @property
    def search_k(self) -> int:
        """What the search asks of a class's size: k and the margin."""
        return self.k + (self.margin if isinstance(self.margin, int) else self.chosen_margin("").margin)

    def chosen_margin(self, algorithm: str, seen: tuple[float, str] | None = None) -> Margin:
        """The margin that `auto` stands for; `seen`: the share of people who left in the nights so far, and in words since when."""
        if self.churn is not None:
            return choose_margin(self.k, self.churn, self.nights, algorithm, "stated in privacy.churn")
        if seen is not None:
            return choose_margin(self.k, seen[0], self.nights, algorithm, seen[1])
        return choose_margin(self.k, ASSUMED_CHURN, self.nights, algorithm, "assumed: none is stated, none was seen")

    @property
    def risk_threshold(self) -> float:
        """The largest risk of linking a record that the job accepts: the preset's, or 1/k."""
        return PRESETS[self.risk].threshold if self.risk is not None else 1 / self.k

    def asked(self) -> Iterator[tuple[str, str | None, Any]]:
        """(key, sensitive column, parameters) of every model asked for; the column is None for models against the population."""
        for key, entry in job_keys().items():
            value = getattr(self, key)
            if not entry.needs_population:
                yield from ((key, column, parameters) for column, parameters in value.items())
            elif value is not None:
                yield key, None, value

    @property
    def sensitive_columns(self) -> list[str]:
        """The columns the models speak of, in the job's order, each once."""
        return list(dict.fromkeys(column for _, column, _ in self.asked() if column is not None))


def _field(entry: JobKey) -> tuple[Any, Any]:
    """A model's key as a field of the section: by sensitive column, or once."""
    parameters: Any = Annotated[entry.parameters, _number_as(entry.number)] if entry.number else entry.parameters
    if entry.needs_population:
        return parameters | None, Field(None, description=entry.about)
    return GenericAlias(dict, (str, parameters)), Field(default_factory=dict, description=entry.about)


if TYPE_CHECKING:

    class Privacy(PrivacyKeys):
        """Beside these keys it has one for every privacy model."""
else:
    Privacy = create_model(
        "Privacy",
        __base__=PrivacyKeys,
        __module__=__name__,
        __doc__="What a release must guarantee.",
        **{key: _field(entry) for key, entry in job_keys().items()},
    )
