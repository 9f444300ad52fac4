"""Frozen dataclasses that are finished when first used.

A command imports a hundred of them and makes values of less than half. Writing the methods of one takes a third of a millisecond, which is
a tenth of a short command: so `__init__` is written with the first value, and all share the methods that compare and show values and
that refuse to change them. What inherits fields is finished by the standard library.
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


def _finish(cls: Any) -> None:
    ours = [name for name in _FIRST_USES if isinstance(cls.__dict__[name], _FirstUse)]
    for name in ours:
        delattr(cls, name)
    if cls.__doc__ is None or any(map(dataclasses.is_dataclass, cls.__mro__[1:])):
        dataclasses.dataclass(frozen=True, eq=False, repr=False)(cls)
    else:
        # Frozen by it, a class gets two methods of its own that refuse, each compiled: two thirds of what finishing one took.
        dataclasses.dataclass(init=False, eq=False, repr=False)(cls)
        cls.__dataclass_params__.frozen, cls.__dataclass_params__.init = True, True
        cls.__setattr__, cls.__delattr__ = _no_setting, _no_deleting
        if "__init__" in ours:
            cls.__init__ = _written_init(cls)
    compared = [field.name for field in dataclasses.fields(cls) if field.compare]
    cls._compared = attrgetter("__class__", *compared)


def _written_init(cls: Any) -> Any:
    """The `__init__` of a class that inherits no fields, as the standard library writes it."""
    known: dict[str, Any] = {"kanon_set": object.__setattr__, "kanon_absent": _ABSENT}
    taken, lines = [], []
    for field in dataclasses.fields(cls):
        name, value = field.name, field.name
        if field.default_factory is not dataclasses.MISSING:
            known[f"kanon_made_{name}"] = field.default_factory
            value = f"kanon_made_{name}()" + (f" if {name} is kanon_absent else {name}" if field.init else "")
            default = "=kanon_absent"
        elif field.default is not dataclasses.MISSING:
            known[f"kanon_default_{name}"] = field.default
            default = f"=kanon_default_{name}"
        else:
            default = ""
        if field.init:
            taken.append(name + default)
        if field.init or field.default_factory is not dataclasses.MISSING:
            lines.append(f" kanon_set(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append(" self.__post_init__()")
    exec(
        f"def __init__({', '.join(['self', *taken])}):\n" + ("\n".join(lines) or " pass"), known
    )  # of names of fields alone
    init = known["__init__"]
    init.__qualname__, init.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    init.__annotations__ = {one.name: one.type for one in dataclasses.fields(cls) if one.init} | {"return": None}
    return init


class _Absent:
    def __repr__(self) -> str:
        return "<factory>"


_ABSENT = _Absent()
"""Stands for an argument that was not given, where each value gets one of its own."""


def _no_setting(self: Any, name: str, value: object) -> None:
    if _is_fixed(self, name):
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, value)


def _no_deleting(self: Any, name: str) -> None:
    if _is_fixed(self, name):
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
    object.__delattr__(self, name)


def _is_fixed(self: Any, name: str) -> bool:
    """Nothing of a frozen dataclass changes; an ordinary class that inherits one may have more than its fields."""
    return "__dataclass_fields__" in type(self).__dict__ or name in self.__dataclass_fields__


def __eq__(self: Any, other: Any) -> bool:
    return bool(self._compared(self) == self._compared(other)) if other.__class__ is self.__class__ else NotImplemented


def __hash__(self: Any) -> int:
    return hash(self._compared(self))


def __repr__(self: Any) -> str:
    shown = (f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"
