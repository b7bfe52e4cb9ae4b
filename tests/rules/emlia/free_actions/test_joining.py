"""Emlia, chapters 10.4 and 10.5 in play: commanders join units and split them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Fall, Pair, Set
from emlia3d.battle.decisions import Decision, Leg, Order
from emlia3d.battle.events import Event, Unread
from emlia3d.force import Formation
from emlia3d.rules.emlia.events.awareness import Hid
from emlia3d.rules.emlia.play.acting.declaring import fitting
from emlia3d.rules.emlia.play.free_actions import joining
from emlia3d.rules.emlia.play.morale.allocation import markers_by_row
from emlia3d.rules.emlia.play.morale.leading import appeal_of, leader_of, to_both
from emlia3d.rules.emlia.play.movement import manoeuvre
from emlia3d.rules.emlia.play.sight.awareness import is_aware
from emlia3d.rules.emlia.play.situation.parts import leading_part, on_field, parts_of
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import activation, timing
from tests.made_up import made_up
from tests.rules.emlia.hitting import hit

FOE: dict[str, Any] = {"name": "foe", "side": "Bob", "members": 4, "at": (60, 180)}
OFFICER: dict[str, Any] = {
    "name": "officer", "at": (60, 40), "skills": {"leadership": "3"}, "army_value": 2,
}  # fmt: skip


def men(name: str, x: float, **other: Any) -> dict[str, Any]:
    return {"name": name, "members": 6, "formation": "close", "at": (x, 46), **other}


def join(target: int, number: int | None = None, unit: int = 0) -> Order:
    return Order(verb="join-units", unit=unit, target=target, number=number)


def split(number: int, unit: int = 0, target: int = 0) -> Order:
    return Order(verb="split-unit", unit=unit, target=target, number=number)


def put_step(battle: Battle, step: int) -> None:
    """It is the turn of units of this timing."""
    change = Set(table="battle", row=0, column="step", value=step)
    battle.happen(Event(facts=Unread(event="put"), changes=(change,)))


def no_more_joining(decision: Decision) -> Order:
    """Ends the activation, in which the free action that was used is not on offer again."""
    assert "join-units" not in {option.verb for option in decision.options}
    return next(option for option in decision.options if option.verb == "done")


def the_done_of(decision: Decision, unit: int) -> Order:
    """Ends the activation of a unit that goes on under another name."""
    assert decision.unit == unit
    return next(option for option in decision.options if option.verb == "done")


@pytest.mark.rule("emlia.lead.join", "emlia.mixed.origins", "emlia.mixed.definition")
def test_an_officer_joins_his_men_and_leads_them(field_of_battle, play):
    battle = field_of_battle(OFFICER, men("men", 60), FOE)
    assert join(1) in joining.join_options(battle, 0)

    (event,) = play(battle, joining.join(battle, 0, join(1)), dice=[12, 1, 1])

    assert event.name == "joined"
    assert on_field(battle) == [1, 2]
    assert parts_of(battle, 1) == (1, 0)
    assert leader_of(battle, 1) == 1
    assert leading_part(battle, 1) == 0


@pytest.mark.rule("emlia.lead.join")
def test_a_unit_of_which_only_a_subunit_is_left_brings_nobody_but_that(field_of_battle, play):
    battle = field_of_battle(
        men("spears", 54, members=1),
        {**OFFICER, "group": "spears", "at": (54, 40)},
        men("men", 60),
        FOE,
    )
    stays = Set(table="unit", row=0, column="present", value=1)
    battle.happen(Event(facts=Unread(event="fell"), changes=(Fall(unit=0, figures=(0,)), stays)))

    play(battle, joining.join(battle, 0, join(2)), dice=[12, 1, 1])

    assert parts_of(battle, 2) == (2, 1)
    assert battle.state.units["present"][:4].tolist() == [0, 1, 1, 1]


@pytest.mark.rule("emlia.lead.join")
def test_a_failure_to_join_changes_nothing_but_costs_the_free_action(field_of_battle, play):
    battle = field_of_battle(OFFICER, men("men", 60), FOE)

    (event,) = play(battle, joining.join(battle, 0, join(1)), dice=[1, 1, 1])

    assert event.name == "failed to join"
    assert on_field(battle) == [0, 1, 2]
    assert [*joining.join_options(battle, 0)] == []


@pytest.mark.rule("emlia.lead.join")
def test_units_join_whose_nearest_members_are_within_ten(field_of_battle):
    # Men of a room of 1 GSU: the nearest stand 11 apart, so 10 between their edges.
    near = field_of_battle(OFFICER, {"name": "scout", "at": (71, 40)}, FOE)
    far = field_of_battle(OFFICER, {"name": "scout", "at": (71.1, 40)}, FOE)

    assert [*joining.join_options(near, 0)] == [join(1)]
    assert [*joining.join_options(far, 0)] == []


@pytest.mark.rule("emlia.lead.join")
def test_a_commander_may_join_two_others(field_of_battle, play):
    battle = field_of_battle(OFFICER, men("left", 50), men("right", 56), FOE)
    assert join(1, 2) in joining.join_options(battle, 0)

    play(battle, joining.join(battle, 0, join(1, 2)), dice=[12, 1, 1], answers=["choose-leader"])

    assert on_field(battle) == [0, 2, 3] or on_field(battle) == [0, 1, 3]
    # What he has done to both he has done to the unit that they are now.
    assert [pair for pair in battle.state.pairs["acted_on"] if pair[0] == 0] == [
        (0, on_field(battle)[1])
    ]


def block(name: str, x: float, formation: str, facing: int = 0) -> dict[str, Any]:
    """Six figures of 1 GSU, in two ranks of three."""
    where = {"at": (x, 46), "facing": facing}
    return {"name": name, "members": 6, "files": 3, "formation": formation, **where}


@pytest.mark.rule("emlia.lead.join")
@pytest.mark.parametrize(
    ("formation", "x", "facing", "joined"),
    [
        # Ranks of three are 3 GSU wide, those in close formation 4.
        ("ranked", 63, 0, "ranked"),
        ("ranked", 64, 0, "close"),
        ("ranked", 64.1, 0, "open"),
        ("ranked", 63, 180, "close"),
        ("close", 65, 0, "close"),
        ("close", 65.1, 0, "open"),
    ],
)
def test_joined_units_are_in_the_tightest_formation_that_their_members_fit(
    field_of_battle, play, formation, x, facing, joined
):
    near = [block("one", 60, formation), block("other", x, formation, facing)]
    battle = field_of_battle({**OFFICER, "at": (60, 50)}, *near, FOE)
    before = sorted(spot for row in (1, 2) for spot in situation_of(battle).places(row).tolist())
    assert join(1, 2) in joining.join_options(battle, 0)

    play(battle, joining.join(battle, 0, join(1, 2)), dice=[12, 1, 1], answers=["choose-leader"])

    assert parts_of(battle, 2) == (2, 1)
    assert pose_of(battle, 2).drill.formation is Formation[joined.upper()]
    assert sorted(situation_of(battle).places(2).tolist()) == before


@pytest.mark.rule("emlia.lead.join")
def test_the_links_of_joined_units_span_from_one_footprint_to_the_other(field_of_battle):
    # Bases are in metres, 2 to the GSU. The edge of the big figure is at 61.5, the other at 62.5.
    big = {"name": "big", "at": (60, 40), "base": (6, 6), "formation": "close"}
    small = {"name": "small", "base": (2, 2), "formation": "close"}
    near = field_of_battle(big, {**small, "at": (63, 40)}, FOE)
    far = field_of_battle(big, {**small, "at": (63.1, 40)}, FOE)

    assert fitting(near, (0, 1)) == [Formation.CLOSE, Formation.OPEN]
    assert fitting(far, (0, 1)) == [Formation.OPEN]


@pytest.mark.rule("emlia.lead.join")
def test_units_joined_in_open_formation_march_as_one_that_is_open(field_of_battle, play, put):
    near = [block("one", 60, "ranked"), block("other", 66, "ranked")]
    battle = field_of_battle({**OFFICER, "at": (60, 50)}, *near, FOE)
    play(battle, joining.join(battle, 0, join(1, 2)), dice=[12, 1, 1], answers=["choose-leader"])
    pose = pose_of(battle, 2)
    leg = Leg(step="march", x=pose.x, y=pose.y - 4, facing=0, formation=-1, files=-1)
    order = Order(verb="move", unit=2, legs=(leg,))
    assert manoeuvre.MoveValidator(battle, 2).refusal(order) is None

    play(battle, manoeuvre.move(battle, 2, order))

    for row in (1, 2):
        xs = sorted({spot[0] for spot in situation_of(battle).alone(row)[1].tolist()})
        assert np.diff(xs).tolist() == [3.0, 3.0]


@pytest.mark.rule("emlia.lead.join.morale")
@pytest.mark.parametrize(("one", "other", "new"), [(4, 4, 4), (4, 2, 3), (-2, 3, 2)])
def test_the_morale_of_the_joined(field_of_battle, play, put, one, other, new):
    battle = field_of_battle(OFFICER, men("men", 60), FOE)
    put(battle, 0, morale=one)
    put(battle, 1, morale=other)

    play(battle, joining.join(battle, 0, join(1)), dice=[12, 12, 12])

    assert battle.state.units.integer("morale", 1) == new


@pytest.mark.rule("emlia.lead.join.timing")
def test_what_is_left_waits_for_the_turn_of_a_slower_unit(field_of_battle, play, put):
    battle = field_of_battle({**OFFICER, "timing": 5}, men("men", 60, timing=2), FOE)
    put_step(battle, 5)

    play(battle, activation.activate(battle, 0), dice=[12, 1, 1], answers=[join(1)])

    units = battle.state.units
    assert units.integer("timing", 1) == 2
    assert not units.value("activated", 1)
    assert timing.waiting_units(battle) == [1, 2]

    put_step(battle, 2)
    play(battle, activation.activate(battle, 1), answers=[no_more_joining])
    assert units.value("activated", 1)


@pytest.mark.rule("emlia.lead.join.timing")
def test_the_activation_ends_at_once_if_the_other_has_activated(field_of_battle, play, put):
    battle = field_of_battle({**OFFICER, "timing": 2}, men("men", 60, timing=5), FOE)
    put(battle, 1, activated=1)
    put_step(battle, 2)

    play(battle, activation.activate(battle, 0), dice=[12, 1, 1], answers=[join(1)])

    assert battle.state.units.value("activated", 1)
    assert timing.waiting_units(battle) == [2]


@pytest.mark.rule("emlia.mixed.timing-midturn")
def test_others_joined_of_whom_one_has_activated_count_as_having_activated(
    field_of_battle, play, put
):
    battle = field_of_battle(OFFICER, men("left", 50), men("right", 56), FOE)
    put(battle, 1, activated=1)

    play(battle, joining.join(battle, 0, join(1, 2)), dice=[12, 1, 1], answers=["choose-leader"])

    assert timing.waiting_units(battle) == [0, 3]


@pytest.mark.rule("emlia.lead.leader.choice")
def test_the_controller_chooses_between_equal_leaders(field_of_battle, play):
    battle = field_of_battle(OFFICER, men("left", 50), men("right", 56), FOE)

    def the_other(decision):
        assert decision.asks == "emlia.lead.leader.choice"
        return decision.options[1]

    play(battle, joining.join(battle, 0, join(1, 2)), dice=[12, 1, 1], answers=[the_other])

    head = on_field(battle)[1]
    assert leading_part(battle, head) != parts_of(battle, head)[0]


@pytest.mark.rule("emlia.lead.join", "emlia.lead.rows")
def test_an_appeal_to_two_holds_for_either_and_height_for_both(field_of_battle, put):
    high = {**OFFICER, "on_height": 5}
    ranks = {"members": 6, "files": 3, "formation": "ranked"}
    battle = field_of_battle(high, men("low", 56), {**men("up", 62), **ranks, "on_height": 9}, FOE)
    put(battle, 2, morale=-4)

    appeal = to_both(appeal_of(battle, 0, 1), appeal_of(battle, 0, 2))

    assert appeal.subject_morale == -4
    assert not appeal.higher
    assert appeal.one_ranked


@pytest.mark.rule("emlia.lead.join", "emlia.hits.marker")
def test_hits_before_joining_are_shared_by_the_joined(field_of_battle, play):
    battle = field_of_battle(OFFICER, men("men", 60), FOE)
    hit(battle, 7, subject=0, attacker=2)

    play(battle, joining.join(battle, 0, join(1)), dice=[12, 1, 1])

    taken: dict[int, Any] = {}

    def asked():
        taken.update((yield from markers_by_row(battle)))

    play(battle, asked())
    assert {row: sum(m.hits for m in markers) for row, markers in taken.items()} == {1: 6, 0: 1}


@pytest.mark.rule("emlia.mixed.sight", "emlia.aware.shared-in-unit")
def test_the_joined_know_what_either_knew_and_one_seen_betrays_both(field_of_battle, play):
    battle = field_of_battle(OFFICER, men("men", 60), FOE)
    changes = (Pair(column="hidden", a=0, b=2, value=1), Pair(column="hidden", a=2, b=0, value=1))
    battle.happen(Event(facts=made_up(Hid), changes=changes))
    assert not is_aware(battle, 2, 0)

    play(battle, joining.join(battle, 0, join(1)), dice=[12, 1, 1])

    assert is_aware(battle, 1, 2)
    assert is_aware(battle, 2, 1)


@pytest.fixture
def company(field_of_battle) -> Battle:
    """Two sections under a captain, who is a subunit of his own."""
    return field_of_battle(
        men("first", 50, timing=3),
        men("second", 56, group="first", timing=5),
        {**OFFICER, "name": "captain", "group": "first", "at": (53, 40), "timing": 4},
        FOE,
    )


@pytest.mark.rule("emlia.lead.split")
def test_a_unit_is_divided_between_its_subunits_as_its_controller_wishes(company, play):
    orders = joining.split_options(company, 0)
    assert [order.number for order in orders] == [2, 4, 6]

    play(company, joining.split(company, 0, split(2)), dice=[12, 1, 1])

    assert on_field(company) == [0, 1, 3]
    assert parts_of(company, 0) == (0, 2)
    assert leading_part(company, 1) == 1


@pytest.mark.rule("emlia.lead.split")
def test_the_part_without_the_source_activates_as_normal_without_what_was_used(company, play, put):
    put(company, 0, activated=1, move_used=1)

    play(company, joining.split(company, 0, split(2)), dice=[12, 1, 1])

    units = company.state.units
    assert [units.integer("activated", row) for row in (0, 1)] == [1, 0]
    company.happen(activation.begun(company, 1))
    assert [units.integer("move_used", 1), units.integer("primary_used", 1)] == [1, 0]


@pytest.mark.rule("emlia.lead.split")
def test_the_source_goes_on_where_it_is_the_part_that_leaves(company, play, put):
    put_step(company, 5)

    play(
        company, activation.activate(company, 0), dice=[12, 1, 1],
        answers=[split(4), lambda decision: the_done_of(decision, 2)],
    )  # fmt: skip

    units = company.state.units
    assert [units.integer("activated", row) for row in (0, 2)] == [0, 1]


@pytest.mark.rule("emlia.lead.split")
def test_a_failure_to_split_changes_nothing(company, play):
    (event,) = play(company, joining.split(company, 0, split(2)), dice=[1, 1, 1])

    assert event.name == "failed to split"
    assert on_field(company) == [0, 3]


@pytest.mark.rule("emlia.lead.split", "emlia.hits.marker")
def test_hits_before_a_split_are_still_shared_by_all_that_were_in_the_unit(company, play):
    hit(company, 13, subject=0, attacker=3)

    play(company, joining.split(company, 0, split(2)), dice=[12, 1, 1])

    taken: dict[int, Any] = {}

    def asked():
        taken.update((yield from markers_by_row(company)))

    play(company, asked())
    assert {row: sum(m.hits for m in found) for row, found in taken.items()} == {0: 6, 1: 6, 2: 1}


@pytest.mark.rule("emlia.lead.split.required")
def test_no_part_moves_away_from_its_unit_before_it_is_split(company, play):
    leg = Leg(step="march", x=pose_of(company, 1).x, y=60, facing=0, formation=-1, files=-1)
    order = Order(verb="move", unit=1, legs=(leg,))

    refusal = manoeuvre.MoveValidator(company, 0).refusal(order)
    assert refusal is not None
    assert refusal.slug == "emlia.lead.split.required"

    play(company, joining.split(company, 0, split(2)), dice=[12, 1, 1])
    company.happen(activation.begun(company, 1))
    assert manoeuvre.MoveValidator(company, 1).refusal(order) is None


@pytest.mark.rule("emlia.lead.join", "emlia.lead.split")
def test_what_was_joined_and_split_again_stands_where_it_stood(field_of_battle, play, put):
    battle = field_of_battle(OFFICER, men("men", 60), FOE)
    before = [situation_of(battle).places(row).tolist() for row in (0, 1)]

    play(battle, joining.join(battle, 0, join(1)), dice=[12, 1, 1])
    put(battle, 1, free_used=0)
    play(battle, joining.split(battle, 1, split(2, unit=1, target=1)), dice=[12, 1, 1])

    assert [situation_of(battle).places(row).tolist() for row in (0, 1)] == before
    assert on_field(battle) == [0, 1, 2]
