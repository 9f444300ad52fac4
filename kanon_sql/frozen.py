"""Frozen dataclasses that are finished when first used.

A command imports a hundred of them and makes values of less than half. Writing the methods of one takes a third of a millisecond, which is
a tenth of a short command: so `__init__` is written with the first value, and all share the methods that compare and show values.
"""

from __future__ import annotations

import dataclasses
from operator import attrgetter
from threading import RLock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, frozen: bool) -> Callable[[type], type]:
        """`dataclasses.dataclass(frozen=True)`: the same to all who use or inherit it."""
        assert frozen
        return _unfinished


_FINISHING = RLock()
_FIRST_USES = ("__init__", "__dataclass_fields__", "__match_args__")
"""What nobody can use a dataclass without: to make a value, to inherit or ask for its fields, to match it."""


class _FirstUse:
    """Stands where a finished dataclass has the attribute."""

    def __init__(self, cls: type, name: str) -> None:
        self.cls = cls
        self.name = name

    def __get__(self, instance: object, owner: type) -> Any:
        with _FINISHING:
            if self.cls.__dict__[self.name] is self:
                _finish(self.cls)
        return getattr(owner if instance is None else instance, self.name)


def _unfinished(cls: type) -> type:
    for name in _FIRST_USES:
        if name not in cls.__dict__:
            setattr(cls, name, _FirstUse(cls, name))
    for method in (__eq__, __hash__, __repr__):
        if cls.__dict__.get(method.__name__) is None:
            setattr(cls, method.__name__, method)
    return cls


def _finish(cls: type) -> None:
    for name in _FIRST_USES:
        if isinstance(cls.__dict__[name], _FirstUse):
            delattr(cls, name)
    dataclasses.dataclass(frozen=True, eq=False, repr=False)(cls)
    compared = [field.name for field in dataclasses.fields(cls) if field.compare]
    cls._compared = attrgetter("__class__", *compared)  # type: ignore[attr-defined]


def __eq__(self: Any, other: Any) -> bool:
    return bool(self._compared(self) == self._compared(other)) if other.__class__ is self.__class__ else NotImplemented


def __hash__(self: Any) -> int:
    return hash(self._compared(self))


def __repr__(self: Any) -> str:
    shown = (f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"
