"""A side's plan as an order: what is refused, what is kept, and who sees it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

import emlia3d
from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Divide, Place, Set
from emlia3d.battle.commanders import ASKS_FOR_PLAN, MISSION, NO_PLAN, PLAN, RandomCommander
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice, FixedDice
from emlia3d.battle.files import log
from emlia3d.battle.files.log import BattleLog
from emlia3d.battle.files.record import read_record
from emlia3d.battle.flow import play
from emlia3d.battle.questions.intents import intent_rows
from emlia3d.battle.spare_rows import empty_row_for
from emlia3d.rulekit.commander.asking import (
    MOST_WORDS,
    Planned,
    PlanValidator,
    in_words,
    purpose,
    told_missions,
    told_plan,
)
from emlia3d.rulekit.commander.plan import Mission, Plan, from_words, to_words
from emlia3d.rulekit.commander.plan_record import ordered, orders_of, plan_of, planned
from emlia3d.rules.emlia.play.situation.brigades import brigade_names, brigades_of
from emlia3d.view.rules import Rules
from emlia3d.view.window.headings import unit_card

SOUTH, NORTH = 0, 1
FIRST = Mission(
    brigade="Infantry", units=(3, 4), kind="attack", line=((380.0, 300.0), (460.0, 300.0)),
    limit=60.0, target=16, area="ridge",
)  # fmt: skip


@pytest.fixture
def battle() -> Battle:
    found = emlia3d.load("ridge").battle(seed=1)
    found.suppose(found.system.opening(found.setup))
    return found


def refusal(battle: Battle, *missions: Mission) -> str | None:
    """Return why South's plan of these missions is refused."""
    order = Order(verb=PLAN, words=to_words(Plan(name="test", missions=missions)))
    found = PlanValidator(battle, SOUTH, brigades_of).refusal(order)
    return None if found is None else found.reason


def changed(**cells: Any) -> Mission:
    """Return the first mission with other cells."""
    return msgspec.structs.replace(FIRST, **cells)


@pytest.mark.long
@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"brigade": "Infantri"}, "there is no such brigade; did you mean 'Infantry'?"),
        ({"units": ()}, "the brigade has no units"),
        ({"units": (3, 16)}, "it has a unit that is not of its side"),
        ({"units": (99,)}, "it has a unit that is not of its side"),
        ({"units": (-1,)}, "it has a unit that is not of its side"),
        ({"units": (3, 3)}, "a unit is in the plan twice"),
        ({"limit": -1.0}, "its line and its limit need finite numbers, the limit 0 or more"),
        ({"line": ((1.0, 1.0), (1.0, 1.0))}, "its line has no length"),
        ({"line": ((1.0, 1.0), (1e9, 1.0))}, "its line is far off the field"),
        ({"target": 3}, "its target is no enemy"),
        ({"target": 99}, "its target is no enemy"),
        ({"area": "rigde"}, "there is no place 'rigde'; did you mean 'ridge'?"),
    ],
)
def test_a_plan_that_does_not_fit_is_refused_with_the_reason(
    battle: Battle, cells: dict[str, Any], reason: str
) -> None:
    told = refusal(battle, changed(**cells))

    assert told is not None
    assert told.endswith(reason)
    assert "\n" not in told


def test_a_unit_has_one_mission(battle: Battle) -> None:
    assert refusal(battle, FIRST) is None
    assert "twice" in (refusal(battle, FIRST, FIRST) or "")


def test_words_that_are_too_long_or_no_plan_are_refused(battle: Battle) -> None:
    reach = PlanValidator(battle, SOUTH, brigades_of)

    for words in ("x" * (MOST_WORDS + 1), "x", '{"name":"a"}'):
        assert reach.refusal(Order(verb=PLAN, words=words)) is not None
    assert reach.refusal(Order(verb="attack")) is not None


@pytest.mark.parametrize("verb", [PLAN, MISSION])
def test_an_answer_that_names_a_unit_beside_its_words_is_refused(battle: Battle, verb: str) -> None:
    words = to_words(Plan(name="", missions=())) if verb == PLAN else "Cavalry: reserve"
    order = Order(verb=verb, words=words)
    reach = PlanValidator(battle, SOUTH, brigades_of)

    found = [reach.refusal(each) for each in (order, replace(order, unit=3))]

    assert found[0] is None
    assert found[1] is not None
    assert found[1].reason == "an answer is a plan or a mission in words, alone"


