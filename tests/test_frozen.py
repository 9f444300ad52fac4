"""Dataclasses that are finished when first used are the same to whoever uses, compares or inherits them."""

from __future__ import annotations

import copy
import dataclasses
import inspect
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field
from typing import ClassVar

import pytest

from kanon_sql.frozen import dataclass


def made() -> tuple[type, type, type]:
    @dataclass(frozen=True)
    class Nothing:
        pass

    @dataclass(frozen=True)
    class Base:
        kind: ClassVar[str] = "base"
        name: str
        notes: list[str] = field(default_factory=list, compare=False, repr=False)

        def __post_init__(self) -> None:
            if not self.name:
                raise ValueError("no name")

    @dataclass(frozen=True)
    class Sub(Base):
        level: int = 0

    return Nothing, Base, Sub


def test_values_are_made_compared_hashed_shown_and_replaced() -> None:
    nothing, base, sub = made()
    assert nothing() == nothing()
    one = sub("age", ["seen"], level=2)
    assert (one.name, one.notes, one.level, one.kind) == ("age", ["seen"], 2, "base")
    assert one == sub("age", level=2)  # notes are not compared
    assert one != sub("age", level=3)
    assert sub("age") != base("age")
    assert sub("age") != ("age", 0)
    assert len({one, sub("age", level=2), sub("zip", level=2)}) == 2
    assert repr(one).endswith("Sub(name='age', level=2)")
    assert dataclasses.replace(one, level=5) == sub("age", level=5)
    assert dataclasses.asdict(one) == {"name": "age", "notes": ["seen"], "level": 2}
    assert copy.copy(one) == one
    assert base("a").notes is not base("a").notes


def test_nothing_is_set_or_deleted() -> None:
    _, _, sub = made()
    one = sub("age")
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.level = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        del one.level
    with pytest.raises(ValueError, match="no name"):
        sub("")
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'name'"):
        sub()


def test_it_is_finished_by_whatever_asks_first() -> None:
    assert dataclasses.is_dataclass(made()[2])
    assert [one.name for one in dataclasses.fields(made()[2])] == ["name", "notes", "level"]
    assert list(inspect.signature(made()[2]).parameters) == ["name", "notes", "level"]
    assert made()[2].__match_args__ == ("name", "notes", "level")  # type: ignore[attr-defined]


def test_a_dataclass_of_the_standard_library_inherits_it() -> None:
    _, base, _ = made()
    sub = dataclasses.dataclass(frozen=True)(type("Sub", (base,), {"__annotations__": {"rank": "int"}, "rank": 1}))
    assert sub("a", rank=2) == sub("a", rank=2)
    assert sub("a").rank == 1


def test_threads_finish_it_once() -> None:
    for _ in range(20):
        _, _, sub = made()
        with ThreadPoolExecutor(4) as pool:
            assert set(pool.map(sub, ["a"] * 8)) == {sub("a")}
