"""No error in a scenario hides another: each is reported with its own line."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emlia3d.scenario import check
from emlia3d.scenario.shelves import MAPS

Write = Callable[..., Path]
Systems = dict[str, Any]

# A date is right for no key of a scenario.
JUNK = "1979-05-27"

PAIR = re.compile(r"(\w+) = ([^\[{]*|\[[^\[\]]*\]|\{[^{}]*\}|\[\[.*\]\])(\s*#.*)?")

SHIPPED = sorted(path.stem for path in MAPS.glob("*.toml"))


def lines_of(path: Path, systems: Systems | None = None) -> list[int | None]:
    """The lines of all errors in a file."""
    return [diagnostic.line for diagnostic in check(path, systems)]


def changed(path: Path, *changes: tuple[str, str]) -> list[int]:
    """Change one line of a file for each pair of texts; return the numbers of those lines."""
    rows = path.read_text(encoding="utf-8").split("\n")
    numbers = []
    for old, new in changes:
        (number,) = [number for number, row in enumerate(rows) if row == old]
        rows[number] = new
        numbers.append(number + 1)
    path.write_text("\n".join(rows), encoding="utf-8")
    return sorted(numbers)


def test_a_misspelt_rule_system_hides_no_error_of_units(write: Write) -> None:
    path = write(('type = "emlia/longbowmen"', 'type = "emlia/longbowmen"\nmovement = "15X"'))

    planted = changed(
        path,
        ('rules = "emlia"', 'rules = "emlai"'),
        ('side = "Bob"', 'side = "Bop"'),
        ("height = 1", 'height = "tall"'),
    )

    assert lines_of(path) == sorted([*planted, planted[1] - 8])


def test_a_key_of_the_wrong_type_hides_no_other_error_of_its_unit(write: Write) -> None:
    path = write(
        ("facing = 180", 'facing = 180\nstates = ["prone", "prnoe"]\narrives = 7\ngroup = "archer"')
    )

    planted = changed(
        path,
        ('name = "bandits"', 'name = "archers"'),
        ('side = "Bob"', 'side = "Bop"'),
        ("at = [60, 80]", "at = [60, 800]"),
        ("facing = 180", 'facing = "south"'),
    )
    facing = planted[3]

    assert lines_of(path) == [*planted, facing + 1, facing + 2, facing + 3]


def test_an_unknown_entry_hides_no_error_of_its_unit(write: Write) -> None:
    path = write(
        ("members = 20", 'members = 20\noptions = ["stakes"]\nmorale = 9'),
    )

    planted = changed(
        path,
        ('type = "emlia/longbowmen"', 'type = "emlia/longbow"'),
        ("files = 10", "files = 21"),
        ('formation = "ranked"', 'formation = "rankt"'),
    )

    assert lines_of(path) == sorted([*planted, planted[1] - 1, planted[1] - 2])


def test_errors_of_an_entry_hide_no_error_of_what_goes_with_it(tmp_path: Path) -> None:
    path = tmp_path / "hosts.toml"
    rows = [
        "format = 1",
        'rules = "emlai"',
        'title = "Hosts"',
        "[entry.dragon]",
        'name = "Dragon"',
        "size = 0.3",
        "height = 4",
        "threshold = 3",
        'hits = "many"',
        "[[entry.dragon.weapons]]",
        'name = "Breath"',
        'base_damage = "hot"',
        'use = ["area volley"]',
        "[entry.dragon.options.old]",
        'sets = { timing = "late" }',
        "[army.wild]",
        "least = 4",
        "most = 3",
        'title = 7',
        'entries = ["dragn"]',
    ]  # fmt: skip
    path.write_text("\n".join(rows), encoding="utf-8")

    found = lines_of(path)

    # The weapon lacks a range and a coverage, the threshold a table.
    assert found == [2, 4, 6, 9, 10, 10, 12, 15, 16, 18, 19]


@pytest.mark.parametrize("other", [('rules = "oathmark"', 'rules = "oathmrak"'), None])
def test_errors_of_other_tables_hide_none_that_the_rule_system_finds(
    tmp_path: Path, other: tuple[str, str] | None
) -> None:
    path = tmp_path / "kings-road.toml"
    path.write_bytes((MAPS / path.name).read_bytes())
    rows = path.read_text(encoding="utf-8").split("\n")
    unit = rows.index("[[unit]]")
    side = rows.index(next(row for row in rows[unit:] if row.startswith("side")))
    rows.insert(side + 1, "arrives = 2")
    path.write_text("\n".join(rows), encoding="utf-8")
    planted = changed(path, other) if other else []
    rows = path.read_text(encoding="utf-8").split("\n")
    rows += ["[[camera]]", 'name = ""']
    path.write_text("\n".join(rows), encoding="utf-8")

    assert side + 2 in lines_of(path)
    assert {*planted} <= {*lines_of(path)}
    assert len(lines_of(path)) > 1 + len(planted)


def test_errors_of_relief_hide_no_others(write: Write) -> None:
    relief = [
        "[[field.relief.parts]]",
        'kind = "rigde"',
        "line = 7",
        "width = -1",
        "spurr = []",
        "[[field.relief.parts]]",
        'kind = "fractal"',
        "feature = 0",
        "roughness = 2",
    ]
    path = write(("[[terrain]]", "\n".join([*relief, "[[terrain]]"])))
    rows = path.read_text(encoding="utf-8").split("\n")
    first = rows.index("[[field.relief.parts]]") + 1

    assert lines_of(path) == [first + 1, first + 2, first + 3, first + 4, first + 7, first + 8]


@pytest.mark.long
@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("seed", [0, 1])
def test_every_error_planted_in_a_shipped_map_is_reported_and_no_other(
    name: str, seed: int, tmp_path: Path
) -> None:
    for file in MAPS.iterdir():
        if file.suffix in {".toml", ".npz", ".tif", ".png", ".npy"}:
            shutil.copy(file, tmp_path / file.name)
    path = tmp_path / f"{name}.toml"
    rows = path.read_text(encoding="utf-8").split("\n")
    pairs = {row: found[1] for row, text in enumerate(rows) if (found := PAIR.fullmatch(text))}
    # A name that is not there is an error wherever it is used, too.
    spots = [row for row, key in pairs.items() if key != "name"]
    dice = random.Random(f"{name} {seed}")

    for count in (1, 2, 4, 8):
        chosen = sorted(dice.sample(spots, count))
        spoilt = list(rows)
        for row in chosen:
            misspelt = "" if dice.random() < 0.5 else "zq"
            spoilt[row] = f"{pairs[row]}{misspelt} = {JUNK}"
        path.write_text("\n".join(spoilt), encoding="utf-8")

        assert sorted({*lines_of(path)}, key=int) == [row + 1 for row in chosen]  # type: ignore[arg-type]