def test_a_plan_is_kept_as_it_was_made_and_the_other_side_s_stays(battle: Battle) -> None:
    south, north = (
        Plan(name="", missions=(msgspec.structs.replace(FIRST, units=units, target=target),))
        for units, target in (((3, 4), 16), ((16, 17), 3))
    )
    for side, plan in ((SOUTH, south), (NORTH, north), (SOUTH, south)):
        battle.suppose(planned(battle, side, plan, brigade_names(battle, side)))

    kept = [plan_of(battle, side, brigade_names(battle, side)) for side in (SOUTH, NORTH)]

    assert kept == [south, north]


def test_the_enemy_s_plan_is_in_nobody_s_picture(battle: Battle) -> None:
    for side in (SOUTH, NORTH):
        units = brigades_of(battle, side)[1].units
        mission = msgspec.structs.replace(
            FIRST, brigade=brigade_names(battle, side)[1], units=units, target=None
        )
        plan = Plan(name="", missions=(mission,))
        battle.suppose(planned(battle, side, plan, brigade_names(battle, side)))

    for side in (SOUTH, NORTH):
        known = battle.system.picture(battle, side).battle
        assert set(known.state.lists["mission"].ints("side").tolist()) == {side}
        assert set(known.state.lists["assigned"].ints("side").tolist()) == {side}


def test_brigades_are_the_sections_or_else_the_roles() -> None:
    scenario = emlia3d.load("ridge")
    plain = scenario.battle(seed=1)
    units = [replace(unit, section=("Reserve",)) for unit in plain.setup.units]
    sections = Battle(replace(plain.setup, units=tuple(units)), plain.system, seed=1)

    assert brigade_names(sections, SOUTH) == ("Reserve",)
    assert len(brigades_of(sections, SOUTH)[0].units) == 15
    covered = [unit for each in brigades_of(plain, NORTH) for unit in each.units]
    assert sorted(covered) == [*range(13, 26), 28, 29]


def test_a_plan_is_told_in_words(battle: Battle) -> None:
    told = purpose(battle, FIRST)
    report = told_plan(Planned(side="South", plan="take the ridge", missions=(f"the 1st {told}",)))

    assert told == f"attacks the {battle.setup.units[16].name}"
    assert report == f"South plans to take the ridge: the 1st {told}"
    assert purpose(battle, changed(target=None)) == "attacks the ridge"
    assert purpose(battle, changed(target=None, area="the crossing")) == "attacks the crossing"
    assert purpose(battle, changed(target=None, area="Old Hill")) == "attacks Old Hill"
    assert in_words(battle, changed(brigade="Ashe's Brigade")).startswith("Ashe's Brigade attacks")


def test_missions_of_one_brigade_are_told_together(battle: Battle) -> None:
    missions = [
        changed(brigade="Cavalry", kind="flank", target=16),
        changed(brigade="Cavalry", kind="reserve"),
        changed(brigade="Cavalry", kind="reserve"),
        changed(brigade="Cavalry", kind="flank", target=17),
        changed(brigade="Lancers", kind="hold", target=None, area=""),
        changed(brigade="Lancers", kind="support", target=None),
    ]
    first, second = (battle.setup.units[row].name for row in (16, 17))

    assert told_missions(battle, missions) == (
        f"the Cavalry moves around the flank of the {first} and the {second} and is in reserve",
        "the Lancers hold their position and support the attack on the ridge",
    )
    assert told_missions(battle, []) == ()


@pytest.mark.parametrize(
    ("side", "begun"),
    [
        ("Southern brigade", "The Southern brigade"),
        ("Harrow", "Harrow"),
        ("the Watch", "the Watch"),
    ],
)
def test_a_plan_begins_with_its_side(side: str, begun: str) -> None:
    assert told_plan(Planned(side=side, plan="hold", missions=())) == f"{begun} plans to hold"


def test_the_card_of_a_unit_says_its_mission(battle: Battle) -> None:
    battle.suppose(
        planned(battle, SOUTH, Plan(name="test", missions=(FIRST,)), brigade_names(battle, SOUTH))
    )
    rows = [dict(intent_rows(battle, unit)) for unit in (FIRST.units[0], 16)]

    assert rows[0]["mission"] == f"the Infantry attacks the {battle.setup.units[16].name}"
    assert "mission" not in rows[1]


