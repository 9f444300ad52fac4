"""A plan for people: the choice in words first, then what it costs, then what else could be taken."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kanon_sql.cli.output import print_table
from kanon_sql.cli.terminal import bold, red, wrapped
from kanon_sql.model.counted import counted

if TYPE_CHECKING:
    from kanon_sql.results import PlanResult

EXAMPLE = 28
"""Characters of an example that are shown; more where the terminal is wide."""


def show_choice(result: PlanResult) -> None:
    """What is published of each column, with an example and its share of the loss; a column that is lost is said in red."""
    print(bold(wrapped(_headline(result))))
    print()
    if not result.choice:  # registered by an earlier version
        if result.node is not None:
            print_table(["column", "level"], list(result.node.items()))
        return
    wide = max(EXAMPLE, shutil.get_terminal_size().columns - 92)
    levels = result.node is not None
    print_table(
        ["column", *(["level"] if levels else []), "published", "for example", "of the loss"],
        [
            [line["column"], *([f"{line['level']} of {line['levels']}"] if levels else [])]
            + [line["published"], _example(line, wide), f"{line['share_of_loss']:.0%}".rjust(11)]
            for line in result.choice
        ],
        marked=[bool(line["withheld"]) for line in result.choice],
    )
    if result.example_rows is not None:
        print(f"the example is the largest class: {counted(result.example_rows, 'row')} share all of it")
    rest = 1 - sum(line["share_of_loss"] for line in result.choice)
    if levels and result.suppressed and rest >= 0.005:
        print(f"the rows that are left out make {rest:.0%} of the loss")
    withheld = [line["column"] for line in result.choice if line["withheld"]]
    if withheld:
        verb, left = ("is", "it") if len(withheld) == 1 else ("are", "them")
        text = f"withheld: {_listed(withheld)} {verb} published as `*` in every row: nothing is left of {left}"
        print(red(wrapped(text)))


def _headline(result: PlanResult) -> str:
    claim = "proven the best" if result.exact else "not proven the best"
    if not result.exact and result.gap is not None:
        claim += f" (at most {result.gap:.6g} from it)"
    what = counted(result.classes, "class", "classes")
    if result.groups is not None:
        sizes = f"of {result.figures['median_class']:g} rows typically, at most {result.figures['largest_class']:,.0f}"
        what = f"{counted(result.groups, 'group')} {sizes}" if "median_class" in result.figures else what
    left = f"{result.suppressed:,} of {counted(result.rows, 'row')} left out"
    return f"{result.algorithm}: k = {result.k}, {what}, {left}; {claim}"


def show_alternatives(alternatives: Sequence[dict[str, Any]]) -> None:
    """Each alternative by what differs from the choice, and how to ask for it."""
    if not alternatives:
        return
    print("\n" + bold("alternatives"))
    for place, other in enumerate(alternatives, start=1):
        print(wrapped(f"{place}. {_costs(other)}: {_differs(other)}", "   "))
        asked = [
            f"--set columns.{part['column']}.max_level={part['level']}" for part in other["differs"] if part["finer"]
        ]
        choose = f"--choose {other['choose']}" if other.get("choose") else " ".join(asked)
        if choose:
            print(f"   {choose}")


def _costs(other: dict[str, Any]) -> str:
    loss, more, metric = other["loss"], other["more"], other["metric"]
    best = loss - more
    if abs(more) < 1e-9:
        return f"loses as much ({metric} {loss:.4g})"
    share = f"{more / abs(best):.0%}" if abs(best) > 1e-12 and more / abs(best) >= 0.005 else f"{more:.2g}"
    return f"loses {share} more ({metric} {loss:.4g} instead of {best:.4g})"


def _differs(other: dict[str, Any]) -> str:
    finer = [part for part in other["differs"] if part["finer"]]
    coarser = [part for part in other["differs"] if not part["finer"]]
    said = [
        ("keeps " if part["keeps"] else "") + f"{part['column']} {part['published']} instead of {part['instead_of']}"
        for part in finer
    ]
    text = ", ".join(said)
    if coarser:
        text += (", but " if text else "") + ", ".join(
            f"{part['column']} {part['published']} instead of {part['instead_of']}" for part in coarser
        )
    return text


def _example(line: dict[str, Any], most: int) -> str:
    if line["example"] is None:
        return "(no value)"
    text = str(line["example"])
    return text if len(text) <= most else text[: most - 1] + "…"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
