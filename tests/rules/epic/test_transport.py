"""Transport: mounting, moves in carriers, dismounting, wrecks, and what a carrier holds."""

from __future__ import annotations

from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order
from emlia3d.errors import IllegalOrderError, ScenarioError
from emlia3d.rules.epic.assault_procedure import assault
from emlia3d.rules.epic.commander.doctrine import DOCTRINE
from emlia3d.rules.epic.commander.weighing import standing
from emlia3d.rules.epic.damage import destroy, take_hits
from emlia3d.rules.epic.formations import strength, units_of
from emlia3d.rules.epic.overwatch import enter
from emlia3d.rules.epic.shock import break_formation
from emlia3d.rules.epic.shooting import guns_at
from emlia3d.rules.epic.transport.boarding import BEGIN, END, boarding, move_with_carriers
from emlia3d.rules.epic.transport.boarding import board as boards
from emlia3d.rules.epic.transport.carrying import has_room, landing_tiles
from emlia3d.rules.epic.unit_set import entry_of
from emlia3d.rules.epic.victory import held
from emlia3d.scenario.scenario import from_text
from tests.rules.epic.boards import board, carry_out, cell, go, text_of, tile_of, weapon

CARRIER, FIRST, SECOND, FOE = range(4)
GUN = {"kind": "tank", "side": "Red"}


def column(
    *, tile: tuple[int, int] = (4, 3), foe: tuple[int, int] = (4, 17), mounted: bool = True,
    **other: Any,
) -> Battle:  # fmt: skip
    """Return a battle in which a carrier has two units of infantry aboard, or beside it."""
    q, r = tile
    riders: list[dict[str, Any]] = [
        {
            "in": "unit 0",
            "save": 3,
            **({"carried_by": "unit 0"} if mounted else {"tile": [q + n, r]}),
        }
        for n in (1, -1)
    ]
    foes = other.pop("foes", [{**GUN, "tile": list(foe)}])
    return board({"kind": "carrier", "tile": [q, r]}, *riders, *foes, **other)


def mount(unit: int) -> Order:
    return Order(verb="mount", unit=unit, target=CARRIER)


@pytest.mark.rule("epic.transport.basic")
def test_a_carrier_holds_as_many_infantry_units_as_it_carries() -> None:
    setup = column().setup
    carrier, infantry = entry_of(setup, CARRIER), entry_of(setup, FIRST)
    assert carrier.carry == 2
    assert [has_room(carrier, infantry, carried) for carried in (0, 1, 2)] == [True, True, False]
    assert not has_room(carrier, carrier, 0)
    assert not has_room(infantry, infantry, 0)


def test_carried_units_are_off_the_field_and_count_for_their_formation() -> None:
    battle = column(objectives=[(4, 3)])
    units = units_of(battle)
    assert units.of_formation(CARRIER) == [CARRIER]
    assert units.carried_by(CARRIER) == [FIRST, SECOND]
    assert strength(battle, [CARRIER]) == 3
    assert held(battle) == (1, 0)
    assert {gun.unit for gun in guns_at(battle, CARRIER, FOE)} <= {CARRIER}
    on_foot = column(mounted=False, objectives=[(4, 3)])
    assert standing(battle, 0) == standing(on_foot, 0)


def test_units_mount_beside_a_carrier_ride_and_dismount() -> None:
    battle = column(mounted=False)
    moves = move_with_carriers(battle, CARRIER)
    ends = go(battle, CARRIER, (4, 11)), "dismount all"
    assert carry_out(battle, moves, mount(FIRST), mount(SECOND), *ends)
    assert tile_of(battle, CARRIER) == (4, 11)
    landed = [tile_of(battle, row) for row in (FIRST, SECOND)]
    assert len({*landed}) == 2
    assert all(units_of(battle).gaps([CARRIER], [row])[0, 0] == 1 for row in (FIRST, SECOND))
    assert [cell(battle, row, "carrier") for row in (FIRST, SECOND)] == [-1, -1]


def test_all_mount_with_one_order_and_the_rest_walks() -> None:
    battle = column(mounted=False, foes=[
        {"in": "unit 0", "tile": [4, 4]}, {**GUN, "tile": [4, 17]},
    ])  # fmt: skip
    carry_out(battle, boards(battle, CARRIER, BEGIN), "mount all")
    assert units_of(battle).carried_by(CARRIER) == [FIRST, SECOND]
    assert tile_of(battle, 3) == (4, 4)


