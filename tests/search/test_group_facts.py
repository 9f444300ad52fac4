"""What bears on a group of attributes is what fails, or holds, there with the others where they stand: brute force says which."""

from __future__ import annotations

import random

import pytest

from kanon_sql.model.lattice import Node, is_generalization
from kanon_sql.search.group_facts import Facts

STAR = (3, 1, 2, 127, 1)


def drawn(draw: random.Random) -> Node:
    return tuple(draw.choice((0, star, draw.randint(0, star))) for star in STAR)


@pytest.mark.parametrize("seed", range(20))
def test_a_group_knows_what_the_whole_knows(seed: int) -> None:
    draw = random.Random(seed)
    told = {True: [drawn(draw) for _ in range(20)], False: [drawn(draw) for _ in range(20)]}
    facts = Facts(len(STAR), told[True][:10], told[False][:10])
    groups = []
    for _ in range(6):
        attributes = tuple(sorted(draw.sample(range(len(STAR)), draw.randint(1, 4))))
        groups.append((attributes, drawn(draw)))
    for attributes, others in groups:
        facts.of_group(attributes, others).catch_up()
    for fails, nodes in told.items():
        for node in nodes[10:]:
            facts.add(node, fails)
    known = {True: 0, False: 0}
    for attributes, others in groups:
        of_group = facts.of_group(attributes, others)
        of_group.catch_up()
        for _ in range(50):
            node = drawn(draw)
            whole = tuple(node[i] if i in attributes else level for i, level in enumerate(others))
            own = tuple(node[i] for i in attributes)
            fails = any(is_generalization(failing, whole) for failing in told[True])
            holds = any(is_generalization(whole, holding) for holding in told[False])
            assert of_group.failing.covers(own) == fails
            assert of_group.holding.covers(own) == holds
            known[True] += fails
            known[False] += holds
    assert known[True] and known[False]


def test_regions_with_the_others_alike_share_what_they_know() -> None:
    facts = Facts(len(STAR), [], [])
    assert facts.of_group((0, 2), (3, 1, 2, 127, 1)) is facts.of_group((0, 2), (1, 1, 0, 127, 1))
    assert facts.of_group((0, 2), (3, 1, 2, 127, 1)) is not facts.of_group((0, 2), (3, 0, 2, 127, 1))
