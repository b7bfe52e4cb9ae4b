"""The cost of an officer's way and how far it leads, beside plain sums; cover by half."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emlia3d.rules.oathmark.blocks import Block, block_at
from emlia3d.rules.oathmark.core import BlockSide
from emlia3d.rules.oathmark.terrain import (
    Track,
    climbing_cost,
    cover_from,
    is_behind_works,
    is_transparent,
    must_test_in_woods,
    terrain_of,
)
from tests.rules.oathmark.tables import SOLDIER, one_hill, piece, table

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


# What a way meets


@pytest.mark.rule("oathmark.terrain.track")
def test_a_way_ends_at_the_nearest_closed_ground() -> None:
    terrain = [piece("rock", -20, 120, 20, 140), piece("river", -200, 60, 200, 80),
               piece("lake", -20, 20, -10, 30)]  # fmt: skip
    held = terrain_of(table(SOLDIER, FOE, terrain=terrain))

    assert held.track((600, 600), (600, 800)).stop == pytest.approx(60)
    assert held.track((600, 690), (600, 800)).stop == pytest.approx(30)
    assert held.track((600, 750), (600, 800)).stop == inf
    assert held.track((600, 600), (600, 640)).stop == inf
    across = held.track((560, 725), (660, 725))
    assert (across.length, across.stop) == (pytest.approx(100), pytest.approx(20))
    assert held.track((600, 600), (630, 640)).length == pytest.approx(50)


@pytest.mark.rule("oathmark.terrain.track")
def test_a_way_enters_the_nearest_wood_that_it_is_not_in() -> None:
    terrain = [piece("forest", -50, 100, 50, 140), piece("ruins", -50, 40, 50, 70)]
    held = terrain_of(table(SOLDIER, FOE, terrain=terrain))

    assert held.track((600, 600), (600, 800)).woods == pytest.approx(40)
    assert held.track((600, 650), (600, 800)).woods == pytest.approx(50)
    assert held.track((600, 710), (600, 800)).woods is None
    assert held.track((600, 600), (600, 630)).woods is None
    assert held.track((600, 600), (600, 800)).rough == [
        (pytest.approx(40), pytest.approx(70)), (pytest.approx(100), pytest.approx(140)),
    ]  # fmt: skip


@pytest.mark.rule("oathmark.terrain.climb")
def test_a_way_climbs_up_and_down_each_work() -> None:
    terrain = [
        piece("wall", -50, 100, 50, 110, height=0.5),
        piece("fortification", -50, 40, 50, 70),
        piece("bush", -50, 10, 50, 20),
    ]
    held = terrain_of(table(SOLDIER, FOE, terrain=terrain))
    heights = {work.kind: work.height for work in held.of("wall", "fortification")}

    found = held.track((600, 600), (600, 800)).climbs

    assert [at for at, _ in found] == pytest.approx([40, 70, 100, 110])
    bank, wall = heights["fortification"], heights["wall"]
    assert [height for _, height in found] == [bank, bank, wall, wall]
    assert wall == pytest.approx(0.5 * 1.83 / (1.6 / 25.4))
    assert climbing_cost(3.0, 0.5) == 7.0


@pytest.mark.rule("oathmark.terrain.woods-inside")
def test_a_wood_around_either_unit_is_transparent() -> None:
    here, there = (piece("forest", -100, south, 100, south + 120) for south in (-60, 340))
    other = piece("forest", -100, 150, 100, 250)
    battle = table(SOLDIER, FOE, terrain=[here, there, other])
    one, two = (block_at(battle.state, unit) for unit in (0, 1))

    found = [is_transparent(wood, one, two) for wood in terrain_of(battle).woods]

    assert found == [True, True, False]
    assert [is_transparent(wood, two, one) for wood in terrain_of(battle).woods] == found


@pytest.mark.parametrize(
    ("relief", "hill", "flat"), [(False, False, True), (True, False, False), (False, True, False),
                                 (True, True, False)]
)  # fmt: skip
def test_ground_is_flat_without_relief_and_hills(relief: bool, hill: bool, flat: bool) -> None:
    rise = one_hill(120, 6)
    terrain = [piece("hill", -50, 100, 50, 150, height=1)] if hill else []

    held = terrain_of(table(SOLDIER, FOE, terrain=terrain, field=rise if relief else ""))

    assert held.is_flat is flat


@pytest.mark.parametrize(
    ("x", "y", "on"),
    [
        # It is 125 mm wide and 50 deep, with its front in the north.
        (62.5, 600.0, True), (62.4, 600.0, False), (1137.5, 600.0, True), (1137.6, 600.0, False),
        (600.0, 50.0, True), (600.0, 49.9, False), (600.0, 1100.0, True), (600.0, 1100.1, False),
    ],
)  # fmt: skip
def test_a_block_is_on_the_table_with_all_its_bases(x: float, y: float, on: bool) -> None:
    held = terrain_of(table(SOLDIER, {**FOE, "officer": (0, 300)}, size=(1200, 1100)))

    assert held.is_on_table(Block(x, y, 0, 10, 5, 25, 25)) is on
