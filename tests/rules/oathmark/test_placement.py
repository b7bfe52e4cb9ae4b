"""Where an attacker stands that other units, ground or the edge of the table leave little room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from emlia3d.rules.oathmark.activation import Activity
from emlia3d.rules.oathmark.blocks import Block, block_at
from emlia3d.rules.oathmark.core import BlockSide
from emlia3d.rules.oathmark.melee import attacks, placement
from emlia3d.rules.oathmark.movement import StraightMove
from tests.rules.oathmark.tables import HOME, INCH, SOLDIER, piece, table

FULL = Activity(full=True)
FRONT = 112.5
"""The line of the defender, mm ahead of the attacker's officer."""

FACINGS = {BlockSide.FRONT: 180, BlockSide.REAR: 0, BlockSide.LEFT: 270, BlockSide.RIGHT: 90}
"""Turns of the defender, degrees, in which each side looks at the attacker."""

Neighbour = dict[str, Any]


def friend(right: float, members: int = 1) -> Neighbour:
    """Return a rank that stands before the defender, its centre so far to the right."""
    return {"right": right, "members": members, "side": "Red"}


def enemy(right: float) -> Neighbour:
    """Return a figure of the defender's side beside it."""
    return {**friend(right), "side": "Blue"}


def slide(
    bearing: int,
    neighbours: Sequence[Neighbour],
    across: float = 0.0,
    side: BlockSide = BlockSide.FRONT,
) -> float | None:
    """Return how far to its right an attacker slides that meets the defender's line.

    The scene is turned as a whole by *bearing*, degrees. Both units have two ranks of five.

    across : how far to the right the middle of the defender's line is
    """
    frame = Block(0, 0, bearing * 64, 1, 1, 25, 25)

    def unit(right: float, ahead: float, turned: int, **other: Any) -> dict[str, Any]:
        facing = (bearing + turned) % 360
        return {**SOLDIER, "facing": facing, "officer": frame.at(right, ahead), **other}

    # From the middle of the line to the officer.
    right, ahead = {
        BlockSide.FRONT: (0, 12.5), BlockSide.REAR: (0, 37.5), BlockSide.LEFT: (-12.5, 62.5),
        BlockSide.RIGHT: (12.5, 62.5),
    }[side]  # fmt: skip
    defender = unit(across + right, FRONT + ahead, FACINGS[side], side="Blue")
    units = []
    for each in neighbours:
        members = each["members"]
        officer = each["right"] - (12.5 if members % 2 == 0 else 0.0)
        units.append(unit(officer, 90, 0, members=members, side=each["side"]))
    battle = table(unit(0, 0, 0), defender, *units)
    block = StraightMove(battle, 0, BlockSide.FRONT, FULL).at(FRONT - 12.5)

    placed = placement(battle, 0, 1, block, side)

    if placed is None:
        return None
    found, forward = frame.offset((placed.x - HOME[0], placed.y - HOME[1]))
    assert forward == pytest.approx(FRONT, abs=0.02)
    assert placed.facing == bearing * 64
    return found


@pytest.mark.rule("oathmark.combat.flush")
@pytest.mark.parametrize("bearing", [0, 90, 205])
@pytest.mark.parametrize(
    ("neighbours", "found"),
    [
        # Fronts are 125 mm, a figure 25: one that is 65 mm to the side is 10 mm too near.
        ([], 0), ([friend(65)], -10), ([friend(-65)], 10), ([friend(62)], -13),
        # Bases that touch do not overlap.
        ([friend(75)], 0), ([friend(-75)], 0), ([friend(74)], -1),
        # A figure in the middle is passed on the nearer side; on the right if both are as near.
        ([friend(0)], 75), ([friend(1)], -74), ([friend(-1)], 74),
        # Between two figures there is no room, and beyond each of them no contact.
        ([friend(65), friend(-70)], None),
        ([friend(65), friend(-90)], -10), ([friend(65), friend(-80)], None),
        # At least 1 mm of the fronts stays in contact.
        ([friend(-1.5, 5)], 123.5), ([friend(1.5, 5)], -123.5), ([friend(-0.5, 5)], None),
        ([friend(0.5, 5)], None),
    ],
)  # fmt: skip
def test_an_attacker_slides_as_far_as_others_make_it(
    neighbours: list[Neighbour], found: float | None, bearing: int
) -> None:
    assert slide(bearing, neighbours) == (None if found is None else pytest.approx(found, abs=0.02))


def test_one_millimetre_of_contact_is_enough() -> None:
    assert slide(0, [friend(-1.0, 5)]) == 124.0


