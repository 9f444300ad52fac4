"""Codes side by side in a few integers: the class of a node is then told by a mask an integer, with nothing to multiply or to add up.

A wide table is checked by thousands of nodes, and putting together the key of each took most of a check. Every level of every
attribute has its own bits in a word, the highest levels first: nodes of a wide search stand high, and so touch few words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kanon_sql.frozen import dataclass
from kanon_sql.model.lattice import Node
from kanon_sql.sql.dialect import Dialect
from kanon_sql.sql.packed_keys import KEY_BITS, sum_of_digits
from kanon_sql.sql.relations import code_column

Column = tuple[str, str]
"""An expression and its name."""


@dataclass(frozen=True)
class Words:
    """Where the code of each (attribute, level) stands: its word, its first bit and its bits. A level with one value has no bits."""

    places: dict[tuple[int, int], tuple[int, int, int]]
    star: Node

    @classmethod
    def of(cls, bottom: Node, star: Node, sizes: Sequence[Sequence[int]]) -> Words:
        """For the nodes at or above `bottom`."""
        places: dict[tuple[int, int], tuple[int, int, int]] = {}
        word = used = 0
        for depth in range(1, max(star, default=0) + 1):
            for attribute, highest in enumerate(star):
                if (level := highest - depth) < bottom[attribute]:
                    continue
                bits = (sizes[attribute][level] - 1).bit_length()
                if used + bits > KEY_BITS:
                    word, used = word + 1, 0
                places[attribute, level] = (word, used, bits)
                used += bits
        return cls(places, star)

    def columns(self, dialect: Dialect) -> list[Column]:
        """The words, put together from the code columns of the base."""
        codes: dict[int, list[tuple[str, int]]] = {}
        for (attribute, level), (word, _, bits) in self.places.items():
            if bits:
                codes.setdefault(word, []).append((code_column(attribute, level), 1 << bits))
        return [(sum_of_digits(dialect, terms), word_column(word)) for word, terms in codes.items()]

    def keys(self, node: Node) -> list[str]:
        """The key expressions of a node; attributes at `*` or with one value take no part."""
        return [f"{word_column(word)} & {mask}" for word, mask in self._masks(enumerate(node)).items()]

    def from_bottom(self, bottom: Node) -> list[Column]:
        """The words with the levels at and above a node, the others zero."""
        levels = ((i, level) for i, low in enumerate(bottom) for level in range(low, self.star[i]))
        return [(f"{word_column(word)} & {mask}", word_column(word)) for word, mask in self._masks(levels).items()]

    def _masks(self, levels: Iterable[tuple[int, int]]) -> dict[int, int]:
        masks: dict[int, int] = {}
        for attribute, level in levels:
            if level < self.star[attribute]:
                word, first, bits = self.places[attribute, level]
                if bits:
                    masks[word] = masks.get(word, 0) | ((1 << bits) - 1) << first
        return dict(sorted(masks.items()))


def word_column(word: int) -> str:
    return f"w{word}"
