"""Answers: sight in words, odds, ranges, errors of scenarios."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.battle.dice import odds
from emlia3d.battle.facts import facts_of
from emlia3d.battle.questions.area import Observer
from emlia3d.battle.questions.ranges import Range
from emlia3d.errors import Error, ScenarioError
from emlia3d.rules.runolfsson import SYSTEM, answers
from emlia3d.rules.runolfsson.core import hits, unsaved
from emlia3d.scenario.scenario import from_text, load
from tests.rules.runolfsson.tables import feature, put, table, text_of

BLUE = {"side": "Blue"}


def duel(*terrain: Any, **other: Any) -> Battle:
    return table({"at": [20, 20]}, {"at": [30, 20], **BLUE, **other}, terrain=terrain)


@pytest.mark.parametrize(
    ("terrain", "told"),
    [
        ([], "may fire at model 1 with all its dice."),
        ([feature("tree", at=(24, 10, 25, 30))], "with half its dice."),
        ([feature("rock", at=(24, 10, 25, 30))], "a rock is in the way (rock 0)."),
        ([feature("hill", at=(24, 10, 25, 30))], "higher ground lies between."),
        ([feature("hill", at=(10, 10, 22, 30))], "it stands back from the edge of higher ground."),
        ([feature("hill", at=(29.5, 10, 40, 30))], "with all its dice at -1."),
        ([feature("stream", at=(29, 10, 40, 30))], "with twice its dice."),
    ],
)
def test_sight_is_answered_in_words(terrain: list[dict[str, Any]], told: str) -> None:
    answer = SYSTEM.sight(duel(*terrain), 0, 1, 0)

    assert answer.text.endswith(told)
    assert answer.line_of_sight is ("may fire" in answer.text)
    assert answer.distance == 9.0


def test_models_in_contact_are_said_to_be() -> None:
    battle = table({"at": [20, 20]}, {"at": [21, 20], **BLUE})

    assert SYSTEM.sight(battle, 0, 1, 0).text == "model 0 and model 1 are in contact."
    assert [*SYSTEM.contacts(battle)] == [(0, 1), (1, 0)]


def test_odds_are_those_of_all_dice_that_may_fall() -> None:
    battle = duel(hits=2, save=2)
    put(battle, 0, attack=3.0, in_command=0)

    found = SYSTEM.odds(battle, 0, 1)

    def outcome(dice: Any) -> int:
        rolled = hits(dice.roll("attack", 3, 10), -1)
        return min(unsaved(rolled, dice.roll("save", 2, 10)), 2)

    exact = odds(outcome)
    assert found.fates["model 1"].points == exact
    assert found.fates["model 1"].destroyed == exact[2]
    assert sum(found.hits.values()) == 1
    assert found.checks[0].chance == Fraction(1, 2)
    assert found.refusal is None


def test_odds_of_several_models_add_their_dice_up() -> None:
    battle = table({"at": [20, 20]}, {"at": [30, 20], **BLUE}, {"at": [20, 23]})

    together = SYSTEM.odds_of(battle, Order(verb="attack together", unit=0, units=(2,), target=1))

    assert together is not None
    assert max(together.hits) == 8
    assert together.attacker == "model 0 and model 2"
    assert SYSTEM.odds_of(battle, Order(verb="pass")) is None


def test_odds_of_no_shot_say_why() -> None:
    found = SYSTEM.odds(duel(feature("rock", at=(24, 10, 25, 30))), 0, 1)

    assert found.refusal is not None
    assert found.hits == {0: 1}
    with pytest.raises(Error, match="no weapons"):
        SYSTEM.odds(duel(), 0, 1, weapon="rifle")


def test_the_card_says_what_specials_do() -> None:
    battle = table({"at": [20, 20], "specials": ["fly"]}, {"at": [30, 20], **BLUE})

    assert SYSTEM.card(battle, 0)[-1] == ("fly", "no terrain costs and no limit of a move")


def test_ranges_are_those_of_fire_and_of_the_move() -> None:
    battle = duel()
    put(battle, 0, in_command=0)

    assert [(r.what, r.limits) for r in SYSTEM.ranges(battle, 0)] == [
        ("fire", (24.0,)), ("move", (3.0,)),
    ]  # fmt: skip
    assert SYSTEM.metres_per_gsu({"name": "inches"}) == 1.8
    with pytest.raises(ValueError, match="inches"):
        SYSTEM.metres_per_gsu({"name": "squads"})


ONE, OTHER = {"at": [20, 20]}, {"at": [30, 20], **BLUE}


@pytest.mark.parametrize(
    ("models", "change", "told"),
    [
        ([ONE, OTHER], ('"Red"\nlines = "south"', '"Red"\nlines = [3, 4]'), "expected an edge"),
        ([ONE, OTHER], ("[game]", '[[side]]\nname = "Green"\n[game]'), "expected 2 sides, got 3"),
        ([ONE, OTHER], ('victory = "sudden death"', 'victory = "first blood"'), "victory"),
        ([ONE, OTHER], ("[game]", "[game]\nvictories = 1"), "did you mean victory"),
        ([ONE, {**OTHER, "grade": "brave"}], ("", ""), "grade"),
        ([ONE, OTHER, {"at": [2, 2], "group": "model 0", "command_radius": 6}], ("", ""),
         "expected at most 6 GSU from its leader"),
    ],
)  # fmt: skip
def test_errors_of_scenarios_are_told(
    models: list[dict[str, Any]], change: tuple[str, str], told: str
) -> None:
    text = text_of(models)
    assert change[0] in text

    with pytest.raises(ScenarioError, match=told):
        from_text(text.replace(*change), "table")


# Areas, and battles of other rules


@pytest.mark.parametrize("reverse", [False, True])
def test_an_area_is_seen_as_a_model_at_each_place_is(reverse: bool) -> None:
    terrain = [
        feature("rock", at=(24, 18, 25, 22)),
        feature("tree", circle=[22, 25, 1]),
        feature("hill", at=(30, 10, 40, 30)),
        feature("stream", at=(5, 5, 15, 9)),
    ]
    battle = duel(*terrain)
    grid = [[x, y] for x in (8.0, 28.0, 31.0, 36.0) for y in (7.0, 20.0, 29.5)]
    spots = np.array([*grid, [24.0, 30.0]])
    post = Observer(name="model 0", unit=0)

    found = SYSTEM.sight_area(battle, post, spots, 1.0, reverse)

    for spot, level in zip(spots.tolist(), found.levels.tolist(), strict=True):
        there = table({"at": [20, 20]}, {"at": spot, **BLUE}, terrain=terrain)
        pair = (1, 0) if reverse else (0, 1)
        degree = SYSTEM.sight(there, *pair, 0).degree
        assert degree is not None
        assert level == (2 if degree == 0 else 0 if degree == 1 else 1), spot
    assert set(found.levels.tolist()) == {0, 1, 2}
    assert sum(found.hides.values()) <= found.because.total()
    assert found.hides["rock 0"] > 0


def test_a_place_is_a_post_as_a_model_there_is() -> None:
    battle = duel(feature("rock", at=(24, 18, 25, 22)))
    spots = np.array([[30.0, 20.0], [20.0, 30.0]])
    seen: list[float] = []

    post = Observer(name="place", place=(20.0, 20.0))
    found = SYSTEM.sight_area(battle, post, spots, 1.0, False, seen.append)

    assert found.levels.tolist() == [2, 0]
    assert seen == [1.0]


def test_a_battle_of_other_rules_is_taken_in_inches() -> None:
    facts = facts_of(load("bandits").deployed())
    rows = {unit.name: row for row, unit in enumerate(facts.units)}

    answer = SYSTEM.sight_of(facts, rows["archers"], rows["bandits"], 0)

    assert answer.because == ("runolfsson.rock.block",)
    assert answer.lines[0].stopped_by == "rock"
    abroad = answers.abroad(SYSTEM, facts)
    assert abroad.setup.field.size == pytest.approx((120 / 1.8, 80 / 1.8))
    assert len(abroad.setup.units) == len(facts.units)


def test_ranges_have_all_their_traits() -> None:
    battle = duel(range=0)
    (fire, move) = SYSTEM.ranges(battle, 0)

    assert fire == Range(what="fire", limits=(24.0,))
    assert move == Range(what="move", limits=(6.0,), sighted=False, over_ground=True)
    assert [each.what for each in SYSTEM.ranges(battle, 1)] == ["move"], "no weapon"


def test_odds_are_of_the_attackers_on_the_target_alone() -> None:
    """Other models that could fire, and other enemies, have no part in them."""
    battle = table(
        {"at": [20, 20]}, {"at": [30, 20], **BLUE}, {"at": [20, 23]}, {"at": [30, 23], **BLUE}
    )

    found = SYSTEM.odds(battle, 0, 1)

    assert [check.unit for check in found.checks] == ["model 0"]
    assert [check.target for check in found.checks] == ["model 1"]


def test_a_model_that_may_survive_keeps_the_rest_of_the_probability() -> None:
    battle = duel()
    put(battle, 0, attack=1.0, in_command=1)

    fate = SYSTEM.odds(battle, 0, 1).fates["model 1"]

    assert fate.destroyed == Fraction(6, 10)
    assert fate.lost == {0: Fraction(4, 10), 1: Fraction(6, 10)}
    assert fate.morale == {0: Fraction(4, 10)}


def test_a_routed_model_has_no_ranges() -> None:
    battle = duel()
    put(battle, 0, marker=1)
    pinned = SYSTEM.ranges(battle, 0)
    put(battle, 0, marker=2)

    assert [each.what for each in pinned] == ["fire", "move"]
    assert SYSTEM.ranges(battle, 0) == ()
