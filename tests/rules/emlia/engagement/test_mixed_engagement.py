"""Ranked units and skirmishes in one engagement."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Pair
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.events.losses import Joined
from emlia3d.rules.emlia.play.combat import close_combat, scenery
from emlia3d.rules.emlia.play.combat.melee_orders import melee_options
from emlia3d.rules.emlia.play.engagement import follow_up
from emlia3d.rules.emlia.play.morale.allocation import markers_by_row
from emlia3d.rules.emlia.play.morale.morale_update import MoraleInputs
from emlia3d.rules.emlia.play.retreat import forced
from emlia3d.rules.emlia.play.situation.contact import boundary_of, melee_of, skirmish_of
from emlia3d.rules.emlia.play.situation.fights import kind_of
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.unit_sets.unit_set import Entry
from emlia3d.rules.emlia.words.card import card
from tests.made_up import made_up
from tests.rules.emlia.shoving import pushed

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


def man(x: float, y: float, side: str = "Alice", **more: Any) -> dict[str, Any]:
    return {"at": (x, y), "side": side, "hits": 99, "skills": {"close combat": "2"}, **more}


def block(front: tuple[float, float], facing: int = 0, **more: Any) -> dict[str, Any]:
    """Four files, three ranks."""
    return {
        "formation": "ranked", "members": 12, "files": 4, "front": front, "facing": facing,
        "hits": 99, "skills": {"close combat": "4"}, **more,
    }  # fmt: skip


def brawl(field_of_battle: Build, *more: dict[str, Any]) -> Battle:
    """Alice's block before a skirmish of one of her men with two of Bob's."""
    return field_of_battle(
        block((100, 100)),
        man(99, 101.5, "Bob"),
        man(101, 101.5),
        man(103, 101.5, "Bob"),
        *more,
    )


def spot(battle: Battle, unit: int) -> tuple[float, float]:
    return pose_of(battle, unit).middle


@pytest.mark.rule("emlia.mixedeng.definition", "emlia.engage.type")
def test_a_skirmish_keeps_being_one_beside_a_ranked_unit(field_of_battle: Build) -> None:
    battle = brawl(field_of_battle)

    assert skirmish_of(battle, 1) == (1, 2, 3)
    assert melee_of(battle, 0).group == (0, 1, 2, 3)
    assert melee_of(battle, 0).ranked
    assert not melee_of(battle, 1).ranked


@pytest.mark.rule("emlia.mixedeng.definition", "emlia.engage.type")
def test_one_unit_in_no_ranks_fights_a_ranked_one_in_ranked_combat(field_of_battle: Build) -> None:
    battle = field_of_battle(block((100, 100)), man(99, 101.5, "Bob"))

    assert skirmish_of(battle, 1) == ()
    assert melee_of(battle, 1).ranked


@pytest.mark.rule("emlia.mixedeng.attack")
def test_the_ranked_unit_strikes_the_skirmish_by_one_check_and_only_enemies_in_it(
    field_of_battle: Build, play: Play
) -> None:
    battle = brawl(field_of_battle)
    blow = Order(verb="close-combat", unit=0)

    (struck,) = play(battle, close_combat.close_combat(battle, 0, blow), [12] * 4)

    assert struck.facts.enemies == (1, 3)


@pytest.mark.rule("emlia.mixedeng.attack", "emlia.forced.skirmish-absorbs")
@pytest.mark.parametrize("near", [0, 1], ids=["by its friend", "by the enemy"])
def test_ranks_that_a_skirmish_draws_in_strike_the_enemies_within_and_they_strike_them(
    field_of_battle: Build, play: Play, near: int
) -> None:
    # The boundary from 99.5 to 102.5 is in reach of the ranks at 98.5, though Bob's man is not.
    ranks = {**block((98.5, 100), 90), "members": 4, "files": 2, "skills": {"close combat": "1*"}}
    battle = field_of_battle(man(100, 100), man(102, 100, "Bob"), ranks)
    joined = Pair(column="joined", a=2, b=near, value=1)
    battle.happen(Event(facts=made_up(Joined), changes=(joined,)))
    (blow,) = [one for one in melee_options(battle, 2) if one.verb == "close-combat"]

    (struck,) = play(battle, close_combat.close_combat(battle, 2, blow), [12] * 2)

    assert (struck.facts.enemies, struck.facts.dice) == ((1,), 2)
    assert melee_of(battle, 1).enemies == (0, 2)


@pytest.mark.rule("emlia.mixedeng.attack")
def test_the_skirmish_strikes_the_ranked_unit_with_the_rest_of_its_side(
    field_of_battle: Build, play: Play
) -> None:
    battle = brawl(field_of_battle)
    blow = Order(verb="close-combat", unit=1)

    (struck,) = play(battle, close_combat.close_combat(battle, 1, blow), [12] * 2)

    assert struck.facts.enemies == (0, 2)


@pytest.mark.rule("emlia.mixedeng.move-ranked")
def test_attacks_from_the_skirmish_push_the_ranked_unit_as_in_ranked_combat(
    field_of_battle: Build, play: Play
) -> None:
    battle = brawl(field_of_battle)
    blow = Order(verb="close-combat", unit=1)
    play(battle, close_combat.close_combat(battle, 1, blow), [12] * 2)

    play(battle, forced.push(battle, MoraleInputs(battle)), answers=["give-way", "stand"])

    assert spot(battle, 0) == pytest.approx((100, 96.5), abs=0.01)
    assert spot(battle, 1) == (99, 101.5)


@pytest.mark.rule("emlia.mixedeng.move-ranked", "emlia.push.choices")
def test_a_ranked_unit_holds_against_a_skirmish_too(field_of_battle: Build, play: Play) -> None:
    battle = brawl(field_of_battle)

    events = pushed(battle, play, [(1, 0, 5)], ["hold"])

    assert [event.name for event in events] == ["held its ground"]
    assert events[0].facts.values() == {"hits": 5, "back": 2}


@pytest.mark.rule("emlia.mixedeng.move-skirmish")
def test_the_ranked_unit_pushes_the_whole_skirmish_and_presses_friends_in_it_too(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        block((100, 100)),
        man(99, 101.5, "Bob"),
        man(101.6, 101.5, members=2, formation="close"),
    )

    events = pushed(battle, play, [(0, 1, 3)], ["stand"])

    assert [spot(battle, unit)[1] for unit in (1, 2)] == [104.5] * 2
    # One man of Bob's is engaged; his hit goes to the larger part of the skirmish first.
    assert events[0].facts.hits == 1
    with pytest.raises(StopIteration) as done:
        next(markers_by_row(battle))
    marked = done.value.value
    assert [sum(hit.hits for hit in marked.get(unit, ())) for unit in (1, 2)] == [0, 1]


@pytest.mark.rule("emlia.mixedeng.move-skirmish", "emlia.push.net")
def test_successes_across_the_contact_with_the_skirmish_cancel(
    field_of_battle: Build, play: Play
) -> None:
    battle = brawl(field_of_battle)

    pushed(battle, play, [(0, 1, 3), (1, 0, 1), (3, 0, 1)], ["stand"])

    assert [spot(battle, unit)[1] for unit in (1, 2, 3)] == [102.5] * 3
    assert spot(battle, 0) == (100, 98.5)


@pytest.mark.rule("emlia.mixedeng.follow")
@pytest.mark.parametrize(("answer", "gap"), [("follow-up", (0, 1)), ("stand", (4, 4))])
def test_the_ranked_unit_may_go_after_the_skirmish(
    field_of_battle: Build, play: Play, answer: str, gap: tuple[float, float]
) -> None:
    battle = brawl(field_of_battle)

    pushed(battle, play, [(0, 1, 3)], [answer])

    between = boundary_of(battle, (1, 2, 3)).distance(situation_of(battle).outline(0))
    assert gap[0] - 0.01 <= between <= gap[1] + 0.01


@pytest.mark.rule("emlia.mixedeng.follow")
@pytest.mark.parametrize(
    ("degrees", "facing"),
    [pytest.param(90, 90, id="to its right"), pytest.param(180, 180, id="past it to the rear")],
)
def test_it_turns_or_faces_about_where_that_is_the_shortest_way(
    field_of_battle: Build, degrees: int, facing: int
) -> None:
    at = {90: (112, 98.5), 180: (100, 90)}[degrees]
    battle = field_of_battle(block((100, 100)), man(*at, "Bob"), man(at[0] + 2, at[1]))

    end = follow_up.pursuit(battle, 0, (1, 2))

    assert end is not None
    assert end.facing / 64 == pytest.approx(facing, abs=15)
    assert end.outline.distance(boundary_of(battle, (1, 2))) <= 1


@pytest.mark.rule("emlia.mixedeng.realign")
def test_after_following_it_stands_so_that_as_many_as_may_be_are_engaged(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(
        block((100, 100)), man(104, 104, "Bob"), man(106, 102), man(105.4, 103.4, "Bob")
    )
    body = (1, 2, 3)
    askew = pose_of(battle, 0).at(100, 101, 0)

    end = follow_up.realigned(battle, 0, askew, body)

    assert end.facing != 0
    assert end.outline.distance(boundary_of(battle, body)) <= 1
    assert battle.state.units.integer("aligned", 0) == 0


@pytest.mark.rule("emlia.mixedeng.no-follow")
def test_a_ranked_unit_that_another_enemy_engages_stays(field_of_battle: Build, play: Play) -> None:
    battle = brawl(field_of_battle, block((97, 98.5), 90, side="Bob"))

    pushed(battle, play, [(0, 1, 3)])

    assert spot(battle, 0) == (100, 98.5)


@pytest.mark.rule("emlia.mixedeng.follow")
def test_where_no_movement_leads_after_it_nobody_is_asked(field_of_battle: Build) -> None:
    battle = field_of_battle(block((100, 100)), man(140, 101, "Bob"), man(142, 101))

    assert follow_up.pursuit(battle, 0, (1, 2)) is None


@pytest.mark.rule("emlia.mixedeng.other")
def test_every_engagement_is_of_one_of_three_types_and_no_entry_brings_another(
    field_of_battle: Build,
) -> None:
    fights = {
        "skirmish": field_of_battle(man(99, 101.5, "Bob"), man(101, 101.5)),
        "ranked combat": field_of_battle(block((100, 100)), man(99, 101.5, "Bob")),
        "mixed engagement": brawl(field_of_battle),
    }
    printed = {"name": "X", "size": 1, "height": 1, "engagement": "duel"}

    for kind, battle in fights.items():
        assert kind_of(battle, 0) == kind
        assert dict(card(battle, 0))["fights"].startswith(kind)
    assert kind_of(field_of_battle(man(99, 50, "Bob"), man(101, 101.5)), 0) is None
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        Entry.model_validate(printed)


@pytest.mark.rule("emlia.mixedeng.other", "emlia.melee.no-shift")
def test_who_hews_at_a_gate_beside_a_fight_fights_nobody_with_that(
    field_of_battle: Build, play: Play
) -> None:
    gate = {"name": "gate", "kind": "gate", "box": (98, 100.2, 102, 101), "hits": 1}
    battle = field_of_battle(
        block((100, 100)), man(100, 96.25, "Bob"), man(150, 150), terrain=[gate]
    )
    hew = next(order for order in scenery.HEW.options(battle, 0))

    play(battle, scenery.HEW.perform(battle, 0, hew), [12] * 4)
    play(battle, forced.push(battle, MoraleInputs(battle)))

    assert len(battle.state.lists["battering"]) == 1
    assert spot(battle, 0) == (100, 98.5)
    assert spot(battle, 1) == (100, 96.25)


@pytest.mark.rule("emlia.skill.mixed-source", "emlia.engage.combat-range")
def test_each_subunit_strikes_the_party_in_its_own_reach_wherever_it_comes_in_the_list(
    field_of_battle: Build, play: Play
) -> None:
    """Two blocks of one unit side by side, with an enemy block before each."""
    battle = field_of_battle(
        block((100, 100), name="head"),
        block((106, 100), group="head"),
        block((100, 101), 180, side="Bob"),
        block((106, 101), 180, side="Bob"),
    )

    told = play(
        battle,
        close_combat.close_combat(battle, 0, Order(verb="close-combat", unit=0)),
        [12] * 8,
    )

    assert [(event.target, event.facts.dice) for event in told] == [(2, 4), (3, 4)]
