"""Skirmishes as bodies: their boundary, who joins them, and where their successes carry them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append, Pair
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event
from emlia3d.errors import IllegalOrderError
from emlia3d.force import Formation
from emlia3d.rules.emlia.doctrine import Doctrine
from emlia3d.rules.emlia.events.combat import Struck
from emlia3d.rules.emlia.events.losses import Joined
from emlia3d.rules.emlia.play.charges import charging
from emlia3d.rules.emlia.play.combat import close_combat
from emlia3d.rules.emlia.play.morale.morale_update import MoraleInputs
from emlia3d.rules.emlia.play.retreat import forced
from emlia3d.rules.emlia.play.sight.side_picture import SidePicture
from emlia3d.rules.emlia.play.situation.contact import (
    boundary_of,
    engaged_by,
    engagement_of,
    is_neutral,
    joined_pairs,
    melee_of,
    skirmish_of,
)
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import activation, phase
from tests.made_up import made_up

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


def man(x: float, y: float, side: str = "Alice", **more: Any) -> dict[str, Any]:
    return {"at": (x, y), "side": side, "hits": 99, "skills": {"close combat": "1"}, **more}


def block(front: tuple[float, float], facing: int = 0, **more: Any) -> dict[str, Any]:
    """Four files, three ranks, hard to kill."""
    return {
        "formation": "ranked", "members": 12, "files": 4, "front": front, "facing": facing,
        "hits": 99, "skills": {"close combat": "1"}, **more,
    }  # fmt: skip


def scored(battle: Battle, *rows: tuple[int, int, int, int]) -> None:
    """Successes by (attacker, subject, how many, whether within a skirmish)."""
    columns = ("attacker", "subject", "successes", "shift")
    changes = tuple(Append(table="push", row=dict(zip(columns, row, strict=True))) for row in rows)
    battle.happen(Event(facts=made_up(Struck), changes=changes))


def worked(
    battle: Battle, play: Play, answers: Sequence[Any], *rows: tuple[int, int, int, int]
) -> list[Any]:
    scored(battle, *rows)
    return play(battle, forced.push(battle, MoraleInputs(battle)), answers=answers)


def to(degrees: int, unit: int = 0) -> Order:
    return Order(verb="shift", unit=unit, number=degrees)


def middles(battle: Battle) -> list[tuple[float, float]]:
    return [
        (round(x, 2), round(y, 2))
        for x, y in (pose_of(battle, unit).middle for unit in range(len(battle.state.units)))
    ]


# The body


@pytest.mark.rule("emlia.skirmish.boundary")
def test_the_boundary_of_a_skirmish_is_the_hull_of_all_its_units(field_of_battle: Build) -> None:
    battle = field_of_battle(man(100, 100), man(102, 100, "Bob"), man(102, 102))

    body = skirmish_of(battle, 0)

    assert body == (0, 1, 2)
    hull = boundary_of(battle, body)
    assert hull.bounds == pytest.approx((99.5, 99.5, 102.5, 102.5), abs=0.01)
    assert hull.area > sum(situation_of(battle).outline(unit).area for unit in body)


@pytest.mark.rule("emlia.skirmish.neutral")
def test_a_skirmish_is_neither_friend_nor_enemy_to_those_outside(field_of_battle: Build) -> None:
    battle = field_of_battle(man(100, 100), man(102, 100, "Bob"), man(110, 100))

    assert is_neutral(battle, 2, 0)
    assert is_neutral(battle, 2, 1)
    assert not is_neutral(battle, 0, 1)
    assert not is_neutral(battle, 0, 2)


@pytest.mark.rule("emlia.skirmish.neutral", "emlia.forced.into-friend")
def test_who_is_pushed_into_a_skirmish_is_not_forced_into_a_friend(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        block((100, 100)),
        block((100, 101), 180, side="Bob"),
        man(99, 105.5, "Bob"),
        man(101, 105.5),
    )
    outlook = MoraleInputs(battle)
    scored(battle, (0, 1, 3, 0))

    play(battle, forced.push(battle, outlook), answers=["give-way", "stand"])

    assert outlook.forced_into_friend == set()
    assert outlook.forced_into_enemy == set()


@pytest.mark.rule("emlia.engage.direction")
@pytest.mark.parametrize(
    "at", [(100, 101.5), (102.5, 99), (97.5, 99), (100, 95.5), (102.5, 101), (97.5, 96.8)]
)
def test_combat_range_reaches_all_round(field_of_battle: Build, at: tuple[float, float]) -> None:
    battle = field_of_battle(block((100, 100)), man(*at, "Bob"))

    assert engaged_by(battle, 1) == [0]


@pytest.mark.rule("emlia.ranked.definition")
def test_in_ranked_combat_lines_hold_their_places_but_for_pushes(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(block((100, 100)), block((101.5, 101), 180, side="Bob"))
    before = middles(battle)

    play(battle, phase.resolve(battle))
    assert middles(battle) == before
    worked(battle, play, ["give-way", "follow-up"], (0, 1, 2, 0))

    situation = situation_of(battle)
    assert 0 < situation.distance(0, 1) <= 1


# Shifts


@pytest.mark.rule("emlia.skirmish.shift", "emlia.melee.success")
def test_five_successes_carry_the_whole_fight_five_gsu_away_from_the_hill(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(man(100, 100), man(102, 100, "Bob"), man(104, 100))

    worked(battle, play, [to(180)], (0, 1, 5, 1))

    assert middles(battle) == [(100, 95), (102, 95), (104, 95)]


@pytest.mark.rule("emlia.skirmish.shift", "emlia.melee.success")
def test_successes_in_a_skirmish_are_kept_for_the_resolution(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(man(100, 100), man(102, 100, "Bob"))
    blow = Order(verb="close-combat", unit=0)

    play(battle, close_combat.close_combat(battle, 0, blow), [12])
    assert middles(battle) == [(100, 100), (102, 100)]
    play(battle, phase.resolve(battle), answers=[to(90)])

    assert middles(battle) == [(101, 100), (103, 100)]
    assert len(battle.state.lists["push"]) == 0


@pytest.mark.rule("emlia.skirmish.shift", "emlia.forced.vector-sum")
@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_the_shifts_of_all_actions_add_up_in_whatever_order_they_were_scored(
    field_of_battle: Build, play: Play, order: tuple[int, ...]
) -> None:
    battle = field_of_battle(man(100, 100), man(102, 100, "Bob"), man(104, 100))
    rows = [(0, 1, 5, 1), (1, 0, 2, 1), (2, 1, 1, 1)]
    ways = {0: to(0), 1: to(270, 1), 2: to(0, 2)}

    events = worked(
        battle, play, [lambda asked: ways[asked.unit]] * 3, *(rows[row] for row in order)
    )

    assert middles(battle) == [(98, 106), (100, 106), (102, 106)]
    assert events[0].facts.wanted == pytest.approx(6.32)


@pytest.mark.rule("emlia.forced.vector-sum")
def test_five_north_and_two_west_are_one_move_of_5_39_to_the_north_north_west(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(man(100, 100), man(102, 100, "Bob"))
    ways = {0: to(0), 1: to(270, 1)}
    rows = [(0, 1, 5, 1), (1, 0, 2, 1)]

    events = worked(battle, play, [lambda asked: ways[asked.unit]] * 2, *rows)

    assert middles(battle) == [(98, 105), (100, 105)]
    assert events[0].facts.wanted == pytest.approx(5.39, abs=0.005)
    bearing = math.degrees(math.atan2(98 - 100, 105 - 100)) % 360
    assert bearing == pytest.approx(338.2, abs=0.05)


@pytest.mark.rule("emlia.skirmish.shift")
def test_the_direction_is_any_whole_degree(field_of_battle: Build, question: Any) -> None:
    battle = field_of_battle(man(100, 100), man(102, 100, "Bob"))
    scored(battle, (0, 1, 1, 1))

    asked = question(battle, forced.push(battle, MoraleInputs(battle)))

    asked.check(to(17))
    for wrong in (to(360), to(-1), to(17, 1), Order(verb="shift", unit=0)):
        with pytest.raises(IllegalOrderError):
            asked.check(wrong)


@pytest.mark.rule("emlia.skirmish.shift", "emlia.melee.no-shift")
def test_a_fight_with_something_fixed_in_it_stays(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(man(100, 100), man(102, 100, "Bob", movement=None))

    assert worked(battle, play, [], (0, 1, 3, 1)) == []


@pytest.mark.rule("emlia.skirmish.shift", "emlia.melee.success")
def test_successes_against_one_who_has_left_move_nobody(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(man(100, 100), man(110, 100, "Bob"))

    assert worked(battle, play, [], (0, 1, 3, 1)) == []


@pytest.mark.rule("emlia.skirmish.shift", "emlia.forced.terrain")
def test_the_fight_stops_as_one_where_the_first_of_it_meets_a_wall(
    field_of_battle: Build, play: Play
) -> None:
    wall = {"kind": "building", "box": (80, 103.5, 101, 106)}
    battle = field_of_battle(man(100, 100), man(102, 100, "Bob"), terrain=[wall])
    outlook = MoraleInputs(battle)
    scored(battle, (0, 1, 5, 1))

    play(battle, forced.push(battle, outlook), answers=[to(0)])

    assert middles(battle) == [(100, 103), (102, 103)]
    assert outlook.terrain_stopped == {0}


def test_the_doctrine_drives_the_enemy_back(field_of_battle: Build, question: Any) -> None:
    battle = field_of_battle(man(100, 100), man(101.2, 101.2, "Bob"))
    scored(battle, (0, 1, 1, 1))
    asked = question(battle, forced.push(battle, MoraleInputs(battle)))

    assert Doctrine().decide(asked, SidePicture(battle, 0), battle.dice) == to(45)


# Joining, absorbing, leaving


@pytest.mark.rule("emlia.forced.skirmish-absorbs")
@pytest.mark.parametrize(
    ("at", "drawn"), [((100, 105), True), ((106.5, 110), False), ((98.1, 110), True)]
)
def test_a_moved_skirmish_takes_in_whom_it_passes_or_comes_near(
    field_of_battle: Build, play: Play, at: tuple[float, float], drawn: bool
) -> None:
    battle = field_of_battle(man(100, 100), man(102, 100, "Bob"), man(*at))

    events = worked(battle, play, [to(0)], (0, 1, 10, 1))

    assert ("drawn into the fight" in [event.name for event in events]) is drawn
    # Whoever was passed and left behind is drawn in only as long as he is near.
    near = at[1] == 110 and drawn
    assert (2 in engagement_of(battle, 0)) is near


@pytest.mark.rule("emlia.forced.skirmish-absorbs", "emlia.forced.into-enemy")
def test_nobody_is_forced_into_whom_a_skirmish_meets(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(
        man(100, 100), man(102, 100, "Bob"), block((100, 107.9), 180, side="Bob")
    )
    outlook = MoraleInputs(battle)
    scored(battle, (0, 1, 7, 1))

    play(battle, forced.push(battle, outlook), answers=[to(0), ...])

    assert outlook.forced_into_enemy | outlook.forced_into_friend == set()
    assert 2 in engagement_of(battle, 0)
    assert battle.state.units.integer("formation", 2) == Formation.RANKED


def screened(field_of_battle: Build, y: float, **more: Any) -> Battle:
    """A man of Bob behind Alice's line, with which he fights, and a charger of hers at *y*."""
    return field_of_battle(
        man(100, 100, members=11, files=11),
        man(100, 102, "Bob"),
        man(100, y, "Alice", **more),
    )


