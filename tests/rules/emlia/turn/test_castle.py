"""Chapter 22.2: the castle that ships, as it is set up, scored and played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import shapely

import emlia3d
from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Fall, Leave, Place, Set
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.result import Result
from emlia3d.force.formation import front_of
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.play.combat.scenery import batter, battered
from emlia3d.rules.emlia.play.retreat.compulsion import at_lines_point
from emlia3d.rules.emlia.play.situation.parts import entry_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import objectives
from emlia3d.scenario import Scenario, check

MAP = Path(__file__).parents[4] / "maps" / "castle.toml"


@pytest.fixture(scope="module")
def castle() -> Scenario:
    return emlia3d.load(MAP)


def units_of(castle: Scenario, side: str) -> list[int]:
    row = castle.setup.side_of(side)
    return [unit for unit, each in enumerate(castle.setup.units) if each.muster.side == row]


@pytest.mark.rule("emlia.castle.purpose")
def test_defenders_hold_their_castle_against_invaders(castle: Scenario) -> None:
    attacker, defender = castle.setup.sides

    assert defender.stance == "hold"
    assert attacker.objective == "courtyard"
    assert castle.setup.hostile(0, 1)


@pytest.mark.rule("emlia.castle.forces")
@pytest.mark.parametrize(("side", "value"), [("Besiegers", 200), ("Garrison", 100)])
def test_the_attacker_has_twice_the_hire_value_of_the_defender(
    side: str, value: float, castle: Scenario
) -> None:
    entries: list[Any] = [castle.setup.units[unit].entry for unit in units_of(castle, side)]

    assert sum(entry.hire_value for entry in entries) == value
    assert check(MAP) == ()


@pytest.mark.rule("emlia.castle.forces")
def test_the_attacker_has_mercenaries_and_engines_the_defender_levies_mercenaries_and_defences(
    castle: Scenario,
) -> None:
    words: list[set[str]] = [
        {
            word
            for unit in units_of(castle, side)
            for word in castle.setup.units[unit].entry.keywords
        }  # type: ignore[attr-defined]
        for side in ("Besiegers", "Garrison")
    ]

    assert {"Mercenary", "Engine"} <= words[0]
    assert {"Levy", "Mercenary", "Defence"} <= words[1]


@pytest.mark.rule("emlia.castle.board")
def test_the_castle_has_four_walls_four_towers_and_a_keep_at_its_rear_wall(
    castle: Scenario,
) -> None:
    field, area = castle.setup.field, castle.setup.area
    kinds = [feature.kind for feature in field.features]
    north, keep = area("north wall"), area("keep")

    assert kinds.count("tower") == 4
    assert {"south-west wall", "south-east wall", "east wall", "north wall", "west wall"} <= {
        feature.name for feature in field.features if feature.kind == "rampart"
    }
    assert keep.touches(north)
    assert area("courtyard").envelope.covers(keep.centroid)
    assert area("castle gate").centroid.y < area("courtyard").centroid.y


@pytest.mark.rule("emlia.castle.board")
def test_a_road_leads_up_the_east_side_across_the_south_face_and_to_the_gate(
    castle: Scenario,
) -> None:
    road, walls = castle.setup.area("road"), castle.setup.area("castle").bounds
    west, _, east, north = road.bounds

    assert east > walls[2]
    assert north > walls[3]
    assert road.distance(castle.setup.area("castle gate")) <= 2
    assert road.intersection(shapely.box(walls[0], 0, walls[2], walls[1])).area > 0
    assert west > walls[0]


@pytest.mark.rule("emlia.castle.board")
def test_woods_and_scrub_are_in_the_eastern_corners_and_fenced_fields_in_the_southwest(
    castle: Scenario,
) -> None:
    width, depth = castle.setup.field.size
    quarter: dict[str, set[tuple[str, str]]] = {}
    for feature in castle.setup.field.features:
        middle = feature.outline.centroid
        spot = ("n" if middle.y > depth / 2 else "s", "e" if middle.x > width / 2 else "w")
        quarter.setdefault(feature.kind, set()).add(spot)

    assert quarter["forest"] == quarter["scrub"] == {("n", "e"), ("s", "e")}
    assert quarter["plough"] == quarter["fence"] == {("s", "w")}
    assert all(f.body == "sparse" for f in castle.setup.field.features if f.kind == "forest")


@pytest.mark.rule("emlia.castle.deployment")
def test_the_defender_starts_in_the_castle_the_attacker_within_30_gsu_of_two_edges(
    castle: Scenario,
) -> None:
    situation = situation_of(castle.battle())
    width, _ = castle.setup.field.size
    inside = castle.setup.area("castle").buffer(0.01)

    assert all(inside.covers(situation.outline(unit)) for unit in units_of(castle, "Garrison"))
    for unit in units_of(castle, "Besiegers"):
        west, _, _, north = situation.outline(unit).bounds
        assert north <= 30.01 or west >= width - 30.01


@pytest.mark.rule("emlia.scenario.deployment")
def test_a_unit_that_starts_outside_its_forces_zone_is_told(tmp_path: Path) -> None:
    path = tmp_path / "castle.toml"
    text = MAP.read_text(encoding="utf-8")
    path.write_text(text.replace("at = [86, 5]", "at = [86, 50]"), encoding="utf-8")

    (diagnostic,) = check(path)

    assert "Captain Orso starts at least partly outside southern edge and eastern edge" in str(
        diagnostic
    )


@pytest.mark.rule("emlia.castle.lines")
def test_the_attackers_lines_are_the_edge_each_unit_came_from_the_defenders_the_castle(
    castle: Scenario,
) -> None:
    setup, battle = castle.setup, castle.battle()
    next(battle.run())
    situation = situation_of(battle)
    for unit in units_of(castle, "Besiegers"):
        south = situation.outline(unit).bounds[3] <= 30.01
        assert setup.lines_of(unit) == ("south" if south else "east")

    x, y = setup.lines_of(units_of(castle, "Garrison")[0])
    assert setup.area("castle").covers(shapely.Point(x, y))
    dame = setup.unit_of("Dame Isolde")
    stand(battle, dame, (float(x), float(y)))
    assert at_lines_point(battle, dame)


@pytest.mark.rule("emlia.castle.time")
def test_the_attacker_has_eight_turns_and_goes_without_victory(castle: Scenario) -> None:
    assert castle.setup.turns == 8
    assert scored(castle, {}).winner == "Garrison"


YARD, WALL, GATE = (78.0, 74.0), (90.0, 94.5), (90.0, 53.0)


def stand(battle: Battle, unit: int, at: tuple[float, float]) -> None:
    """A unit as one man of it, so that he fits anywhere."""
    units = battle.state.units
    first, count = units.integer("first", unit), units.integer("strength", unit)
    if count > 1 and units.integer("members", unit) > 1:
        fallen = Fall(unit=unit, figures=tuple(range(first + 1, first + count)))
        battle.happen(Event(facts=Unread(event="put"), changes=(fallen,)))
    x, y = front_of(battle.state.roster.drill(unit), *at, 0)
    place = Place(unit=unit, x=x, y=y, facing=0, formation=2, files=1)
    battle.happen(Event(facts=Unread(event="put"), changes=(place,)))


def scored(
    castle: Scenario,
    places: Mapping[str, tuple[float, float] | None],
    turn: int = 8,
    gone: Callable[[Battle, int], None] | None = None,
) -> Result:
    """How the battle stands with these units at these places.

    Of the others only one of each side is left, the attacker's far off, the defender's in the
    courtyard; none where *gone* says how they went.
    """
    battle = Battle(replace(castle.setup, turns=turn), SYSTEM, 1)
    next(battle.run())
    away = gone or leave
    for unit, setup in enumerate(battle.setup.units):
        at = places.get(setup.name)
        if at is not None:
            stand(battle, unit, at)
        elif setup.name in {"Captain Orso", "household"} and gone is None:
            stand(battle, unit, (5.0, 126.0) if setup.name == "Captain Orso" else YARD)
        else:
            away(battle, unit)
    now = Set(table="battle", row=0, column="turn", value=turn)
    battle.happen(Event(facts=Unread(event="put"), changes=(now,)))
    held = tuple(
        Set(table="aim", row=row, column="held", value=int(objectives.holds(battle, aim)))
        for row, aim in enumerate(battle.setup.aims)
    )
    battle.happen(Event(facts=Unread(event="put"), changes=held))
    found = objectives.decided(battle)
    assert found is not None
    return found


def leave(battle: Battle, unit: int) -> None:
    battle.happen(Event(facts=Unread(event="put"), changes=(Leave(unit=unit),)))


def fall(battle: Battle, unit: int) -> None:
    first = battle.state.units.integer("first", unit)
    figures = tuple(range(first, first + battle.state.units.integer("strength", unit)))
    battle.happen(Event(facts=Unread(event="put"), changes=(Fall(unit=unit, figures=figures),)))


@pytest.mark.parametrize(
    ("places", "winner", "level"),
    [
        pytest.param(
            {"household": (5, 5), "Red company": YARD}, "Besiegers", "major victory",
            marks=pytest.mark.rule("emlia.castle.attacker-victory.a-major"), id="a-major",
        ),
        pytest.param(
            {"household": WALL, "Red company": YARD, "White company": GATE},
            "Besiegers", "victory",
            marks=pytest.mark.rule("emlia.castle.attacker-victory.a-gate-courtyard"),
            id="a-gate-courtyard",
        ),
        pytest.param(
            {"household": WALL, "Red company": YARD, "White company": (84, 70)},
            "Besiegers", "victory",
            marks=pytest.mark.rule("emlia.castle.attacker-victory.a-gate-courtyard"),
            id="the gate unguarded and the walls outnumbered",
        ),
        pytest.param(
            {"household": YARD, "Red company": WALL}, "Besiegers", "victory",
            marks=pytest.mark.rule("emlia.castle.attacker-victory.a-walls"), id="a-walls",
        ),
        pytest.param(
            {}, "Garrison", "major victory",
            marks=pytest.mark.rule("emlia.castle.defender-victory.d-major"), id="d-major",
        ),
        pytest.param(
            {"Red company": (90, 86)}, "Garrison", "victory",
            marks=pytest.mark.rule("emlia.castle.defender-victory.d-courtyard"),
            id="d-courtyard",
        ),
        pytest.param(
            {"household": WALL, "Red company": YARD}, "Garrison", "minor victory",
            marks=pytest.mark.rule("emlia.castle.defender-victory.d-minor"), id="d-minor",
        ),
    ],
)  # fmt: skip
@pytest.mark.rule("emlia.castle.attacker-victory")
@pytest.mark.rule("emlia.castle.defender-victory")
def test_each_way_to_win_is_scored_after_the_eighth_turn(
    places: dict[str, tuple[float, float]], winner: str, level: str, castle: Scenario
) -> None:
    found = scored(castle, places)

    assert (found.winner, found.level) == (winner, level)


@pytest.mark.rule("emlia.castle.precedence")
def test_where_both_the_gate_and_the_minor_victory_hold_the_attacker_wins(
    castle: Scenario,
) -> None:
    found = scored(castle, {"household": WALL, "Red company": YARD, "White company": GATE})

    assert (found.winner, found.level) == ("Besiegers", "victory")


@pytest.mark.rule("emlia.castle.attacker-victory.a-massacre")
@pytest.mark.rule("emlia.castle.defender-victory.d-massacre")
@pytest.mark.parametrize(
    ("left", "way", "winner"),
    [
        ("Red company", fall, "Besiegers"),
        ("household", fall, "Garrison"),
        ("household", leave, "Garrison"),
    ],
)
def test_a_massacre_ends_the_battle_at_once(
    left: str, way: Callable[[Battle, int], None], winner: str, castle: Scenario
) -> None:
    found = scored(castle, {left: YARD}, gone=way)

    assert (found.winner, found.level) == (winner, "massacre")


@pytest.mark.rule("emlia.castle.attacker-victory.a-massacre")
def test_a_garrison_that_has_fled_is_not_wiped_out(castle: Scenario) -> None:
    found = scored(castle, {"Red company": (5.0, 5.0)}, gone=leave)

    assert found.level != "massacre"


def test_men_on_a_wall_stand_as_high_as_it_is(castle: Scenario) -> None:
    battle = castle.battle()
    situation = situation_of(battle)
    wall, yard = (castle.setup.unit_of(name) for name in ("bowmen of the hill", "household"))

    assert situation.footing(wall) - situation.footing(yard) == pytest.approx(2, abs=0.7)


def test_the_ram_breaks_the_gate_which_swords_do_not(castle: Scenario) -> None:
    def fallen(attacker: str, blows: int) -> bool:
        battle = Battle(castle.setup, SYSTEM, 1)
        next(battle.run())
        names = [feature.name for feature in castle.setup.field.features]
        gate = names.index("castle gate")
        weapon = entry_of(castle.setup, castle.setup.unit_of(attacker)).weapons[0]
        hits = battered(gate, weapon.base_damage, blows)
        battle.happen(Event(facts=Unread(event="put"), changes=(hits,)))
        for event in batter(battle):
            assert isinstance(event, Event)
            battle.happen(event)
        return not battle.state.features.value("present", gate)

    assert fallen("ram", 6)
    assert not fallen("ram", 2)
    assert not fallen("Red company", 11)


def test_ladders_make_a_wall_half_as_hard_to_climb(castle: Scenario) -> None:
    entry = entry_of(castle.setup, castle.setup.unit_of("Red company"))
    (ladders,) = [one for one in entry.all_abilities if one.effect == "movement"]

    assert ladders.name == "Scaling ladders"
    assert set(ladders.terrain) == {"rampart"}
    assert ladders.penalty == 0.5
