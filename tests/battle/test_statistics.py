"""The statistics of battles of four systems, compared with the state and with exact odds."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import pytest

from emlia3d.battle.dice import odds
from emlia3d.battle.questions.attacks import AttackRoll
from emlia3d.battle.questions.place_counts import PlaceCounter, grid_of
from emlia3d.battle.questions.statistics import BattleStatistics, statistics
from emlia3d.battle.setup import Setup
from emlia3d.force.roster import FigureCondition
from emlia3d.rules.emlia.tables.skills import roll_check, success_chance
from emlia3d.rules.oathmark import combat
from emlia3d.rules.runolfsson import core
from emlia3d.scenario import load

BATTLES = ("bandits", "scrapyard", "kings-road")


@pytest.fixture(scope="module", params=BATTLES)
def fought(request: pytest.FixtureRequest) -> tuple:
    """A battle that is over, and its statistics."""
    battle = load(request.param).battle(3)
    return battle, statistics(battle, battle.run())


@pytest.mark.long
def test_losses_by_cause_add_up_to_the_figures_that_are_gone(fought) -> None:
    battle, found = fought
    figures, setup = battle.state.figures, battle.setup
    gone = Counter(
        setup.units[setup.deployed_as(unit)].name
        for unit, condition in zip(figures.ints("unit"), figures["condition"], strict=True)
        if condition != FigureCondition.STANDING
    )

    for unit in found.units:
        lost = unit.lost_to_shots + unit.lost_to_blows + unit.lost_otherwise + unit.departed
        assert lost == pytest.approx(gone[unit.name])
        assert unit.strength - unit.left == gone[unit.name]


def test_what_units_inflict_is_what_others_lose_to_hits(fought) -> None:
    _, found = fought

    lost = sum(unit.lost_to_shots + unit.lost_to_blows for unit in found.units)

    assert lost > 0
    assert sum(unit.inflicted for unit in found.units) == pytest.approx(lost)


def test_hits_on_a_formation_count_for_the_unit_that_falls() -> None:
    battle = load("outpost").battle(5)

    found = statistics(battle, battle.run())

    test_losses_by_cause_add_up_to_the_figures_that_are_gone((battle, found))
    test_what_units_inflict_is_what_others_lose_to_hits((battle, found))
    by_hits = sum(unit.lost_to_shots + unit.lost_to_blows for unit in found.units)
    assert by_hits > 3 * sum(unit.lost_otherwise for unit in found.units)
    assert sum(unit.blows for unit in found.units) > 0
    assert sum(unit.lost_to_blows for unit in found.units) > 0


def test_the_last_turn_shows_what_stands_at_the_end(fought) -> None:
    battle, found = fought
    sides = [side.name for side in battle.setup.sides]
    first, last = found.turns[: len(sides)], found.turns[-len(sides) :]

    for told, end in ((first, False), (last, True)):
        for one in told:
            own = [unit for unit in found.units if unit.side == one.side]
            assert one.members == sum(unit.left if end else unit.strength for unit in own)
    assert [one.side for one in last] == sides


def test_places_hold_all_that_stood_was_known_and_fell(fought) -> None:
    battle, found = fought
    counted: Counter[tuple[str, str]] = Counter()
    for place in found.places:
        counted[place.side, place.kind] += place.figures
        columns, rows = grid_of(battle.setup.field.size)
        assert 0 <= place.column < columns
        assert 0 <= place.row < rows

    for side in (side.name for side in battle.setup.sides):
        mine = [unit for unit in found.units if unit.side == side]
        ended = [turn.members for turn in found.turns if turn.side == side and turn.turn]
        assert counted[side, "stood"] == sum(ended)
        assert counted[side, "seen"] <= counted[side, "stood"]
        lost = sum(unit.strength - unit.left - unit.departed for unit in mine)
        assert counted[side, "fell"] == lost


@pytest.mark.parametrize(
    ("place", "square"),
    [((0, 0), (0, 0)), ((60, 45), (39, 29)), ((1.49, 44.9), (0, 29)), ((1.5, 30), (1, 20))],
)
def test_a_place_is_in_the_square_that_holds_it(
    place: tuple[float, float], square: tuple[int, int]
) -> None:
    battle = load("bandits").battle(3)
    moment = battle.fork()
    object.__setattr__(moment, "setup", _sized(battle.setup, (60.0, 45.0)))
    counter = PlaceCounter(moment)

    counter.add("fell", 0, 3, *place)

    (found,) = counter.counts()
    assert (found.column, found.row, found.figures) == (*square, 3)
    assert grid_of((60.0, 45.0)) == (40, 30)
    assert grid_of((10.0, 100.0)) == (4, 40)


def _sized(setup: Setup, size: tuple[float, float]) -> Setup:
    return replace(setup, field=SimpleNamespace(size=size))  # type: ignore[arg-type]


def test_statistics_do_not_change_a_battle() -> None:
    watched, plain = (load("bandits").battle(3) for _ in range(2))

    statistics(watched, watched.run())
    plain.run_to_end()

    assert watched.digest.hexdigest() == plain.digest.hexdigest()


@pytest.mark.parametrize("modifier", [-9, -3, 0, 2, 5])
def test_expected_hits_are_those_of_all_falls_of_two_dice_of_emlia(modifier: int) -> None:
    hit = success_chance(modifier)
    every = odds(lambda dice: roll_check("emlia.fire", 2, modifier, dice).successes)

    _agrees(AttackRoll(kind="shot", dice=2, chances=(1 - hit, hit)), every)


@pytest.mark.parametrize("target", [1, 4, 9, 12])
def test_expected_hits_are_those_of_all_falls_of_two_dice_of_oathmark(target: int) -> None:
    every = odds(lambda dice: combat.hits(dice.roll("oathmark.shoot.sequence", 2, 10), target))

    _agrees(AttackRoll(kind="blow", dice=2, chances=combat.chances_of_hits(target)), every)


@pytest.mark.parametrize("modifier", [-8, -1, 0, 6])
def test_expected_hits_are_those_of_all_falls_of_two_dice_of_runolfsson(modifier: int) -> None:
    hit = core.chance(modifier)
    every = odds(lambda dice: core.hits(dice.roll("runolfsson.hit.roll", 2, 10), modifier))

    _agrees(AttackRoll(kind="shot", dice=2, chances=(1 - hit, hit)), every)


@pytest.mark.parametrize("number", [-1, 10**400])
def test_impossible_numbers_of_hits_are_refused(number: int) -> None:
    for given in ({"dice": number}, {"hits": number}, {"struck": ((0, number),)}):
        with pytest.raises(ValueError, match="expected 0 to 1000000000 dice and hits, got "):
            AttackRoll(kind="shot", **given)


def _agrees(attack: AttackRoll, every: dict[int, Fraction]) -> None:
    """Compare mean and variance with those of all possible falls."""
    mean = sum((hits * chance for hits, chance in every.items()), Fraction(0))
    square = sum((hits**2 * chance for hits, chance in every.items()), Fraction(0))

    assert attack.expected == mean
    assert attack.variance == square - mean**2


def test_hits_of_units_are_the_hits_of_their_sides(fought) -> None:
    _, found = fought
    of_units = _by_side(found)

    assert {luck.side: luck.hits for luck in found.luck} == of_units
    assert all(0 <= luck.p_value <= 1 for luck in found.luck)


def _by_side(found: BattleStatistics) -> dict[str, int]:
    hits = {luck.side: 0 for luck in found.luck}
    for unit in found.units:
        hits[unit.side] += unit.hits
    return hits
