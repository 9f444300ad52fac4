"""From the job's privacy section to privacy models."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from kanon_sql.config.hierarchy_file import Rows, read_hierarchy
from kanon_sql.config.schema import Job
from kanon_sql.errors import JobError
from kanon_sql.model.privacy.k_anonymity import KAnonymity
from kanon_sql.model.privacy.model import PrivacyModel
from kanon_sql.model.privacy.registry import job_keys, key_of


def build_models(job: Job) -> tuple[PrivacyModel, ...]:
    """Every model of the job, k-anonymity first."""
    return (k_anonymity(job), *models_beyond_k(job))


def k_anonymity(job: Job, searching: bool = False) -> KAnonymity:
    """What every job asks for; `searching`: with the margin on k."""
    privacy = job.privacy
    return KAnonymity(None, privacy.search_k if searching else privacy.k, job.source.person is not None)


def models_beyond_k(job: Job) -> tuple[PrivacyModel, ...]:
    """The models that the job asks for by their keys."""

    def model(key: str, column: str | None, parameters: object) -> PrivacyModel:
        def read(path: str) -> Rows:
            return read_hierarchy(job.base / path, column or "")

        return job_keys()[key].model(column, parameters, read)

    models = tuple(model(*asked) for asked in job.privacy.asked())
    _check_agreement(models)
    return models


def values_left(job: Job) -> dict[str, int]:
    """How many distinct values of each sensitive column must be left to a set of candidates when releases are put together."""
    asked: dict[str, int] = {}
    for model in models_beyond_k(job):
        if model.column is not None and model.values_left is not None:
            asked[model.column] = max(model.values_left, asked.get(model.column, 0))
    return asked


def _check_agreement(models: Iterable[PrivacyModel]) -> None:
    """The values of a column have one order and one hierarchy, whichever models read them."""
    for one, other in combinations((model for model in models if model.column is not None), 2):
        if one.column != other.column:
            continue
        ordered = all(any(figure.over == "domain" for figure in model.figures()) for model in (one, other))
        both = f"privacy.{key_of(one)}.{one.column} and privacy.{key_of(other)}.{one.column}"
        if ordered and one.order != other.order:
            raise JobError(f"{both} order the values differently", "give both the same order")
        if one.hierarchy and other.hierarchy and one.hierarchy != other.hierarchy:
            raise JobError(f"{both} have different hierarchies", "give both the same file")
