"""Chapter 9 as play: units that act of their own accord."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Leg, Order, advance
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.columns import Acted
from emlia3d.rules.emlia.levels import Level
from emlia3d.rules.emlia.play.leadership.mixed import on_field
from emlia3d.rules.emlia.play.sight.lie import lie_of
from emlia3d.rules.emlia.play.sight.watch import level_on
from emlia3d.rules.emlia.play.turn import timing
from emlia3d.rules.emlia.play.turn.activation import activate, activate_early, carry_out
from emlia3d.rules.emlia.play.turn.checks import marked
from emlia3d.rules.emlia.play.turn.initiative import (
    acting_early,
    is_called,
    may_act_early,
    obey,
)

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]
Question = Callable[..., Decision]

ROCKS = {"name": "Rocks", "base_damage": 1, "range": (20, 40, 60), "use": ["aimed fire"]}
SHY = {"when": {"within": 30}, "do": "move away", "until": 30}
GREEDY = {"when": {"members": "fewer"}, "do": "charge"}
VENGEFUL = {"when": {"attacked": "at all"}, "do": "attack"}
HIDING = {"when": {"in_the_open": True}, "do": "move to concealment"}
WALL = {"kind": "wall", "box": (54, 104, 66, 105), "height": 3, "body": "solid"}

CAVEMEN: dict[str, Any] = {
    "initiative": [
        {
            "when": {"attacked": "from afar", "shelter": "none"},
            "do": "move to concealment or cover",
            "fast": True,
        },
        {
            "when": {
                "attacked": "from afar", "shelter": "concealment or cover", "taking_cover": False,
            },
            "do": "take cover",
        },
        VENGEFUL,
        {"when": {"within": 15, "members": "fewer", "size": "same or lower"}, "do": "charge"},
    ],
    "members": 10, "files": 4,
    "weapons": [{"name": "Rocks", "base_damage": 1, "range": (5, 10, 15), "use": ["aimed fire"]}],
    "skills": {"close combat": "5/2", "aimed fire": "5/2"},
}  # fmt: skip


def me(*conditions: dict[str, Any], **unit: Any) -> dict[str, Any]:
    return {"at": (50, 100), "initiative": conditions, **unit}


def foe(x: float = 50, y: float = 120, **unit: Any) -> dict[str, Any]:
    return {"at": (x, y), "side": "Bob", "facing": 180, **unit}


def attack(battle: Battle, by: int, how: Acted = Acted.SHOT) -> None:
    battle.happen(Event(name="attacked", changes=marked(battle, by, 0, 1, 0, how=how)))


def names(events: list[Any]) -> list[str]:
    return [event.name for event in events]


def gap(battle: Battle, one: int = 0, other: int = 1) -> float:
    return lie_of(battle).distance(one, other)


@pytest.mark.rule("emlia.orders.initiative")
def test_a_condition_that_is_met_comes_before_all_orders(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(SHY), foe())
    asked: list[str] = []

    def look(decision: Decision) -> Order:
        asked.append(decision.asks)
        return decision.options[0]

    events = play(battle, activate(battle, 0), answers=["done", look, ...])

    assert asked == ["emlia.orders.initiative"]
    assert names(events)[:3] == ["activated", "acted of itself", "moved"]
    assert events[1].facts == {"condition": 1, "does": "move away"}


@pytest.mark.rule("emlia.orders.initiative")
def test_without_a_condition_that_is_met_the_unit_acts_on_orders(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(SHY), foe(50, 180))

    events = play(battle, activate(battle, 0), answers=[...])

    assert names(events) == ["activated", "activation ended"]


@pytest.mark.rule("emlia.orders.priority")
def test_conditions_are_worked_through_in_their_order_with_what_is_left(
    field_of_battle: Build, play: Play
) -> None:
    shoot = {"when": {"within": 60}, "do": "shoot"}
    thrower = {"skills": {"aimed fire": "1"}, "weapons": [ROCKS]}
    battle = field_of_battle(me(SHY, GREEDY, shoot, **thrower, members=3), foe(50, 116, members=2))

    events = play(battle, activate(battle, 0), dice=[1], answers=["done", "move", ...])

    did = [event.facts["condition"] for event in events if event.name == "acted of itself"]
    assert did == [1, 3]
    assert "fired" in names(events)


@pytest.mark.rule("emlia.orders.priority")
def test_a_condition_is_judged_when_its_turn_comes(field_of_battle: Build, play: Play) -> None:
    near = {"when": {"within": 20}, "do": "shoot"}
    thrower = {"skills": {"aimed fire": "1"}, "weapons": [ROCKS]}
    battle = field_of_battle(me(SHY, near, **thrower), foe(50, 118))

    events = play(battle, activate(battle, 0), answers=["done", "move", ...])

    assert [event.facts["condition"] for event in events if event.name == "acted of itself"] == [1]
    assert gap(battle) > 20


@pytest.mark.rule("emlia.orders.override")
def test_who_ignores_his_conditions_does_as_he_is_told(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(me(SHY, put={"ignoring": 1}), foe())

    events = play(battle, activate(battle, 0), answers=[...])

    assert names(events) == ["activated", "activation ended"]


@pytest.mark.rule("emlia.orders.override")
@pytest.mark.rule("emlia.lead.ignore")
def test_a_leader_may_set_the_conditions_of_his_men_aside(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(SHY, skills={"leadership": "1"}), foe())

    events = play(battle, activate(battle, 0), dice=[12], answers=["ignore-initiative", ...])

    assert names(events) == ["activated", "steadied", "activation ended"]


@pytest.mark.rule("emlia.orders.leftover")
def test_what_its_conditions_leave_a_disordered_unit_uses_as_its_player_wishes(
    field_of_battle: Build, play: Play
) -> None:
    shy = me(SHY, skills={"aimed fire": "1"}, weapons=[ROCKS], put={"disordered": 1})
    battle = field_of_battle(shy, foe())
    offered: list[set[str]] = []

    def look(decision: Decision) -> Order:
        offered.append({option.verb for option in decision.options})
        return decision.options[-1]

    play(battle, activate(battle, 0), answers=["done", "move", look])

    assert "fire" in offered[0]
    assert not offered[0] & {"move", "double-pace"}


@pytest.mark.rule("emlia.orders.leftover")
def test_a_disordered_unit_whose_conditions_are_not_met_does_nothing(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(SHY, put={"disordered": 1}), foe(50, 190))

    events = play(battle, activate(battle, 0))

    assert names(events) == ["activated", "activation ended"]


@pytest.mark.rule("emlia.activate.act-or-delay")
def test_who_acts_of_himself_cannot_delay(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(me(SHY, timing=4), foe())
    offered: list[set[str]] = []

    def look(decision: Decision) -> Order:
        offered.append({option.verb for option in decision.options})
        return decision.options[-1]

    play(battle, activate(battle, 0), answers=["done", "move", look])

    assert "delay" not in offered[0]


@pytest.mark.rule("emlia.orders.morale-priority")
def test_morale_comes_before_a_units_own_conditions(field_of_battle: Build, play: Play) -> None:
    toward = {"when": {"within": 90}, "do": "move toward"}
    battle = field_of_battle(me(toward, put={"morale": -1}), foe())

    events = play(battle, activate(battle, 0), answers=["done", ...])

    assert names(events)[:2] == ["activated", "fell back"]
    assert "acted of itself" not in names(events)


@pytest.mark.rule("emlia.orders.morale-priority")
def test_a_printed_set_of_morale_conditions_replaces_the_table(
    field_of_battle: Build, play: Play
) -> None:
    stubborn = [{"morale": (-6, -1), "act_as": "normal"}, {"morale": (-7, -7), "act_as": "routed"}]
    steady = field_of_battle(me(morale_conditions=stubborn, put={"morale": -5}), foe())
    broken = field_of_battle(me(morale_conditions=stubborn, put={"morale": -7}), foe())

    def nearer(decision: Decision) -> Order:
        return next(o for o in decision.options if o.verb == "move" and o.legs[-1].y > 100)

    stood = play(steady, activate(steady, 0), answers=[nearer, ...])
    ran = play(broken, activate(broken, 0), answers=["done", ...])

    assert names(stood)[1] == "moved"
    assert names(ran)[1] == "fled"


def test_an_empty_set_of_morale_conditions_makes_a_unit_fearless(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(morale_conditions=[], put={"morale": -7}), foe())

    events = play(battle, activate(battle, 0), answers=[...])

    assert names(events) == ["activated", "activation ended"]


def test_a_unit_goes_towards_as_near_as_it_is_to(field_of_battle: Build, play: Play) -> None:
    toward = {"when": {"within": 90}, "do": "move toward", "until": 6}
    battle = field_of_battle(me(toward), foe())

    play(battle, activate(battle, 0), answers=["done", "move", ...])

    assert gap(battle) <= 6


def test_a_move_that_cannot_do_all_that_is_wanted_does_what_it_can(
    field_of_battle: Build, play: Play
) -> None:
    far = {"when": {"within": 90}, "do": "move away", "until": 80}
    battle = field_of_battle(me(far), foe())

    play(battle, activate(battle, 0), answers=[...])

    assert gap(battle) == pytest.approx(19 + 15, abs=0.1)


def test_any_move_that_does_what_is_wanted_may_be_ordered_and_no_other(
    field_of_battle: Build, question: Question
) -> None:
    battle = field_of_battle(me(SHY), foe(50, 117))

    decision = question(battle, obey(battle, 0, carry_out))
    there, near = (
        Order(verb="move", unit=0, legs=(Leg(step="march", x=x, y=y, facing=0),))
        for x, y in ((52, 85.8), (52, 95))
    )

    decision.check(there)
    assert decision.reach is not None
    assert decision.reach.refusal(near) is not None


def test_it_hides_behind_what_conceals_it_from_that_enemy(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(HIDING), foe(), terrain=[WALL])

    play(battle, activate(battle, 0), answers=["done", "move", ...])

    assert level_on(battle, 1, 0) is not Level.NONE
    assert lie_of(battle).centre(0)[0] > 54


def test_who_finds_no_place_to_hide_stays(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(me(HIDING), foe())

    events = play(battle, activate(battle, 0), answers=[...])

    assert names(events) == ["activated", "activation ended"]


def test_shelter_beyond_one_move_is_made_for(field_of_battle: Build, play: Play) -> None:
    far = {**WALL, "box": (80, 100, 84, 140)}
    battle = field_of_battle(me(HIDING), foe(), terrain=[far])

    play(battle, activate(battle, 0), answers=[...])

    assert lie_of(battle).centre(0)[0] > 60
    assert level_on(battle, 1, 0) is Level.NONE


@pytest.mark.rule("emlia.orders.mixed.override")
@pytest.mark.parametrize("ignoring", [0, 1])
def test_a_mixed_unit_that_ignores_its_conditions_ignores_those_of_all_its_subunits(
    ignoring: int, field_of_battle: Build
) -> None:
    battle = field_of_battle(
        {"name": "band", "at": (50, 100), "put": {"ignoring": ignoring}},
        me(SHY, at=(52, 100), group="band"),
        foe(51, 120),
    )

    assert is_called(battle, 0) is not bool(ignoring)


# The book's examples

THIEVES: dict[str, Any] = {
    "members": 4,
    "movement": "15G",
    "initiative": [
        {
            "when": {"within_moves": 2, "members": "more"},
            "do": "move away",
            "until_moves": 2,
        },
        {
            "when": {"in_sight": True, "in_the_open": True},
            "do": "move to concealment",
            "unhindered": True,
        },
    ],
}


@pytest.mark.rule("emlia.orders.example-thieves")
def test_the_thieves_get_away_and_have_their_primary_action_left(
    field_of_battle: Build, play: Play
) -> None:
    guard = foe(50, 0, members=9, movement="15G")
    thieves = {"at": (50, 100), **THIEVES, "skills": {"aimed fire": "1"}, "weapons": [ROCKS]}
    battle = field_of_battle(thieves, {**guard, "at": (50, 127.6)})
    before = gap(battle)
    offered: list[set[str]] = []

    def look(decision: Decision) -> Order:
        offered.append({option.verb for option in decision.options})
        return decision.options[-1]

    events = play(battle, activate(battle, 0), answers=["done", "move", look])

    assert 20 < before <= 30
    assert gap(battle) >= 30
    assert [e.facts["condition"] for e in events if e.name == "acted of itself"] == [1]
    assert "fire" in offered[0]
    assert not offered[0] & {"move", "double-pace"}


@pytest.mark.rule("emlia.orders.example-thieves")
def test_the_thieves_may_choose_a_way_that_does_both(
    field_of_battle: Build, question: Question
) -> None:
    house = {"kind": "wall", "box": (57, 97, 75, 98), "height": 3, "body": "solid"}
    battle = field_of_battle({"at": (50, 100), **THIEVES}, foe(62, 127, members=9), terrain=[house])
    behind = Order(
        verb="move",
        unit=0,
        legs=(_march(battle, 57, 88),),
    )

    question(battle, obey(battle, 0, carry_out)).check(behind)


def _march(battle: Battle, x: float, y: float) -> Any:
    return Leg(step="march", x=x, y=y, facing=battle.state.units.integer("facing", 0))


@pytest.mark.rule("emlia.orders.example-thieves")
def test_thieves_in_the_open_hide_from_a_few(field_of_battle: Build, play: Play) -> None:
    bush = {"kind": "scrub", "box": (54, 104, 66, 105), "height": 3, "body": "sparse"}
    battle = field_of_battle({"at": (50, 100), **THIEVES}, foe(50, 127, members=2), terrain=[bush])

    events = play(battle, activate(battle, 0), answers=["done", "move", ...])

    assert [e.facts["condition"] for e in events if e.name == "acted of itself"] == [2]
    assert level_on(battle, 1, 0) is not Level.NONE


@pytest.mark.rule("emlia.orders.example-cruiser")
def test_a_cruiser_in_retreat_fires_back_at_double_pace(field_of_battle: Build, play: Play) -> None:
    fire_back = {"when": {"attacked": "from afar"}, "do": "shoot"}
    lasers = {"name": "Lasers", "base_damage": 1, "range": (40, 80, 120), "use": ["aimed fire"]}
    cruiser = me(fire_back, put={"morale": -4}, skills={"aimed fire": "2"}, weapons=[lasers])
    battle = field_of_battle(cruiser, foe(50, 130), foe(80, 130))
    attack(battle, 1)

    events = play(battle, activate(battle, 0), dice=[12, 10], answers=["done", ...])

    assert names(events) == ["activated", "fell back", "acted of itself", "fired",
                             "activation ended"]  # fmt: skip
    assert gap(battle) == pytest.approx(29 + 30, abs=0.1)
    fired = events[3]
    # Beyond short range, -2; Double Pace, -2 in the table and -4 on every check.
    assert (fired.target, fired.facts["modifier"], fired.facts["successes"]) == (1, -8, 0)


@pytest.mark.rule("emlia.caveman.initiative.1")
def test_cavemen_shot_at_in_the_open_run_for_shelter_at_double_pace_if_they_must(
    field_of_battle: Build, play: Play
) -> None:
    wall = {"kind": "wall", "box": (70, 110, 95, 111), "height": 3, "body": "solid"}
    battle = field_of_battle({"at": (50, 100), **CAVEMEN}, foe(50, 160), terrain=[wall])
    attack(battle, 1)

    events = play(battle, activate(battle, 0), answers=["done", "double-pace", ...])

    assert names(events)[1:3] == ["acted of itself", "double paced"]
    assert level_on(battle, 1, 0) is not Level.NONE


@pytest.mark.rule("emlia.caveman.initiative.2")
def test_cavemen_shot_at_in_shelter_take_cover(field_of_battle: Build, play: Play) -> None:
    wall = {"kind": "wall", "box": (20, 103, 80, 104), "height": 0.6, "body": "solid"}
    battle = field_of_battle({"at": (50, 100), **CAVEMEN}, foe(50, 160), terrain=[wall])
    attack(battle, 1)

    events = play(battle, activate(battle, 0), answers=[...])

    assert names(events)[1:3] == ["acted of itself", "took cover"]


@pytest.mark.rule("emlia.caveman.initiative.3")
def test_cavemen_attack_those_who_attacked_them(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle({"at": (50, 100), **CAVEMEN}, foe(50, 113, members=20), foe(62, 113))
    attack(battle, 1, Acted.ATTACKED)

    events = play(battle, activate(battle, 0), dice=[1] * 5, answers=["done", "fire", ...])

    fired = next(event for event in events if event.name == "fired")
    assert fired.target == 1


@pytest.mark.rule("emlia.caveman.initiative.4")
def test_cavemen_charge_a_smaller_party_that_comes_near(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle({"at": (50, 100), **CAVEMEN}, foe(50, 116, members=3))

    events = play(battle, activate(battle, 0), dice=[1] * 5, answers=[...])

    assert names(events)[1:4] == ["acted of itself", "charged", "struck"]


# Acting early


def activated(battle: Battle, play: Play, answers: dict[str, str]) -> list[tuple[int, str, Any]]:
    """The rest of the turn: (timing step, event, unit) of each activation or refusal to."""
    told = []
    while (procedure := timing.next_step(battle)) is not None:
        step = battle.state.battle.integer("step", 0)
        events = _stretch(battle, procedure, answers)
        told += [(step, e.name, e.unit) for e in events if e.name in {"activated", "declined"}]
        if events[-1].name in {"turn ended", "battle ended"}:
            break
    return told


def _stretch(battle: Battle, procedure: Any, answers: dict[str, str]) -> list[Event]:
    events, answer = [], None
    while True:
        try:
            said = advance(procedure, answer)
        except StopIteration:
            return events
        answer = None
        if isinstance(said, Event):
            battle.happen(said)
            events.append(said)
        else:
            wanted = answers.get(said.asks, "done")
            answer = next((o for o in said.options if o.verb == wanted), said.options[0])


NEXT = "emlia.time.order-in-step"


@pytest.mark.rule("emlia.orders.initiative-early")
def test_a_unit_that_a_condition_calls_may_act_in_any_step(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(SHY, timing=1), foe(timing=4))

    told = activated(battle, play, {NEXT: "activate-early"})

    assert told == [(4, "activated", 0), (4, "activated", 1)]


@pytest.mark.rule("emlia.orders.initiative-early")
def test_a_player_may_decline_and_is_asked_again_after_a_further_activation(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(SHY, timing=1), foe(timing=4))

    told = activated(battle, play, {NEXT: "decline"})

    assert told == [
        (4, "declined", None),
        (4, "activated", 1),
        (4, "declined", None),
        (3, "declined", None),
        (2, "declined", None),
        (1, "activated", 0),
    ]


@pytest.mark.rule("emlia.orders.initiative-early")
def test_who_has_other_units_in_the_step_cannot_decline(
    field_of_battle: Build, question: Question
) -> None:
    battle = field_of_battle(me(SHY, timing=1), {"at": (90, 100), "timing": 4}, foe(timing=4))

    decision = question(battle, timing.one_activation(battle))

    assert [(option.verb, option.unit) for option in decision.options] == [
        ("activate", 1),
        ("activate-early", 0),
    ]


@pytest.mark.rule("emlia.orders.initiative-early")
def test_who_acts_early_forfeits_all_that_no_condition_calls_for(
    field_of_battle: Build, play: Play
) -> None:
    thrower = {"skills": {"aimed fire": "1"}, "weapons": [ROCKS]}
    battle = field_of_battle(me(SHY, timing=1, **thrower), foe())

    events = play(battle, activate_early(battle, 0), answers=["move"])

    assert names(events) == ["activated", "acted of itself", "moved", "activation ended"]
    assert battle.state.units.value("activated", 0)


@pytest.mark.rule("emlia.orders.initiative-early")
@pytest.mark.parametrize(
    ("put", "may"),
    [({}, True), ({"delayed": 1}, False), ({"activated": 1}, False), ({"ignoring": 1}, False)],
    ids=["waiting", "delayed", "activated", "ignoring"],
)
def test_who_has_delayed_or_activated_may_not_act_early(
    put: dict[str, int], may: bool, field_of_battle: Build
) -> None:
    battle = field_of_battle(me(SHY, timing=1, put=put), foe(timing=4))

    early = [unit for _, units in timing.players(battle).values() for unit in units]

    assert (0 in early) is may


@pytest.mark.rule("emlia.orders.initiative-early")
def test_of_many_units_those_act_early_who_may(field_of_battle: Build) -> None:
    own = {"movement": "10G", "timing": 1}
    stubborn = [{"morale": (-7, 0), "act_as": "shaken"}]
    timid = [{"morale": (-7, 3), "act_as": "falling back"}]
    battle = field_of_battle(
        *(me(**own, put={"morale": morale}) for morale in range(-7, 4)),
        *(me(**own, put={"morale": m}, morale_conditions=stubborn) for m in (-4, 2)),
        *(me(**own, put={"morale": m}, morale_conditions=timid) for m in (-4, 2, 5)),
        {"name": "plain", "at": (50, 105), **own},
        {"name": "shy", "at": (54, 105), "group": "plain", "initiative": [SHY], **own},
        me(SHY, **own),
        me(GREEDY, **own, put={"ignoring": 1}),
        foe(),
    )
    units = on_field(battle)

    early = acting_early(battle, units)

    assert early == [unit for unit in units if may_act_early(battle, unit) is None]
    assert len(early) == 7 + 2 + 1 + 1


@pytest.mark.rule("emlia.orders.initiative-early")
def test_low_morale_that_calls_for_an_action_counts_too(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(
        {"at": (50, 100), "timing": 1, "put": {"morale": -1}},
        {"at": (90, 100), "timing": 1, "put": {"morale": 0}},
        foe(timing=4),
    )

    early = [unit for _, units in timing.players(battle).values() for unit in units]

    assert early == [0]