def test_each_unit_boards_once_at_a_time() -> None:
    battle = column(mounted=False)
    carry_out(battle, boards(battle, CARRIER, BEGIN), mount(FIRST), BEGIN)
    choice = boarding(battle, CARRIER, BEGIN, None, [FIRST])
    assert list(choice.landings) == []
    assert [unit for unit, _ in choice.mounts] == [SECOND]


def test_a_unit_dismounts_on_any_free_tile_beside_and_on_no_other() -> None:
    battle = column(terrain=[("cliff", [(5, 3)])])
    choice = boarding(battle, CARRIER, END, None, [])
    tiles = units_of(battle).board.tiles[choice.landings[FIRST]].tolist()
    assert sorted(tiles) == [[3, 3], [3, 4], [4, 2], [4, 4], [5, 2]]
    for tile in ((5, 3), (4, 5), (4, 3)):
        assert choice.refusal(go(battle, FIRST, tile, "dismount")) is not None
    with pytest.raises(IllegalOrderError, match="cannot dismount on that tile"):
        carry_out(battle, boards(battle, CARRIER, END), go(battle, FIRST, (4, 5), "dismount"))


def test_no_unit_dismounts_next_to_an_enemy_but_in_a_charge() -> None:
    battle = column(foe=(4, 5))
    near = units_of(battle).board.numbers((4, 4))
    assert near not in boarding(battle, CARRIER, END, None, []).landings[FIRST]
    charge = boarding(battle, CARRIER, END, FOE, [])
    assert near in charge.landings[FIRST]
    behind = units_of(battle).board.numbers((4, 2))
    assert behind not in charge.landings[FIRST]


def test_units_on_foot_do_not_mount_in_a_charge() -> None:
    battle = column(mounted=False)
    assert boarding(battle, CARRIER, BEGIN, None, []).mounts
    assert not boarding(battle, CARRIER, BEGIN, FOE, []).mounts


def test_a_unit_that_holds_its_formation_together_mounts_at_the_start_only() -> None:
    riders = [{"in": "unit 0", "tile": [q, 3]} for q in (5, 7)]
    battle = board({"kind": "carrier", "tile": [4, 3]}, *riders, {**GUN, "tile": [4, 17]})
    assert [pair[0] for pair in boarding(battle, CARRIER, BEGIN, None, []).mounts] == [1]
    assert not boarding(battle, CARRIER, END, None, []).mounts


@pytest.mark.parametrize(("face", "there"), [(6, 0), (5, 1)])
def test_a_unit_that_dismounts_in_a_marsh_tests_for_it(face: int, there: int) -> None:
    battle = column(terrain=[("marsh", [(4, 4)])], faces=(face, *((6,) if face == 6 else ())))
    order = go(battle, FIRST, (4, 4), "dismount")
    assert carry_out(battle, boards(battle, CARRIER, END), order, END)
    assert cell(battle, FIRST, "present") == there


@pytest.mark.parametrize("faces", [(3, 4), (4, 3), (4, 4), (3, 3)])
def test_carried_units_save_or_die_with_their_carrier(faces: tuple[int, int]) -> None:
    battle = column(faces=faces)
    lost = carry_out(battle, destroy(battle, CARRIER, "a test"))
    assert lost == sum(face > 3 for face in faces)
    there = [cell(battle, row, "present") for row in (FIRST, SECOND)]
    assert there == [face <= 3 for face in faces]
    if any(there):
        assert tile_of(battle, FIRST if there[0] else SECOND) == (4, 3)
    assert units_of(battle).carried_by(CARRIER) == []
    assert battle.state.sides.value("destroyed", 0) == 25


def test_a_wreck_with_no_free_tile_takes_its_units_along() -> None:
    beside = [{"in": "unit 0", "tile": list(tile)} for tile in ((1, 0), (0, 1))]
    battle = column(tile=(0, 0), faces=(1, 1), foes=beside)
    assert carry_out(battle, destroy(battle, CARRIER, "a test")) == 1
    assert tile_of(battle, FIRST) == (0, 0)
    assert cell(battle, SECOND, "present") == 0
    assert landing_tiles(battle, SECOND, int(units_of(battle).number[FIRST])).size == 0


def test_units_lost_aboard_are_casualties() -> None:
    battle = column(faces=(6, 6, 6))
    assert carry_out(battle, take_hits(battle, {CARRIER: 1}, cause="shooting")) == 3


