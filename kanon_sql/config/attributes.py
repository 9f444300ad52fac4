"""From the job's columns and the table's types to attributes."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from kanon_sql.config.hierarchy_file import checked_rows, read_hierarchy
from kanon_sql.config.privacy_models import models_beyond_k
from kanon_sql.config.published_types import check_type, declared_types
from kanon_sql.config.schema import Column, Cuts, Job, Prefix, Width
from kanon_sql.config.schema import Rule as RuleEntry
from kanon_sql.errors import ColumnError, HierarchyError, JobError, RuleError
from kanon_sql.model.attribute import Attribute
from kanon_sql.model.counted import counted
from kanon_sql.model.forms import Form
from kanon_sql.model.levels import CutsLevel, DateLevel, Level, LookupLevel, PrefixLevel, Raw, Star, WidthLevel
from kanon_sql.model.rules import ApartRule, CutRule, Rule

NUMERIC_KINDS = ("integer", "decimal", "double")
DATE_KINDS = ("date", "timestamp", "timestamptz")


class ColumnKind(NamedTuple):
    """What an engine tells of a column's type."""

    kind: str
    scale: int
    type_name: str
    form: Form = Form.SAME
    wide: bool = False


def check_columns(job: Job, table: Sequence[str], where: str) -> None:
    """Every column of the table is named in the job, and every named one exists."""
    have, named = set(table), set(job.columns)
    if missing := [name for name in job.columns if name not in have]:
        near = difflib.get_close_matches(missing[0], table, 1)
        raise ColumnError(
            f"columns.{missing[0]}: {where} has no such column"
            + (f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""),
            f"did you mean {near[0]}?" if near else "remove it from the job file",
        )
    if unnamed := [name for name in table if name not in named]:
        shown = ", ".join(unnamed[:5]) + (f" and {len(unnamed) - 5} more" if len(unnamed) > 5 else "")
        raise ColumnError(
            f"{where} has columns the job does not name: {shown}",
            "a new column is never published by accident: give it a role (quasi, sensitive, keep, identifier or drop)",
        )
    if job.source.person is not None and job.source.person not in have:
        raise ColumnError(f"source.person: {where} has no column {job.source.person}")


def build_attributes(job: Job, kinds: Mapping[str, ColumnKind]) -> tuple[Attribute, ...]:
    """The quasi-identifiers in the job's order."""
    return tuple(build_attribute(name, job, kinds[name]) for name in job.columns_with("quasi"))


def build_attribute(name: str, job: Job, kind: ColumnKind, *, kind_known: bool = True) -> Attribute:
    """A quasi-identifier of the job on a column of this kind; `kind_known`: a table says so, it is not guessed."""
    column = job.columns[name]
    type_kind, scale, type_name = kind.kind, kind.scale, kind.type_name
    if type_kind == "ungroupable":
        raise ColumnError(
            f"columns.{name}: a column of type {type_name} cannot be grouped",
            "give it the role drop, or cast it in a view",
        )
    if column.type == "numeric" and type_kind not in NUMERIC_KINDS:
        raise ColumnError(f"columns.{name}: type numeric, but the table has {type_name}")
    if column.type == "date" and type_kind not in DATE_KINDS:
        raise ColumnError(f"columns.{name}: type date, but the table has {type_name}")
    levels, lookup = _levels(name, column, type_kind, type_name, job.base)
    star = len(levels) - 1
    if column.min_level > star or (column.max_level or 0) > star:
        raise JobError(f"columns.{name}: min_level and max_level lie between 0 and {star}, its last level")
    if column.rv is not None and len(column.rv) != len(levels):
        raise JobError(
            f"columns.{name}.rv: {counted(len(column.rv), 'value')} for {counted(len(levels), 'level')}",
            "give one per level, the value and `*` included",
        )
    attribute = Attribute(
        name=name,
        kind=type_kind,
        scale=scale,
        numeric=column.type == "numeric" or (column.type is None and type_kind in NUMERIC_KINDS and not lookup),
        levels=levels,
        min_level=column.min_level,
        max_level=column.max_level if column.max_level is not None else star,
        weight=1.0 if column.weight is None else column.weight,
        lookup=lookup,
        rules=tuple(_rule(name, rule, type_kind) for rule in column.rules),
        expert_rv=tuple(column.rv) if column.rv is not None else None,
        form=kind.form,
        wide=kind.wide,
        declared=declared_types(job).get(name),
    )
    check_type(attribute, kind_known)
    return attribute