@pytest.mark.rule("emlia.charge.skirmish", "emlia.skirmish.join-by-contact")
def test_a_charge_at_a_skirmish_need_only_come_to_its_boundary(
    field_of_battle: Build, play: Play
) -> None:
    battle = screened(field_of_battle, 84)
    (order,) = charging.charge_options(battle, 2)

    events = play(battle, charging.charge(battle, 2, order), [5])

    assert [event.name for event in events] == ["charged", "struck"]
    assert situation_of(battle).distance(2, 1) > 1
    assert skirmish_of(battle, 2) == (0, 1, 2)
    assert melee_of(battle, 2).enemies == (1,)


@pytest.mark.rule("emlia.charge.skirmish", "emlia.charge.attack", "emlia.mixedeng.attack")
def test_a_ranked_charge_that_comes_to_the_boundary_strikes_the_enemies_within_and_they_it(
    field_of_battle: Build, play: Play
) -> None:
    ranks = {"members": 4, "files": 2, "formation": "ranked", "skills": {"close combat": "1*"}}
    battle = screened(field_of_battle, 84, **ranks)
    (order,) = charging.charge_options(battle, 2)

    events = play(battle, charging.charge(battle, 2, order), [5, 5])

    assert [event.name for event in events] == ["charged", "struck"]
    assert situation_of(battle).distance(2, 1) > 1
    assert (events[1].target, events[1].facts.dice) == (1, 2)
    assert melee_of(battle, 1).enemies == (0, 2)


