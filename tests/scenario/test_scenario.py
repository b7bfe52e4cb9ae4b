"""A scenario loads, goes into a battle file's header and comes back from it the same."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.setup import VictoryCondition
from emlia3d.errors import LogError, ScenarioError
from emlia3d.force import Formation
from emlia3d.force.formation import usual_files
from emlia3d.scenario import Scenario, check, from_header, load, shipped
from emlia3d.scenario.shelves import ARMIES, MAPS
from emlia3d.scenario.systems import InstalledSystems

Write = Callable[..., Path]
Systems = dict[str, Any]

JASPER = Path(__file__).parents[2].parent / "shared/data/jasper_srtm.tif"


def again(header: dict[str, Any]) -> Any:
    """The header as a battle file would give it back."""
    return json.loads(json.dumps(header))


def poses(scenario: Scenario) -> list[tuple[Any, ...]]:
    return [
        (unit.name, unit.muster, unit.entry, unit.kind, unit.states)
        for unit in scenario.setup.units
    ]


def test_what_the_file_says_is_what_the_battle_has(write: Write, systems: Systems) -> None:
    setup = load(write(), systems).setup

    archers, bandits = setup.units
    assert (setup.title, setup.turns) == ("A sound scenario", 6)
    assert [side.lines for side in setup.sides] == ["south", "north"]
    assert archers.muster.formation is Formation.RANKED
    assert (archers.muster.members, archers.muster.files, archers.muster.side) == (20, 10, 0)
    assert (bandits.muster.members, bandits.muster.facing, bandits.muster.side) == (1, 180 * 64, 1)
    assert setup.field.feature_named("rock").height == 2.0
    assert setup.area("hill").contains(setup.area("hill").centroid)
    assert setup.aims == (VictoryCondition(side="Alice", level="victory", controls=("hill",)),)


def test_what_a_unit_says_goes_before_what_its_entry_says(write: Write, systems: Systems) -> None:
    plain = load(write(), systems).setup.units[0]
    path = write(("files = 10", "files = 5\nmorale = -3\nbase = [1, 4]"))

    changed = load(path, systems).setup.units[0]

    assert (plain.entry.morale, plain.muster.troops.width) == (3, 1.0)  # type: ignore[attr-defined]
    assert changed.entry.morale == -3  # type: ignore[attr-defined]
    assert (changed.muster.troops.width, changed.muster.troops.depth) == (0.5, 2.0)
    assert changed.muster.files == 5


def test_fewer_members_than_the_entry_has_files_stand_in_one_rank(
    write: Write, systems: Systems
) -> None:
    path = write(("members = 20\nfiles = 10", "members = 6"))

    assert load(path, systems).setup.units[0].muster.files == 6


@pytest.mark.parametrize(("members", "files"), [(1, 1), (2, 2), (8, 4), (20, 7), (50, 10)])
def test_files_where_nobody_says_how_many(members: int, files: int) -> None:
    assert usual_files(members) == files


def test_a_drawn_body_keeps_its_boundary(write: Write, systems: Systems) -> None:
    path = write(("at = [60, 80]", "outline = [[50, 70], [58, 70], [58, 74]]"))

    setup = load(path, systems).setup

    archers, bandits = setup.units
    assert archers.outline is None
    assert bandits.outline is not None
    assert bandits.outline.area == 16
    assert setup.units[1].muster.at == (54, 72)


def test_house_rules_go_before_the_books(write: Write, systems: Systems) -> None:
    path = write(("[[victory]]", "[house]\nstep = 1\nbold = true\n[[victory]]"))

    numbers: Any = load(path, systems).setup.numbers

    assert (numbers.step, numbers.reach, numbers.bold) == (1.0, 20, True)


def test_a_house_rule_may_be_a_row_of_a_table(write: Write, systems: Systems) -> None:
    path = write(("[[victory]]", '[house]\n"plain.shot.mod.far" = -1\n[[victory]]'))

    scenario = load(path, systems)
    numbers: Any = scenario.setup.numbers
    back = from_header(again(scenario.header(7)), path.parent, systems)

    assert numbers.rows == {"plain.shot.mod.far": -1}
    assert back.setup.numbers == numbers


def test_coordinates_are_snapped_to_the_grid(write: Write, systems: Systems) -> None:
    path = write(("at = [60, 10]", "at = [60.0001, 10.3]"))

    assert load(path, systems).setup.units[0].muster.at == (60.0, 10547 / 1024)


def test_a_scenario_comes_back_from_a_header(
    write: Write, systems: Systems, tmp_path: Path
) -> None:
    scenario = load(write(("[[victory]]", "[house]\nstep = 0.75\n[[victory]]")), systems)

    back = from_header(again(scenario.header(7, 3)), tmp_path, systems)

    assert poses(back) == poses(scenario)
    assert back.setup.numbers == scenario.setup.numbers
    assert back.setup.turns == 6
    assert back.header(7, 3) == scenario.header(7, 3)
    assert scenario.header(7, 3)["turns"] == 3
    assert scenario.header(7)["turns"] == 6
    assert list(scenario.header(7)["entries"]) == ["emlia/longbowmen"]


def test_a_header_needs_no_unit_set_of_its_scenario(
    write: Write, systems: Systems, tmp_path: Path
) -> None:
    (tmp_path / "own.toml").write_text(
        'format = 1\nrules = "emlia"\ntitle = "Own"\n'
        '[entry.men]\nname = "Men"\nsize = 1\nheight = 1\nmembers = 4\n'
    )
    scenario = load(write(('type = "emlia/longbowmen"', 'type = "own/men"')), systems)
    (tmp_path / "own.toml").unlink()

    back = from_header(again(scenario.header(1)), tmp_path / "elsewhere", systems)

    assert poses(back) == poses(scenario)


def test_ground_is_known_again_by_its_hash(write: Write, systems: Systems, tmp_path: Path) -> None:
    np.save(tmp_path / "ground.npy", np.arange(200.0).reshape(10, 20))
    path = write(("size = [200, 100]", 'size = [200, 100]\nground = "ground.npy"'))
    scenario = load(path, systems)
    header = again(scenario.header(1))

    back = from_header(header, tmp_path, systems)
    np.save(tmp_path / "ground.npy", np.zeros((10, 20)))

    assert scenario.setup.field.ground.high_m == 199
    assert header["files"]["ground.npy"]["size"] == (128 + 1600)
    assert back.setup.field.ground.digest == scenario.setup.field.ground.digest
    with pytest.raises(ScenarioError, match="it differs from the file with which the battle began"):
        from_header(header, tmp_path, systems)


def test_a_battle_needs_the_reference_system_that_its_ground_was_read_with(
    write: Write, systems: Systems, tmp_path: Path
) -> None:
    crs = pytest.importorskip("rasterio").crs.CRS.from_epsg(32633)
    head = "ncols 20\nnrows 10\nxllcorner 500000\nyllcorner 5000000\ncellsize 20\n"
    (tmp_path / "ground.asc").write_text(head + "7 " * 200)
    (tmp_path / "ground.prj").write_text(crs.to_wkt())
    path = write(("size = [200, 100]", 'size = [200, 100]\nground = "ground.asc"'))
    header = again(load(path, systems).header(1))

    assert from_header(header, tmp_path, systems).setup.field.ground.georeference is not None
    (tmp_path / "ground.prj").unlink()
    with pytest.raises(LogError, match=r"ground.prj: it is not beside the battle file"):
        from_header(header, tmp_path, systems)


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("layout", 99, "layout of figures has version 99"),
        ("scenario", None, "has no scenario"),
        ("entries", {"emlia/longbowmen": 3}, "has entries that cannot be used"),
        (
            "numbers",
            {"step": "x", "reach": 1, "bold": True, "rows": {}},
            "numbers that cannot be used",
        ),
        ("numbers", {"step": 1, "wild": 2}, "values that this program does not know: wild"),
    ],
)
def test_a_header_that_is_wrong_is_refused(
    write: Write, systems: Systems, tmp_path: Path, key: str, value: Any, told: str
) -> None:
    header = {**load(write(), systems).header(1), key: value}

    with pytest.raises(LogError, match=told):
        from_header(header, tmp_path, systems)


def test_a_battle_file_older_than_a_house_rule_takes_its_default(
    write: Write, systems: Systems, tmp_path: Path
) -> None:
    scenario = load(write(), systems)
    header = again(scenario.header(1))

    del header["numbers"]["reach"]

    assert from_header(header, tmp_path, systems).setup.numbers == scenario.setup.numbers


def test_a_link_out_of_the_folder_is_not_followed(
    write: Write, systems: Systems, tmp_path: Path
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    np.save(tmp_path / "secret.npy", np.zeros((4, 8)))
    (folder / "ground.npy").symlink_to(tmp_path / "secret.npy")
    path = write(("size = [200, 100]", 'size = [200, 100]\nground = "ground.npy"'))
    path = path.rename(folder / path.name)

    (diagnostic,) = check(path, systems)

    assert "the link points outside the scenario's folder" in diagnostic.message


@pytest.mark.skipif(not JASPER.is_file(), reason="the sample of real elevation is not here")
def test_real_elevation_lies_under_a_field(write: Write, systems: Systems, tmp_path: Path) -> None:
    pytest.importorskip("rasterio")
    shutil.copy(JASPER, tmp_path / "jasper.tif")
    ground = '{ file = "jasper.tif", window = [100, 100, 160, 160], cell_m = 10 }'
    path = write(("size = [200, 100]", f"size = [200, 100]\nground = {ground}"))

    field = load(path, systems).setup.field

    assert field.ground.cell == 5.0
    assert field.ground.elevation_m.shape == (20, 40)
    assert 1000 < field.ground.low_m < field.ground.high_m < 3000


@pytest.mark.parametrize("path", sorted(MAPS.glob("*.toml")), ids=lambda path: path.stem)
def test_what_ships_is_without_mistake(path: Path) -> None:
    assert check(path) == ()
    assert load(path.stem).title == load(path).title


@pytest.mark.parametrize("path", sorted(ARMIES.glob("*.toml")), ids=lambda path: path.stem)
def test_unit_sets_that_ship_are_without_mistake(path: Path) -> None:
    assert check(path) == ()


def test_the_ridge_is_what_ships_first() -> None:
    names = [name for name, _, _ in shipped()]

    assert names[0] == "ridge"
    assert {"bandits", "duel"} <= set(names)
    assert all(title and summary for _, title, summary in shipped())


def test_the_brigades_of_the_ridge_are_a_match(systems: Systems) -> None:
    units = load("ridge", systems).setup.units

    figures = [sum(u.muster.members for u in units if u.muster.side == side) for side in (0, 1)]

    assert all(1800 <= count <= 2200 for count in figures)


def test_emlia_is_found_without_being_installed() -> None:
    assert "emlia" in InstalledSystems()


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ("hits = 1", "hits = 0", 8, "hits: expected a whole number of hits from 1"),
        ("hits = 1", "htis = 1", 8, "did you mean hits?"),
        ('rules = "emlia"', 'rules = "emla"', 2, "did you mean emlia?"),
        ('title = "Own"', "", None, "title is missing"),
        ("range = [1, 2, 3]", "range = [1, 2]", 11, "[short, medium, long]"),
        ("range = [1, 2, 3]", "range = [3, 2, 1]", 11, "none less than the one before it"),
        ("base_damage = 1", "base_damage = -1", 12, "base_damage: expected a whole number from 0"),
        ("base_damage = 1", 'abilities = ["parry 2"]', 9, "base_damage is missing"),
        ('"close combat" = "5/2"', '"close combat" = "5-2"', 14, "10/1"),
        ('"close combat" = "5/2"', '"close combta" = "5"', 14, "did you mean close combat?"),
    ],
)
def test_a_mistake_in_a_unit_set_is_told_with_its_line(
    tmp_path: Path, systems: Systems, old: str, new: str, line: int | None, told: str
) -> None:
    text = (
        'format = 1\nrules = "emlia"\ntitle = "Own"\n[entry.men]\nname = "Men"\nsize = 1\n'
        'height = 1\nhits = 1\n[[entry.men.weapons]]\nname = "Bow"\nrange = [1, 2, 3]\n'
        'base_damage = 1\n[entry.men.skills]\n"close combat" = "5/2"\n'
    )
    assert text.count(old) == 1
    path = tmp_path / "own.toml"
    path.write_text(text.replace(old, new))

    found = check(path, systems)

    assert [diagnostic.line for diagnostic in found if told in diagnostic.message] == [line]


def test_a_mistake_in_an_entry_is_told_where_the_entry_stands(
    write: Write, systems: Systems, tmp_path: Path
) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        'format = 1\nrules = "emlia"\n[entry.men]\nname = "Men"\nsize = 1\nheight = "x"\n'
    )
    path = write(('type = "emlia/longbowmen"', 'type = "own/men"'))

    (diagnostic,) = check(path, systems)

    assert (diagnostic.file, diagnostic.line) == (str(own), 6)