def _levels(
    name: str, column: Column, kind: str, type_name: str, base: Path
) -> tuple[tuple[Level, ...], tuple[tuple[str, ...], ...]]:
    if column.hierarchy is not None:
        rows = read_hierarchy(base / column.hierarchy, name)
        return (Raw(), *(LookupLevel(i) for i in range(1, len(rows[0]))), Star()), rows
    if column.groups is not None:
        rows = _group_rows(name, column)
        return (Raw(), *(LookupLevel(i) for i in range(1, len(rows[0]))), Star()), rows
    levels: list[Level] = [Raw()]
    for place, entry in enumerate(column.levels or ["*"]):
        if entry == "*":
            if place != len(column.levels or ["*"]) - 1:
                raise JobError(f"columns.{name}.levels: `*` is the last level")
            break
        if isinstance(entry, (Width, Cuts)):
            if kind not in NUMERIC_KINDS:
                raise ColumnError(
                    f"columns.{name}.levels: widths and cuts need a number, but the table has {type_name}",
                    "use prefixes, date parts, groups or a hierarchy",
                )
            levels.append(
                WidthLevel(_decimal(entry.width))
                if isinstance(entry, Width)
                else CutsLevel(tuple(sorted(map(_decimal, entry.cuts))))
            )
        elif isinstance(entry, Prefix):
            levels.append(PrefixLevel(entry.prefix))
        else:
            if kind not in DATE_KINDS:
                raise ColumnError(
                    f"columns.{name}.levels: {entry} needs a date or timestamp, but the table has {type_name}"
                )
            levels.append(DateLevel(entry))
    _check_nesting(name, levels)
    return (*levels, Star()), ()


def _check_nesting(name: str, levels: Sequence[Level]) -> None:
    """What can be seen without the table's values: wider intervals must be unions of narrower ones, prefixes get shorter."""
    for lower, upper in pairwise(levels):
        if isinstance(lower, WidthLevel) and isinstance(upper, WidthLevel) and upper.width % lower.width != 0:
            raise HierarchyError(
                f"columns.{name}.levels: width {upper.width} after {lower.width} does not nest",
                "make each width a multiple of the one before",
            )
        if isinstance(lower, PrefixLevel) and isinstance(upper, PrefixLevel) and upper.length >= lower.length:
            raise HierarchyError(
                f"columns.{name}.levels: prefix {upper.length} after {lower.length} does not nest",
                "make prefixes shorter",
            )


def _group_rows(name: str, column: Column) -> tuple[tuple[str, ...], ...]:
    """Inline groups as hierarchy rows; a later mapping may name the labels of the one before, or values."""
    table: list[list[str]] = []
    for depth, grouping in enumerate(column.groups or []):
        if grouping == "*":
            if depth != len(column.groups or []) - 1:
                raise JobError(f"columns.{name}.groups: `*` is the last level")
            break
        assert isinstance(grouping, dict)
        label_of: dict[str, str] = {}
        for label, members in grouping.items():
            for member in members:
                if _shown(member) in label_of:
                    raise HierarchyError(f"columns.{name}.groups: a value stands in two groups of level {depth + 1}")
                label_of[_shown(member)] = label
        if depth == 0:
            table = [[value, label] for value, label in label_of.items()]
            continue
        previous = {row[-1] for row in table}
        by_label = set(label_of) >= previous
        for row in table:
            key = row[-1] if by_label else row[0]
            if key not in label_of:
                raise HierarchyError(
                    f"columns.{name}.groups: level {depth + 1} leaves out values or labels of level {depth}"
                )
            row.append(label_of[key])
    if not table:
        raise HierarchyError(f"columns.{name}.groups: no group is given")
    return checked_rows([tuple(row) for row in table], name)


def _rule(name: str, entry: RuleEntry, kind: str) -> Rule:
    if entry.cut is not None:
        if kind not in NUMERIC_KINDS:
            raise RuleError(
                f"columns.{name}.rules: a cut needs a number", "use `apart` with two values or two lists of values"
            )
        return CutRule(entry.cut, entry.importance)
    assert entry.apart is not None
    left, right = (
        tuple(_shown(v) for v in side) if isinstance(side, list) else (_shown(side),) for side in entry.apart
    )
    if set(left) & set(right):
        raise RuleError(f"columns.{name}.rules: a value stands on both sides of `apart`")
    return ApartRule(left, right, entry.importance)


def _shown(value: object) -> str:
    """A YAML scalar as the engine shows it as text."""
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _decimal(number: float) -> Decimal:
    return Decimal(repr(number)).normalize() if number != int(number) else Decimal(int(number))


def validate_offline(job: Job) -> dict[str, int]:
    """The number of levels of each quasi-identifier, with everything checked that needs no database: files, nesting, groups."""
    counts: dict[str, int] = {}
    for name in job.columns_with("quasi"):
        column = job.columns[name]
        # Without the table a column's type is what its levels presuppose.
        entries = column.levels or []
        if (
            any(isinstance(entry, (Width, Cuts)) for entry in entries)
            or column.type == "numeric"
            or any(rule.cut is not None for rule in column.rules)
        ):
            kind = "double"
        elif column.type == "date" or any(isinstance(entry, str) and entry != "*" for entry in entries):
            kind = "timestamp"
        else:
            kind = "text"
        counts[name] = len(build_attribute(name, job, ColumnKind(kind, 0, kind), kind_known=False).levels)
    models_beyond_k(job)  # reads the hierarchies that models name
    return counts
