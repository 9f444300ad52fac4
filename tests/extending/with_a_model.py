"""Registers the throw-away model of repeated.py, as an entry in the registry would, and asks every verb about it.

Run by test_a_model.py in a process of its own, since the job file's schema is made when it is first imported:
`python -m tests.extending.with_a_model URL FOLDER`. Prints one JSON document.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from kanon_sql.model.privacy.registry import PRIVACY_MODELS

PRIVACY_MODELS["repeated"] = "tests.extending.repeated"

import kanon_sql  # noqa: E402
from kanon_sql.config import job_schema, parse_job  # noqa: E402
from kanon_sql.errors import KanonError  # noqa: E402
from tests.extending.people import job, job_text  # noqa: E402
from tests.extending.repeated import RepeatedValues  # noqa: E402

ASKED = "k: 3, repeated: {diagnosis: 2}, accept: [nearly_unique_columns, published_combinations, margin]"


def refused(text: str) -> str:
    try:
        parse_job(text, Path("job.yml"))
    except KanonError as error:
        return str(error)
    return ""


def tell(url: str, folder: Path) -> dict[str, Any]:
    asked = job(url, privacy=ASKED)
    told: dict[str, Any] = {
        "schema": job_schema()["$defs"]["Privacy"]["properties"]["repeated"],
        "refused": refused(job_text(url, privacy="k: 3, repeated: {diagnosis: 0}")),
        "not sensitive": refused(job_text(url, privacy="k: 3, repeated: {age: 2}")),
        "without": kanon_sql.plan(job(url, privacy="k: 3")).node,
        "exhaustive": kanon_sql.plan(job(url, privacy=ASKED, search="algorithm: exhaustive")).node,
        "of the source": kanon_sql.check(asked).to_dict()["models"],
    }
    released = kanon_sql.run(asked)
    told |= {"plan": released.plan.to_dict(), "verified": released.verified["models"]}
    told["checked"] = kanon_sql.check(asked, "release.people").to_dict()["models"]
    told["emitted"] = kanon_sql.emit(asked).sql
    if url.startswith("duckdb"):  # a page is the same on every engine, and its charts take long
        page = folder / "report.html"
        kanon_sql.report(asked, released.run, page, with_frontier=False)
        told["page"] = page.read_text(encoding="utf-8")
    local = {**asked.model_dump(by_alias=True, exclude_unset=True), "publish": {"table": "release.locally"}}
    told["locally"] = kanon_sql.run(kanon_sql.Job.from_dict(local, search={"algorithm": "mondrian"})).verified["models"]
    RepeatedValues.violates = lambda self: "1 = 0"  # type: ignore[method-assign]
    lying = {**local, "publish": {"table": "release.lies"}}
    for algorithm in ("best-first", "mondrian"):
        try:
            kanon_sql.run(kanon_sql.Job.from_dict(lying, search={"algorithm": algorithm}))
        except KanonError as error:
            told[f"lying {algorithm}"] = f"{type(error).__name__}: {error}"
    return told


if __name__ == "__main__":
    json.dump(tell(sys.argv[1], Path(sys.argv[2])), sys.stdout)
