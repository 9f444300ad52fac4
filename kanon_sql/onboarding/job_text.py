"""Writing a job file with comments: what YAML libraries cannot keep."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import field

import yaml

from kanon_sql.frozen import dataclass
from kanon_sql.onboarding.code_systems import CodeSystem
from kanon_sql.onboarding.roles import Guess
from kanon_sql.onboarding.singling_out import SinglingOut

COMMENT_AT = 44
HEADINGS = {
    "identifier": "Identifiers: never published.",
    "quasi": 'Quasi-identifiers: known to others, so they are generalised. Level 0 is the value itself, "*" is no value at all.',
    "sensitive": "Sensitive: what must not be learnt about a person. Published as it is.",
    "keep": "Published as it is.",
    "drop": "Not published. `keep` publishes a column as it is, `quasi` generalises it.",
}


@dataclass(frozen=True)
class ColumnDraft:
    """A column as it will be written."""

    name: str
    guess: Guess
    type: str | None = None
    levels: Sequence[object] = ()
    values: Sequence[str] = ()
    rules: Sequence[Mapping[str, object]] = ()
    note: str = ""


@dataclass(frozen=True)
class Draft:
    """A job file as it will be written."""

    title: str
    source: Mapping[str, str]
    source_notes: Mapping[str, str]
    k: int
    columns: Sequence[ColumnDraft]
    publish: str
    file_name: str
    notes: Sequence[str] = field(default_factory=tuple)
    singling_out: SinglingOut | None = None
    code_systems: Mapping[str, CodeSystem] = field(default_factory=dict)

    @property
    def lattice_size(self) -> int:
        size = 1
        for column in self.columns:
            if column.guess.role == "quasi":
                size *= len(column.levels) + 1
        return size


def job_text(draft: Draft) -> str:
    """The job file."""
    lines = [
        f"# A first job file for {comment(draft.title)}: guesses, to be corrected by someone who knows the table.",
        "# Every guess is marked `guess` with its reason; no value of fewer than k rows was written down.",
        *(f"# {comment(note)}" for note in draft.notes),
        *_singled_out(draft),
        f"# Next: kanon doctor {draft.file_name}; kanon plan {draft.file_name}; kanon run {draft.file_name}",
        "version: 1",
        "",
        "source:",
    ]
    for entry, value in draft.source.items():
        lines.append(_commented(f"  {entry}: {scalar(value)}", draft.source_notes.get(entry, "")))
    sensitive = [column.name for column in draft.columns if column.guess.role == "sensitive"]
    lines += [
        "",
        "privacy:",
        _commented(f"  k: {draft.k}", "guess: every published combination is shared by at least so many"),
        _commented("  suppression: 0.01", "guess: up to this share of the rows may be dropped instead of generalised"),
    ]
    if sensitive:
        lines.append(f"  # l_diversity: {{{key(sensitive[0])}: {{kind: distinct, l: 2}}}}")
    lines += ["", _commented("columns:", "every column of the table is named; an unnamed one is an error")]
    for role, heading in HEADINGS.items():
        members = [column for column in draft.columns if column.guess.role == role]
        if members:
            lines.append(f"  # {heading}")
        for column in members:
            lines += _column_lines(column, draft.k)
            if column.name in draft.code_systems:
                lines.append(_code_system_line(column, draft))
    lines += [
        "",
        "utility:",
        _commented("  metric: glm", 'generalised loss: 0 is the source table, 1 is nothing but "*"'),
        "",
        "search:",
        _commented("  algorithm: best-first", f"exact; the lattice has {draft.lattice_size:,} nodes"),
        _commented("  time_limit: 600", "guess: seconds, after which the best found and its gap are reported"),
        "",
        "publish:",
        _commented(f"  table: {scalar(draft.publish)}", "guess: a view of this name points at the newest release"),
        _commented("  keep: 7", "older releases kept for rollback"),
    ]
    return "\n".join(lines) + "\n"


def _singled_out(draft: Draft) -> list[str]:
    """What the quasi-identifiers single out, as comments."""
    found = draft.singling_out
    if found is None or not found.alone:
        return []
    alone = ", ".join(f"{name} {share:.1%}" for name, share in found.alone[:6] if share > 0)
    lines = [f"# Rows that a column alone makes unique: {comment(alone)}."] if alone else []
    return [*lines, f"# Of the columns taken for quasi-identifiers, {comment(found.sentence())}."]


def _code_system_line(column: ColumnDraft, draft: Draft) -> str:
    """How the column would be generalized, if others know it."""
    system = draft.code_systems[column.name]
    if system.prefixes:
        levels = flow([*({"prefix": length} for length in system.prefixes), "*"])
        return f"    # known to others? {{role: quasi, levels: {levels}}}"
    return f"    # known to others? role: quasi, and `kanon hierarchy {draft.file_name} {comment(column.name)}` writes its levels"


def _column_lines(column: ColumnDraft, k: int) -> list[str]:
    why = f"guess: {column.guess.why}"
    if column.guess.role != "quasi":
        return [_commented(f"  {key(column.name)}: {{role: {column.guess.role}}}", why)]
    lines = [_commented(f"  {key(column.name)}:", why), "    role: quasi"]
    if column.type:
        lines.append(f"    type: {column.type}")
    lines.append(_commented(f"    levels: {flow(column.levels)}", column.note))
    if column.rules:
        lines.append(_commented("    rules:", "guess: proposed from the data"))
        lines += [f"      - {flow(rule)}" for rule in column.rules]
    if column.values:
        shown = ", ".join(json.dumps(value, ensure_ascii=False) for value in column.values)
        lines.append(f"    # values of at least {k} rows, for groups or a hierarchy: {comment(shown)}")
    return lines


def _commented(text: str, note: str) -> str:
    return f"{text:<{COMMENT_AT}} # {comment(note)}" if note else text


def comment(text: str) -> str:
    """Text that cannot end a comment."""
    return re.sub(r"[\x00-\x1f\x7f\x85\u2028\u2029]+", " ", text)


def key(name: str) -> str:
    """A mapping's key."""
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) and yaml.safe_load(name) == name:
        return name
    return _quoted(name)


def scalar(value: str) -> str:
    """A text value; a dollar sign would be taken for a variable, so it is doubled."""
    escaped = value if re.fullmatch(r"\$\{\w+\}", value) else value.replace("$", "$$")
    if re.fullmatch(r"[A-Za-z_$/][\w./:+@$\-]*|\$\{\w+\}", escaped) and yaml.safe_load(escaped) == escaped:
        return escaped
    return _quoted(escaped)


def flow(value: object) -> str:
    """A list, mapping or number on one line."""
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key(str(name))}: {flow(item)}" for name, item in value.items()) + "}"
    if isinstance(value, str):
        return '"*"' if value == "*" else scalar(value)
    return json.dumps(value)


def _quoted(text: str) -> str:
    # JSON's escapes are YAML's; what lies beyond its plane, and YAML's own line ends, are escaped too.
    return re.sub(
        r"[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]",
        lambda match: f"\\u{ord(match[0]):04x}",
        json.dumps(text, ensure_ascii=False),
    )
