"""Answers: sight in words and over areas, odds, ranges, cards."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from emlia3d.battle.decisions import Order, advance
from emlia3d.battle.dice import FixedDice
from emlia3d.battle.events import Event
from emlia3d.battle.facts import facts_of
from emlia3d.battle.questions.answer import from_json, to_json
from emlia3d.battle.questions.area import Observer
from emlia3d.errors import Error
from emlia3d.rules.epic import SYSTEM
from emlia3d.rules.epic.activation import activate
from emlia3d.rules.epic.formations import kind_of, units_of
from emlia3d.rules.epic.formations import put as placed
from emlia3d.scenario import load
from tests.rules.epic.boards import board, cell, put, random_board, weapon

RED = {"side": "Red"}


def duel(*terrain: tuple[str, list[tuple[int, int]]]):  # type: ignore[no-untyped-def]
    gun = {"weapons": [weapon(range=8, ap=3, shots=2)]}
    return board({"tile": [4, 8], **gun}, {**RED, "tile": [9, 8]}, terrain=terrain)


@pytest.mark.parametrize(
    ("terrain", "told", "slug"),
    [
        ([], "is clear: no features between; two", "epic.los.line"),
        ([("forest", [(6, 8)])], "is clear: one feature between (tile 6,8)", "epic.los.features"),
        ([("building", [(6, 8)])], "is blocked: obstructed (obstructing tile 6,8)",
         "epic.los.obstructing"),
    ],
)  # fmt: skip
def test_sight_is_answered_in_words(
    terrain: list[tuple[str, list[tuple[int, int]]]], told: str, slug: str
) -> None:
    answer = SYSTEM.sight(duel(*terrain), 0, 1, 0)

    assert told in answer.text
    assert answer.because == (slug,)
    assert answer.line_of_sight == ("clear" in answer.text)
    assert answer.distance == 5


def test_an_answer_has_the_tiles_that_hinder_the_line_with_their_outlines() -> None:
    battle = duel(("forest", [(6, 8)]), ("building", [(7, 8)]))

    answer = SYSTEM.sight(battle, 0, 1, 0)

    assert [place.blocks for place in answer.hindrances] == [False, True]
    assert answer.hindrances[1].name == answer.lines[0].stopped_by
    for place, tile in zip(answer.hindrances, [(6, 8), (7, 8)], strict=True):
        (outline,) = place.outlines
        middle = units_of(battle).board.grid.centres(tile)
        assert np.mean(outline, axis=0) == pytest.approx(middle, abs=0.01)
    assert from_json(to_json(answer)) == answer


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("reverse", [False, True])
def test_an_area_agrees_with_sight_tile_by_tile(seed: int, reverse: bool) -> None:
    battle = random_board(seed).battle(seed)
    units = units_of(battle)
    others = [row for row in range(len(units.there)) if row]
    scene = battle.fork()
    free = np.setdiff1d(np.arange(len(units.board)), units.number)
    post = Observer(name="post", unit=0)
    found = SYSTEM.sight_area(
        battle, post, units.board.grid.centres(units.board.tiles), 1.0, reverse
    )
    # A War Engine sees farther than the figure at a place, so another unit is moved there.
    mover = next(row for row in others if not kind_of(battle, row).is_engine)
    for number in free[::9].tolist():
        scene.suppose([placed(scene, mover, units.board.tiles[number].tolist())])
        pair = (mover, 0) if reverse else (0, mover)
        assert SYSTEM.sight(scene, *pair, 0).line_of_sight == (found.levels[number] == 0)


def test_places_off_the_board_are_not_seen() -> None:
    battle = duel()
    post = Observer(name="post", place=(-5.0, -5.0))
    assert SYSTEM.sight_area(battle, post, np.array([(4.0, 4.0)]), 1.0, False).levels[0] == 2
    here = Observer(name="post", place=(4.0, 4.0))
    assert SYSTEM.sight_area(battle, here, np.array([(-3.0, 4.0)]), 1.0, True).levels[0] == 2


def test_odds_are_exact() -> None:
    odds = SYSTEM.odds(duel(), 0, 1)
    half = Fraction(1, 2)

    assert odds.hits == {0: half**2, 1: half, 2: half**2}
    assert SYSTEM.odds(duel(), 0, 1, "sustained fire").hits[2] == Fraction(4, 9)
    assert SYSTEM.odds(duel(("forest", [(9, 8)])), 0, 1, "double").hits[2] == Fraction(1, 36)
    assert SYSTEM.odds(duel(("building", [(6, 8)])), 0, 1).refusal is not None
    with pytest.raises(Error, match="shooting actions"):
        SYSTEM.odds(duel(), 0, 1, "march")


def test_a_battle_of_other_rules_gets_tiles_of_its_own() -> None:
    facts = facts_of(load("bandits").battle(seed=1))
    answer = SYSTEM.sight_of(facts, 0, 1, 0)
    assert "Tiles of 1 GSU are laid over the field." in answer.text


def test_cards_and_ranges() -> None:
    battle = duel()
    put(battle, "unit", 0, shock=2, morale=1)
    card = dict(SYSTEM.card(battle, 0))
    assert card["tile"] == "4,8"
    assert card["formation"] == "one unit, Shock 2, broken"
    assert [each.limits for each in SYSTEM.ranges(battle, 0)] == [(8.0,), (4.0,)]


def test_epic_has_no_scales_of_its_own() -> None:
    with pytest.raises(ValueError, match="no scales of its own; give metres_per_gsu"):
        SYSTEM.metres_per_gsu({"name": "inches"})


@pytest.mark.parametrize(
    ("verb", "aim", "modifier", "chance"),
    [("shoot", 1, 1, Fraction(2, 3)), ("shoot", -1, -1, Fraction(1, 3)),
     ("overwatch fire", -1, 0, Fraction(1, 2))],
)  # fmt: skip
def test_the_odds_of_an_order_to_shoot_are_those_of_the_action(
    verb: str, aim: int, modifier: int, chance: Fraction
) -> None:
    battle = duel()
    put(battle, "unit", 0, aim=aim)
    odds = SYSTEM.odds_of(battle, Order(verb=verb, unit=0, target=1))
    assert odds is not None
    assert [(check.modifier, check.chance) for check in odds.checks] == [(modifier, chance)]
    assert SYSTEM.odds_of(battle, Order(verb="engage", unit=0, target=1)) is None
    assert SYSTEM.odds_of(battle, Order(verb="hold fire", unit=0)) is None


@pytest.mark.parametrize(
    ("action", "face", "aim"), [("double", 1, -1), ("sustained fire", 1, 1), ("double", 6, 0)]
)
def test_the_modifier_of_an_action_is_kept_for_its_shots(action: str, face: int, aim: int) -> None:
    battle = duel()
    battle.dice = FixedDice([face])
    procedure = activate(battle, 0, retaining=False)
    advance(procedure, None)
    tested = advance(procedure, Order(verb=action, unit=0))
    assert isinstance(tested, Event)
    battle.happen(tested)
    assert cell(battle, 0, "aim") == aim, "a formation that fails its test holds"