def test_carried_units_follow_their_carrier_that_withdraws() -> None:
    battle = column(tile=(4, 8), foe=(4, 13))
    carry_out(battle, break_formation(battle, CARRIER))
    assert units_of(battle).carried_by(CARRIER) == [FIRST, SECOND]
    places = [battle.state.units.value("y", row) for row in (FIRST, CARRIER)]
    assert abs(places[0] - places[1]) < 0.5


def test_units_that_leave_a_wreck_near_an_enemy_are_destroyed_with_it() -> None:
    riders = [{"in": "unit 0", "carried_by": "unit 0", "save": 6} for _ in range(2)]
    slow = {"kind": "carrier", "tile": [4, 8], "speed": 0}
    battle = board(slow, *riders, {**GUN, "tile": [4, 10]}, faces=(1, 1))
    carry_out(battle, break_formation(battle, CARRIER))
    assert units_of(battle).of_side(0) == []


def test_overwatch_answers_a_dismounting() -> None:
    shot = Order(verb="overwatch fire", unit=FOE, target=CARRIER)
    gun = {"side": "Red", "tile": [4, 12], "weapons": [weapon(range=8, ap=6)]}
    battle = column(foes=[gun], faces=(1, 6))
    battle.happen(enter(FOE, 1))
    rides = BEGIN, go(battle, CARRIER, (4, 8)), "wait"
    lands = go(battle, FIRST, (4, 9), "dismount"), END, shot
    carry_out(battle, move_with_carriers(battle, CARRIER), *rides, *lands)
    assert cell(battle, FIRST, "present") == 0
    assert cell(battle, FOE, "overwatch") == 0


def test_units_charge_from_a_carrier_and_count_as_out_of_cover() -> None:
    foe = {"side": "Red", "tile": [4, 13], "cc": 0, "ff": 0, "save": 0, "speed": 0}
    battle = column(foes=[foe], faces=(1, 1, 1))
    moves = go(battle, CARRIER, (4, 11)), go(battle, FIRST, (4, 12), "dismount"), END, "all stay"
    carry_out(battle, assault(battle, CARRIER, FOE), BEGIN, *moves)
    assert cell(battle, FIRST, "charged") == 1
    assert cell(battle, FOE, "present") == 0


def test_the_commander_mounts_for_a_long_way_and_dismounts_to_hold() -> None:
    battle = column(mounted=False, objectives=[(0, 15)], foe=(14, 15))
    sees = battle.system.picture(battle, 0)

    def answer(decision: Decision) -> Order:
        return DOCTRINE.decide(decision, sees, battle.dice)

    choice = boarding(battle, CARRIER, BEGIN, None, [])
    asked = Decision(side=0, asks="epic.transport.basic", unit=CARRIER, options=choice.options())
    assert answer(asked).verb == "mount all"
    near = column(objectives=[(4, 6)], foe=(14, 15))
    sees = near.system.picture(near, 0)
    choice = boarding(near, CARRIER, END, None, [])
    asked = Decision(side=0, asks="epic.transport.basic", unit=CARRIER, options=choice.options())
    assert (answer(asked).verb, answer(asked).why) == ("dismount all", "infantry holds the goal")


@pytest.mark.parametrize(
    ("riders", "told"),
    [
        ([{}] * 3, "unit 0 carries 2 units at most, got 3"),
        ([{"kind": "tank"}], "expected a unit of type INF, got unit 1 of type AV"),
        ([{"in": "unit 1"}], "is in another formation"),
        ([{"carried_by": "unit 9"}], 'unknown unit "unit 9"; did you mean'),
        ([{"tile": [4, 4]}], "starts where unit 0 is, and has no tile of its own"),
        ([{}, {"carried_by": "unit 1"}], "unit 1 is carried itself"),
        ([{"carried_by": ""}], "tile is missing"),
    ],
)
def test_a_carrier_that_cannot_hold_its_units_is_an_error_with_its_line(
    riders: list[dict[str, Any]], told: str
) -> None:
    units = [{"in": "unit 0", "carried_by": "unit 0", **rider} for rider in riders]
    units = [{k: v for k, v in unit.items() if (k, v) != ("in", "unit 1")} for unit in units]
    whole = text_of([{"kind": "carrier", "tile": [4, 3]}, *units, {**GUN, "tile": [4, 17]}])
    with pytest.raises(ScenarioError) as found:
        from_text(whole, "table.toml")
    (diagnostic,) = found.value.diagnostics
    assert told in str(diagnostic)
    line = whole.splitlines()[diagnostic.line - 1]
    assert line.startswith(("carried_by", "tile", "[[unit]]"))
