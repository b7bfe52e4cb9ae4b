"""The units of the unit set, their points, and the armies of the king's road."""

from __future__ import annotations

import pytest

from emlia3d import scenario
from emlia3d.battle.battle import Battle
from emlia3d.battle.entries import Hired
from emlia3d.errors import ScenarioError
from emlia3d.rules.oathmark.blocks import entry_of
from emlia3d.rules.oathmark.unit_set import Entry, cost, force_cost
from tests.rules.oathmark.tables import SOLDIER, table

UNITS = """
Human Soldier | A5 M6 F2 S0 D9 CD1 H1 | 12 | 20 | 25x25 | shielding 1
Human Spearman | A5 M6 F2 S0 D9 CD1 H1 | 13 | 20 | 25x25 | brace 1, shielding 1
Human Archer | A5 M6 F0 S2 D9 CD1 H1 | 12 | 20 | 25x25 | fire over 1
Human Warrior | A5 M5 F2 S0 D10 CD1 H1 | 14 | 20 | 25x25 | shielding 1
Human Linebreaker | A5 M5 F3 S0 D10 CD1 H1 | 17 | 20 | 25x25 |
Human Militia | A6 M6 F2 S0 D8 CD1 H1 | 9 | 20 | 25x25 | shielding 1
Human Ranger | A5 M6 F0 S2 D8 CD1 H1 | 14 | 20 | 25x25 | aimed fire 1
Human Cavalry | A5 M8 F3 S0 D12 CD2 H1 | 45 | 10 | 25x50 | charge 3, shielding 1
Human Captain | A5 M6 F3 S0 D10 CD1 H1 | 133 | 1 | 25x25 | command 1, shielding 1
Human Light Catapult | A5 M3 F2 S3 D8 CD1 H1 | 90 | 1 | 50x50 | artillery 1, crew 3, indirect fire 1, shielding 1
Giant | A7 M7 F6 S0 D13 CD5 H12 | 350 | 1 | 75x75 | charge 1, enormous 1
Orc Soldier | A6 M6 F2 S0 D9 CD1 H1 | 13 | 20 | 25x25 | charge 1, shielding 1
Orc Spearman | A6 M6 F2 S0 D9 CD1 H1 | 14 | 20 | 25x25 | brace 1, charge 1, shielding 1
Orc Archer | A6 M6 F0 S2 D9 CD1 H1 | 14 | 20 | 25x25 | charge 1, fire over 1
Orc Warrior | A6 M5 F3 S0 D10 CD1 H1 | 15 | 20 | 25x25 | charge 1, shielding 1
Orc Linebreaker | A6 M5 F4 S0 D10 CD1 H1 | 18 | 20 | 25x25 | charge 1
Wolf | A6 M8 F1 S0 D8 CD1 H1 | 12 | 10 | 25x50 | charge 1
Troll | A6 M6 F4 S0 D10 CD3 H3 | 65 | 3 | 50x50 | charge 2, large 1, shielding 1
Orc Captain | A6 M6 F3 S0 D10 CD1 H1 | 133 | 1 | 25x25 | charge 1, command 1, shielding 1
Orc Heavy Catapult | A6 M2 F3 S4 D9 CD1 H1 | 120 | 1 | 50x50 | artillery 1, crew 4, indirect fire 1, shielding 1
Dragon, wingless | A2 M6 F8 S3 D14 CD5 H12 | 700 | 1 | 75x75 | charge 2, enormous 1, fire breath 1, shielding 2
""".strip().splitlines()  # noqa: E501  the table of the catalogue
ALONE = {"Human Captain", "Giant", "Orc Captain", "Dragon, wingless"}


def key(name: str) -> str:
    """Return the name of an entry."""
    return name.partition(",")[0].lower().replace(" ", "-")


@pytest.mark.rule("oathmark.units.sample")
@pytest.mark.parametrize("line", UNITS, ids=lambda line: key(line.split(" | ")[0]))
def test_each_unit_has_the_values_of_the_catalogue(line: str) -> None:
    name, stats, points, maximum, base, abilities = (cell.strip() for cell in line.split("|"))
    battle = table({"type": f"oathmark/{key(name)}", "side": "Red", "members": 1})
    entry = entry_of(battle.setup, 0)

    assert entry.name == name
    assert entry.stats == stats
    assert (entry.points, entry.maximum) == (float(points), int(maximum))
    assert "x".join(f"{side:g}" for side in entry.base) == base
    told = ", ".join(f"{known} {level}" for known, level in sorted(entry.abilities.items()))
    assert told == abilities
    assert entry.is_one is (name in ALONE)


@pytest.mark.rule("oathmark.units.sample")
def test_fifteen_spearmen_cost_195() -> None:
    battle = table({"type": "oathmark/human-spearman", "side": "Red", "members": 15})

    assert cost(entry_of(battle.setup, 0)) == 195


@pytest.mark.rule("oathmark.units.sample-armies")
def test_humans_of_870_points_meet_orcs_of_860() -> None:
    setup = scenario.load("kings-road").battle(seed=0).setup
    forces: list[list[Hired]] = [[], []]
    for unit in setup.units:
        assert isinstance(unit.entry, Entry)
        hired = Hired(name=unit.name, entry=unit.entry, kind=unit.kind)
        forces[unit.muster.side].append(hired)

    assert [force_cost(force) for force in forces] == [870, 860]
    assert [len(force) for force in forces] == [5, 5]


def errors(**unit: object) -> str:
    """Return the message about a unit of a scenario."""
    with pytest.raises(ScenarioError) as found:
        table({**SOLDIER, **unit})
    return str(found.value)


def test_too_many_figures_are_an_error_with_its_line() -> None:
    assert "members: expected 10 at most, got 12" in errors(maximum=10, members=12)
    assert "members: expected 1 at most, got 2" in errors(tags=["unit-of-one"], members=2)


def test_bad_bases_and_files_are_errors() -> None:
    assert "the width and depth of a base, mm" in errors(base=[0, 25])
    assert "files" in errors(ranks=5)


def test_a_battle_needs_two_sides() -> None:
    battle: Battle = table(SOLDIER)

    assert not [*battle.system.faults(battle.setup)]
