"""Reading a job file: YAML with line numbers, ${ENV}, overrides, and errors that say where."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from kanon_sql.config.registered import UNKNOWN_NAME
from kanon_sql.config.rule_check import check_rules_and_weights
from kanon_sql.config.schema import Job
from kanon_sql.config.yaml_text import composed
from kanon_sql.errors import JobError, UnknownKey
from kanon_sql.model.algorithms import LATTICE_SEARCHES, LOCAL_RECODINGS
from kanon_sql.model.measures import MEASURES

VARIABLE = re.compile(r"\$(\$|\{([A-Za-z_][A-Za-z0-9_]*)\})")
MOST_NODES = 1_000_000
"""Values of a job file, aliases written out; the longest lists belong into hierarchy files."""
Path_ = tuple[str | int, ...]
Lines = dict[Path_, int]


def load_job(path: str | Path, overrides: Iterable[str] = ()) -> Job:
    """The job of a file; `overrides` are `dotted.key=value` strings, as of --set."""
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise JobError(f"there is no job file {file}", "`kanon init --url URL --table T` writes one") from None
    except (OSError, UnicodeDecodeError) as error:
        raise JobError(f"cannot read the job file {file}: {type(error).__name__}") from error
    return parse_job(text, file.resolve(), overrides)


def parse_job(text: str, path: Path | None = None, overrides: Iterable[str] = ()) -> Job:
    """The job of a text."""
    where = path.name if path is not None else "job"
    document, lines = _read(text, where)
    if not isinstance(document, dict):
        raise JobError(f"{where}: the job file is not a mapping", "start with `version: 1`")
    document = _interpolated(document, (), lines, where)
    for override in overrides:
        _override(document, override)
    return _checked(document, lines, where, path, text)


def build_job(document: Mapping[str, Any], base: Path | None = None) -> Job:
    """The job of a dictionary with the keys of a job file; it has no lines, so errors name keys alone."""
    plain = _plain(document)
    lines: Lines = dict.fromkeys(_paths(plain, ()), 0)
    path = None if base is None else base.resolve() / "job.yml"
    return _checked(_interpolated(plain, (), lines, "job"), lines, "job", path, "")


def _plain(value: Any) -> Any:
    """A value of Python as a job file would have it."""
    if isinstance(value, Mapping):
        return {_key(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, Path) else value


def _paths(value: Any, path: Path_) -> Iterator[Path_]:
    """The path of every key."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from _paths(item, (*path, key))


def _checked(document: dict[str, Any], lines: Lines, where: str, path: Path | None, text: str) -> Job:
    try:
        job = Job.model_validate(document)
    except ValidationError as error:
        raise _explained(error, lines, where) from error
    job._path = path
    job._text = text
    _cross_check(job, lines, where)
    return job


def _read(text: str, where: str) -> tuple[Any, Lines]:
    lines: Lines = {}
    try:
        loader, root = composed(text)
        if root is None:
            raise JobError(f"{where}: the job file is empty", "`kanon init` writes one to start from")
        check_size(root, where)
        _note(root, (), lines, where)
        return loader.construct_document(root), lines
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f":{mark.line + 1}" if mark is not None else ""
        raise JobError(f"{where}{line}: not valid YAML: {error.problem or error.context}") from error
    except yaml.YAMLError as error:
        raise JobError(f"{where}: not valid YAML: {str(error).splitlines()[0]}") from error


def check_size(root: yaml.Node, where: str) -> None:
    """Refuse what aliases blow up, or make endless, before it is expanded."""
    sizes: dict[int, int] = {}
    open_nodes: set[int] = set()

    def size(node: yaml.Node) -> int:
        known = sizes.get(id(node))
        if known is not None:
            return known
        if id(node) in open_nodes:
            line = node.start_mark.line + 1
            raise JobError(f"{where}:{line}: an alias refers to what it stands in", "write the values out")
        open_nodes.add(id(node))
        total = 1
        for item in node.value if isinstance(node, yaml.CollectionNode) else ():
            total += sum(size(part) for part in item) if isinstance(item, tuple) else size(item)
        open_nodes.discard(id(node))
        sizes[id(node)] = total
        if total > MOST_NODES:
            line = node.start_mark.line + 1
            raise JobError(
                f"{where}:{line}: with its aliases written out it has more than {MOST_NODES:,} values",
                "write the values out, or move them to a hierarchy file",
            )
        return total

    try:
        size(root)
    except RecursionError as error:
        raise JobError(f"{where}: it is nested too deeply", "a job file needs a few levels") from error


def _note(node: yaml.Node, path: Path_, lines: Lines, where: str) -> None:
    """The line of every key, and an error for a key that is written twice."""
    lines.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            name = str(key.value)
            line = key.start_mark.line + 1
            if name in seen:
                dotted = ".".join(map(str, (*path, name)))
                raise JobError(f"{_place(where, line)}: the key {dotted} is written twice", "remove one of them")
            seen.add(name)
            lines[(*path, name)] = line
            _note(value, (*path, name), lines, where)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            _note(value, (*path, index), lines, where)


