"""An event of leadership names the range, the dice and what a success brought."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Pair
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.events.awareness import Hid
from emlia3d.rules.emlia.play.free_actions import hiding, joining, rally
from emlia3d.rules.emlia.play.turn import command
from tests.made_up import made_up
from tests.rules.emlia.reasons import named

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

LEADER: dict[str, Any] = {"at": (50, 50), "skills": {"leadership": "1"}}
FRIEND: dict[str, Any] = {"at": (55, 50), "put": {"disordered": 1, "morale": -1}}
BOB: dict[str, Any] = {"at": (50, 190), "side": "Bob", "facing": 180}


def led(battle: Battle, play: Play, verb: str, target: int, face: int) -> Any:
    """The event of a leadership action of unit 0."""
    order = Order(verb=verb, unit=0, target=target)
    perform = {
        "reorder": rally.rally, "improve-morale-primary": rally.rally,
        "join-units": joining.join,
    }.get(verb, command.carry_out)  # fmt: skip
    return play(battle, perform(battle, 0, order), dice=[face])[-1]


@pytest.mark.rule("emlia.lead.range", "emlia.lead.friendly", "emlia.disorder.cure")
@pytest.mark.rule("emlia.orders.override", "emlia.lead.ignore.orders", "emlia.lead.join")
@pytest.mark.parametrize(
    ("verb", "target", "face", "expected"),
    [
        ("reorder", 1, 12,
         ["lead.reorder", "lead.range", "action.basic-list.reorder", "disorder.cure"]),
        ("reorder", 1, 1, ["lead.reorder", "lead.range", "action.basic-list.reorder"]),
        ("improve-morale-primary", 0, 12,
         ["lead.improve", "lead.friendly", "action.basic-list.improve-morale"]),
        ("ignore-initiative", 1, 12,
         ["lead.ignore", "lead.range", "action.basic-list.ignore-initiative",
          "orders.override", "lead.ignore.orders"]),
        ("take-command", 1, 12,
         ["lead.take-command", "lead.range", "action.basic-list.take-command",
          "disorder.cure"]),
        ("join-units", 1, 1, ["lead.join", "lead.range", "action.basic-list.join-units"]),
    ],
    ids=["reorder", "in vain", "its own men", "ignore", "take command", "no join"],
)  # fmt: skip
def test_a_leadership_action_names_its_range_and_what_it_brought(
    field_of_battle: Build, play: Play, verb: str, target: int, face: int, expected: list[str]
) -> None:
    event = led(field_of_battle(LEADER, FRIEND, BOB), play, verb, target, face)

    slugs = named(event, "lead", "action", "disorder", "orders")
    assert [slug for slug in slugs if ".mod." not in slug] == expected


@pytest.mark.rule("emlia.lead.leader.choice", "emlia.mixed.origins", "emlia.lead.join.timing")
@pytest.mark.parametrize(("timing", "waits"), [(2, False), (1, True)])
def test_units_that_join_name_the_new_leader_and_who_waits(
    field_of_battle: Build, play: Play, timing: int, waits: bool
) -> None:
    battle = field_of_battle(LEADER, {"at": (53, 50), "timing": timing}, BOB)

    event = led(battle, play, "join-units", 1, 12)

    expected = ["lead.join", "lead.range", "mixed.origins", "lead.join.morale",
                "lead.leader.choice", *(["lead.join.timing"] if waits else [])]  # fmt: skip
    slugs = named(event, "lead", "mixed")
    assert [slug for slug in slugs if ".mod." not in slug] == expected


@pytest.mark.rule("emlia.aware.detect.arcs", "emlia.aware.conceal-self.count", "emlia.aware.state")
@pytest.mark.parametrize(
    ("facing", "hid", "face", "expected"),
    [
        (0, 0, 12, ["aware.detect", "aware.state"]),
        (0, 0, 1, ["aware.detect"]),
        (180, 0, 1, ["aware.detect", "aware.detect.arcs"]),
        (0, 1, 12, ["aware.detect", "aware.conceal-self.count"]),
    ],
    ids=["found", "not found", "behind", "well hidden"],
)
def test_a_search_names_arcs_and_the_hiding_only_where_they_count(
    field_of_battle: Build, play: Play, facing: int, hid: int, face: int, expected: list[str]
) -> None:
    hedge = {"kind": "hedge", "box": (40, 60, 60, 61), "height": 1}
    seeker = {"at": (50, 50), "facing": facing, "skills": {"alertness": "1"}}
    battle = field_of_battle(seeker, BOB | {"at": (50, 66), "put": {"hid": hid}}, terrain=[hedge])
    battle.happen(hidden_from(0, 1))

    order = Order(verb="detect-hidden", unit=0, target=1)
    (event,) = play(battle, hiding.detect(battle, 0, order), dice=[face])

    slugs = named(event, "aware")
    assert [slug for slug in slugs if ".mod." not in slug] == expected


@pytest.mark.rule("emlia.attr.sight-arcs", "emlia.aware.detect", "emlia.sight.visible")
@pytest.mark.parametrize("facing", [0, 180])
def test_a_search_names_the_view_and_the_arcs_of_sight_where_the_subject_is_not_ahead(
    field_of_battle: Build, play: Play, facing: int
) -> None:
    # It gives no cover against a blow that destroys it, but nobody strikes here.
    fence = {"kind": "wall", "box": (40, 60, 60, 61), "height": 1, "hits": 1}
    seeker = {"at": (50, 50), "facing": facing, "skills": {"alertness": "1"}}
    battle = field_of_battle(seeker, BOB | {"at": (50, 66)}, terrain=[fence])
    battle.happen(hidden_from(0, 1))

    order = Order(verb="detect-hidden", unit=0, target=1)
    (event,) = play(battle, hiding.detect(battle, 0, order), dice=[1])

    assert {"sight.corridor", "sight.visible"} <= {*named(event, "sight")}
    assert "cover.per-attack" not in named(event, "cover")
    assert ("attr.sight-arcs" in named(event, "attr")) is (facing == 180)


@pytest.mark.rule("emlia.aware.shared-in-unit")
@pytest.mark.parametrize(("face", "shared"), [(12, True), (1, False)])
def test_a_search_by_two_subunits_names_that_both_then_know(
    field_of_battle: Build, play: Play, face: int, shared: bool
) -> None:
    seeker = {"name": "head", "at": (50, 50), "skills": {"alertness": "1"}}
    more = {"name": "tail", "at": (52, 50), "group": "head", "skills": {"alertness": "1"}}
    hedge = {"kind": "hedge", "box": (40, 60, 60, 61), "height": 1}
    battle = field_of_battle(seeker, more, BOB | {"at": (50, 66)}, terrain=[hedge])
    battle.happen(hidden_from(0, 2))

    order = Order(verb="detect-hidden", unit=0, target=2)
    (event,) = play(battle, hiding.detect(battle, 0, order), dice=[face])

    assert ("aware.shared-in-unit" in named(event, "aware")) is shared


def hidden_from(observer: int, enemy: int) -> Any:
    """The event by which a unit has hidden from another."""
    return Event(facts=made_up(Hid), changes=(Pair(column="hidden", a=observer, b=enemy, value=1),))
