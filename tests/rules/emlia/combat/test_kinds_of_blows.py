"""An event of a blow names the kind of fight that it was struck in, and who took part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Pair
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.setup import Side
from emlia3d.rules.emlia.play.combat import close_combat, melee_orders
from emlia3d.rules.emlia.play.combat.disengage import disengage
from emlia3d.rules.emlia.play.movement import manoeuvre
from emlia3d.rules.emlia.play.situation.pose import gone, pose_of
from tests.rules.emlia.combat.blows import blow, man, strike
from tests.rules.emlia.reasons import named
from tests.rules.emlia.riflemen import RIFLE, enemy, shooter, shot
from tests.rules.emlia.troops import ranked, theirs

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

SIDES = [
    Side(name="Alice", colour="#2a5caa", lines="south"),
    Side(name="Bob", colour="#b03030", lines="north"),
    Side(name="Carol", colour="#308030", lines="east"),
]
ONE_DIE = {"close combat": "1"}


def block(front: tuple[float, float] = (100, 50), **more: Any) -> dict[str, Any]:
    """Two of Alice's men in ranks, with a single die."""
    return ranked(2, 1, front, skills=ONE_DIE, **more)


def kind(event: Event) -> list[str]:
    """The rules of the kind of fight that an event of a blow names."""
    return named(event, "engage", "ranked", "skirmish", "mixedeng", "mixed", "freestrike")


@pytest.mark.rule("emlia.engage.type", "emlia.skirmish.side")
@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ("Bob", ["engage.combat-range", "engage.type", "engage.group", "skirmish.side-as-mixed",
                 "mixed.check-against.scope"]),
        ("Carol", ["engage.combat-range", "engage.type", "engage.group",
                   "skirmish.side-as-mixed", "mixed.check-against.scope", "skirmish.side"]),
        ("Alice", ["engage.combat-range", "engage.type", "engage.group"]),
    ],
)  # fmt: skip
def test_a_blow_in_a_skirmish_names_the_sides_that_took_part(
    field_of_battle: Build, play: Play, second: str, expected: list[str]
) -> None:
    battle = field_of_battle(
        man(100, 50), man(99.5, 51, "Bob"), man(100.5, 51, second), sides=SIDES, order=(12, 1, 2)
    )

    assert kind(blow(battle, play)) == expected


@pytest.mark.rule("emlia.mixedeng.attack", "emlia.mixedeng.definition")
def test_blows_between_ranks_and_a_skirmish_name_the_mixed_engagement(
    field_of_battle: Build, play: Play
) -> None:
    units = (
        block(), man(99.4, 51.4, "Bob"), man(101, 51.4, "Bob"), man(100.2, 52.6),
    )  # fmt: skip
    from_ranks = blow(field_of_battle(*units), play)
    from_skirmish = blow(field_of_battle(*units), play, 1)
    alone = blow(field_of_battle(block(), man(100, 51.4, "Bob")), play)

    assert kind(from_ranks) == [
        "engage.combat-range", "engage.type", "ranked.engaged-members", "mixedeng.attack",
    ]  # fmt: skip
    assert kind(from_skirmish) == [
        "engage.combat-range", "engage.type", "mixedeng.definition", "engage.group",
        "skirmish.side-as-mixed", "mixed.check-against.scope",
    ]  # fmt: skip
    assert kind(alone) == ["engage.combat-range", "engage.type", "ranked.engaged-members"]


@pytest.mark.rule("emlia.melee.several-enemies")
@pytest.mark.parametrize(("second", "several"), [((101.5, 50.9), True), ((104, 50.9), False)])
def test_a_blow_of_ranks_with_two_enemies_in_reach_names_that(
    field_of_battle: Build, play: Play, second: tuple[float, float], several: bool
) -> None:
    foes = (theirs(1, 1, (99.4, 50.9)), theirs(1, 1, second))
    battle = field_of_battle(block(), *foes)

    first = strike(battle, play, [5])[0]

    assert ("melee.several-enemies" in named(first, "melee")) is several


@pytest.mark.rule("emlia.freestrike.who", "emlia.freestrike.bonus", "emlia.freestrike.barred")
@pytest.mark.parametrize(
    ("gone_by", "busy", "expected"),
    [
        (-5.0, False, ["freestrike.who", "freestrike.bonus"]),
        (-0.25, False, ["freestrike.who"]),
        (-5.0, True, ["freestrike.who", "freestrike.bonus", "freestrike.barred"]),
    ],
    ids=["leaves", "stays in reach", "of two one is kept busy"],
)
def test_a_free_strike_names_whether_the_mover_breaks_away_and_whether_members_are_barred(
    field_of_battle: Build, play: Play, gone_by: float, busy: bool, expected: list[str]
) -> None:
    striker = man(100, 101.5, "Bob", members=2, files=2, formation="close")
    battle = field_of_battle(man(100, 100), striker, man(100, 103))
    if busy:
        battle.happen(
            Event(facts=Unread(event="put"), changes=(Pair(column="barred", a=2, b=1, value=1),))
        )
    pose = pose_of(battle, 0)
    legs = (gone(pose, pose.facing, gone_by).leg("march"),)
    order = Order(verb="move", unit=0, legs=legs)

    events = play(battle, manoeuvre.move(battle, 0, order), [1], ["close-combat"])

    assert named(events[1], "freestrike") == expected
    assert "emlia.melee" not in events[1].because
    assert "emlia.action.basic-list.close-combat" not in events[1].because


