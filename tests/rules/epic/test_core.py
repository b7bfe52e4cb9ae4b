"""Dice, distances, the unit set, and bad input of scenarios."""

from __future__ import annotations

import pytest

from emlia3d.battle.dice import SeededDice
from emlia3d.battle.entries import Hired
from emlia3d.errors import Error
from emlia3d.rules.epic.core import chance, modified, roll, succeeds, tiles_apart
from emlia3d.rules.epic.damage import destroy
from emlia3d.rules.epic.unit_set import (
    Entry,
    bodies_of,
    entry_of,
    force_cost,
    formation_of,
    types_hit,
)
from emlia3d.scenario.scenario import from_text
from tests.rules.epic.boards import board, carry_out, cell, put, text_of


@pytest.mark.rule("epic.core.d6")
def test_dice_have_six_faces() -> None:
    assert set(roll(SeededDice(1, 0), "epic.core.d6", 200)) == {1, 2, 3, 4, 5, 6}


@pytest.mark.rule("epic.core.roll-under")
def test_dice_succeed_at_or_below_the_value() -> None:
    assert [succeeds(face, 4) for face in range(1, 7)] == [True] * 4 + [False] * 2


@pytest.mark.rule("epic.core.no-automatic")
def test_no_face_is_an_automatic_result() -> None:
    assert all(succeeds(face, 6) for face in range(1, 7))
    assert not any(succeeds(face, 0) for face in range(1, 7))
    assert (chance(7), chance(-1)) == (1, 0)


@pytest.mark.rule("epic.core.modifier-direction")
def test_modifiers_change_the_value_and_add_up() -> None:
    assert modified(5, -1, -1) == 3


@pytest.mark.rule("epic.core.distance")
@pytest.mark.parametrize(("tile", "gap"), [((3, 1), 4), ((2, -1), 2), ((6, -2), 6)])
def test_distances_are_steps(tile: tuple[int, int], gap: int) -> None:
    assert tiles_apart((0, 0), tile) == gap


@pytest.mark.rule("epic.struct.soldier", "epic.struct.unit")
def test_all_soldiers_fall_with_their_unit() -> None:
    battle = board({"kind": "line", "tile": [3, 3]}, {"kind": "tank", "tile": [4, 3]})

    assert bodies_of(entry_of(battle.setup, 0)) == 5 == cell(battle, 0, "members")
    carry_out(battle, destroy(battle, 0, "a test"))
    assert (cell(battle, 0, "members"), cell(battle, 0, "present")) == (0, 0)
    assert cell(battle, 1, "present") == 1


@pytest.mark.rule("epic.struct.unit")
def test_two_units_on_a_tile_are_refused() -> None:
    entry = entry_of(board({"kind": "line", "tile": [3, 3]}).setup, 0)
    with pytest.raises(Error, match="taken by unit 0"):
        board({"tile": [3, 3]}, {"tile": [3, 3]})
    assert bodies_of(entry) == 5


@pytest.mark.rule("epic.struct.formation")
def test_shock_is_of_the_formation_also_without_its_leader() -> None:
    battle = board({"tile": [3, 3]}, {"tile": [4, 3], "in": "unit 0"})
    put(battle, "unit", 0, shock=1)
    carry_out(battle, destroy(battle, 0, "a test"))

    assert formation_of(battle.setup, 1) == 0
    assert cell(battle, formation_of(battle.setup, 1), "shock") == 1


@pytest.mark.rule("epic.struct.unit-types")
def test_hits_fall_on_types_of_unit() -> None:
    assert types_hit("ap") == {"INF", "LV"}
    assert types_hit("at") == {"LV", "AV", "WE"}
    assert types_hit("mw") == {"INF", "LV", "AV", "WE"}


ARMIES = {
    "Blue": (6 * ["line"] + 2 * ["support"] + 6 * ["assault"] + 4 * ["tank"]
             + 2 * ["siege-gun"] + ["engine"], 1020),
    "Red": (18 * ["line"] + 2 * ["support"] + 6 * ["assault"] + 4 * ["tank"]
            + 5 * ["scout-car"], 995),
}  # fmt: skip


@pytest.mark.rule("epic.units.sample", "epic.units.sample-armies")
@pytest.mark.parametrize("name", ARMIES)
def test_the_sample_armies_cost_what_the_catalogue_says(name: str) -> None:

    kinds, points = ARMIES[name]
    units = [
        {"kind": kind, "tile": [number % 20, number // 20]} for number, kind in enumerate(kinds)
    ]
    setup = board(*units).setup
    force = [
        Hired(name=unit.name, kind=unit.kind, entry=unit.entry)
        for unit in setup.units
        if isinstance(unit.entry, Entry)
    ]

    assert force_cost(force) == points


BAD = {
    "objectives": ({}, {"objectives": [(99, 0)]}, "objectives: the tile 99,0 is off the board"),
    "cohesion": ({"in": "unit 0", "tile": [9, 3]}, {}, "out of cohesion"),
    "sides": ({"in": "unit 0", "side": "Red", "tile": [4, 3]}, {}, "are of different sides"),
    "terrain": (
        {"unit_type": "AV", "tile": [5, 5]},
        {"terrain": [("building", [(5, 5)])]},
        "cannot enter the terrain",
    ),
    "type": ({"unit_type": "XX", "tile": [4, 3]}, {}, "unit_type: expected INF, LV, AV or WE"),
    "rating": ({}, {"ratings": ((9, 5), (2, 4))}, "a strategy rating from 1 to 6"),
    "cr": ({}, {"ratings": ((3, 0), (2, 4))}, "a CR from 1 to 6"),
    "kind": ({}, {"terrain": [("buildign", [(5, 5)])]}, "building"),
    "weapon": ({"weapons": ["{ name = 'gun', rnage = 8 }"], "tile": [4, 3]}, {}, "range"),
    "arrives": ({"tile": [4, 3], "arrives": 2}, {}, "arrives: under Epic no unit arrives later"),
    "house rule": ({}, {"extra": "[house]\nzok = false"}, "zoc"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_has_one_line_with_its_place(case: str) -> None:
    unit, other, told = BAD[case]
    units = [{"tile": [3, 3]}, {"tile": [3, 15], "side": "Red"}]
    if unit:
        units.append(unit)
    with pytest.raises(Error) as raised:
        from_text(text_of(units, **other), "table.toml")

    assert told in str(raised.value)
    assert "table.toml:" in str(raised.value)
