"""Values of a scenario's text are changed one by one; the rest stays as it is written."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from emlia3d.errors import Error
from emlia3d.scenario.changed_text import changed, load_changed

TEXT = """# A field
turns = 6     # few

[game]
victory = "position"

[[unit]]
name = "St. Mary's guard"
members = 10

[[unit]]
name = "archers"
"""


def test_comments_and_order_stay() -> None:
    found = changed(TEXT, {"turns": "8", 'unit."St. Mary\'s guard".members': "12"})

    assert found == TEXT.replace("turns = 6", "turns = 8").replace("= 10", "= 12")


def test_values_are_toml_or_plain_words() -> None:
    found = changed(TEXT, {"game.victory": "sudden death", "unit.archers.at": "[3, 4.5]"})

    assert 'victory = "sudden death"' in found
    assert "at = [3, 4.5]" in found


@pytest.mark.parametrize("key", ["house.emlia.fire.mod.unaware", 'house."emlia.fire.mod.unaware"'])
def test_a_scenario_without_house_rules_gets_them(key: str) -> None:
    found = load_changed("duel", {key: "3", "house.near": "12"})

    house = tomllib.loads(found.text)["house"]
    assert house == {"emlia.fire.mod.unaware": 3, "near": 12}
    with pytest.raises(Error, match="house"):
        load_changed("duel", {"house.nonsense": "3"})


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("unit.nobody.members", "there is no 'nobody'"),
        ("unit.members", "needs the name or the number of one table"),
        ("unit.3.members", "there is no '3'; there are St. Mary's guard, archers"),
        ("unit", "unit: 'unit' names a table"),
        ("game", "game: 'game' names a table"),
        ("turns.members", "needs the name or the number of one table"),
        ("turns.members.x", "there is no 'members', because the key before it holds no tables"),
        ("", "'' is not the path of a value"),
        (".", "'.' is not the path of a value"),
    ],
)
def test_a_path_that_leads_nowhere_is_refused(key: str, told: str) -> None:
    with pytest.raises(Error, match=told):
        changed(TEXT, {key: "1"})


@pytest.mark.parametrize(
    ("text", "key", "expected"),
    [
        ("[a]\nb = {c = 1, d = 2}  # few\n", "a.b.c", {"a": {"b": {"c": 0.125, "d": 2}}}),
        ("a.b = 1\n[c]\nd = 1\n", "a.b", {"a": {"b": 0.125}, "c": {"d": 1}}),
        ("[[a]]\nname = 'x'\n[a.b]\nc = 1\n", "a.x.b.c", {"a": [{"name": "x", "b": {"c": 0.125}}]}),
        ("a = [{name = 'x', b = 1}]\n", "a.x.b", {"a": [{"name": "x", "b": 0.125}]}),
        ("[a.b]\nc = 1\n", "a.b.c", {"a": {"b": {"c": 0.125}}}),
    ],
)
def test_a_value_is_changed_exactly_however_its_table_is_written(
    text: str, key: str, expected: dict[str, object]
) -> None:
    found = changed(f"# The first\n{text}# The last\n", {key: "0.125"})

    assert tomllib.loads(found) == expected
    assert found.startswith("# The first\n")
    assert found.endswith("# The last\n")
    assert ("# few" in found) == ("# few" in text)


def test_a_table_without_a_name_has_its_number() -> None:
    text = "[[victory]]\nlevel = 'x'\n[[victory]]\nlevel = 'y'\n"

    found = changed(text, {"victory.2.level": "z"})

    assert [row["level"] for row in tomllib.loads(found)["victory"]] == ["x", "z"]
    with pytest.raises(Error, match="there is no '3'; there are 2, by their numbers from 1"):
        changed(found, {"victory.3.level": "z"})


def test_tables_that_are_missing_are_made() -> None:
    found = changed("[a]\nb = 1  # one\n", {"a.c.d": "x", "e.f.g": "2"})

    assert tomllib.loads(found) == {"a": {"b": 1, "c": {"d": "x"}}, "e": {"f": {"g": 2}}}
    assert "# one" in found


def test_a_changed_scenario_is_read_with_the_files_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(
        (Path(__file__).parents[2] / "maps" / "bandits.toml").read_text("utf-8"), encoding="utf-8"
    )

    found = load_changed(file, {"unit.archers.members": "12"})

    assert [unit.muster.members for unit in found.setup.units if unit.name == "archers"] == [12]
    assert found.setup.field.size == load_changed("bandits", {}).setup.field.size
