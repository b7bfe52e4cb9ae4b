"""Files that are no scenario, or hold junk, are told of as mistakes and never crash."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emlia3d.scenario import check

Write = Callable[..., Path]
Systems = dict[str, Any]


def test_tables_of_the_wrong_shape_are_mistakes_not_crashes(
    tmp_path: Path, systems: Systems
) -> None:
    path = tmp_path / "odd.toml"
    path.write_text(
        'format = 1\ntitle = "x"\nrules = 7\nturns = 1\nfield = 3\nside = {}\nunit = [1, "a"]\n'
        "terrain = 4\narea = [[]]\nvictory = [{}]\nhouse = []\n"
    )

    found = check(path, systems)

    assert {diagnostic.line for diagnostic in found} >= {3, 5, 6, 8, 9, 10, 11}


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"\xff\xfe", "this is not UTF-8 text"),
        (b"\xef\xbb\xbf \n", "the file is empty"),
        (b"a = 1\nb =\n", "this is not TOML"),
        (b"#" * (5 * 2**20), "longer than the 4 MiB"),
    ],
)
def test_a_file_that_is_no_text_is_one_mistake(
    tmp_path: Path, systems: Systems, raw: bytes, told: str
) -> None:
    path = tmp_path / "raw.toml"
    path.write_bytes(raw)

    (diagnostic,) = check(path, systems)

    assert told in diagnostic.message


JUNK = [
    "0", "-1", "1e300", "inf", "true", '""', '"x"', "[]", "[[]]", "[1, 2]", '["x"]', "{}",
    "{ a = 1 }", "1979-05-27", "[[0, 0], [1, 1], [2, 2]]", "99999999999999999999",
]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("junk", JUNK)
def test_junk_in_any_place_is_told_and_never_crashes(
    write: Write, systems: Systems, junk: str
) -> None:
    path = write()
    rows = path.read_text(encoding="utf-8").split("\n")

    for number, row in enumerate(rows):
        key, equals, _ = row.partition(" = ")
        if not equals:
            continue
        spoilt = [*rows[:number], f"{key} = {junk}", *rows[number + 1 :]]
        path.write_text("\n".join(spoilt), encoding="utf-8")
        for diagnostic in check(path, systems):
            assert "\n" not in str(diagnostic)
            assert "validation error" not in diagnostic.message
