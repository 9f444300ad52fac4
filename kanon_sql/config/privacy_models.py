"""From the job's privacy section to privacy models. What needs the table (codes of named values) is filled in later."""

from __future__ import annotations

from kanon_sql.config.hierarchy_file import Rows, read_hierarchy
from kanon_sql.config.schema import Job
from kanon_sql.model.privacy.alpha_k import AlphaK
from kanon_sql.model.privacy.beta_likeness import BetaLikeness
from kanon_sql.model.privacy.delta_presence import DeltaPresence
from kanon_sql.model.privacy.k_anonymity import KAnonymity
from kanon_sql.model.privacy.k_map import KMap
from kanon_sql.model.privacy.l_diversity import DistinctLDiversity, EntropyLDiversity, RecursiveLDiversity
from kanon_sql.model.privacy.model import PrivacyModel
from kanon_sql.model.privacy.p_sensitive import PSensitive
from kanon_sql.model.privacy.t_closeness import TCloseness


def build_models(job: Job, searching: bool = False) -> tuple[PrivacyModel, ...]:
    """Every model of the job, k-anonymity first; `searching`: with the margin on k."""
    privacy = job.privacy
    k = privacy.search_k if searching else privacy.k
    models: list[PrivacyModel] = [KAnonymity(None, k, job.source.person is not None)]
    for column, l_diversity in privacy.l_diversity.items():
        if l_diversity.kind == "distinct":
            models.append(DistinctLDiversity(column, int(l_diversity.l)))
        elif l_diversity.kind == "entropy":
            models.append(EntropyLDiversity(column, l_diversity.l))
        else:
            assert l_diversity.c is not None
            models.append(RecursiveLDiversity(column, int(l_diversity.l), l_diversity.c))
    for column, t_closeness in privacy.t_closeness.items():
        height = len(sensitive_hierarchy(job, column)[0]) if t_closeness.distance == "hierarchical" else 1
        models.append(TCloseness(column, t_closeness.t, t_closeness.distance, height))
    models += [PSensitive(column, p) for column, p in privacy.p_sensitive.items()]
    for column, alpha in privacy.alpha.items():
        models.append(AlphaK(column, alpha.alpha, tuple(map(shown, alpha.values))))
    for column, beta in privacy.beta_likeness.items():
        models.append(BetaLikeness(column, beta.beta, beta.kind))
    if privacy.delta_presence is not None:
        models.append(DeltaPresence(None, privacy.delta_presence.max, privacy.delta_presence.min))
    if privacy.k_map is not None:
        models.append(KMap(None, privacy.k_map))
    return tuple(models)


def sensitive_hierarchy(job: Job, column: str) -> Rows:
    """The hierarchy of a sensitive column's t-closeness: the value, then its label at each level below `*`."""
    path = job.privacy.t_closeness[column].hierarchy
    assert path is not None
    return read_hierarchy(job.base / path, column)


def shown(value: object) -> str:
    """A YAML scalar as the engine shows it as text."""
    return ("true" if value else "false") if isinstance(value, bool) else str(value)
