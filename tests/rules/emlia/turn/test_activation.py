"""Chapter 8 and 9: what one unit may do when it activates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append, Set
from emlia3d.battle.decisions import Decision
from emlia3d.battle.events import Event
from emlia3d.battle.setup import Occurrence
from emlia3d.rules.emlia.columns import MoraleNote
from emlia3d.rules.emlia.events.combat import Struck
from emlia3d.rules.emlia.events.losses import Suffered
from emlia3d.rules.emlia.play.turn import timing
from emlia3d.rules.emlia.play.turn.activation import (
    activate,
    ask,
    delayed,
    may_act_on_orders,
    may_delay,
)
from emlia3d.rules.emlia.unit_sets.strike import HazardModel
from tests.made_up import made_up
from tests.rules.emlia.outcome import markers

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]
ALICE: dict[str, Any] = {"at": (50, 50)}
BOB: dict[str, Any] = {"at": (50, 150), "side": "Bob", "facing": 180}
ROCKS = {"name": "Rocks", "base_damage": 1, "range": (40, 80, 120), "use": ["aimed fire"]}
THROWER: dict[str, Any] = {**ALICE, "skills": {"aimed fire": "1"}, "weapons": [ROCKS]}


def verbs(decision: Decision) -> set[str]:
    return {option.verb for option in decision.options}


def notes(battle: Battle, unit: int) -> list[tuple[int, float]]:
    rows = battle.state.lists["note"]
    table = zip(rows["unit"].tolist(), rows["what"].tolist(), rows["amount"].tolist(), strict=True)
    return [(what, amount) for of, what, amount in table if of == unit]


@pytest.mark.rule("emlia.activate.act-or-delay")
def test_a_unit_may_act_or_delay_or_do_nothing(
    field_of_battle: Build, question: Callable[..., Decision]
) -> None:
    battle = field_of_battle(ALICE, BOB)

    asked = question(battle, activate(battle, 0))

    assert {"move", "delay", "done"} <= verbs(asked)


@pytest.mark.rule("emlia.activate.act-or-delay")
@pytest.mark.parametrize(("timing_now", "numbers"), [(2, [None, 1, 0]), (1, [None, 0]), (0, None)])
def test_a_unit_that_can_only_delay_is_asked_down_to_which_step(
    field_of_battle: Build, timing_now: int, numbers: list[int | None] | None
) -> None:
    spent = {"move_used": 1, "moved": 1, "primary_used": 1, "free_used": 1, "speed_share": 0.0}
    battle = field_of_battle({**ALICE, "put": {**spent, "timing": timing_now}}, BOB)

    asked = next(ask(battle, 0, delaying=True), None)

    if numbers is None:
        assert asked is None
    else:
        assert isinstance(asked, Decision)
        assert [option.number for option in asked.options] == numbers
    assert next(ask(battle, 0), None) is None


@pytest.mark.rule("emlia.activate.act-or-delay")
def test_a_unit_that_does_nothing_has_had_its_activation(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ALICE, BOB)

    play(battle, activate(battle, 0), answers=[...])

    assert battle.state.units.value("activated", 0) == 1
    assert timing.waiting_units(battle) == [1]


@pytest.mark.rule("emlia.activate.delay")
@pytest.mark.parametrize(("printed", "lower"), [(4, [3, 2, 1, 0]), (1, [0]), (0, [])])
def test_a_unit_may_delay_to_any_lower_timing(
    printed: int, lower: list[int], field_of_battle: Build, question: Callable[..., Decision]
) -> None:
    battle = field_of_battle({**ALICE, "timing": printed}, BOB)

    asked = question(battle, activate(battle, 0))

    assert [option.number for option in asked.options if option.verb == "delay"] == lower


@pytest.mark.rule("emlia.activate.delay")
def test_a_unit_delays_once_a_turn(
    field_of_battle: Build, play: Play, question: Callable[..., Decision]
) -> None:
    battle = field_of_battle({**ALICE, "timing": 4}, BOB)
    play(battle, activate(battle, 0), answers=["delay"])

    asked = question(battle, activate(battle, 0))

    assert "delay" not in verbs(asked)


@pytest.mark.rule("emlia.activate.delay")
def test_a_unit_does_not_delay_after_another_action(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(THROWER, BOB)
    offered = []

    def look(decision: Decision) -> Any:
        offered.append(verbs(decision))
        return next(option for option in decision.options if option.verb == "done")

    play(battle, activate(battle, 0), dice=[1], answers=["fire", look])

    assert "delay" not in offered[0]


@pytest.mark.rule("emlia.gloss.delay-free")
def test_delaying_costs_neither_action(
    field_of_battle: Build, play: Play, question: Callable[..., Decision]
) -> None:
    battle = field_of_battle(THROWER, BOB)
    play(battle, activate(battle, 0), answers=["delay"])

    asked = question(battle, activate(battle, 0))

    assert {"move", "fire"} <= verbs(asked)
    assert may_delay(battle, 0) is not None


CRYSTAL = {"name": "crystal", "kind": "rock", "box": (40, 60, 60, 62), "height": 0.1}
PAIN = Occurrence(
    name="pain",
    turns=(1,),
    harms=HazardModel.model_validate(
        {"near": "crystal", "within": 10, "hits": 3, "base_damage": 2}
    ),
)


@pytest.mark.rule("emlia.activate.delay-example")
def test_who_delays_beside_the_crystal_and_moves_off_is_never_damaged(
    field_of_battle: Build, play: Play
) -> None:
    beside = {"at": (50, 53.5), "timing": 4}  # 6 GSU from its edge to the crystal's
    battle = field_of_battle(beside, BOB, terrain=[CRYSTAL], occurrences=[PAIN])

    def away(decision: Decision) -> Any:
        return next(o for o in decision.options if o.verb == "move" and o.legs[-1].y < 48)

    play(battle, activate(battle, 0), answers=["delay"])
    assert markers(battle, "subject", "hits", "base_damage") == []

    play(battle, activate(battle, 0), answers=[away, ...])
    assert markers(battle, "subject", "hits", "base_damage") == []


@pytest.mark.rule("emlia.activate.delay-example", "emlia.resolve.other-effects")
@pytest.mark.parametrize(("y", "hits"), [(53.5, [(0, 3, 2)]), (49.5, [(0, 3, 2)]), (49.4, [])])
def test_who_ends_his_activation_within_10_gsu_of_the_crystal_is_damaged(
    y: float, hits: list[tuple[int, int, int]], field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle({"at": (50, y)}, BOB, terrain=[CRYSTAL], occurrences=[PAIN])

    events = play(battle, activate(battle, 0), answers=[...])

    assert markers(battle, "subject", "hits", "base_damage") == hits
    assert [event.name for event in events if event.name == "harmed"] == ["harmed"] * len(hits)


@pytest.mark.rule("emlia.activate.delay-counts")
def test_a_unit_that_delays_and_acts_has_activated_twice(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle({**ALICE, "timing": 3}, BOB)

    play(battle, activate(battle, 0), answers=["delay"])
    ended_first = battle.state.units.integer("acted_at", 0)
    play(battle, activate(battle, 0), answers=[...])

    assert battle.state.units.integer("activations", 0) == 2
    assert battle.state.sides.integer("last_activation", 0) == 2
    assert delayed(battle, 0, 1).facts.timing == 1
    assert ended_first in {-1, 0}


@pytest.mark.rule("emlia.activate.delay-counts")
def test_the_activation_ends_for_effects_only_when_the_later_one_does(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle({**ALICE, "timing": 3}, BOB)

    first = play(battle, activate(battle, 0), answers=["delay"])
    later = play(battle, activate(battle, 0), answers=[...])

    assert [event.name for event in first] == ["activated", "delayed"]
    assert [event.name for event in later] == ["activated", "activation ended"]


@pytest.mark.rule("emlia.activate.two-actions")
@pytest.mark.parametrize("order", [("fire", "move"), ("move", "fire")], ids="-".join)
def test_a_unit_has_one_move_and_one_primary_action_in_either_order(
    order: tuple[str, str], field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(THROWER, BOB)
    offered: list[set[str]] = []

    def look(decision: Decision) -> Any:
        offered.append(verbs(decision))
        return next(option for option in decision.options if option.verb == order[len(offered) - 1])

    events = play(battle, activate(battle, 0), dice=[1], answers=[look, look, ...])

    done = [event.name for event in events if event.name in {"fired", "moved"}]
    assert done == ["fired" if verb == "fire" else "moved" for verb in order]
    assert set(order) <= offered[0]
    assert set(order) & offered[1] == {order[1]}


@pytest.mark.rule("emlia.orders.on-orders")
def test_acting_on_orders_takes_no_check(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(ALICE, BOB)

    play(battle, activate(battle, 0), dice=[], answers=["move", ...])

    assert battle.state.units.value("y", 0) > 60
    assert may_act_on_orders(battle, 0) is None


@pytest.mark.rule("emlia.disorder.effect")
def test_a_disordered_unit_that_nothing_compels_does_nothing(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        {**THROWER, "skills": {"aimed fire": "1", "leadership": "5"}, "put": {"disordered": 1}}, BOB
    )

    events = play(battle, activate(battle, 0), answers=[])

    assert [event.name for event in events] == ["activated", "activation ended"]
    assert may_delay(battle, 0) is not None


@pytest.mark.rule("emlia.morale.activation-moment")
def test_the_nearest_friend_in_sight_who_retreats_is_noted_as_the_unit_activates(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        ALICE,
        {"at": (60, 50), "army_value": 3, "put": {"morale": -4}},
        {"at": (80, 50), "put": {"morale": -3}},
        BOB,
    )

    play(battle, activate(battle, 0), answers=[...])

    assert notes(battle, 0) == [(MoraleNote.NEAREST_FRIEND_RETREATING, 3.0)]


@pytest.mark.rule("emlia.morale.activation-moment")
def test_it_is_noted_where_all_friends_in_sight_retreat(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(
        ALICE,
        {"at": (60, 50), "army_value": 3, "put": {"morale": -4}},
        {"at": (80, 50), "army_value": 2, "put": {"morale": -7}},
        BOB,
    )

    play(battle, activate(battle, 0), answers=[...])

    assert notes(battle, 0) == [
        (MoraleNote.NEAREST_FRIEND_RETREATING, 3.0),
        (MoraleNote.ALL_FRIENDS_RETREATING, 3.0),
        (MoraleNote.ALL_FRIENDS_RETREATING, 2.0),
    ]


@pytest.mark.rule("emlia.morale.activation-moment")
def test_a_unit_without_friends_in_sight_has_none_who_retreat(
    field_of_battle: Build, play: Play
) -> None:
    wall = {"kind": "rock", "box": (55, 0, 58, 150), "height": 20}
    battle = field_of_battle(ALICE, {"at": (80, 50), "put": {"morale": -7}}, BOB, terrain=[wall])

    play(battle, activate(battle, 0), answers=[...])

    assert notes(battle, 0) == []


def suffer(battle: Battle, unit: int, resolution: int) -> None:
    cells = (("casualties_at", resolution),)
    changes = tuple(Set(table="unit", row=unit, column=name, value=cell) for name, cell in cells)
    battle.happen(Event(facts=made_up(Suffered), unit=unit, changes=changes))


@pytest.mark.rule("emlia.morale.activation-moment")
def test_a_friend_within_20_gsu_who_lost_men_in_the_same_step_is_noted_at_the_next_activation(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ALICE, {"at": (60, 50), "army_value": 2}, {"at": (80, 50)}, BOB)
    play(battle, activate(battle, 0), answers=[...])
    suffer(battle, 1, battle.state.battle.integer("resolutions", 0))
    suffer(battle, 2, battle.state.battle.integer("resolutions", 0))
    play(battle, timing.phase.resolve(battle))

    play(battle, activate(battle, 0), answers=[...])

    assert notes(battle, 0) == [(MoraleNote.FRIENDS_CASUALTIES, 2.0)]


@pytest.mark.rule("emlia.morale.activation-moment")
def test_losses_of_before_the_previous_activation_are_noted_no_more(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ALICE, {"at": (60, 50)}, BOB)
    suffer(battle, 1, battle.state.battle.integer("resolutions", 0))
    play(battle, timing.phase.resolve(battle))
    play(battle, activate(battle, 0), answers=["delay"])
    play(battle, timing.phase.resolve(battle))

    play(battle, activate(battle, 0), answers=[...])

    assert notes(battle, 0) == []


@pytest.mark.rule("emlia.morale.activation-moment")
def test_a_friend_who_never_suffered_is_not_noted(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(ALICE, {"at": (60, 50)}, BOB)

    play(battle, activate(battle, 0), answers=[...])

    assert notes(battle, 0) == []


@pytest.mark.rule("emlia.morale.activation-moment")
def test_a_friend_wiped_out_within_20_gsu_is_noted_once(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(
        {**ALICE, "army_value": 9}, {"at": (60, 50), "army_value": 2}, {"at": (80, 50)}, BOB
    )
    play(battle, activate(battle, 0), answers=[...])
    hits = {"attacker": 3, "base_damage": 1, "hits": 1, "party": -1}
    rows = tuple(Append(table="marker", row={"subject": unit, **hits}) for unit in (1, 2))
    battle.happen(Event(facts=made_up(Struck), changes=rows))
    play(battle, timing.phase.resolve(battle))

    play(battle, activate(battle, 0), answers=[...])
    noted = notes(battle, 0)
    play(battle, timing.phase.resolve(battle))
    play(battle, activate(battle, 0), answers=[...])

    assert noted == [(MoraleNote.FRIENDS_WIPED_OUT, 2.0)]
    assert notes(battle, 0) == []


@pytest.mark.rule("emlia.activate.forfeit")
def test_what_forfeits_the_move_wants_one_that_is_left_and_leaves_none(
    field_of_battle: Build, play: Play
) -> None:
    mortar = {
        "name": "Mortar", "base_damage": 1, "volley_damage": 1, "range": (5, 50, 100),
        "use": ["area volley"],
        "coverage": {"start": 2.0, "increment": 0.0, "limit": 2.0, "drift": 0.0},
    }  # fmt: skip
    gunner = {
        "at": (50, 50), "weapons": [mortar], "skills": {"volley fire": "1", "leadership": "1"},
        "put": {"morale": 0},
    }  # fmt: skip
    enemy = {"at": (50, 90), "side": "Bob"}
    offered: list[set[str]] = []

    def look(decision: Any) -> Any:
        offered.append({option.verb for option in decision.options})
        return decision.options[-1]

    moved_first = field_of_battle(gunner, enemy)
    play(moved_first, activate(moved_first, 0), answers=["move", look])
    free_first = field_of_battle(gunner, enemy)
    play(
        free_first, activate(free_first, 0), dice=[1, 12],
        answers=["ignore-initiative", "area-volley"],
    )  # fmt: skip

    assert "area-volley" not in offered[0]
    assert free_first.state.units.value("move_used", 0)