@pytest.mark.rule("emlia.skill.mixed-source")
def test_only_the_first_check_of_a_mixed_unit_uses_up_its_action(
    field_of_battle: Build, play: Play
) -> None:
    parts = (man(99.5, 50, name="first"), man(100.5, 50, group="first"))
    battle = field_of_battle(*parts, man(100, 51.4, "Bob"))

    first, second = strike(battle, play, [5, 5])

    assert named(first, "action") == ["action.basic-list.close-combat"]
    assert named(second, "action") == []
    used = [change for change in second.changes if getattr(change, "column", "") == "primary_used"]
    assert used == []


@pytest.mark.rule("emlia.aware.melee", "emlia.aware.state", "emlia.sight.not-awareness")
@pytest.mark.parametrize(
    ("column", "expected"),
    [("met", "aware.melee"), ("acquired", "aware.state")],
)
def test_a_blow_at_an_enemy_out_of_sight_names_why_the_unit_knows_of_it(
    field_of_battle: Build, play: Play, column: str, expected: str
) -> None:
    wall = {"kind": "wall", "box": (99, 50.7, 101, 50.8), "height": 3, "hits": 1}
    battle = field_of_battle(man(100, 50), man(100, 51.4, "Bob"), terrain=[wall])
    seen = (Pair(column=column, a=0, b=1, value=9), Pair(column="met", a=1, b=0, value=1))
    battle.happen(Event(facts=Unread(event="put"), changes=seen))

    event = blow(battle, play)

    assert named(event, "aware") == [expected]
    assert "sight.not-awareness" in named(event, "sight")


@pytest.mark.rule("emlia.disengage", "emlia.mixed.check-against")
def test_a_withdrawal_names_what_hides_it_the_numbers_and_several_enemies(
    field_of_battle: Build, play: Play
) -> None:
    hedge = {"kind": "hedge", "box": (99.2, 100.7, 100.8, 100.8), "height": 3}
    foes = (man(100, 101.5, "Bob"), man(100, 98.5, "Bob"))
    families = ("sight", "melee", "mixed")
    plain = play((one := field_of_battle(man(100, 100), foes[0])), disengage(one, 0), [1])[0]
    two = field_of_battle(man(100, 100), *foes, terrain=[hedge])

    hidden = play(two, disengage(two, 0), [1])[0]

    assert named(plain, *families) == []
    assert named(hidden, "melee") == ["melee.outnumber"]
    assert "mixed.check-against.scope" in named(hidden, "mixed")
    assert "sight.sparse-solid" in named(hidden, "sight")


@pytest.mark.rule("emlia.measure.cells", "emlia.equip.permitted-actions")
@pytest.mark.parametrize("cells", ["none", "squares"])
def test_a_shot_names_the_board_on_which_its_range_is_counted(
    field_of_battle: Build, play: Play, cells: str
) -> None:
    battle = field_of_battle(shooter(), enemy(18), house={"cells": cells})

    event = shot(battle, play)

    assert named(event, "measure") == ([] if cells == "none" else ["measure.cells"])


@pytest.mark.rule("emlia.equip.permitted-actions", "emlia.equip.one-weapon")
@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"use": ["aimed fire"]}, ["equip.one-weapon", "equip.ranged"]),
        ({"use": ["area volley"], "coverage": {"start": 1, "increment": 1, "limit": 1, "drift": 0}},
         ["equip.permitted-actions", "equip.ranged"]),
    ],
    ids=["for aimed fire too", "for volleys alone"],
)  # fmt: skip
def test_a_shot_names_why_it_was_this_weapon(
    field_of_battle: Build, play: Play, more: dict[str, Any], expected: list[str]
) -> None:
    second = {**RIFLE, "name": "Second", **more}
    battle = field_of_battle(shooter(weapons=(RIFLE, second)), enemy(18))

    assert named(shot(battle, play), "equip") == expected


@pytest.mark.rule("emlia.primary.focus", "emlia.hits.direct-subunit", "emlia.mixed.check-against")
@pytest.mark.parametrize("face", [1, 12])
def test_a_blow_at_one_subunit_names_the_focus_and_its_hits_go_there(
    field_of_battle: Build, play: Play, face: int
) -> None:
    foes = (man(99.5, 51, "Bob", name="first"), man(100.5, 51, "Bob", group="first"))
    battle = field_of_battle(man(100, 50), *foes)
    verbs = {one.verb for one in melee_orders.melee_options(battle, 0)} - {"close-combat"}
    order = Order(verb=verbs.pop(), unit=0, target=2)

    (event,) = play(battle, close_combat.close_combat(battle, 0, order), [face])

    assert event.target == 2
    assert named(event, "primary") == ["primary.focus", "primary.attack-set"]
    assert named(event, "mixed") == ["mixed.check-against.scope"]
    assert ("hits.direct-subunit" in named(event, "hits")) is (face == 12)


@pytest.mark.rule("emlia.mixed.check-against", "emlia.skirmish.side-as-mixed")
def test_a_blow_at_one_unit_of_a_skirmish_is_one_at_a_part_of_a_mixed_unit(
    field_of_battle: Build, play: Play
) -> None:
    foes = (man(99.5, 51, "Bob"), man(100.5, 51, "Bob"))
    battle = field_of_battle(man(100, 50), *foes)
    order = Order(verb="close-combat-focused", unit=0, target=2)
    offered = [(one.verb, one.target) for one in close_combat.melee_options(battle, 0)]
    assert offered == [("close-combat", None), (order.verb, 1), (order.verb, 2)]

    (event,) = play(battle, close_combat.close_combat(battle, 0, order), [1])

    assert named(event, "primary") == ["primary.focus", "primary.attack-set"]
    assert named(event, "mixed") == ["mixed.check-against.scope"]
