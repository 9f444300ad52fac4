"""YAML read by libyaml, which takes a sixth of the time; its nodes, and what is built of them, are Python's own."""

from __future__ import annotations

import contextlib
from typing import Any

import yaml
from yaml.composer import Composer
from yaml.constructor import SafeConstructor
from yaml.resolver import Resolver

Quick: Any = None
with contextlib.suppress(ImportError):
    from yaml.cyaml import CParser  # type: ignore[attr-defined]

    class _Quick(Composer, CParser, SafeConstructor, Resolver):
        """The composer is Python's: it says when a text is nested too deeply, where the other one overflows the stack."""

        def __init__(self, text: str) -> None:
            CParser.__init__(self, text)
            Composer.__init__(self)
            SafeConstructor.__init__(self)
            Resolver.__init__(self)

    Quick = _Quick


def composed(text: str) -> tuple[Any, yaml.Node | None]:
    """What constructs the document of a text, and its root; none where there is nothing. Errors are those of Python's own parser."""
    if Quick is not None:
        with contextlib.suppress(yaml.YAMLError):
            quick = Quick(text)
            return quick, quick.get_single_node()
    loader = yaml.SafeLoader(text)
    return loader, loader.get_single_node()
