"""Chapter 11 as play: units that leave the field of their own will."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Pair
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.events.awareness import Hid
from emlia3d.rules.emlia.play.movement.leaving import EDGES, leave, may_leave
from emlia3d.rules.emlia.play.questions.pointing import more
from emlia3d.rules.emlia.play.sight.awareness import unknown_to
from emlia3d.rules.emlia.play.turn import objectives
from emlia3d.rules.emlia.play.turn.activation import activate
from tests.made_up import made_up

pytestmark = pytest.mark.rule("emlia.move.leave")

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]
Question = Callable[..., Decision]

BOB: dict[str, Any] = {"at": (100, 190), "side": "Bob", "facing": 180}


def off(edge: str, unit: int = 0) -> Order:
    return Order(verb="leave-field", unit=unit, number=EDGES.index(edge))  # type: ignore[arg-type]


def near(x: float, y: float, **more: Any) -> dict[str, Any]:
    return {"name": "men", "at": (x, y), "members": 4, "movement": "15G", **more}


@pytest.mark.parametrize(
    ("edge", "counts", "destroyed"), [("south", "retreated", False), ("west", "destroyed", True)]
)
def test_over_its_own_lines_a_unit_has_retreated_and_over_another_edge_it_is_destroyed(
    edge: str, counts: str, destroyed: bool, field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(near(14, 14, facing=180), BOB)

    (left,) = play(battle, leave(battle, 0, off(edge)))

    assert left.facts.values() == {"edge": edge, "counts": counts}
    assert not battle.state.units.value("present", 0)
    assert objectives.is_gone(battle, "men")
    assert objectives.is_destroyed(battle, "men") is destroyed


def test_any_unit_that_a_normal_move_takes_over_an_edge_may_be_ordered_off(
    field_of_battle: Build, question: Question
) -> None:
    # Open men: 15 GSU to go from an edge of their boundary, which is 4 deep and wide.
    battle = field_of_battle(near(16.9, 17.1, files=2), BOB)
    decision = question(battle, activate(battle, 0))

    decision.check(off("west"))
    assert decision.validator is not None
    refusal = decision.validator.refusal(off("south"))

    assert refusal is not None
    assert refusal.slug == "emlia.move.leave"
    assert off("west") in more(battle, decision)
    assert "leave-field" not in {option.verb for option in decision.options}


def test_a_block_turns_to_the_edge_first_and_pays_for_that(field_of_battle: Build) -> None:
    block = {"formation": "ranked", "files": 2, "facing": 300}
    # Turned about its middle it is 2 by 2; three quarters of its way are left after a turn of 30.
    here, farther = (field_of_battle(near(x, 100, **block), BOB) for x in (12, 13))

    assert may_leave(here, 0, "west") is None
    assert may_leave(farther, 0, "west") is not None


@pytest.mark.parametrize("put", [{"disordered": 1}, {"move_used": 1}])
def test_who_has_no_orders_or_no_move_left_stays(
    put: dict[str, int], field_of_battle: Build
) -> None:
    battle = field_of_battle(near(5, 5, put=put), BOB)

    assert may_leave(battle, 0, "west") is not None


def test_a_mixed_unit_leaves_whole_and_friends_mourn_one_that_is_as_good_as_destroyed(
    field_of_battle: Build, play: Play
) -> None:
    ogre = {"name": "ogre", "at": (6, 20), "group": "men", "movement": "9G"}
    battle = field_of_battle(near(4, 20), ogre, {"at": (20, 20)}, BOB)

    play(battle, leave(battle, 0, off("west")))

    assert [bool(battle.state.units.value("present", row)) for row in (0, 1)] == [False, False]
    assert (2, 0) in battle.state.pairs["mourned"]


def test_enemies_who_engage_it_strike_as_it_goes(field_of_battle: Build, play: Play) -> None:
    foe = {**BOB, "at": (6, 23.5), "skills": {"close combat": "1"}}
    battle = field_of_battle(near(6, 20, files=2, hits=9), foe)

    events = play(battle, leave(battle, 0, off("west")), dice=[12], answers=["close-combat"])

    assert [event.name for event in events][-1] == "left the field"
    assert "struck free" in {event.name for event in events}


def test_one_whom_nobody_knew_of_may_bar_the_way(field_of_battle: Build, play: Play) -> None:
    scrub = {"kind": "scrub", "box": (1, 15, 6, 25)}
    line = {"members": 6, "files": 6, "facing": 90, "formation": "close"}
    lurker = {**BOB, "at": (3, 20), **line}
    battle = field_of_battle(near(10, 20, files=1), lurker, terrain=[scrub])
    hidden = Pair(column="hidden", a=0, b=1, value=1)
    battle.happen(Event(facts=made_up(Hid), changes=(hidden,)))
    assert unknown_to(battle, 0) == (1,)
    assert may_leave(battle, 0, "west") is None

    events = play(battle, leave(battle, 0, off("west")))

    assert [event.name for event in events] == ["found no way off"]
    assert battle.state.units.value("present", 0)
