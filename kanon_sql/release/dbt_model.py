"""A recoding as a dbt model: the statement, its schema file, and a generic test that fails on a class below k."""

from __future__ import annotations

import re
from collections.abc import Sequence

import yaml

from kanon_sql.config.schema import Job
from kanon_sql.frozen import dataclass
from kanon_sql.model.names import split_name

GENERIC_TEST = """\
{# Fails on every combination of the columns that fewer than k rows share. #}
{% test kanon_k_anonymous(model, columns, k) %}
select
    {% for column in columns %}{{ adapter.quote(column) }}, {% endfor %}count(*) as row_count
from {{ model }}
group by {% for column in columns %}{{ adapter.quote(column) }}{{ ", " if not loop.last }}{% endfor %}

having count(*) < {{ k }}
{% endtest %}
"""


@dataclass(frozen=True)
class DbtModel:
    """What the files say: the statement and its columns; `meanings` describes each quasi-identifier in words."""

    job: Job
    sql: str
    columns: Sequence[str]
    meanings: dict[str, str]
    types: dict[str, str]
    """The database's name for a column's type, of the columns that have the same at every level."""

    @property
    def name(self) -> str:
        """The model's name: that of the published table, as dbt allows it."""
        published = self.job.publish.table if self.job.publish is not None else self.job.name
        return re.sub(r"\W+", "_", split_name(published)[-1]).strip("_").lower() or "release"

    def files(self) -> dict[str, str]:
        """Path under the dbt project to text."""
        # Labels may hold braces: nothing but the reference to the source is dbt's to read.
        reference = source_reference(self.job)
        sql = self.sql if reference is None else self.sql.replace(reference, f"{{% endraw %}}{reference}{{% raw %}}", 1)
        body = f"{{% raw %}}{sql}{{% endraw %}}"
        return {
            f"models/{self.name}.sql": "{{ config(materialized='table') }}\n\n" + body + "\n",
            f"models/{self.name}.yml": yaml.safe_dump(self._schema(), sort_keys=False, allow_unicode=True),
            "macros/kanon_k_anonymous.sql": GENERIC_TEST,
        }

    def _schema(self) -> dict[str, object]:
        k = self.job.privacy.k
        arguments = {"columns": list(self.meanings), "k": k}
        columns = [
            {"name": name}
            | ({"description": self.meanings[name]} if name in self.meanings else {})
            | ({"data_type": self.types[name]} if name in self.types else {})
            for name in self.columns
        ]
        model = {
            "name": self.name,
            "description": f"k-anonymous release, k = {k}",
            "columns": columns,
            "data_tests": [{"kanon_k_anonymous": {"arguments": arguments}}],
        }
        document: dict[str, object] = {"version": 2, "models": [model]}
        if self.job.source.table is not None:
            schema, table = _source(self.job)
            document["sources"] = [{"name": schema, "schema": schema, "tables": [{"name": table}]}]
        return document


def source_reference(job: Job) -> str | None:
    """How a model refers to the source; none for a file."""
    if job.source.table is None:
        return None
    schema, table = _source(job)
    return f"{{{{ source({schema!r}, {table!r}) }}}}"


def _source(job: Job) -> tuple[str, str]:
    assert job.source.table is not None
    parts = split_name(job.source.table)
    default = "public" if job.url.lower().startswith("postgres") else "main"
    return (parts[-2] if len(parts) > 1 else default), parts[-1]
