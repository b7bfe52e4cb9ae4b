"""Targets in sight, the lines that an answer shows, and distances to a facing."""

from __future__ import annotations

from typing import Any

import pytest
from shapely import Polygon

from emlia3d.rules.oathmark.activation import Activity
from emlia3d.rules.oathmark.blocks import Block
from emlia3d.rules.oathmark.core import BlockSide
from emlia3d.rules.oathmark.sight import aims_in_sight, aims_of, distance_to, view
from tests.rules.oathmark.tables import HOME, INCH, SOLDIER, piece, table

ARCHERS: dict[str, Any] = {**SOLDIER, "members": 5, "weapon": "sling", "shoot": 2}
FOE: dict[str, Any] = {**SOLDIER, "side": "Blue", "facing": 180, "members": 5}


@pytest.mark.rule("oathmark.shoot.range")
def test_each_enemy_in_range_is_an_aim_the_nearest_first() -> None:
    # A sling reaches 12 inches: 304.8 mm. The officer's base ends at 12.5.
    spots = [
        (0, 25 + 13 * INCH),
        (-130, 25 + 11 * INCH),
        (-70, 25 + 5 * INCH),
        (70, 25 + 12 * INCH),
    ]
    battle = table(ARCHERS, *({**FOE, "members": 1, "officer": spot} for spot in spots))

    aims = aims_in_sight(battle, 0)

    assert [aim.target for aim in aims] == [3, 2]
    assert {aim.side for aim in aims} == {BlockSide.FRONT}
    # 57.5 and 45 mm to the side of the officer's base.
    assert aims[0].distance == pytest.approx(((5 * INCH) ** 2 + 45**2) ** 0.5, abs=0.01)
    assert [aim.target for aim in aims_of(battle, 0, Activity(full=True))] == [3]
    assert aims_of(battle, 0, Activity(full=True, actions=1, shot=True)) == []
    assert aims_in_sight(battle, 1) == []


def test_aims_that_are_as_near_come_by_number() -> None:
    spots = [(60, 200), (-60, 200)]
    battle = table(ARCHERS, *({**FOE, "members": 1, "officer": spot} for spot in spots))

    assert [aim.target for aim in aims_in_sight(battle, 0)] == [1, 2]
    assert [aim.target for aim in aims_of(battle, 0, Activity(full=False))] == [1, 2]


@pytest.mark.rule("oathmark.geometry.primitives")
@pytest.mark.parametrize("side", BlockSide)
@pytest.mark.parametrize("bearing", [0, 40, 90])
def test_the_distance_to_a_facing_is_that_of_bases(side: BlockSide, bearing: int) -> None:
    shooter = Block(-130, -170, bearing * 64, 7, 5, 20, 40)
    target = Block(60, 90, 200 * 64, 12, 5, 30, 50)

    def base(block: Block, spot: tuple[float, float]) -> Polygon:
        return Polygon(block.base_at(spot)[1:])

    own = base(shooter, shooter.officer)
    expected = min(own.distance(base(target, spot)) for spot in target.facing_figures(side))
    assert distance_to(shooter, target, side) == pytest.approx(expected, abs=1e-6)


def test_a_line_leads_from_centre_to_centre_if_it_is_free() -> None:
    battle = table(ARCHERS, {**FOE, "officer": (0, 200)})

    found = view(battle, 0, 1)

    # The target faces south: its first figure is in the east.
    ends = [(HOME[0] + x, HOME[1] + 200) for x in (50, 25, 0, -25, -50)]
    assert [line.start for line in found.lines] == [pytest.approx(HOME)] * 5
    assert [line.end for line in found.lines] == [pytest.approx(end) for end in ends]
    assert all(line.clear and line.stopped_by is None for line in found.lines)
    assert (found.side, found.seen, found.of) == (BlockSide.FRONT, (0, 1, 2, 3, 4), 5)


def test_a_line_that_is_stopped_leads_to_the_centre_too() -> None:
    wood = piece("forest", -300, 90, 300, 110, name="wood")
    battle = table(ARCHERS, {**FOE, "officer": (0, 200)}, terrain=[wood])

    found = view(battle, 0, 1)

    assert [line.start for line in found.lines] == [pytest.approx(HOME)] * 5
    assert [line.end[0] - HOME[0] for line in found.lines] == pytest.approx([50, 25, 0, -25, -50])
    assert all(not line.clear and line.stopped_by == "wood" for line in found.lines)
    assert (found.seen, found.is_enough) == ((), False)


@pytest.mark.rule("oathmark.shoot.los-facing")
def test_another_facing_is_tried_if_the_first_is_not_seen() -> None:
    # The officer is in the arc of the target's left flank. A wood hides its two figures, and of
    # the front the nearest.
    shooter = {**ARCHERS, "members": 1, "facing": 105}
    target = {**FOE, "members": 10, "facing": 0, "officer": (300, -87.5)}
    wood = piece("forest", 190, -150, 210, -55, name="wood")
    more = piece("forest", 190, -54, 210, 100, name="more")

    plain, found, hidden = (
        view(table(shooter, target, terrain=terrain), 0, 1)
        for terrain in ([], [wood], [wood, more])
    )

    assert (plain.side, plain.seen, plain.is_enough) == (BlockSide.LEFT, (0, 1), True)
    assert (found.side, found.of, found.is_enough) == (BlockSide.FRONT, 5, True)
    assert found.seen == (1, 2, 3, 4)
    assert (hidden.side, hidden.of, hidden.is_enough) == (BlockSide.LEFT, 2, False)
    (aim,) = aims_in_sight(table(shooter, target, terrain=[wood]), 0)
    assert aim.side is BlockSide.FRONT
