"""How a ranked unit turns to face an enemy that has come into contact with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.force.facing import facing_of_degrees, unit_vector
from emlia3d.rules.emlia.play.charges import charging
from emlia3d.rules.emlia.play.charges.charging import align, aligned_pose
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from tests.rules.emlia import troops
from tests.rules.emlia.combat.blows import man
from tests.rules.emlia.outcome import names

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

ranked = partial(troops.ranked, skills={"close combat": "1"})
theirs = partial(troops.theirs, skills={"close combat": "1"})
PIKE = {"name": "Pike", "base_damage": 1, "abilities": ("reach 3",)}


def beside(bearing: float, off: float = 1.5, facing: int = 20) -> tuple[float, float]:
    """A place that far beyond the side of a block of 4 x 4 at (100, 100), by a bearing off it."""
    east, north = unit_vector(facing_of_degrees(facing + bearing))
    return 100 + (2 + off) * east, 100 + (2 + off) * north


@pytest.mark.rule("emlia.align", "emlia.ranked.front-of-contact")
@pytest.mark.parametrize("facing", [20, 200, 290])
@pytest.mark.parametrize(
    ("bearing", "turned_to"),
    [(0, 180), (90, 270), (180, 0), (270, 90)],
    ids=["front", "right", "rear", "left"],
)
def test_a_unit_aligns_squarely_against_the_side_of_a_ranked_enemy_that_it_meets(
    field_of_battle: Build, bearing: int, turned_to: int, facing: int
) -> None:
    block = ranked(4, 4, (100, 100), facing=facing, side="Bob")
    block = {**{key: value for key, value in block.items() if key != "front"}, "at": (100, 100)}
    one = {"at": beside(bearing, facing=facing), "formation": "ranked", "facing": facing + 33}
    battle = field_of_battle(one, block)
    before = situation_of(battle).distance(0, 1)

    pose = aligned_pose(battle, 0, 1)

    assert pose is not None
    assert pose.facing / 64 == pytest.approx((facing + turned_to) % 360, abs=0.1)
    assert pose.outline.distance(situation_of(battle).outline(1)) == pytest.approx(
        before, abs=1 / 64
    )
    # It turns on its centre, and goes on or back along its facing alone.
    (x, y), (east, north) = pose.middle, unit_vector(pose.facing)
    start = pose_of(battle, 0).middle
    assert (x - start[0]) * north - (y - start[1]) * east == pytest.approx(0, abs=0.02)


@pytest.mark.rule("emlia.align")
@pytest.mark.parametrize(
    ("at", "facing"), [((100, 102), 0), ((102, 100), 90), ((98, 98), 225), ((98, 102), 315)]
)
def test_a_unit_aligns_on_the_nearest_place_of_an_enemy_in_no_ranks(
    field_of_battle: Build, at: tuple[float, float], facing: int
) -> None:
    one = {"at": (100, 100), "formation": "ranked", "facing": 150}
    battle = field_of_battle(one, man(*at, "Bob", formation="close"))

    pose = aligned_pose(battle, 0, 1)

    assert pose is not None
    assert pose.facing / 64 == pytest.approx(facing, abs=1)


@pytest.mark.rule("emlia.align")
@pytest.mark.parametrize(
    ("x", "room"), [(7.75, True), (7.25, False)], ids=["room", "over the edge of the field"]
)
def test_a_unit_does_not_align_over_the_edge_of_the_field(
    field_of_battle: Build, x: float, room: bool
) -> None:
    # Eight men in a file turn on their centre and go back to 0.5 GSU before the enemy.
    file = ranked(1, 8, (x, 104), 0)
    battle = field_of_battle(file, man(x + 1.5, 100, "Bob"))

    assert (aligned_pose(battle, 0, 1) is not None) is room


@pytest.mark.rule("emlia.align", "emlia.move.blocked-by-object")
@pytest.mark.parametrize(("gap", "room"), [(7.75, True), (7.25, False)])
def test_a_unit_does_not_align_into_a_neighbour(
    field_of_battle: Build, gap: float, room: bool
) -> None:
    file = ranked(1, 8, (100, 104), 0)
    wall = {"kind": "building", "box": (80, 90, 100 - gap, 110)}
    battle = field_of_battle(file, man(101.5, 100, "Bob"), terrain=[wall])

    assert (aligned_pose(battle, 0, 1) is not None) is room


def charge(battle: Battle, play: Play, dice: list[int], answers: Sequence[Any] = ()) -> list[Any]:
    order = Order(verb="charge", unit=0, target=1)
    return play(battle, charging.charge(battle, 0, order), dice, answers)


@pytest.mark.rule("emlia.align", "emlia.engage.asymmetric")
@pytest.mark.parametrize(("weapons", "answers"), [((), ["align"]), ((PIKE,), [])])
def test_a_charger_whom_the_enemy_does_not_reach_has_nothing_to_align_to(
    field_of_battle: Build, play: Play, weapons: Any, answers: list[str]
) -> None:
    # The block stands askew, and lets the charger come; the pike stops out of its reach.
    battle = field_of_battle(
        ranked(1, 1, (100, 90), weapons=weapons), ranked(4, 4, (100, 100), 150, side="Bob")
    )

    events = charge(battle, play, [5], ["stand", *answers])

    assert ("aligned" in names(events)) is bool(answers)


@pytest.mark.rule("emlia.align", "emlia.align.not-if-engaged")
def test_the_unit_charged_aligns_before_the_charger_and_each_pays_for_itself(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ranked(2, 2, (90, 97), 70), theirs(4, 4, (100, 100), 0))

    events = charge(battle, play, [5], ["align"])

    units = battle.state.units
    assert names(events)[:2] == ["charged", "aligned"]
    assert events[1].unit == 1
    assert (units.integer("aligned", 0), units.integer("aligned", 1)) == (0, -1)
    assert events[1].facts.values() == {"side": "left flank", "modifier": -1}
    assert events[1].because == (
        "emlia.align", "emlia.ranked.front-of-contact", "emlia.align.cost.flank",
    )  # fmt: skip


@pytest.mark.rule("emlia.align")
@pytest.mark.parametrize(("engaged", "asked"), [(False, True), (True, False)])
def test_a_unit_that_was_engaged_before_is_not_asked_to_align(
    field_of_battle: Build, engaged: bool, asked: bool
) -> None:
    battle = field_of_battle(man(97.5, 98, "Alice"), theirs(4, 4, (100, 100), 0))

    said = [*islice(align(battle, 1, 0, engaged), 1)]

    assert bool(said) is asked
    for decision in said:
        assert [order.verb for order in decision.options] == ["align", "stand"]
        assert (decision.side, decision.unit, decision.options[0].target) == (1, 1, 0)


@pytest.mark.rule("emlia.align")
@pytest.mark.parametrize(
    ("degrees", "east", "north", "aligns"),
    [(50, 103.8, 100.4, True), (50, 103.5, 100.5, False), (45, 103.6, 100.6, False)],
    ids=["1/93 GSU too far", "1/44 GSU too far", "1/17 GSU too far"],
)
def test_a_unit_aligns_only_if_it_can_keep_the_gap_to_a_64th(
    field_of_battle: Build, degrees: int, east: float, north: float, aligns: bool
) -> None:
    """Two abreast stand askew before a corner at (102, 101); turned, their flank is beside it."""
    pair = {"at": (east, north), "facing": degrees, "members": 2, "files": 2}
    block = {"front": (100, 101), "members": 12, "files": 4, "facing": 180, "side": "Bob"}
    battle = field_of_battle(
        {**pair, "formation": "ranked"}, {**block, "formation": "ranked"}
    )  # fmt: skip
    beside, gap = east - 1 - 102, situation_of(battle).distance(0, 1)
    assert (beside - gap <= 1 / 64) is aligns

    assert (aligned_pose(battle, 0, 1) is not None) is aligns
