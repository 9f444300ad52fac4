"""What a risk preset does to the quasi-identifiers: dates, postal codes and ages start at the first level that keeps its rule."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from kanon_sql.config.schema import DATE_PARTS
from kanon_sql.errors import JobError
from kanon_sql.model.attribute import Attribute
from kanon_sql.model.levels import CutsLevel, DateLevel, LookupLevel, PrefixLevel, Star, WidthLevel
from kanon_sql.model.privacy.presets import AGE_NAME, POSTAL_NAME, Preset

DATE_KINDS = ("date", "timestamp", "timestamptz")
NUMERIC_KINDS = ("integer", "decimal", "double")
POSTAL_DIGITS = 5
"""The digits of a postal code stored as a number."""


def ages(attributes: Sequence[Attribute]) -> list[str]:
    """The quasi-identifiers that a preset takes for ages."""
    return [a.name for a in attributes if a.kind in NUMERIC_KINDS and AGE_NAME.search(a.name)]


def with_preset(
    preset: Preset, attributes: Sequence[Attribute], oldest: Mapping[str, float | None]
) -> tuple[tuple[Attribute, ...], list[str]]:
    """The attributes with raised least levels, and a line for each that was raised. `oldest`: the largest value of each age."""
    raised: list[Attribute] = []
    lines: list[str] = []
    for attribute in attributes:
        keeps = _rule(preset, attribute, oldest)
        if keeps is None:
            raised.append(attribute)
            continue
        rule, levels = keeps
        # A rule once kept must stay kept further up, or a search could leave it again.
        least = max((level + 1 for level, kept in enumerate(levels) if not kept), default=0)
        if least > attribute.max_level:
            raise JobError(
                f"columns.{attribute.name}: risk: {preset.name} wants {rule}, which is level {least}; max_level is {attribute.max_level}",
                "raise max_level, or add a level that keeps the rule",
            )
        if least > attribute.min_level:
            lines.append(
                f"risk: {preset.name} wants {rule}: {attribute.name} starts at level {least} of {attribute.star}"
            )
        raised.append(dataclasses.replace(attribute, min_level=max(least, attribute.min_level)))
    return tuple(raised), lines


def _rule(preset: Preset, attribute: Attribute, oldest: Mapping[str, float | None]) -> tuple[str, list[bool]] | None:
    """The rule for this attribute in words, and which of its levels keep it; None where no rule is meant for it."""
    if attribute.kind in DATE_KINDS:
        finest = DATE_PARTS.index(preset.date_part)
        kept = [
            isinstance(level, Star) or (isinstance(level, DateLevel) and DATE_PARTS.index(level.part) >= finest)
            for level in attribute.levels
        ]
        return f"dates no finer than the {preset.date_part}", kept
    if POSTAL_NAME.search(attribute.name):
        kept = [_postal(preset, attribute, level) for level in range(len(attribute.levels))]
        return f"postal codes of at most {preset.postal_length} characters", kept
    if attribute.name in oldest:
        top = oldest[attribute.name]
        needs_top = top is not None and top >= preset.top_age
        kept = [_age(preset, attribute, level, needs_top) for level in range(len(attribute.levels))]
        width = f"intervals of {preset.age_width} years or wider, " if preset.age_width > 1 else ""
        return f"ages in {width}{preset.top_age} and over in one group", kept
    return None


def _postal(preset: Preset, attribute: Attribute, level: int) -> bool:
    spec = attribute.levels[level]
    if isinstance(spec, Star):
        return True
    if isinstance(spec, PrefixLevel):
        return spec.length <= preset.postal_length
    if isinstance(spec, WidthLevel):
        return int(spec.width) >= int(10 ** (POSTAL_DIGITS - preset.postal_length))
    if isinstance(spec, LookupLevel):
        return all(len(row[spec.index].rstrip("*xX ")) <= preset.postal_length for row in attribute.lookup)
    return False


def _age(preset: Preset, attribute: Attribute, level: int, needs_top: bool) -> bool:
    spec = attribute.levels[level]
    if isinstance(spec, Star):
        return True
    if isinstance(spec, LookupLevel):
        return _age_groups(preset, attribute, spec.index, needs_top)
    if isinstance(spec, CutsLevel):
        wide = all(high - low >= preset.age_width for low, high in zip(spec.cuts, spec.cuts[1:], strict=False))
        return wide and (not needs_top or spec.cuts[-1] <= preset.top_age)
    wide = spec.width >= preset.age_width if isinstance(spec, WidthLevel) else preset.age_width == 1
    return wide and not needs_top


def _age_groups(preset: Preset, attribute: Attribute, index: int, needs_top: bool) -> bool:
    """Every group of a hierarchy's level spans the width, but for the lowest and the highest; the old are in one group."""
    groups: dict[str, list[float]] = {}
    for row in attribute.lookup:
        try:
            groups.setdefault(row[index], []).append(float(row[0]))
        except ValueError:
            return False
    spans = sorted((min(values), max(values) + 1) for values in groups.values())
    wide = all(high - low >= preset.age_width for low, high in spans[1:-1])
    return wide and (not needs_top or sum(high > preset.top_age for _, high in spans) <= 1)