@pytest.mark.rule("emlia.charge.skirmish", "emlia.charge.fail")
def test_a_charge_that_does_not_come_even_to_the_boundary_falls_short(
    field_of_battle: Build,
) -> None:
    battle = screened(field_of_battle, 82.4)

    assert charging.charge_options(battle, 2) == []


@pytest.mark.rule("emlia.skirmish.join-by-contact", "emlia.skirmish.side-as-mixed")
def test_who_has_joined_by_the_boundary_is_struck_with_his_side(field_of_battle: Build) -> None:
    battle = screened(field_of_battle, 98.2)
    joined = Pair(column="joined", a=2, b=0, value=1)
    battle.happen(Event(facts=made_up(Joined), changes=(joined,)))

    assert melee_of(battle, 1).enemies == (0, 2)


@pytest.mark.rule("emlia.skirmish.join-by-contact")
def test_who_moves_away_from_the_boundary_belongs_to_the_skirmish_no_more(
    field_of_battle: Build, play: Play
) -> None:
    battle = screened(field_of_battle, 90)
    joined = Pair(column="joined", a=2, b=0, value=1)
    battle.happen(Event(facts=made_up(Joined), changes=(joined,)))

    assert joined_pairs(battle) == ()
    assert engagement_of(battle, 2) == (2,)
    play(battle, phase.resolve(battle))
    assert (2, 0) not in battle.state.pairs["joined"]