@pytest.mark.parametrize(("eyes", "shown"), [(None, True), (SOUTH, True), (NORTH, False)])
def test_the_window_shows_no_mission_of_another_side(
    battle: Battle, eyes: int | None, shown: bool
) -> None:
    plan = Plan(name="test", missions=(FIRST,))
    battle.suppose(planned(battle, SOUTH, plan, brigade_names(battle, SOUTH)))

    card = unit_card(battle.setup, battle.state, FIRST.units[0], Rules(battle), eyes)

    assert ("mission" in dict(card.rows)) is shown


def test_a_system_tells_what_brigades_are_to_do_and_where(battle: Battle) -> None:
    plan = Plan(name="test", missions=(FIRST, changed(brigade="Cavalry", units=(9,), target=None)))
    assert battle.system.intents(battle, SOUTH) == ()
    battle.suppose(planned(battle, SOUTH, plan, brigade_names(battle, SOUTH)))

    one, other = battle.system.intents(battle, SOUTH)

    assert one.text == f"the Infantry attacks the {battle.setup.units[16].name}"
    assert (one.units, one.line, one.limit) == (FIRST.units, FIRST.line, FIRST.limit)
    assert one.goal == tuple(float(battle.state.units.value(name, 16)) for name in ("x", "y"))
    assert (other.text, other.goal) == ("the Cavalry attacks the ridge", None)


class Declining(RandomCommander):
    """Keeps count of the plans that it is asked for, and makes none."""

    def __init__(self) -> None:
        self.asked = 0

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        """Decline plans, and act at random."""
        self.asked += decision.asks == ASKS_FOR_PLAN
        return super().decide(decision, picture, dice)


@pytest.mark.long
def test_each_side_is_asked_once_a_turn_and_may_decline() -> None:
    battle = emlia3d.load("ridge").battle(seed=1, turns=2)
    south, north = Declining(), Declining()

    events = list(battle.run(commanders=[south, north]))

    assert (south.asked, north.asked) == (2, 2)
    assert not any(isinstance(event.facts, Planned) for event in events)


def test_a_side_of_a_few_units_is_not_asked() -> None:
    battle = emlia3d.load("bandits").battle(seed=1, turns=1)
    commander = Declining()

    list(battle.run(commanders=[commander] * len(battle.setup.sides)))

    assert commander.asked == 0


def played(path: Path, commander: str) -> list[str]:
    """Play two turns of the ridge into a file, or on from what is in it; return its lines."""
    scenario = emlia3d.load("ridge")
    scenario = scenario.with_commanders({side.name: commander for side in scenario.setup.sides})
    battle = scenario.battle(seed=2, turns=2)
    if path.exists():
        with_log = log.resume(read_record(path), battle)
    else:
        with_log = BattleLog.begin(path, scenario.header(2, 2), battle)
    for _ in play(battle, battle.commanders(), with_log):
        pass
    result = battle.result
    assert result is not None
    with_log.finish(result)
    with_log.close()
    return path.read_text("utf-8").splitlines()


@pytest.mark.long
@pytest.mark.parametrize("after", ["plan", "planned"])
def test_a_battle_goes_on_from_within_its_planning(tmp_path: Path, after: str) -> None:
    lines = played(tmp_path / "whole.battle.jsonl", "doctrine")
    bodies = [json.loads(line) for line in lines]
    first = next(
        row for row, each in enumerate(bodies) if after in {each.get("order"), each.get("event")}
    )
    part = tmp_path / "part.battle.jsonl"
    part.write_text("\n".join(lines[: first + 1]) + "\n", encoding="utf-8")

    assert played(part, "doctrine") == lines


@pytest.mark.long
def test_a_file_from_before_plans_goes_on_as_before(tmp_path: Path) -> None:
    """Such a file has no answers where a plan is asked for now."""
    lines = played(tmp_path / "whole.battle.jsonl", "plain")
    older = [line for line in lines if json.loads(line).get("order") != NO_PLAN]
    cut = len(older) // 2
    part = tmp_path / "part.battle.jsonl"
    part.write_text("\n".join(older[:cut]) + "\n", encoding="utf-8")

    again = played(part, "plain")

    assert len(older) < len(lines)
    assert [line for line in again if json.loads(line).get("order") != NO_PLAN] == older


