"""Random tables of odd types, and jobs about them: every search and local recoding, models, budgets, NULLs, persons with several rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from tests.redteam.checker import Promise
from tests.truth.types import DUCKDB, POSTGRES, SPARK

LATTICE = ["global", "local", "hybrid", "partitioned", "best-first", "incognito", "samarati", "datafly", "exhaustive"]
LOCAL = ["mondrian", "bottom-up", "top-down", "k-member", "udrv", "udrv-suppress", "spatial-distance", "euclidean", "anneal"]  # fmt: skip
TYPES = {"duckdb": DUCKDB, "postgresql": POSTGRES, "spark": SPARK}
NUMBERS = ("smallint", "tinyint", "bigint", "numeric", "numeric(9, 2)", "real", "float", "double", "double precision", "decimal(9, 2)")  # fmt: skip
TEXTS = ("text", "string", "varchar", "citext", "varchar collate nocase", "bpchar", "char(4)")
AWKWARD_NUMBERS = ("0.3", "0.7", "1.2", "-0.3", "7", "7.25", "-7", "100")
WHOLE_NUMBERS = ("0", "3", "-3", "7", "12", "13", "100")
NAMES = ("a", "b", "kanon_m", "n", "a__1", "Select", "größe")
MODELS: dict[str, dict[str, Any]] = {
    "distinct": {"l_diversity": {"s": {"kind": "distinct", "l": 2}}},
    "entropy": {"l_diversity": {"s": {"kind": "entropy", "l": 1.5}}},
    "recursive": {"l_diversity": {"s": {"kind": "recursive", "l": 2, "c": 2}}},
    "t": {"t_closeness": {"s": 0.6}},
    "p": {"p_sensitive": {"s": 2}},
    "alpha": {"alpha": {"s": 0.8}},
    "beta": {"beta_likeness": {"s": 2}},
}
LIMITS: dict[str, Any] = {"distinct": 2, "entropy": 1.5, "recursive": (2, 2), "t": 0.6, "p": 2, "alpha": 0.8, "beta": 2}


@dataclass(frozen=True)
class World:
    """A table with the nights that change it, its job, and what the job promises."""

    types: dict[str, str]
    nights: list[list[tuple[str, ...]]]
    """The rows of every night as SQL literals: row, person, the columns of `types`."""
    columns: dict[str, Any]
    sections: dict[str, dict[str, Any]] = field(default_factory=dict)
    models: tuple[str, ...] = ()

    @property
    def persons(self) -> bool:
        return "person" in self.sections.get("source", {})

    def promise(self, rows: int) -> Promise:
        quasi = [name for name, column in self.columns.items() if column["role"] == "quasi"]
        privacy = self.sections["privacy"]
        return Promise(
            k=privacy["k"],
            quasi=quasi,
            columns=["row", *self.types],
            sensitive={"s": {name: LIMITS[name] for name in self.models}} if self.models else {},
            budget=int(privacy["suppression"] * rows + 1e-9),
            row="row",
            person="person" if self.persons else None,
            forbidden=["never_published"],
        )


@st.composite
def worlds(draw: DrawFn, engine: str) -> World:
    kinds = TYPES[engine]
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique_by=str.lower))
    types = {name: draw(st.sampled_from(sorted(kinds))) for name in names} | {"s": draw(st.sampled_from(sorted(kinds)))}
    algorithm = draw(st.sampled_from(LATTICE + LOCAL))
    columns: dict[str, Any] = {"row": {"role": "keep"}, "person": {"role": "identifier"}}
    columns |= {name: _quasi(draw, types[name], algorithm) for name in names} | {"s": {"role": "sensitive"}}
    models = tuple(draw(st.lists(st.sampled_from(sorted(MODELS)), max_size=2, unique=True)))
    privacy: dict[str, Any] = {
        "k": draw(st.integers(2, 3)),
        "suppression": draw(st.sampled_from([0, 0.25, 0.5])),
        "accept": ["nearly_unique_columns", "rows_per_person"],
    }
    for model in models:
        for key, section in MODELS[model].items():
            privacy[key] = privacy.get(key, {}) | section
    if "l_diversity" in privacy:  # one of them has the last word
        last = privacy["l_diversity"]
        models = tuple(name for name in models if MODELS[name].get("l_diversity", last) == last)
    sections: dict[str, Any] = {
        "privacy": privacy,
        "search": {"algorithm": algorithm, "block": 20},
        "source": {"person": "person"} if draw(st.booleans()) else {},
        "publish": {"guard": "never"},
    }
    values = {name: _values(kinds[type_name], type_name) for name, type_name in types.items()}
    rows = draw(st.integers(6, 24))
    night = [_row(draw, number, values) for number in range(rows)]
    nights = [night]
    if draw(st.booleans()):
        changed = [row if draw(st.integers(0, 3)) else _row(draw, place, values) for place, row in enumerate(night)]
        nights.append(changed + [_row(draw, rows + extra, values) for extra in range(draw(st.integers(0, 2)))])
    return World(types, nights, columns, sections, models)


def _values(literals: tuple[str, ...], type_name: str) -> list[str]:
    more = AWKWARD_NUMBERS if type_name in NUMBERS and "int" not in type_name else ()
    return [*literals, *more, *(WHOLE_NUMBERS if "int" in type_name and type_name in NUMBERS else ()), "null"]


def _row(draw: DrawFn, number: int, values: dict[str, list[str]]) -> tuple[str, ...]:
    # Few values per column, so that classes of some size come about.
    shown = [of[draw(st.integers(0, 5)) % len(of)] if draw(st.integers(0, 9)) else draw(st.sampled_from(of)) for of in values.values()]  # fmt: skip
    return (str(number), str(number // draw(st.sampled_from([1, 1, 2, 3]))), *shown)


def _quasi(draw: DrawFn, type_name: str, algorithm: str) -> dict[str, Any]:
    column: dict[str, Any] = {"role": "quasi"}
    if type_name in NUMBERS and (algorithm in LATTICE or draw(st.booleans())):
        whole = "int" in type_name
        column["levels"] = draw(st.sampled_from([["*"], [5, 10, "*"] if whole else [0.1, 0.5, "*"], [7, "*"]]))
    elif type_name in TEXTS:
        column["levels"] = draw(st.sampled_from([["*"], [{"prefix": 2}, "*"]]))
    elif type_name == "date":
        column["levels"] = draw(st.sampled_from([["*"], ["month", "year", "*"]]))
    return column
