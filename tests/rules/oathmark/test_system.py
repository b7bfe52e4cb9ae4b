"""What the system says of setups, cards, odds, heights and events."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.battle.flow import opening_event
from emlia3d.errors import Error, ScenarioError
from emlia3d.rules.oathmark import SYSTEM, system
from emlia3d.rules.oathmark.combat import BlockAttack, chances_of_hits
from emlia3d.rules.oathmark.commander import near_end, proposals
from emlia3d.rules.oathmark.core import BlockSide
from emlia3d.rules.oathmark.melee import fight
from emlia3d.scenario.scenario import from_text
from tests.rules.carrying import carry
from tests.rules.oathmark.tables import HOME, INCH, SOLDIER, cell, figures, put, table, text_of

ARCHERS: dict[str, Any] = {"type": "oathmark/human-archer", "side": "Red", "members": 10}
FOE: dict[str, Any] = {**SOLDIER, "side": "Blue", "facing": 180, "officer": (0, 100)}
ENGINE: dict[str, Any] = {
    **SOLDIER, "members": 1, "base": [50, 50], "abilities": {"artillery": 1, "crew": 3},
}  # fmt: skip
HEIGHT_UNIT = 1.83 / (1.6 / INCH)
"""Millimetres of a height unit."""


def scenario(*units: dict[str, Any], place: tuple[int, ...] = (), red: str = '"south"') -> Battle:
    """Return a battle in which the units of some numbers have no place yet.

    red : where Red enters, as TOML has it
    """
    text = text_of(units).replace('lines = "south"', f"lines = {red}", 1)
    head, *parts = text.split("[[unit]]")
    for number in place:
        lines = parts[number].splitlines()
        parts[number] = "\n".join(line for line in lines if not line.startswith("at =")) + "\n"
    battle = from_text("[[unit]]".join([head, *parts]), "table").battle(seed=0)
    battle.happen(opening_event(battle))
    return battle


# Faults and advice


def test_a_unit_that_is_placed_needs_no_edge() -> None:
    battle = scenario(SOLDIER, {**FOE, "officer": (0, 400)}, red="[100, 100]")

    assert not [*battle.system.faults(battle.setup)]
    with pytest.raises(ScenarioError, match="lines: expected an edge of the field"):
        scenario(SOLDIER, FOE, place=(0,), red="[100, 100]")


@pytest.mark.parametrize(
    ("unit", "most"),
    [
        ({"members": 11, "maximum": 10}, 10), ({"members": 2, "tags": ["unit-of-one"]}, 1),
        ({**ENGINE, "members": 2}, 1),
    ],
)  # fmt: skip
def test_more_figures_than_a_unit_may_have_are_an_error(unit: dict[str, Any], most: int) -> None:
    told = f"members: expected {most} at most, got {unit['members']}"

    with pytest.raises(ScenarioError, match=told):
        table({**SOLDIER, **unit})
    assert table({**SOLDIER, **unit, "members": most})


def test_a_battle_of_three_sides_is_an_error() -> None:
    text = text_of([SOLDIER, FOE]) + '\n[[side]]\nname = "Green"\nlines = "west"\n'

    with pytest.raises(ScenarioError, match="side: expected 2 sides, got 3"):
        from_text(text, "table")


@pytest.mark.rule("oathmark.battle.table")
def test_advice_is_about_placed_units_that_have_an_edge() -> None:
    # The strip is 228.6 mm deep; the first unit of Red ends at its edge.
    in_strip = {**SOLDIER, "officer": (0, 228.6 - 12.5 - HOME[1])}
    beyond = {**SOLDIER, "officer": (200, 228.6 - 12.0 - HOME[1])}
    far = {**FOE, "officer": (0, 300)}

    def advised(battle: Battle) -> list[tuple[str, tuple[str, str]]]:
        return [(each.told, each.about) for each in battle.system.advice(battle.setup, "")]

    red = ("it starts farther than 9 inches from the south edge", ("unit", "unit 1"))
    blue = ("it starts farther than 9 inches from the north edge", ("unit", "unit 2"))
    assert advised(scenario(in_strip, beyond, far)) == [red, blue]
    assert advised(scenario(in_strip, beyond, far, place=(0,))) == [red, blue]
    assert advised(scenario(in_strip, beyond, far, place=(1,))) == [blue]
    assert advised(scenario(in_strip, beyond, far, red="[100, 100]")) == [blue]


# The start


@pytest.mark.rule("oathmark.core.block")
def test_the_last_rank_of_each_unit_stands_between_files() -> None:
    # Of twelve, two stand in files 1 and 2; of eleven, one in file 2.
    battle = table({**SOLDIER, "members": 12}, {**SOLDIER, "members": 12, "officer": (200, 0)},
                   {**SOLDIER, "members": 11, "officer": (400, 0)})  # fmt: skip

    for unit, rear in enumerate(([-25.0, 0.0], [175.0, 200.0], [400.0])):
        found = figures(battle, unit)
        assert sorted(x for x, y in found if y == -50.0) == rear
        assert len({*found}) == len(found)


def test_crews_and_units_that_wait_are_in_the_state() -> None:
    battle = scenario({**ENGINE, "officer": (0, -400)}, SOLDIER, FOE, place=(1,))

    assert [cell(battle, unit, "crew") for unit in range(3)] == [3, 0, 0]
    assert [cell(battle, unit, "waits") for unit in range(3)] == [0, 1, 0]
    assert [cell(battle, unit, "present") for unit in range(3)] == [1, 0, 1]


# Answers


def test_a_card_leaves_out_what_a_unit_lacks() -> None:
    battle = table(ARCHERS, {**FOE, "officer": (0, 300)})
    ours, theirs = (dict(battle.system.card(battle, unit)) for unit in (0, 1))

    assert (ours["weapon"], ours["abilities"]) == ("bow", "fire over (1)")
    assert theirs["values"] == "A5 M6 F2 S0 D9 CD1 H1"
    assert "weapon" not in theirs
    assert "abilities" not in theirs


def test_odds_are_of_the_action_or_else_of_the_weapon() -> None:
    battle = table(ARCHERS, {**FOE, "weapon": "sling", "shoot": 1}, {**FOE, "officer": (200, 100)})

    def action(unit: int, target: int, *asked: str | None) -> str:
        return battle.system.odds(battle, unit, target, *asked).action

    assert [action(0, 1), action(1, 0), action(2, 0)] == ["shoot", "shoot", "attack"]
    assert [action(0, 1, verb) for verb in ("attack", "shoot")] == ["attack", "shoot"]
    assert action(2, 0, "shoot") == "shoot"
    assert [action(0, 1, None, "bow"), action(1, 0, "shoot", "sling")] == ["shoot", "shoot"]
    for asked in (("dance",), (None, "sling"), ("shoot", "sling"), ("dance", "bow")):
        with pytest.raises(Error, match='the actions "attack" and "shoot", the latter with bow'):
            battle.system.odds(battle, 0, 1, *asked)


def test_only_attacks_and_shots_have_odds() -> None:
    battle = table(ARCHERS, FOE)

    def action(**order: Any) -> str | None:
        odds = battle.system.odds_of(battle, Order(**order))
        return None if odds is None else odds.action

    assert action(verb="attack", unit=0, target=1) == "attack"
    assert action(verb="shoot", unit=0, target=1) == "shoot"
    assert action(verb="stop", unit=0) is None
    assert action(verb="move", unit=0, target=1) is None
    assert action(verb="attack", unit=0) is None
    assert action(verb="attack", target=1) is None


def test_heights_of_units_are_one_two_and_three_inches() -> None:
    large, enormous = ({"members": 1, "abilities": {name: 1}} for name in ("large", "enormous"))
    battle = table(SOLDIER, {**FOE, **large}, {**FOE, **enormous, "officer": (200, 100)})

    heights = [battle.system.height(battle, unit) for unit in range(3)]

    assert [height * HEIGHT_UNIT for height in heights] == pytest.approx([INCH, 2 * INCH, 3 * INCH])


@pytest.mark.rule("oathmark.combat.hit-table")
@pytest.mark.parametrize(
    ("target", "tenths"),
    [
        (6, (5, 5, 0, 0)), (5, (4, 5, 1, 0)), (2, (1, 5, 4, 0)), (0, (0, 4, 5, 1)),
        (10, (9, 1, 0, 0)), (14, (9, 1, 0, 0)), (-9, (0, 0, 0, 10)),
    ],
)  # fmt: skip
def test_a_die_has_chances_of_none_to_three_hits(target: int, tenths: tuple[int, ...]) -> None:
    assert chances_of_hits(target) == tuple(Fraction(count, 10) for count in tenths)


def test_statistics_count_blows_and_shots_with_their_chances() -> None:
    battle = table(ARCHERS, FOE)
    met = BlockAttack(attacker=0, defender=1, struck=BlockSide.FRONT, moved=0.0, over_works=False)
    dice = [10, 1, 1, 1, 1, 1, 1, 1, 1, 1, 9, 9]
    done = carry(battle, fight(battle, met), "withdraw", dice=dice)
    found = {event.name: battle.system.attack(battle.setup, event) for event in done.events}

    # 9 - 0 - 1 = 8 for the archers; 9 - 2 - 1 = 6 for their enemies, the last to fight.
    roll = found.pop("fought")
    assert roll is not None
    assert (roll.kind, roll.dice, roll.hits) == ("blow", 5, 0)
    assert roll.chances == (Fraction(1, 2), Fraction(1, 2), 0, 0)
    assert roll.struck == ((0, 0),)
    assert not any(found.values())


def test_morale_is_order_or_disorder() -> None:
    battle = table(SOLDIER, FOE)
    put(battle, 1, disordered=1)

    assert [battle.system.morale(battle, unit) for unit in (0, 1)] == [1.0, 0.0]


def test_search_tries_each_order_four_times(monkeypatch: pytest.MonkeyPatch) -> None:
    doctrine = SYSTEM.commander("doctrine")
    assert doctrine is not None
    monkeypatch.setattr(system, "Search", lambda *given, **named: (given, named))

    found: Any = SYSTEM.search(doctrine)

    assert found == ((doctrine, proposals), {"tries": 4, "until": near_end})
    assert SYSTEM.rehearses
    assert SYSTEM.deploys