@pytest.mark.rule("emlia.skirmish.leave", "emlia.freestrike.trigger")
def test_who_leaves_a_skirmish_starts_anywhere_inside_its_boundary(
    field_of_battle: Build, play: Play
) -> None:
    # Eleven men in a line from 85 to 115; Alice's own man stands at its western end.
    battle = field_of_battle(
        man(86, 102), man(100, 100, "Bob", members=11, files=11), man(114, 102)
    )
    out = Order(verb="slip-out", unit=0, number=90)

    events = play(battle, activation.activate(battle, 0), answers=[out, "hold-back", ...])

    assert "slipped away" in [event.name for event in events]
    x, y = pose_of(battle, 0).middle
    # From the eastern end of the boundary a whole Normal Move farther.
    assert (x, y) == pytest.approx((114 + 15, 102), abs=0.1)
    assert skirmish_of(battle, 0) == ()


@pytest.mark.rule("emlia.skirmish.leave")
def test_nobody_leaves_a_skirmish_that_he_does_not_stand_in_or_where_he_would_be_held(
    field_of_battle: Build,
) -> None:
    alone = field_of_battle(man(100, 100))
    slow = field_of_battle(man(100, 100, movement="0.1G"), man(101.5, 100, "Bob"))

    for battle in (alone, slow):
        verbs = {order.verb for order in activation.options_of(battle, 0)}
        assert "slip-out" not in verbs
