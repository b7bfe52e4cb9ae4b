"""Concentrated Volley: who may loose one, at what odds, and its hits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Pair
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.play.combat.concentrated import concentrated_volley
from emlia3d.rules.emlia.play.turn import activation
from emlia3d.rules.emlia.unit_sets.weapon import Weapon
from tests.rules.emlia.outcome import markers
from tests.rules.emlia.troops import LONGBOW

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


def archers(**more: Any) -> dict[str, Any]:
    return {
        "at": (100, 20), "members": 2, "files": 2, "formation": "close", "weapons": (LONGBOW,),
        "skills": {"volley fire": "2"}, **more,
    }  # fmt: skip


def foe(gap: float, **more: Any) -> dict[str, Any]:
    """One man, *gap* GSU from the archers."""
    return {"side": "Bob", "at": (100, 21 + gap), "facing": 180, **more}


def volley(battle: Battle, play: Play, dice: tuple[int, int] = (1, 1)) -> Any:
    order = Order(verb="concentrated-volley", unit=0, target=1, number=0)
    (event,) = play(battle, concentrated_volley(battle, 0, order), list(dice))
    return event


def offered(battle: Battle) -> bool:
    return "concentrated-volley" in {o.verb for o in activation.options_of(battle, 0)}


@pytest.mark.rule("emlia.conc")
@pytest.mark.parametrize(("gap", "modifier"), [(30, -2), (60, 0), (100, -5)])
def test_a_longbow_is_best_at_medium_range(
    field_of_battle: Build, play: Play, gap: float, modifier: int
) -> None:
    assert volley(field_of_battle(archers(), foe(gap)), play).facts.modifier == modifier


@pytest.mark.rule("emlia.conc.mod.inside-short", "emlia.conc.mod.outside-medium")
@pytest.mark.parametrize(("gap", "modifier"), [(39, -2), (41, 0), (79, 0), (81, -5)])
def test_near_and_far_shots_are_harder(
    field_of_battle: Build, play: Play, gap: float, modifier: int
) -> None:
    assert volley(field_of_battle(archers(), foe(gap)), play).facts.modifier == modifier


@pytest.mark.rule("emlia.conc")
@pytest.mark.parametrize(
    "bar",
    [
        {"formation": "ranked"},
        {"formation": "open"},
        {"put": {"disordered": 1}},
        {"put": {"move_used": 1}},
        {"skills": {"aimed fire": "2"}},
        {"weapons": ({**LONGBOW, "concentrated": False},)},
    ],
    ids=["ranked", "open", "disordered", "moved", "no skill", "no such weapon"],
)
def test_it_wants_close_formation_orders_the_move_the_skill_and_a_weapon(
    field_of_battle: Build, bar: dict[str, Any]
) -> None:
    assert offered(field_of_battle(archers(), foe(60)))
    assert not offered(field_of_battle(archers(**bar), foe(60)))


@pytest.mark.rule("emlia.conc", "emlia.engage.restrictions")
def test_an_engaged_unit_looses_none(field_of_battle: Build) -> None:
    assert not offered(field_of_battle(archers(), foe(60), foe(0.2)))


@pytest.mark.rule("emlia.conc")
def test_it_may_be_loosed_over_a_rampart_but_not_at_those_under_a_roof_or_out_of_range(
    field_of_battle: Build, put: Any
) -> None:
    rampart = {"kind": "wall", "height": 0.75, "box": (0, 60, 200, 61)}
    house = {"kind": "building", "box": (80, 70, 120, 90)}

    assert offered(field_of_battle(archers(), foe(60), terrain=[rampart]))
    assert not offered(field_of_battle(archers(), foe(121)))
    inside = field_of_battle(archers(), foe(60, height=3), terrain=[house])
    put(inside, 1, posture=1)
    assert not offered(inside)


@pytest.mark.rule("emlia.conc.mod.conc-partial")
def test_partial_concealment_costs_one(field_of_battle: Build, play: Play) -> None:
    wall = {"kind": "wall", "height": 0.75, "box": (0, 60, 200, 61)}

    assert volley(field_of_battle(archers(), foe(60), terrain=[wall]), play).facts.modifier == -1


@pytest.mark.rule("emlia.conc.mod.conc-total")
def test_an_enemy_wholly_concealed_of_whom_others_have_told_costs_three(
    field_of_battle: Build, play: Play
) -> None:
    wall = {"kind": "wall", "height": 3, "box": (0, 60, 200, 61)}
    battle = field_of_battle(archers(), foe(60), terrain=[wall])

    event = volley(battle, play)

    # Nor does he see them, for one more.
    assert event.facts.modifier == -3 + 1
    assert {"emlia.conc.mod.conc-total", "emlia.conc.mod.unaware"} <= {*event.because}


@pytest.mark.rule("emlia.conc.mod.unaware")
def test_one_who_is_unaware_of_them_is_hit_more_easily(field_of_battle: Build, play: Play) -> None:
    hedge = {"kind": "hedge", "box": (0, 60, 200, 61)}
    hidden = field_of_battle(archers(), foe(60), terrain=[hedge])
    known = field_of_battle(archers(), foe(60), terrain=[hedge])
    hidden.happen(
        Event(facts=Unread(event="put"), changes=(Pair(column="hidden", a=1, b=0, value=1),))
    )

    assert volley(hidden, play).facts.modifier == -1 + 1
    assert volley(known, play).facts.modifier == -1


@pytest.mark.rule("emlia.conc.mod.taking-cover", "emlia.conc.mod.taking-cover-partial")
def test_taking_cover_costs_one_and_one_more_in_partial_cover(
    field_of_battle: Build, play: Play
) -> None:
    crouched = foe(60, states=("taking cover",))
    wall = {"kind": "wall", "height": 0.75, "box": (0, 79, 200, 80)}
    board = {**wall, "hits": 1}

    assert volley(field_of_battle(archers(), crouched), play).facts.modifier == -1
    behind = volley(field_of_battle(archers(), crouched, terrain=[wall]), play)
    assert behind.facts.modifier == -1 - 1 - 1
    thin = volley(field_of_battle(archers(), crouched, terrain=[board]), play)
    assert thin.facts.modifier == -1 - 1


@pytest.mark.rule("emlia.conc.mod.vertical-partial")
def test_a_canopy_that_stops_the_arrows_costs_two(field_of_battle: Build, play: Play) -> None:
    tree = {"kind": "tree", "box": (99, 80, 101, 82)}

    event = volley(field_of_battle(archers(), foe(60), terrain=[tree]), play)

    assert {"emlia.conc.mod.vertical-partial", "emlia.conc.mod.conc-partial"} <= {*event.because}
    assert event.facts.modifier == -2 - 1


@pytest.mark.rule("emlia.conc.mod.elevation")
def test_those_who_stand_higher_have_one_more(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(archers(on_height=1), foe(60))

    assert volley(battle, play).facts.modifier == 1


@pytest.mark.rule("emlia.conc.success")
@pytest.mark.parametrize(("dice", "hits"), [((5, 12), 2), ((4, 5), 1), ((1, 4), 0)])
def test_each_success_is_a_hit_at_the_volley_s_base_damage(
    field_of_battle: Build, play: Play, dice: tuple[int, int], hits: int
) -> None:
    battle = field_of_battle(archers(), foe(60))

    volley(battle, play, dice)

    assert markers(battle, "hits", "base_damage") == ([(hits, 1)] if hits else [])


@pytest.mark.rule("emlia.equip.concentrated-capable")
def test_every_weapon_for_area_volley_is_capable_unless_its_entry_says_otherwise() -> None:
    def damage(**more: Any) -> int | None:
        return Weapon.model_validate({**LONGBOW, **more}).damage_concentrated

    assert damage() == 1
    assert damage(concentrated_damage=2) == 2
    assert damage(concentrated=False) is None
    assert damage(use=("aimed fire",)) is None
    assert damage(volley_damage=None) == 3


@pytest.mark.rule("emlia.skill.mixed-source", "emlia.conc.success")
def test_each_subunit_concentrates_its_own_weapon_with_its_own_skill(
    field_of_battle: Build, play: Play
) -> None:
    sling = {**LONGBOW, "name": "Staff sling", "concentrated_damage": 4}
    slingers = archers(weapons=(sling,), skills={"volley fire": "1"}, at=(104, 20), group="bows")
    battle = field_of_battle(archers(name="bows"), slingers, foe(60))
    order = Order(verb="concentrated-volley", unit=0, target=2, number=0)

    events = play(battle, concentrated_volley(battle, 0, order), [12, 1, 12])

    assert [(event.unit, event.facts.weapon, event.facts.dice) for event in events] == [
        (0, "Longbow", 2), (1, "Staff sling", 1),
    ]  # fmt: skip
    assert battle.state.lists["marker"]["base_damage"].tolist() == [1, 4]


@pytest.mark.rule("emlia.conc", "emlia.hits.skirmish")
def test_a_volley_on_one_in_a_fight_is_shared_by_all_in_it(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(archers(), foe(60), {"at": (101.5, 81)})
    order = Order(verb="concentrated-volley", unit=0, target=1, number=0)

    play(battle, concentrated_volley(battle, 0, order), [12, 12])

    assert battle.state.lists["party"]["unit"].tolist() == [1, 2]
