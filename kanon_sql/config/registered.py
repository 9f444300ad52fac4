"""Names in a job file that a registry knows."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

UNKNOWN_NAME = "unknown_name"


class Registered:
    """Marks a text as one of a registry's names: `Annotated[str, Registered("metric", names)]`.

    The JSON Schema lists the names as an enumeration; another name is an error that says which is nearest and which are known.
    """

    def __init__(self, what: str, names: Callable[[], Iterable[str]]) -> None:
        self._what = what
        self._names = names

    def check(self, name: str) -> str:
        known = list(self._names())
        if name not in known:
            (nearest,) = difflib.get_close_matches(name, known, 1, 0.0)
            raise PydanticCustomError(
                UNKNOWN_NAME,
                "unknown {what} '{name}'",
                {"what": self._what, "name": name, "hint": f"did you mean {nearest}? known are {', '.join(known)}"},
            )
        return name

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return handler(schema) | {"enum": list(self._names())}
