"""The borders of what fails and of what holds say what comparing node by node says."""

from __future__ import annotations

import random

import pytest

from kanon_sql.model.lattice import Node, is_generalization
from kanon_sql.search.node_borders import Border


@pytest.mark.parametrize("upwards", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_a_border_covers_what_its_nodes_cover(upwards: bool, seed: int) -> None:
    draw = random.Random(seed)
    star = (3, 1, 4, 2, 5, 2)
    border, edges = Border(len(star), upwards), list[Node]()

    def within(node: Node, edge: Node) -> bool:
        return is_generalization(node, edge) if upwards else is_generalization(edge, node)

    for turn in range(400):
        level = [draw.randint(0, top) for top in star]
        if turn < 200:  # the set is small at first: most of the first edges are dropped again
            level = [top - (top - j) // 2 if upwards else j // 2 for j, top in zip(level, star, strict=True)]
        node = tuple(level)
        covered = any(within(node, edge) for edge in edges)
        assert border.covers(node) == covered
        assert border.add(node) is not covered
        if not covered:
            edges = [*(edge for edge in edges if not within(edge, node)), node]
        assert len(border) == len(edges)
        place = tuple(draw.randint(0, top) for top in star)
        assert border.above(place) == [edge for edge in edges if is_generalization(edge, place)]
