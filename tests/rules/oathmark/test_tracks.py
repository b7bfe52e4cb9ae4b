"""The cost of an officer's way and how far it leads, beside plain sums; cover by half."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emlia3d.rules.oathmark.blocks import block_at
from emlia3d.rules.oathmark.core import BlockSide
from emlia3d.rules.oathmark.terrain import (
    Track,
    cover_from,
    is_behind_works,
    must_test_in_woods,
    terrain_of,
)
from tests.rules.oathmark.tables import SOLDIER, piece, table

FOE: dict[str, Any] = {**SOLDIER, "side": "Blue", "facing": 180, "officer": (0, 400)}
AHEAD = (600.0, 1000.0)
"""An enemy's officer ahead."""


@st.composite
def tracks(draw: st.DrawFn) -> Track:
    """Return a way of 200 mm with rough stretches, climbs and maybe closed ground."""
    edges = sorted(draw(st.sets(st.integers(0, 200), max_size=6)))
    rough = [(float(a), float(b)) for a, b in zip(edges[::2], edges[1::2], strict=False)]
    spots = sorted(draw(st.sets(st.integers(1, 199), max_size=3)))
    climbs = [(float(at), float(draw(st.integers(1, 30)))) for at in spots]
    stop = draw(st.one_of(st.just(inf), st.integers(1, 250).map(float)))
    return Track(200.0, rough, climbs, stop, None)


def cost(track: Track, distance: float) -> float:
    """Return the cost of a way: plain ground, rough ground twice, climbs twice their height."""
    slow = sum(max(0.0, min(end, distance) - begins) for begins, end in track.rough)
    return distance + slow + sum(2 * height for at, height in track.climbs if at < distance)


@pytest.mark.rule("oathmark.terrain.track")
@settings(max_examples=50)
@given(tracks(), st.floats(0, 200))
def test_the_cost_of_a_way_is_a_sum(track: Track, distance: float) -> None:
    assert track.cost(distance) == pytest.approx(cost(track, distance))


@settings(max_examples=50)
@given(tracks(), st.integers(0, 500))
def test_a_way_leads_as_far_as_its_cost_allows(track: Track, budget: int) -> None:
    low, high = 0.0, min(track.length, track.stop)
    if cost(track, high) > budget:
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if cost(track, middle) <= budget else (low, middle)
        high = low

    assert track.reach(float(budget)) == pytest.approx(high, abs=0.005)


@pytest.mark.parametrize(
    ("budget", "far"),
    [
        # 50 plain, 20 rough cost 40, then a wall of 15 mm: 30 up and down each.
        (49.5, 49.5), (50.0, 50.0), (51.0, 50.5), (90.0, 70.0), (100.0, 80.0), (110.0, 80.0),
        (129.5, 80.0), (131.0, 81.0), (140.0, 90.0), (169.0, 90.0), (171.0, 91.0), (280.0, 200.0),
        (279.5, 199.5), (1000.0, 200.0),
    ],
)  # fmt: skip
def test_a_way_over_rough_ground_and_a_wall(budget: float, far: float) -> None:
    track = Track(200.0, [(50.0, 70.0)], [(80.0, 15.0), (90.0, 15.0)], inf, None)

    assert track.reach(budget) == pytest.approx(far, abs=0.01)


@pytest.mark.rule("oathmark.terrain.woods-morale")
@pytest.mark.parametrize(("enters", "tests"), [(9.9, True), (10.0, False), (10.1, False)])
def test_woods_are_entered_before_the_end_of_a_move(enters: float, tests: bool) -> None:
    assert must_test_in_woods(enters, 10.0, shy=True, tested=False) is tests


# Works and cover


@pytest.mark.rule("oathmark.terrain.works")
@pytest.mark.parametrize(
    ("members", "count", "behind"),
    [
        (5, 2, False), (5, 3, True), (5, 5, True), (4, 2, False), (4, 3, True), (2, 1, False),
        (2, 2, True), (1, 1, True),
    ],
)  # fmt: skip
def test_more_than_half_of_a_facing_is_behind_works(members: int, count: int, behind: bool) -> None:
    # The wall ends an inch and a half short of the next figure, so that figure is not behind it.
    battle = table({**SOLDIER, "members": members}, FOE)
    block = block_at(battle.state, 0)
    left = block.place_of(0, 0)[0] - 600 - 12.5
    wall = piece("wall", left, 15, left + 25 * count - 12, 20)
    other = piece("fortification", left - 300, 15, left - 200, 20)
    for terrain in ([wall], [wall, other], [other, wall]):
        held = table({**SOLDIER, "members": members}, FOE, terrain=terrain)
        assert is_behind_works(terrain_of(held), block, BlockSide.FRONT, AHEAD) is behind


@pytest.mark.parametrize(
    ("heavy", "light", "cover"),
    [
        # Of five figures, from the left those behind a bank, then those behind a bush.
        (0, 2, "none"), (0, 3, "light"), (2, 0, "none"), (2, 1, "light"), (3, 0, "heavy"),
        (3, 2, "heavy"), (2, 3, "light"), (1, 1, "none"),
    ],
)  # fmt: skip
def test_cover_counts_for_at_least_half_of_the_figures(heavy: int, light: int, cover: str) -> None:
    terrain = []
    if heavy:
        terrain.append(piece("fortification", -62.5, 15, -62.5 + 25 * heavy - 12, 20))
    if light:
        begins = -62.5 + 25 * heavy
        terrain.append(piece("bush", begins + 1, 15, begins + 25 * light - 12, 20))
    battle = table({**SOLDIER, "members": 5}, FOE, terrain=terrain)
    far = (600.0, 1e6)

    block = block_at(battle.state, 0)
    assert cover_from(terrain_of(battle), block, BlockSide.FRONT, far) == cover


@pytest.mark.rule("oathmark.terrain.woods-cover")
@pytest.mark.parametrize(("east", "cover"), [(-10, "none"), (10, "light"), (60, "light")])
def test_figures_in_woods_are_in_light_cover(east: float, cover: str) -> None:
    battle = table({**SOLDIER, "members": 5}, FOE, terrain=[piece("forest", -100, -20, east, 12)])

    block = block_at(battle.state, 0)
    assert cover_from(terrain_of(battle), block, BlockSide.FRONT, AHEAD) == cover
    assert not is_behind_works(terrain_of(battle), block, BlockSide.FRONT, AHEAD)
