"""Chapter 22.1 as play: who arrives when, where a strike falls, who is harmed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.dice import FixedDice
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.setup import Occurrence
from emlia3d.rules.emlia.play.combat.scheduled_events import (
    arrive,
    bombardment,
    earthquake,
    happen,
    harmed,
    is_due,
)
from emlia3d.rules.emlia.play.turn import timing
from emlia3d.rules.emlia.unit_sets.strike import HazardModel, Strike
from tests.rules.emlia.outcome import markers

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]
ALICE: dict[str, Any] = {"at": (50, 50)}
BOB: dict[str, Any] = {"at": (50, 150), "side": "Bob", "facing": 180}
BLOCK: dict[str, Any] = {"formation": "ranked", "members": 16, "files": 4}


def set_turn(battle: Battle, turn: int) -> None:
    now = Set(table="battle", row=0, column="turn", value=turn)
    battle.happen(Event(facts=Unread(event="put"), changes=(now,)))


def arrived(battle: Battle, play: Play) -> list[str]:
    return [battle.setup.units[event.unit].name for event in play(battle, arrive(battle))]


@pytest.mark.rule("emlia.scenario.events.examples.reinforcement")
def test_each_unit_arrives_in_its_turn_and_those_that_are_there_or_fallen_do_not(
    field_of_battle: Build, play: Play
) -> None:
    late = [{**ALICE, "at": (20 * n, 20), "name": f"late {n}", "arrives": n} for n in (1, 2, 3)]
    battle = field_of_battle(ALICE, *late, {**late[1], "name": "also", "at": (90, 20)}, BOB, turn=0)

    first, again = arrived(battle, play), arrived(battle, play)

    assert (first, again) == ([], [])
    play(battle, timing.begin_turn(battle), dice=(12, 1))
    assert [is_due(battle, unit) for unit in range(6)] == [False, False, True, True, True, False]


@pytest.mark.rule("emlia.scenario.events.examples.reinforcement")
@pytest.mark.parametrize(
    ("front", "formation", "comes"),
    [
        # 16 men of 1 GSU in 4 files stand north of y = 46 and south of y = 50.
        (54.5, "ranked", True),
        (54.1, "ranked", True),
        (54.0, "ranked", True),
        # Up to 1/16 square GSU in common is standing side by side.
        (53.99, "ranked", True),
        (54 - 1 / 64, "ranked", True),
        (53.975, "ranked", False),
        (53.9, "ranked", False),
        (53.9, "close", False),
        (53.9, "open", True),
        (50.0, "open", True),
    ],
)
def test_a_close_or_ranked_unit_waits_while_its_place_is_taken(
    field_of_battle: Build, play: Play, front: float, formation: str, comes: bool
) -> None:
    late = {**BLOCK, "front": (50, front), "formation": formation, "name": "late", "arrives": 2}
    if formation != "ranked":
        late |= {"members": 1, "files": 1, "front": (50, front - 3.5)}
    battle = field_of_battle({**BLOCK, "front": (50, 50)}, BOB, late)
    set_turn(battle, 2)

    assert arrived(battle, play) == (["late"] if comes else [])


@pytest.mark.rule("emlia.scenario.events.examples.reinforcement")
def test_one_unit_that_must_wait_keeps_no_other_from_arriving(
    field_of_battle: Build, play: Play
) -> None:
    taken = {**BLOCK, "front": (50, 50), "name": "waits", "arrives": 2}
    free = {**BLOCK, "front": (90, 50), "name": "comes", "arrives": 2}
    battle = field_of_battle({**BLOCK, "front": (50, 50)}, BOB, taken, free)
    set_turn(battle, 2)

    assert arrived(battle, play) == ["comes"]


@pytest.mark.rule("emlia.scenario.events.examples.reinforcement")
def test_a_mixed_unit_arrives_whole_with_its_highest_timing_and_its_strength(
    field_of_battle: Build, play: Play
) -> None:
    head = {**ALICE, "name": "head", "members": 3, "timing": 2, "arrives": 2}
    part = {
        "at": (52, 50),
        "name": "part",
        "members": 4,
        "timing": 5,
        "group": "head",
        "arrives": 2,
    }
    lone = {"at": (90, 50), "name": "lone", "timing": "none", "damage_limit": 7, "arrives": 2}
    battle = field_of_battle(head, part, lone, BOB)
    before = battle.state.units.ints("present").tolist()[:4]
    set_turn(battle, 2)

    names = arrived(battle, play)

    units = battle.state.units
    assert (before, names) == ([0, 0, 0, 1], ["head", "lone"])
    assert units.ints("present").tolist()[:4] == [1, 1, 1, 1]
    assert [units.integer("timing", unit) for unit in (0, 2)] == [5, 0]
    assert [units.value("strength_now", unit) for unit in (0, 2)] == [7, 7]


GUN = {"name": "25pdr", "base_damage": 2, "range": (100, 200, 300), "use": ["area volley"],
       "coverage": {"start": 6.0, "increment": 2.0, "limit": 10.0, "drift": 2.0}}  # fmt: skip


def strike(**more: Any) -> Strike:
    return Strike.model_validate({"volley_fire": "3", "weapon": GUN, **more})


@pytest.mark.rule("emlia.scenario.events.examples.artillery")
@pytest.mark.parametrize(
    ("dice", "fell_at", "coverage"),
    [
        # 2 GSU of drift east on a 3; each success takes 1 off the drift first, then adds 2 GSU.
        ((4, 4, 4, 3), (62.0, 70.0), 6.0),
        ((5, 4, 4, 3), (61.0, 70.0), 6.0),
        ((5, 5, 4), (60.0, 70.0), 6.0),
        ((12, 5, 5), (60.0, 70.0), 8.0),
    ],
)
def test_successes_of_a_strike_go_on_drift_and_then_on_coverage(
    field_of_battle: Build, dice: tuple[int, ...], fell_at: tuple[float, float], coverage: float
) -> None:
    battle = field_of_battle(ALICE, BOB)
    battle.dice = fixed = FixedDice(dice)

    event = bombardment(battle, "barrage", strike(at=[60, 70]))

    fixed.assert_spent()
    assert event.facts.aimed_at == (60.0, 70.0)
    assert event.facts.fell_at == fell_at
    assert event.facts.coverage == coverage
    assert ("emlia.volley.success" in event.because) is (dice[0] >= 5)


@pytest.mark.rule("emlia.scenario.events.examples.artillery")
def test_a_strike_without_a_place_aims_at_the_centre_and_hits_both_sides_and_terrain(
    field_of_battle: Build,
) -> None:
    # Half of the coverage of 6 GSU is 3: a man of 1 GSU is struck up to 3.5 from the centre.
    men = [
        {"at": (60, 43.4), "name": "near"},
        {"at": (60, 43.6), "name": "beside"},
        {"at": (60, 36.6), "name": "south", "side": "Bob"},
        {"at": (62, 40), "name": "foe", "side": "Bob"},
    ]
    house = {"name": "house", "kind": "village", "box": (57, 40, 58, 41), "hits": 3, "height": 2}
    battle = field_of_battle(*men, size=(120.0, 80.0), terrain=[house])
    battle.dice = FixedDice((5, 5, 1))

    event = bombardment(battle, "barrage", strike())
    battle.happen(event)

    assert event.facts.aimed_at == (60.0, 40.0)
    struck = event.facts.struck
    assert isinstance(struck, tuple)
    assert [name in struck for name in ("near", "beside", "south", "foe")] == [
        True,
        False,
        True,
        True,
    ]
    rows = markers(battle, "subject", "attacker", "base_damage", "hits")
    assert (0, -1, 2, 1) in rows
    assert (3, -1, 2, 1) in rows


@pytest.mark.rule("emlia.scenario.events.examples.earthquake")
def test_an_earthquake_rolls_for_each_unit_that_meets_the_area_in_part(
    field_of_battle: Build,
) -> None:
    units = [{"at": (20 + 20 * n, y)} for n, y in enumerate((29.4, 30.4, 30.6, 10))]
    battle = field_of_battle(*units, BOB, areas={"south": (0, 0, 200, 30)})
    battle.dice = fixed = FixedDice((2, 1, 12))

    event = earthquake(battle, "quake", "south")

    fixed.assert_spent()
    assert event.facts.thrown == ("unit 1",)
    assert event.facts.faces == (2, 1, 12)


def test_only_what_is_due_in_this_turn_happens_and_in_its_order(
    field_of_battle: Build, play: Play
) -> None:
    bridge = {"name": "bridge", "kind": "bridge", "box": (10, 10, 20, 14)}
    harm = HazardModel.model_validate({"near": "bridge", "within": 10, "hits": 3})
    some = (
        Occurrence(name="later", turns=(2,), destroys=("bridge",)),
        Occurrence(name="pain", turns=(1,), harms=harm),
        Occurrence(name="all", turns=(1, 3), strike=strike(), shakes="fen", destroys=("bridge",)),
        Occurrence(name="quake", turns=(1,), shakes="fen"),
    )
    battle = field_of_battle(
        ALICE, BOB, terrain=[bridge], areas={"fen": (0, 0, 5, 5)}, occurrences=some, turn=0
    )
    set_turn(battle, 1)

    events = play(battle, happen(battle), dice=(5, 5, 4))

    assert [(event.name, event.facts.values().get("name")) for event in events] == [
        ("bombarded", "all"), ("trembled", "all"), ("swept away", "all"), ("trembled", "quake"),
        ("events over", None),
    ]  # fmt: skip
    set_turn(battle, 4)
    assert play(battle, happen(battle)) == []


@pytest.mark.rule("emlia.activate.delay-example")
@pytest.mark.parametrize(
    ("y", "turns", "present", "is_harmed"),
    [
        # The edge of a man of 1 GSU is half a GSU from his middle; the fen ends at y = 30.
        (40.4, (1,), 1, True),
        (40.5, (1,), 1, True),
        (40.6, (1,), 1, False),
        (40.4, (2,), 1, False),
        (40.4, (1,), 0, False),
    ],
)
def test_a_unit_that_ends_its_activation_near_harm_is_hit(
    field_of_battle: Build, put: Any, y: float, turns: tuple[int, ...], present: int,
    is_harmed: bool,
) -> None:  # fmt: skip
    harm = HazardModel.model_validate({"near": "fen", "within": 10, "hits": 3, "base_damage": 2})
    quake = Occurrence(name="quake", turns=(1,), shakes="fen")
    occurrences = [quake, Occurrence(name="pain", turns=turns, harms=harm)]
    battle = field_of_battle({"at": (50, y)}, BOB, areas={"fen": (0, 0, 200, 30)})
    battle.setup = replace(battle.setup, occurrences=tuple(occurrences))
    put(battle, 0, present=present)

    for event in harmed(battle, 0):
        battle.happen(event)

    expected = [(0, -1, 2, 3)] if is_harmed else []
    assert markers(battle, "subject", "attacker", "base_damage", "hits") == expected


@pytest.mark.rule("emlia.scenario.events.examples.reinforcement")
@pytest.mark.parametrize(("x", "comes"), [(90, True), (50, False)])
def test_a_part_arrives_with_its_unit_and_not_without_it(
    field_of_battle: Build, play: Play, x: float, comes: bool
) -> None:
    late = {**BLOCK, **ALICE, "name": "late", "arrives": 1}
    part = {"at": (50, 60), "name": "part", "group": "late", "arrives": 1}
    battle = field_of_battle(late, part, {**BLOCK, "at": (x, 50)}, BOB, turn=0)
    set_turn(battle, 1)

    assert arrived(battle, play) == ["late"] * comes
    assert [battle.state.units.integer("present", unit) for unit in (0, 1)] == [comes, comes]
