"""Chapter 10.4 in play: units that join take one formation only if they have room in it."""

from __future__ import annotations

from typing import Any

import pytest

from emlia3d.battle.changes import Stand
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event, Unread
from emlia3d.force import Formation
from emlia3d.force.formation import GRID
from emlia3d.rules.emlia.play.acting import declaring
from emlia3d.rules.emlia.play.free_actions import joining
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from tests.rules.emlia.invariants import check_places

OFFICER: dict[str, Any] = {"name": "officer", "at": (60, 50), "skills": {"leadership": "3"}}
FOE: dict[str, Any] = {"name": "foe", "side": "Bob", "members": 4, "at": (60, 180)}
JOIN = Order(verb="join-units", unit=0, target=1, number=2)


def block(name: str, x: float, formation: str = "ranked") -> dict[str, Any]:
    """Six figures of 1 GSU, in two ranks of three."""
    return {"name": name, "members": 6, "files": 3, "formation": formation, "at": (x, 46)}


def stranger(x: float, y: float) -> dict[str, Any]:
    """A member of a third unit, in open formation."""
    return {"name": f"stranger at {x}", "at": (x, y), "formation": "open"}


@pytest.mark.rule("emlia.lead.join")
@pytest.mark.parametrize(
    ("strangers", "joined"),
    [
        ([], "close"),
        # He stands in the gap of 1 GSU between the blocks: within a close unit, but beside the
        # members of an open one.
        ([stranger(62, 46)], "open"),
        # This one stands where a member of the open unit would.
        ([stranger(62, 46), stranger(57, 46.5)], "ranked"),
    ],
    ids=["nobody", "one between", "one in a place"],
)
def test_joined_units_take_the_tightest_formation_that_has_room(
    field_of_battle, play, strangers, joined
):
    battle = field_of_battle(OFFICER, block("one", 60), block("other", 64), FOE, *strangers)
    before = sorted(spot for row in (1, 2) for spot in situation_of(battle).places(row).tolist())

    play(battle, joining.join(battle, 0, JOIN), dice=[12, 1, 1], answers=["choose-leader"])

    assert pose_of(battle, 2).drill.formation is Formation[joined.upper()]
    assert sorted(situation_of(battle).places(2).tolist()) == before
    check_places(battle, [2])


@pytest.mark.rule("emlia.entity.formation-ambiguity")
@pytest.mark.parametrize(("x", "offered"), [(120, [Formation.CLOSE]), (51, [])])
def test_an_open_unit_is_not_declared_close_round_the_member_of_another(
    field_of_battle, x, offered
):
    pair = {"name": "pair", "members": 2, "files": 2, "formation": "open", "at": (51, 50)}
    battle = field_of_battle(pair, FOE, stranger(x, 50))
    # The two stand 2 GSU apart, so there is 1 GSU between their footprints.
    figures = tuple(battle.state.roster.standing(0).tolist())
    stand = Stand(unit=0, figures=figures, east=(50 * GRID, 52 * GRID), north=(50 * GRID,) * 2)
    battle.happen(Event(facts=Unread(event="put"), changes=(stand,)))

    orders = declaring.orders(battle, 0)

    assert [Formation(order.number) for order in orders] == offered


@pytest.mark.rule("emlia.entity.formation-ambiguity")
@pytest.mark.parametrize(
    ("at", "offered"),
    [((51.6, 48.4), [Formation.CLOSE]), ((51, 49), [])],
    ids=["in the angle", "between members"],
)
def test_a_unit_round_a_corner_is_declared_close_if_a_stranger_is_not_within_its_boundary(
    field_of_battle, at, offered
):
    spots = [(50, 50), (51.5, 50), (53, 50), (50, 48.5), (50, 47)]
    five = {"name": "five", "members": 5, "files": 5, "formation": "open", "at": (50, 55)}
    battle = field_of_battle(five, FOE, stranger(*at))
    figures = tuple(battle.state.roster.standing(0).tolist())
    east, north = (tuple(round(each * GRID) for each in axis) for axis in zip(*spots, strict=True))
    stand = Stand(unit=0, figures=figures, east=east, north=north)
    battle.happen(Event(facts=Unread(event="put"), changes=(stand,)))

    orders = declaring.orders(battle, 0)

    assert [Formation(order.number) for order in orders] == offered


@pytest.mark.rule("emlia.lead.join")
@pytest.mark.parametrize(
    ("formations", "x", "facing", "ranked"),
    [
        (("ranked", "ranked"), 63, 0, True),
        (("ranked", "ranked"), 63.5, 0, False),
        (("ranked", "ranked"), 63, 180, False),
        (("ranked", "close"), 63, 0, False),
        (("close", "close"), 63, 0, False),
    ],
    ids=["one block", "a gap", "back to back", "one is close", "both are close"],
)
def test_two_blocks_make_one_if_both_are_ranked_and_face_one_way_without_a_gap(
    field_of_battle, formations, x, facing, ranked
):
    second = {**block("b", x, formations[1]), "facing": facing}
    battle = field_of_battle(block("a", 60, formations[0]), second, FOE)

    assert (Formation.RANKED in declaring.fitting(battle, (0, 1))) is ranked