def test_a_unit_that_was_divided_stays_in_its_brigade() -> None:
    """The part has a row of its own, and the plan that counts it in is accepted."""
    battle = emlia3d.load("ridge").battle(seed=1)
    battle.suppose(battle.system.opening(battle.setup))
    whole = battle.setup.unit_of("1st Southern Rifles")
    part = empty_row_for(battle, whole)
    assert part is not None
    men = battle.state.roster.standing(whole).tolist()
    battle.suppose([Divide(unit=whole, part=part, figures=tuple(men[:20]))])
    battle.suppose(
        [
            Place(unit=row, x=x, y=274.0, facing=0, formation=0, files=10)
            for row, x in ((whole, 240.0), (part, 300.0))
        ]
    )
    picture = battle.system.picture(battle, SOUTH)
    decision = Decision(
        side=SOUTH, asks=ASKS_FOR_PLAN, options=(Order(verb=NO_PLAN),),
        validator=PlanValidator(battle, SOUTH, brigades_of),
    ).for_moment(picture.battle)  # fmt: skip

    order = battle.commander("doctrine").decide(decision, picture, FixedDice(()))

    decision.check(order)
    assert order.verb == PLAN
    assert any(part in mission.units for mission in from_words(order.words).missions)


def mission(battle: Battle, words: str) -> str | None:
    """Return why a mission for a brigade of the South is refused."""
    found = PlanValidator(battle, SOUTH, brigades_of).refusal(Order(verb=MISSION, words=words))
    return None if found is None else found.reason


def test_a_mission_for_a_brigade_without_units_is_refused(battle: Battle) -> None:
    assert mission(battle, "Cavalry: hold") is None

    riders = next(each for each in brigades_of(battle, SOUTH) if each.name == "Cavalry")
    battle.suppose([Set(table="unit", row=row, column="present", value=0) for row in riders.units])

    assert mission(battle, "Cavalry: hold") == "Cavalry has no units on the field"
    assert "at most" in (mission(battle, "x" * (MOST_WORDS + 1)) or "")


def test_a_player_s_mission_stands_until_another_is_given(battle: Battle) -> None:
    names = brigade_names(battle, SOUTH)
    reach = PlanValidator(battle, SOUTH, brigades_of)

    def stand_after(words: str) -> list[tuple[str, str | None]]:
        order = reach.brigade_order(Order(verb=MISSION, words=words))
        battle.suppose(ordered(battle, SOUTH, order, names))
        return [(each.brigade, each.kind) for each in orders_of(battle, SOUTH, names)]

    assert stand_after("Cavalry: reserve") == [("Cavalry", "reserve")]
    assert stand_after("Infantry: attack farm") == [("Cavalry", "reserve"), ("Infantry", "attack")]
    assert stand_after("Cavalry: hold") == [("Infantry", "attack"), ("Cavalry", "hold")]
    assert stand_after("Infantry: free") == [("Cavalry", "hold")]
    assert orders_of(battle, NORTH, brigade_names(battle, NORTH)) == ()
    assert battle.system.picture(battle, NORTH).battle.state.lists["ordered"].ints("side").size == 0


def test_a_file_from_before_missions_were_given_has_none(battle: Battle) -> None:
    frame = battle.state.key_frame()
    del frame["tables"]["ordered"]

    battle.state.restore(frame)

    assert orders_of(battle, SOUTH, brigade_names(battle, SOUTH)) == ()


def test_an_enemy_that_is_not_known_makes_no_name_ambiguous(battle: Battle) -> None:
    """South is aware of the northern hussars alone, of three enemies whose names begin so."""
    hussars = battle.setup.unit_of("Northern Hussars")
    battle.suppose([Place(unit=hussars, x=604.0, y=260.0, facing=11520, formation=0, files=50)])
    known = battle.system.picture(battle, SOUTH).known
    order = Order(verb=MISSION, words="cavalry flank northern")

    given = PlanValidator(battle, SOUTH, brigades_of).brigade_order(order)

    names = [battle.setup.units[row].name for row in known]
    assert [name for name in names if name.startswith("Northern")] == ["Northern Hussars"]
    assert given.target == hussars