@pytest.mark.parametrize("right", [-1, 1])
@pytest.mark.parametrize(
    ("off", "found"),
    [
        # It touches one enemy alone: bases are in contact up to 0.1 mm.
        (65.0, -10.2), (75.0, -0.2), (75.05, -0.15), (75.15, 0.0), (0.0, 75.2),
    ],
)  # fmt: skip
def test_an_attacker_keeps_out_of_contact_with_other_enemies(
    right: int, off: float, found: float
) -> None:
    expected = found if off == 0.0 else right * found

    assert slide(0, [enemy(right * off)]) == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize("bearing", [0, 130])
@pytest.mark.parametrize("right", [-1, 1])
def test_a_slide_is_measured_from_the_defender(right: int, bearing: int) -> None:
    # The line is 60 mm to the side, so 150 mm that way keep more contact than 100 mm the other.
    found = slide(bearing, [friend(right * 25, 5)], across=right * 60)

    assert found == pytest.approx(right * 150, abs=0.02)


@pytest.mark.rule("oathmark.combat.flush")
@pytest.mark.parametrize("bearing", [0, 205])
@pytest.mark.parametrize("side", BlockSide)
def test_an_attacker_slides_along_each_facing(side: BlockSide, bearing: int) -> None:
    # A flank is 50 mm long: of it and of the front of 125 mm, 1 mm stays in contact.
    most = 86.5 if side.is_flank else 124.0

    assert slide(bearing, [friend(65)], side=side) == pytest.approx(-10, abs=0.02)
    for beyond, found in ((-0.5, most - 0.5), (0.5, None)):
        passed = slide(bearing, [friend(most - 125 + beyond, 5)], side=side)
        assert passed == (None if found is None else pytest.approx(found, abs=0.02))


@pytest.mark.rule("oathmark.combat.flush")
@pytest.mark.parametrize(
    ("kind", "edges", "found"),
    [
        ("rock", (55, 80, 90, 100), -7.5), ("rock", (-90, 80, -50, 100), 12.5),
        ("rock", (62.5, 80, 90, 100), 0), ("rough", (55, 80, 90, 100), 0),
        # It may not stand on a bridge: no figure ends on the river.
        ("river", (40, 80, 90, 100), -22.5),
    ],
)  # fmt: skip
def test_an_attacker_slides_off_impassable_ground(
    kind: str, edges: tuple[float, ...], found: float
) -> None:
    foe = {**SOLDIER, "side": "Blue", "facing": 180, "officer": (0, FRONT + 12.5)}
    battle = table(SOLDIER, foe, terrain=[piece(kind, *edges)])
    block = StraightMove(battle, 0, BlockSide.FRONT, FULL).at(FRONT - 12.5)

    placed = placement(battle, 0, 1, block, BlockSide.FRONT)

    assert placed is not None
    assert placed.x - HOME[0] == pytest.approx(found, abs=0.02)


@pytest.mark.parametrize(
    ("bearing", "edge"), [(0, (-1, 0)), (0, (1, 0)), (90, (0, 1)), (270, (0, -1))]
)
def test_an_attacker_slides_onto_the_table(bearing: int, edge: tuple[int, int]) -> None:
    # The place of contact is 30 mm beyond the place from which the middle of the front fits.
    frame = Block(0, 0, bearing * 64, 1, 1, 25, 25)
    fits = 609.6 - 62.5
    centre = 609.6 - HOME[0]
    base = centre + edge[0] * fits, centre + edge[1] * fits
    ahead = frame.at(0, FRONT + 12.5)
    foe = {
        **SOLDIER, "side": "Blue", "facing": (bearing + 180) % 360,
        "officer": (base[0] + ahead[0], base[1] + ahead[1]),
    }  # fmt: skip
    battle = table({**SOLDIER, "facing": bearing, "officer": base}, foe)
    start = block_at(battle.state, 0)
    north = frame.at(0, FRONT - 12.5)
    met = start.shifted(edge[0] * 30 + north[0], edge[1] * 30 + north[1])

    placed = placement(battle, 0, 1, met, BlockSide.FRONT)

    assert placed is not None
    expected = start.shifted(*north)
    assert (placed.x, placed.y) == pytest.approx((expected.x, expected.y), abs=0.02)


def test_an_attack_without_room_is_not_offered() -> None:
    # Turned to the enemy's front, the attacker does not fit between two friends beside it.
    foe = {**SOLDIER, "side": "Blue", "facing": 180, "officer": (0, 3 * INCH + 25)}
    rocks = [piece("rock", -70, 55, -64, 62), piece("rock", 64, 55, 70, 62)]
    straight = table(SOLDIER, foe, terrain=rocks)
    turned = table({**SOLDIER, "facing": 12}, foe, terrain=rocks)
    closer = [piece("rock", -70, 55, -60, 62), piece("rock", 60, 55, 70, 62)]
    narrow = table({**SOLDIER, "facing": 12}, foe, terrain=closer)

    for battle, count in ((straight, 1), (turned, 1), (narrow, 0)):
        assert len([*attacks(battle, StraightMove(battle, 0, BlockSide.FRONT, FULL))]) == count
