"""New scenarios, files that other programs change, and the part of a text that can be shown."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from emlia3d.errors import Error
from emlia3d.scenario import check, load
from emlia3d.scenario.bundled import path_of
from emlia3d.scenario.checking import review_text
from emlia3d.scenario.editing.new_scenario import new_text, with_sides
from emlia3d.scenario.editing.readable_part import ReadablePart
from emlia3d.scenario.editing.scenario_editor import ScenarioEditor
from emlia3d.scenario.editing.table_text import TableText
from emlia3d.scenario.shelves import ARMIES, scenario_files
from emlia3d.scenario.systems import or_installed

BANDITS = path_of("bandits").read_text("utf-8")


def test_a_new_scenario_is_without_errors_and_can_be_fought(tmp_path: Path) -> None:
    editor = ScenarioEditor(tmp_path / "my.toml", text=new_text('My "first" field'))
    assert not editor.is_saved
    editor.place_unit("a", "South", "emlia/spearmen", (100, 50))
    editor.place_unit("b", "North", "emlia/spearmen", (100, 110), 180)

    path = editor.save()

    assert check(path) == ()
    battle = load(path).battle(seed=1)
    assert list(battle.run())
    assert battle.result is not None
    assert load(path).title == 'My "first" field'


def test_sides_are_added_only_to_a_text_without_any() -> None:
    field = "[field]\nsize = [80, 40]\n# An example:\n# [[side]]\n"

    text = with_sides(field)

    data = tomllib.loads(text)
    assert [side["name"] for side in data["side"]] == ["South", "North"]
    assert data["area"][0]["circle"] == [40, 20, 5]
    assert "An example" not in text
    assert with_sides(text) == text
    assert with_sides(BANDITS) == BANDITS


def test_a_file_that_another_program_changed_is_not_replaced_unheeded(tmp_path: Path) -> None:
    path = tmp_path / "bandits.toml"
    path.write_text(BANDITS, "utf-8")
    editor = ScenarioEditor(path)
    editor.change_heading({"turns": 9})
    path.write_text(BANDITS + "# mine\n", "utf-8")

    assert editor.is_changed_outside
    with pytest.raises(Error, match="another program has changed this file"):
        editor.save()
    assert path.read_text("utf-8").endswith("# mine\n")

    editor.heed_outside()
    editor.save()

    assert load(path).setup.turns == 9
    assert not editor.is_changed_outside
    path.unlink()
    assert editor.is_changed_outside


def test_a_bundled_scenario_and_other_files_are_never_replaced(tmp_path: Path) -> None:
    editor = ScenarioEditor("bandits")
    editor.change_heading({"turns": 9})
    (tmp_path / "other.toml").write_text("mine", "utf-8")

    with pytest.raises(Error, match="a bundled scenario is saved under another name"):
        editor.save()
    with pytest.raises(Error, match=r"other\.toml: exists; choose another name"):
        editor.save(tmp_path / "other.toml")

    assert editor.is_bundled
    assert path_of("bandits").read_text("utf-8") == BANDITS
    assert (tmp_path / "other.toml").read_text("utf-8") == "mine"


def test_a_scenario_is_not_saved_where_its_files_are_missing(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    unit_set = (ARMIES / "emlia.toml").read_text("utf-8")
    (tmp_path / "own.toml").write_text(unit_set, "utf-8")
    text = BANDITS.replace('type = "emlia/longbowmen"', 'type = "own/longbowmen"')
    (tmp_path / "mine.toml").write_text(text, "utf-8")
    editor = ScenarioEditor(tmp_path / "mine.toml")
    assert editor.review().diagnostics == ()

    with pytest.raises(Error, match="with the files of its folder"):
        editor.save(tmp_path / "sub" / "mine.toml")


@pytest.mark.parametrize("name", sorted(scenario_files()))
def test_each_line_of_a_table_leads_to_it(name: str) -> None:
    tables = TableText(path_of(name).read_text("utf-8"))
    data = tables.document.data

    for kind in ("unit", "terrain", "side", "area"):
        for row in range(len(data.get(kind, ()))):
            first, end = tables.own_lines((kind, row))
            assert {tables.table_at(line) for line in (first + 1, end)} == {(kind, row)}
    assert tables.table_at(1) is None


@pytest.mark.parametrize(
    ("wrong", "shown"),
    [
        ('type = "emlia/nobody"', ["bandits", "raiders"]),
        ("at = [600, 2]", ["bandits", "raiders"]),
    ],
)
def test_a_unit_with_an_error_is_left_out_of_the_part_that_is_shown(
    wrong: str, shown: list[str]
) -> None:
    key = wrong.split(" = ", maxsplit=1)[0]
    right = {"type": 'type = "emlia/longbowmen"', "at": "at = [60, 2]"}[key]
    text = BANDITS.replace(right, wrong)
    found = review_text(text, "a", Path("."))
    part = ReadablePart(text, "a", Path("."), or_installed(None))

    parsed = part.without_errors(found.diagnostics)

    assert parsed is not None
    assert [unit.name for unit in parsed.setup.units] == shown
    assert part.table_of(found.diagnostics[0]) == ("unit", 0)
    outlines = part.footprints(0)
    assert [tuple(ring.mean(axis=0).round()) for ring in outlines] == (
        [(600, 2)] if key == "at" else []
    )


def test_an_error_outside_of_tables_leaves_nothing_to_show() -> None:
    text = BANDITS.replace("size = [120, 80]", "size = [120, -80]")
    found = review_text(text, "a", Path("."))

    assert ReadablePart(text, "a", Path("."), or_installed(None)).without_errors(
        found.diagnostics
    ) is None  # fmt: skip
