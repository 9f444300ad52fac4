"""Looking for open nodes ends when its work is done, whatever the work was."""

from __future__ import annotations

import random

import pytest

from kanon_sql.model.lattice import Lattice, Node
from kanon_sql.search.node_borders import Border
from kanon_sql.search.open_regions import LOOKS_PER_SPLIT, OpenRegions, Region

WIDTH, LEVELS = 8, 5


def test_looking_at_regions_again_is_work_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(3)
    top = (LEVELS,) * WIDTH
    lattice = Lattice(tuple(f"a{i}" for i in range(WIDTH)), (0,) * WIDTH, top, top)
    parts = [[level / LEVELS for level in range(LEVELS + 1)] for _ in range(WIDTH)]
    failing, closed = Border(WIDTH, upwards=False), Border(WIDTH, upwards=True)
    regions = OpenRegions(lattice, parts, failing, closed, 100_000)
    regions.next_nodes(400, (), None)
    assert not regions.spent
    assert len(regions) > 500
    for _ in range(200):  # every region has to be looked at again, and most have risen
        failing.add(drawn(chance))
    looked: list[Region] = []
    tighten = regions._tighten

    def counted(region: Region) -> object:
        looked.append(region)
        return tighten(region)

    monkeypatch.setattr(regions, "_tighten", counted)
    bound = regions.least_key()
    regions.next_nodes(10**6, (), None, splits=3)
    assert regions.spent
    assert 3 <= len(looked) <= 3 * LOOKS_PER_SPLIT
    least = regions.least_key()
    assert bound is not None and least is not None and least >= bound


def drawn(chance: random.Random) -> Node:
    return tuple(chance.choice([0, 1, 2, LEVELS]) for _ in range(WIDTH))
