"""Every privacy model a job file may ask for under `privacy`: the one place to add one.

A model is one file in this folder and one entry here: the key of the job file, and the file. The file says under the name MODEL what
may stand under the key, and how that becomes the model. The job file's schema and its errors, the searches, verification,
`kanon check` and `kanon emit`, guarantees and pages read this table. k-anonymity has no entry: every job asks for it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from kanon_sql.frozen import dataclass
from kanon_sql.model.privacy.model import Hierarchy, PrivacyModel

_PRIVACY = "kanon_sql.model.privacy."

PRIVACY_MODELS: dict[str, str] = {
    "l_diversity": _PRIVACY + "l_diversity",
    "t_closeness": _PRIVACY + "t_closeness",
    "p_sensitive": _PRIVACY + "p_sensitive",
    "alpha": _PRIVACY + "alpha_k",
    "beta_likeness": _PRIVACY + "beta_likeness",
    "delta_presence": _PRIVACY + "delta_presence",
    "k_map": _PRIVACY + "k_map",
}

ReadHierarchy = Callable[[str], Hierarchy]
"""The rows of a hierarchy file that the parameters name."""


@dataclass(frozen=True)
class JobKey:
    """What may stand under a model's key of the job file.

    `parameters`: the type of it, a Section or a number; `number`: the parameter that a number alone gives; `about`: for the schema.
    `models`: the classes that `build` makes of (sensitive column, parameters, reader of hierarchy files). Models about a sensitive
    column are asked for by column; models against the population once, without a column.
    """

    parameters: Any
    models: tuple[type[PrivacyModel], ...]
    build: Callable[[str | None, Any, ReadHierarchy], PrivacyModel]
    number: str = ""
    about: str | None = None

    def __post_init__(self) -> None:
        """Nothing is released on the word of the search: a model that cannot be verified cannot be asked for."""
        for model in self.models:
            if model.verification is PrivacyModel.verification:
                raise TypeError(f"the privacy model {model.__name__} has no verification")
            if not model.name or not model.citation:
                raise TypeError(f"the privacy model {model.__name__} has no name or no citation")
        if len({model.needs_population for model in self.models}) != 1:
            raise TypeError("the models of a key are all about a sensitive column or all against the population")

    @property
    def needs_population(self) -> bool:
        return self.models[0].needs_population

    def model(self, column: str | None, parameters: Any, read: ReadHierarchy) -> PrivacyModel:
        """The model of a job's parameters."""
        built = self.build(column, parameters, read)
        if type(built) not in self.models:
            raise TypeError(f"{type(built).__name__} is not one of the models of its key")
        return built


@cache
def job_keys() -> dict[str, JobKey]:
    """Every key with what may stand under it, in the order in which models are built and named."""
    return {key: import_module(module).MODEL for key, module in PRIVACY_MODELS.items()}


def key_of(model: PrivacyModel) -> str:
    """The job's key that asks for a model."""
    return next(key for key, entry in job_keys().items() if type(model) in entry.models)
