"""Templates to SQL. The only importer of jinja2 for SQL (pages have their own, with escaping).

A dialect's override lies at the same relative path under `dialects/<name>/`. Identifiers and literals reach a template
only through the filters `id`, `rel` and `lit`, which the dialect provides.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable
from functools import lru_cache, wraps
from importlib.resources import files
from pathlib import Path
from typing import Concatenate, ParamSpec

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket

from kanon_sql.sql.dialect import Dialect
from kanon_sql.sql.statement import Statement
from kanon_sql.version import VERSION


def template_root() -> Path:
    """Where the templates lie: in the package when installed, beside it in a checkout."""
    packaged = Path(str(files("kanon_sql"))) / "sql_templates"
    return packaged if packaged.is_dir() else packaged.parent.parent / "sql_templates"


def _bytecode_cache(dialect: str) -> FileSystemBytecodeCache | None:
    """Compiled templates in the user's own cache folder, so that a fresh process need not compile them; none if it cannot be.

    A folder per dialect: filters on constants are folded at compile time, in the dialect's own spelling.
    """
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = Path(home) / "kanon_sql" / f"templates-{VERSION}" / dialect
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Compiled code is run as it is read: never from a folder that others may write.
        own = not hasattr(os, "getuid") or (folder.stat().st_uid == os.getuid() and not folder.stat().st_mode & 0o022)
    except OSError:
        return None
    return TemplateCache(str(folder)) if own else None


class TemplateCache(FileSystemBytecodeCache):
    """A cache that a run can do without: a folder that is full or was swept away while it ran is no error."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        with contextlib.suppress(OSError):
            super().dump_bytecode(bucket)


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
        auto_reload=False,
        bytecode_cache=_bytecode_cache(dialect.name),
    )
    env.filters["id"] = dialect.identifier
    env.filters["rel"] = dialect.relation
    env.filters["rows_of"] = dialect.rows_of
    env.filters["lit"] = dialect.literal
    env.filters["text"] = dialect.as_text
    env.filters["unused"] = unused
    env.globals["dialect"] = dialect
    return env


def unused(name: str, taken: Iterable[str]) -> str:
    """A column name of a statement's own that none of the user's columns has, whatever the case of its letters."""
    lowered = {column.lower() for column in taken}
    while name.lower() in lowered:
        name += "_"
    return name


P = ParamSpec("P")


def rendered(function: Callable[Concatenate[Dialect, P], Statement]) -> Callable[Concatenate[Dialect, P], Statement]:
    """The statement of the template of this name, in the folder of this module's name, given what the function is given.

    The function has no body: calling it only holds the arguments against its signature.
    """
    family = function.__module__.split(".statements.", 1)[1].replace(".", "/")
    template = f"{family}/{function.__name__}"
    code, defaults = function.__code__, function.__defaults__ or ()
    names = code.co_varnames[1 : code.co_argcount]
    left_out = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True)) | (function.__kwdefaults__ or {})

    @wraps(function)
    def statement(dialect: Dialect, /, *given: P.args, **named: P.kwargs) -> Statement:
        function(dialect, *given, **named)
        return render(dialect, template, **left_out | dict(zip(names, given, strict=False)) | named)

    return statement


def render(dialect: Dialect, template: str, **parameters: object) -> Statement:
    """The statement of a template (`checks/frequency_sets`), labelled with the template's name."""
    text = environment(dialect).get_template(template + ".sql.j2").render(**parameters)
    return Statement(template, text.strip().rstrip(";"))
