"""A thing that gets another name keeps it wherever the file names the thing."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from emlia3d.scenario.bundled import path_of
from emlia3d.scenario.editing.scenario_editor import ScenarioEditor
from emlia3d.scenario.shelves import scenario_files
from tests.scenario.editing.text_lines import comments, is_part_of

NAMES = sorted(scenario_files())
KINDS = ("unit", "side", "area", "terrain")


def words_of(value: Any) -> list[str]:
    """All words of data, except the titles of the scenario."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [word for each in value.values() for word in words_of(each)]
    return [word for each in value for word in words_of(each)] if isinstance(value, list) else []


@pytest.mark.parametrize("name", NAMES)
def test_a_bundled_scenario_stays_right_when_all_of_it_is_renamed(name: str) -> None:
    editor = ScenarioEditor(name)
    before = editor.text
    for kind in KINDS:
        for row in range(min(editor.count(kind), 4)):
            table = editor.table(kind, row)
            if "name" in table and "army" not in table:
                editor.rename(kind, row, f"{kind} number {row}")

    assert editor.text != before
    assert editor.review().diagnostics == ()
    assert is_part_of(comments(before), comments(editor.text))


def test_references_of_every_kind_follow(tmp_path: Path) -> None:
    text = path_of("bandits").read_text("utf-8")
    text = text.replace("at = [26, 62]", "at = [30, 62]\nrow = { count = 2, step = 14 }")
    text = text.replace('destroyed = "raiders"', 'destroyed = "raiders 1"')
    text += """
[[area]]
name = "yard"
circle = [20, 20, 8]

[[area]]
name = "both"
of = ["yard", "rock"]

[[event]]
name = "quake"
turns = "odd"
shakes = "yard"
destroys = "rock"

[cameras.far]
from = [10, 10]
unit = "raiders 2"
"""
    path = tmp_path / "my.toml"
    path.write_text(text, "utf-8")
    editor = ScenarioEditor(path)
    wrong = [each.message for each in editor.review().diagnostics]
    rows = {
        table["name"]: (kind, row)
        for kind in KINDS
        for row, table in enumerate(tomllib.loads(text).get(kind, []))
    }

    for old, new in (("raiders", "riders"), ("yard", "court"), ("rock", "crag")):
        editor.rename(*rows[old], new)

    after = tomllib.loads(editor.text)
    assert [each.message for each in editor.review().diagnostics] == wrong
    assert after["event"][0]["shakes"] == "court"
    assert after["event"][0]["destroys"] == "crag"
    assert after["area"][-1]["of"] == ["court", "crag"]
    assert after["cameras"]["far"]["unit"] == "riders 2"
    assert "riders 1" in words_of(after["victory"])
    assert not {"raiders", "raiders 1", "raiders 2", "yard"} & set(words_of(after))
    editor.undo()
    assert tomllib.loads(editor.text)["event"][0]["destroys"] == "rock"
