"""A small table and a job on it, for the throw-away extensions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb

from kanon_sql.config import Job, parse_job


def people(folder: Path) -> str:
    """A table of 240 people in an embedded database; its URL."""
    file = folder / "people.duckdb"
    with duckdb.connect(str(file)) as connection:
        connection.execute(
            "create table people as select 20 + i * 7 % 60 as age, "
            "(array['north', 'east', 'south', 'west'])[1 + i * 5 % 4] as region, "
            "(array['flu', 'cold', 'cough', 'gout', 'acne'])[1 + i * 11 % 5] as diagnosis from range(240) as r(i)"
        )
    return f"duckdb:///{file}"


def job_text(
    url: str, privacy: str = "k: 5", utility: str = "metric: glm", search: str = "algorithm: best-first"
) -> str:
    return f"""
version: 1
source: {{url: "{url}", table: people}}
privacy: {{{privacy}}}
columns:
  age: {{role: quasi, levels: [5, 10, 20, "*"]}}
  region: {{role: quasi, groups: [{{far: [north, east], near: [south, west]}}, "*"]}}
  diagnosis: {{role: sensitive}}
utility: {{{utility}}}
search: {{{search}}}
publish: {{table: release.people}}
"""


def job(url: str, **sections: Any) -> Job:
    return parse_job(job_text(url, **sections))
