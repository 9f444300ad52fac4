"""docs/guarantees.md and the report speak with one voice: the sentences of the models, presets and guards stand there verbatim."""

from __future__ import annotations

from pathlib import Path

import pytest

from kanon_sql.config.load import parse_job
from kanon_sql.config.privacy import GUARDS
from kanon_sql.model.privacy.alpha_k import AlphaK
from kanon_sql.model.privacy.beta_likeness import BetaLikenessModel
from kanon_sql.model.privacy.delta_presence import DeltaPresenceModel
from kanon_sql.model.privacy.k_anonymity import KAnonymity
from kanon_sql.model.privacy.k_map import KMap
from kanon_sql.model.privacy.l_diversity import DistinctLDiversity, EntropyLDiversity, RecursiveLDiversity
from kanon_sql.model.privacy.model import PrivacyModel
from kanon_sql.model.privacy.p_sensitive import PSensitive
from kanon_sql.model.privacy.presets import PRESETS
from kanon_sql.model.privacy.registry import job_keys
from kanon_sql.model.privacy.t_closeness import TClosenessModel

DOCUMENT = Path(__file__).parents[2] / "docs" / "guarantees.md"
EXAMPLES: list[PrivacyModel] = [
    KAnonymity(None, 5),
    KAnonymity(None, 5, persons=True),
    DistinctLDiversity("diagnosis", 3),
    EntropyLDiversity("diagnosis", 3.0),
    RecursiveLDiversity("diagnosis", 3, 2.0),
    TClosenessModel("diagnosis", 0.2),
    PSensitive("diagnosis", 2),
    AlphaK("diagnosis", 0.5),
    BetaLikenessModel("diagnosis", 1.0),
    DeltaPresenceModel(None, 0.5),
    KMap(None, 11),
]


@pytest.mark.parametrize("model", EXAMPLES, ids=lambda model: model.label)
def test_the_document_states_each_model(model: PrivacyModel) -> None:
    text = " ".join(DOCUMENT.read_text(encoding="utf-8").split())
    for sentence in (model.label, model.guarantee, model.limits, model.citation):
        assert sentence in text
    budget = (
        "with and without a suppression budget" if model.monotone_with_budget else "without a suppression budget only"
    )
    assert f"{model.label}** (monotone {budget})" in text


def test_every_model_that_a_job_may_ask_for_is_among_them() -> None:
    asked = {model for entry in job_keys().values() for model in entry.models}
    assert {type(model) for model in EXAMPLES} == {*asked, KAnonymity}


def test_the_example_job_is_valid() -> None:
    section = DOCUMENT.read_text(encoding="utf-8").split("```yaml\n")[1].split("```")[0]
    text = "version: 1\nsource: {url: 'duckdb:///x', table: t}\ncolumns:\n  age: {role: quasi}\n"
    text += "".join(f"  {name}: {{role: sensitive}}\n" for name in ("diagnosis", "income", "occupation"))
    assert parse_job(text + section).privacy.sensitive_columns == ["diagnosis", "income", "occupation"]


def test_the_document_states_presets_and_guards() -> None:
    text = " ".join(DOCUMENT.read_text(encoding="utf-8").split())
    for preset in PRESETS.values():
        assert preset.statement in text
    for guard in GUARDS:
        assert f"`{guard}`" in text