def _interpolated(value: Any, path: Path_, lines: Lines, where: str) -> Any:
    if isinstance(value, dict):
        return {_key(key): _interpolated(item, (*path, _key(key)), lines, where) for key, item in value.items()}
    if isinstance(value, list):
        return [_interpolated(item, (*path, index), lines, where) for index, item in enumerate(value)]
    if not isinstance(value, str) or "$" not in value:
        return value

    def variable(match: re.Match[str]) -> str:
        if match[1] == "$":
            return "$"
        name = match[2]
        if name not in os.environ:
            line = lines.get(path)
            raise JobError(f"{_place(where, line)}: the environment variable {name} is not set", f"export {name}=...")
        return os.environ[name]

    return VARIABLE.sub(variable, value)


def _key(key: object) -> str:
    return ("true" if key else "false") if isinstance(key, bool) else str(key)


def _override(document: dict[str, Any], override: str) -> None:
    key, equals, text = override.partition("=")
    if not equals or not key:
        raise JobError(f"--set {override!r} is not key=value", "as in --set privacy.k=10")
    parts = key.split(".")
    place = document
    for part in parts[:-1]:
        below = place.setdefault(part, {})
        if not isinstance(below, dict):
            raise JobError(f"--set {key}: {part} is not a mapping in the job file")
        place = below
    try:
        place[parts[-1]] = _value(text, f"--set {key}")
    except yaml.YAMLError as error:
        raise JobError(f"--set {key}: the value is not valid YAML") from error


def _value(text: str, where: str) -> Any:
    loader, root = composed(text)
    if root is None:
        return None
    check_size(root, where)
    return loader.construct_document(root)


def _explained(error: ValidationError, lines: Lines, where: str) -> JobError:
    """The first thing wrong, with its line, its key and what to do."""
    first = sorted(error.errors(), key=lambda e: e["type"] != "extra_forbidden")[0]
    location = tuple(part for part in first["loc"] if isinstance(part, int) or not _is_branch(part, lines))
    dotted = ".".join(map(str, location)) or "the job file"
    line = _line(location, lines)
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    if first["type"] == "extra_forbidden":
        key = str(location[-1])
        near = difflib.get_close_matches(key, _known_keys() - {key}, 1)  # a key of another place is no help
        hint = f"did you mean {near[0]}?" if near else "`kanon schema` lists the keys"
        return UnknownKey(f"{_place(where, line)}: unknown key {dotted}", hint)
    if first["type"] == "missing":
        return JobError(f"{_place(where, line)}: the key {dotted} is missing{more}")
    if first["type"] == UNKNOWN_NAME:
        return JobError(f"{_place(where, line)}: {first['msg']}{more}", str(first["ctx"]["hint"]))
    message = first["msg"].removeprefix("Value error, ")
    return JobError(f"{_place(where, line)}: {dotted}: {message}{more}", "`kanon schema` describes every key")


def _is_branch(part: str, lines: Lines) -> bool:
    """Whether pydantic's location part names a branch of a union rather than a key of the file."""
    return not any(part in path for path in lines) and part not in _known_keys()


def _place(where: str, line: int | None) -> str:
    """Where in the job file; a job made of a dictionary has no lines."""
    return f"{where}:{line}" if line else where


def _line(location: Path_, lines: Lines) -> int | None:
    for length in range(len(location), -1, -1):
        if location[:length] in lines:
            return lines[location[:length]]
    return None


def _known_keys() -> set[str]:
    keys: set[str] = set()
    schema = Job.model_json_schema(by_alias=True)
    for part in (schema, *schema.get("$defs", {}).values()):
        keys.update(part.get("properties", {}))
    return keys


def _cross_check(job: Job, lines: Lines, where: str) -> None:
    """What no single key shows."""
    if not job.columns_with("quasi"):
        raise JobError(
            f"{_place(where, lines.get(('columns',)))}: no column has the role quasi",
            "k-anonymity is about quasi-identifiers: name at least one",
        )
    sensitive = set(job.columns_with("sensitive"))
    for key, column, _ in job.privacy.asked():
        if column is not None and column not in sensitive:
            line = lines.get(("privacy", key, column))
            raise JobError(
                f"{_place(where, line)}: privacy.{key}.{column}: that column does not have the role sensitive",
                f"give columns.{column} the role sensitive",
            )
        if column is None and job.search.algorithm in LOCAL_RECODINGS:
            raise JobError(
                f"{_place(where, lines.get(('privacy', key)))}: privacy.{key} compares levels with the population's, "
                f"which {job.search.algorithm} does not have",
                f"use a lattice search: {', '.join(LATTICE_SEARCHES)}",
            )
    if MEASURES[job.utility.metric].needs_target and job.utility.target is None:
        raise JobError(
            f"{_place(where, lines.get(('utility', 'metric')))}: the metric {job.utility.metric} needs utility.target"
        )
    if job.utility.target is not None and job.utility.target not in job.columns:
        near = difflib.get_close_matches(job.utility.target, list(job.columns), 1)
        raise JobError(
            f"{_place(where, lines.get(('utility', 'target')))}: utility.target {job.utility.target!r} is not a column",
            f"did you mean {near[0]}?" if near else "name one of the job's columns",
        )
    person = job.source.person
    if person is not None and person in job.columns and job.columns[person].role not in ("identifier", "drop"):
        raise JobError(
            f"{_place(where, lines.get(('source', 'person')))}: the person key {person} would be published",
            f"give columns.{person} the role identifier",
        )
    check_rules_and_weights(job, lambda *path: _place(where, _line(path, lines)))
