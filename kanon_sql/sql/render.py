"""Templates to SQL. The only importer of jinja2.

A dialect's override lies at the same relative path under `dialects/<name>/`. Identifiers and literals reach a template
only through the filters `id`, `rel` and `lit`, which the dialect provides.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from kanon_sql.sql.dialect import Dialect
from kanon_sql.sql.statement import Statement


def template_root() -> Path:
    """Where the templates lie: in the package when installed, beside it in a checkout."""
    packaged = Path(str(files("kanon_sql"))) / "sql_templates"
    return packaged if packaged.is_dir() else packaged.parent.parent / "sql_templates"


@lru_cache(maxsize=8)
def environment(dialect: Dialect) -> Environment:
    root = template_root()
    env = Environment(  # SQL, not HTML: escaping is the quoting filters' work
        loader=FileSystemLoader([str(root / "dialects" / dialect.name), str(root)]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        autoescape=False,
    )
    env.filters["id"] = dialect.identifier
    env.filters["rel"] = dialect.relation
    env.filters["lit"] = dialect.literal
    env.filters["text"] = dialect.as_text
    env.globals["dialect"] = dialect
    return env


def render(dialect: Dialect, template: str, **parameters: object) -> Statement:
    """The statement of a template (`checks/frequency_sets`), labelled with the template's name."""
    text = environment(dialect).get_template(template + ".sql.j2").render(**parameters)
    return Statement(template, text.strip().rstrip(";"))
