"""Falling back and retreating: where to, and out of a fight."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Leave
from emlia3d.battle.decisions import Order
from emlia3d.battle.dice import FixedDice
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.doctrine.plain_commander import Doctrine
from emlia3d.rules.emlia.play.combat import shooting
from emlia3d.rules.emlia.play.retreat import fallback_goals
from emlia3d.rules.emlia.play.retreat.compulsion import obey
from emlia3d.rules.emlia.play.retreat.fallback_goals import worst_shooter
from emlia3d.rules.emlia.play.sight.covering import cover_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import activation
from tests.rules.emlia.outcome import names

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]
SLING = {"name": "Sling", "base_damage": 1, "range": (40, 80, 200), "use": ["aimed fire"]}


def low(morale: int = -1, **more: Any) -> dict[str, Any]:
    return {"at": (100, 100), "put": {"morale": morale}, **more}


def friend(x: float, y: float) -> dict[str, Any]:
    return {"at": (x, y), "name": "friend"}


def foe(x: float = 100, y: float = 190, **more: Any) -> dict[str, Any]:
    return {"at": (x, y), "side": "Bob", "facing": 180, **more}


def slinger(x: float = 100, y: float = 160, **more: Any) -> dict[str, Any]:
    return foe(x, y, weapons=[SLING], skills={"aimed fire": "1"}, **more)


def shoots(battle: Battle, play: Play, unit: int, target: int = 0, face: int = 12) -> None:
    order = Order(verb="fire", unit=unit, target=target, number=0)
    play(battle, shooting.aim_and_fire(battle, unit, order), [face])


def centre(battle: Battle) -> tuple[float, float]:
    return situation_of(battle).centre(0)


@pytest.mark.rule("emlia.morale.falling-back")
def test_who_falls_back_goes_to_a_friend_or_to_its_own_lines_as_its_player_wants(
    field_of_battle: Build, play: Play, question: Any
) -> None:
    battle = field_of_battle(low(), foe(), friend(150, 80))

    asked = question(battle, obey(battle, 0))

    assert [(order.verb, order.target) for order in asked.options] == [
        ("to-friend", 2),
        ("to-lines", None),
    ]
    play(battle, obey(battle, 0), answers=["to-friend"])
    x, y = centre(battle)
    assert (x > 110, 90 < y < 100) == (True, True)


def test_ways_to_friends_are_looked_for_only_as_far_as_the_answer_needs(
    field_of_battle: Build, question: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    friends = [friend(x, 80) for x in (20, 40, 60, 140, 160, 180)]
    battle = field_of_battle(low(), foe(), *friends)
    tried: list[int] = []

    def friend_for(
        battle: Battle, unit: int, other: int, *starts: Any
    ) -> fallback_goals.FallbackGoal | None:
        tried.append(other)
        return one_friend(battle, unit, other, *starts)

    one_friend = fallback_goals.friend_for
    monkeypatch.setattr(fallback_goals, "friend_for", friend_for)

    asked = question(battle, obey(battle, 0))

    assert len(tried) == 1
    assert asked.first([Order(verb="to-friend", unit=0, target=3)]) is not None
    assert sorted(set(tried)) == [3, 4]
    assert len(asked.of("to-friend")) == 6


@pytest.mark.rule("emlia.morale.falling-back")
def test_it_stops_at_the_friend_when_it_is_there(field_of_battle: Build, play: Play) -> None:
    close = {**friend(108, 100), "members": 2, "files": 2, "formation": "ranked"}
    battle = field_of_battle(low(), foe(), close)

    play(battle, obey(battle, 0), answers=["to-friend"])

    assert situation_of(battle).distance(0, 2) < 0.5


@pytest.mark.rule("emlia.morale.falling-back", "emlia.morale.not-closer")
def test_it_never_goes_closer_to_the_enemy(field_of_battle: Build, question: Any) -> None:
    battle = field_of_battle(low(), foe(100, 150), friend(100, 120), friend(60, 60))

    asked = question(battle, obey(battle, 0))

    assert [order.target for order in asked.options] == [3, None]


@pytest.mark.rule("emlia.morale.falling-back")
def test_it_may_go_to_the_nearest_cover_from_whoever_shot_at_it_to_most_effect(
    field_of_battle: Build, play: Play
) -> None:
    wall = {"kind": "wall", "height": 1, "box": (85, 93, 115, 94)}
    battle = field_of_battle(low(), slinger(), slinger(170, 100), terrain=[wall])
    shoots(battle, play, 1)
    shoots(battle, play, 2, face=1)

    assert worst_shooter(battle, 0) == 1
    play(battle, obey(battle, 0), answers=["to-cover"])

    assert cover_of(battle, 1, 0, 1) is not Level.NONE
    assert centre(battle)[1] < 94


@pytest.mark.rule("emlia.morale.falling-back")
def test_an_attacker_that_has_left_the_field_is_not_the_worst(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(low(hits=9), slinger(), slinger(170, 100))
    shoots(battle, play, 1)
    shoots(battle, play, 1)
    shoots(battle, play, 2)
    assert worst_shooter(battle, 0) == 1

    battle.suppose((Leave(unit=1),))

    assert worst_shooter(battle, 0) == 2


@pytest.mark.rule("emlia.morale.falling-back", "emlia.cover.source")
def test_it_passes_by_what_only_conceals_on_its_way_to_cover(
    field_of_battle: Build, play: Play
) -> None:
    hedge = {"kind": "hedge", "height": 1, "hits": None, "box": (70, 96, 130, 96.5)}
    wall = {"kind": "wall", "height": 1, "box": (85, 90, 115, 91)}
    battle = field_of_battle(low(), slinger(), terrain=[hedge, wall])
    shoots(battle, play, 1)

    play(battle, obey(battle, 0), answers=["to-cover"])

    assert cover_of(battle, 1, 0, 0) is not Level.NONE
    assert centre(battle)[1] < 94


@pytest.mark.rule("emlia.morale.falling-back")
def test_shots_before_its_last_activation_are_forgotten(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(low(), slinger())
    shoots(battle, play, 1)

    play(battle, activation.activate(battle, 0), answers=["done", ...])

    assert worst_shooter(battle, 0) is None


@pytest.mark.rule("emlia.morale.falling-back", "emlia.morale.retreating")
@pytest.mark.parametrize("morale", [-1, -4])
def test_who_is_engaged_disengages_first_and_then_moves(
    field_of_battle: Build, play: Play, morale: int
) -> None:
    battle = field_of_battle(low(morale), foe(100, 101.5), foe())

    events = play(battle, obey(battle, 0), [12, 12, 12, 12, 12])

    assert names(events) == ["disengaged", "kept busy", "fell back"]
    assert centre(battle)[1] == pytest.approx(85, abs=0.1), "a single Normal Move"


@pytest.mark.rule("emlia.morale.falling-back", "emlia.morale.retreating")
@pytest.mark.parametrize("morale", [-1, -4])
def test_who_cannot_disengage_stays(field_of_battle: Build, play: Play, morale: int) -> None:
    battle = field_of_battle(low(morale), foe(100, 101.5))

    events = play(battle, obey(battle, 0), [1, 1, 1, 1, 1])

    assert names(events) == ["could not disengage", "did not get away"]
    assert centre(battle) == pytest.approx((100, 100))


@pytest.mark.rule("emlia.morale.falling-back")
def test_who_has_no_dice_for_it_just_moves(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(low(skills={}), foe(100, 101.5))

    events = play(battle, obey(battle, 0), [1, 1, 1, 1, 1], ["close-combat"])

    assert names(events) == ["free strike", "struck free", "fell back"]


@pytest.mark.rule("emlia.morale.routed")
def test_the_routed_do_not_disengage(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(low(-7), foe(100, 101.5))

    events = play(battle, obey(battle, 0), [1, 1, 1, 1, 1], ["close-combat"])

    assert names(events) == ["free strike", "struck free", "fled"]


@pytest.mark.rule("emlia.morale.retreating")
def test_who_retreats_goes_two_moves_to_its_lines_and_is_not_asked(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(low(-4), foe(), friend(150, 80))

    play(battle, obey(battle, 0))

    assert centre(battle) == pytest.approx((100, 70), abs=0.1)


@pytest.mark.rule("emlia.morale.retreating")
def test_who_cannot_retreat_but_towards_the_enemy_acts_like_one_who_falls_back(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(low(-4), foe(100, 80), friend(100, 140))

    play(battle, obey(battle, 0))

    assert centre(battle) == pytest.approx((100, 115), abs=0.5)


def test_the_doctrine_takes_cover_or_goes_home(field_of_battle: Build, question: Any) -> None:
    battle = field_of_battle(low(), foe(), friend(150, 80))
    asked = question(battle, obey(battle, 0))

    order = Doctrine().decide(asked, SYSTEM.picture(battle, 0), FixedDice([]))

    assert order.verb == "to-lines"


@pytest.mark.rule("emlia.morale.falling-back")
@pytest.mark.parametrize(("gap", "goes"), [(0.99, False), (1.0, True), (5.0, True)])
def test_a_friend_is_a_goal_from_one_gsu_off(
    field_of_battle: Build, gap: float, goes: bool
) -> None:
    block = {"members": 4, "files": 4, "formation": "ranked"}
    one, other = {**low(), **block}, {**friend(100, 101 + gap), **block}
    battle = field_of_battle(one, foe(10, 10), other)

    assert (fallback_goals.friend_for(battle, 0, 2) is not None) is goes


@pytest.mark.rule("emlia.morale.falling-back", "emlia.move.leave")
@pytest.mark.parametrize("along", [(1, 0), (0, 1)], ids=["the southern edge", "the western edge"])
@pytest.mark.parametrize(("off", "goes"), [(0.75, True), (199.25, True), (0.25, False)])
def test_a_unit_goes_to_a_friend_along_an_edge_of_the_field_but_not_over_it(
    field_of_battle: Build, along: tuple[int, int], off: float, goes: bool
) -> None:
    """A member takes up half a GSU to each side."""
    east, north = along
    start, end = ((gone * east + off * north, gone * north + off * east) for gone in (100, 150))
    battle = field_of_battle(low() | {"at": start}, foe(100, 100), friend(*end))

    assert (fallback_goals.friend_for(battle, 0, 2) is not None) is goes


HEDGE = {"kind": "hedge", "height": 1, "hits": None}
WALL = {"kind": "wall", "height": 1}


@pytest.mark.rule("emlia.morale.falling-back", "emlia.morale.not-closer")
@pytest.mark.parametrize(
    ("terrain", "goes"),
    [
        ([{**WALL, "box": (85, 90, 115, 91)}], True),
        # It is in cover where it stands; behind a hedge it is only concealed.
        ([{**WALL, "box": (85, 102, 115, 103)}, {**WALL, "box": (85, 90, 115, 91)}], False),
        ([{**HEDGE, "box": (98, 101, 102, 102)}, {**WALL, "box": (85, 97, 115, 98)}], True),
        # Of the places behind this wall the first that is tried is closer to the enemy.
        ([{**WALL, "box": (104, 103, 112, 104)}], True),
        ([], False),
    ],
    ids=[
        "a wall behind", "in cover", "concealed", "a wall ahead", "none",
    ],
)  # fmt: skip
def test_cover_is_looked_for_where_it_has_none_and_no_closer_to_the_enemy(
    field_of_battle: Build, play: Play, terrain: list[dict[str, Any]], goes: bool
) -> None:
    battle = field_of_battle(low(), slinger(), terrain=terrain)
    assert [*fallback_goals.cover_for(battle, 0)] == []
    shoots(battle, play, 1)

    found = [*fallback_goals.cover_for(battle, 0)]

    before = situation_of(battle).distance(0, 1)
    assert [(fallback.order.verb, fallback.order.target) for fallback in found] == [
        ("to-cover", 1)
    ] * goes
    for fallback in found:
        assert fallback.end.outline.distance(situation_of(battle).outline(1)) >= before
        assert not fallback.leaves
