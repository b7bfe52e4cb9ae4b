"""Orders that are typed with tiles, on a field of tiles."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from emlia3d.battle.files.record import read_record
from emlia3d.field.hexes import HexBoard
from emlia3d.rules.emlia.system import Emlia
from emlia3d.scenario.scenario import MAPS

FIELD = """\
format = 1
title = "Tiles"
rules = "emlia"
turns = 2
[field]
size = [40, 40]
cells = "hexes"
[[side]]
name = "Blue"
[[side]]
name = "Red"
[[unit]]
name = "guards"
side = "Blue"
type = "emlia/longbowmen"
members = 4
files = 2
formation = "close"
tile = [5, 6]
[[unit]]
name = "raiders"
side = "Red"
type = "emlia/longbowmen"
members = 4
files = 2
formation = "close"
tile = [5, 40]
arrives = 2
facing = 210
"""


@pytest.fixture
def played(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Play the field with these lines typed; return the text and the orders."""
    monkeypatch.setattr(Emlia, "cells", ("hexes",))

    def play(*lines: str, field: str = FIELD):
        (tmp_path / "tiles.toml").write_text(field, "utf-8")
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        file = tmp_path / f"{len(list(tmp_path.iterdir()))}.battle.jsonl"
        told = run(
            [
                "play",
                tmp_path / "tiles.toml",
                "--side",
                "Blue",
                "--turns",
                "1",
                "--text",
                "--save",
                file,
            ]
        )
        assert told.status == 0, told.err
        return told.out, [line.body for line in read_record(file).lines if "order" in line.body]

    return play


def test_an_order_to_a_tile_is_the_order_to_its_centre(played) -> None:
    at, to = HexBoard.covering((40, 40)).grid.centres([(5, 6), (6, 6)]).tolist()
    plain = FIELD.replace('cells = "hexes"\n', "").replace(
        "tile = [5, 6]", f"at = {at}\nfacing = 30"
    )
    plain = plain.replace("tile = [5, 40]", "at = [25, 36]")

    _, orders = played("move 6,6 30", "rest")
    _, expected = played(f"move {to[0]} {to[1]} 30", "rest", field=plain)

    assert orders[0]["order"] == "move"
    assert orders[0]["legs"] == expected[0]["legs"]


def test_units_are_listed_with_their_tiles(played) -> None:
    out, _ = played("units", "rest")

    assert re.search(r"guards +Blue, 4 in 5,6 facing 30", out)


def test_units_are_deployed_on_tiles_that_are_typed(played) -> None:
    text = (MAPS / "outpost.toml").read_text("utf-8")
    field = "\n".join(line for line in text.splitlines() if not line.startswith("tile ="))

    out, orders = played(
        "deploy", "1", "look Blue line 2", "place 3,9", "place 3,3 90", "place all 4,4", "units",
        "rest", "rest", field=field,
    )  # fmt: skip

    assert [order["order"] for order in orders if order["side"] == 0][:3] == [
        "deploy", "place", "place all",
    ]  # fmt: skip
    assert "to be deployed" in out
    assert "Before the first turn. Blue: which formation deploys?" in out
    assert re.search(r"Objective 1 +held by Blue, in 2,8\n", out)
    assert out.count("the unit cannot end on that tile") == 1
    assert out.index("Blue line 6 is deployed") < out.index("Round 1")


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("move 6 6", "move needs a point: move Q,R, a tile such as 12,5"),
        ("move", "move needs a point: move Q,R, a tile such as 12,5"),
        ("move 6.5,6", "move needs a point: move Q,R, a tile such as 12,5"),
        ("move 6,6 inf", "move needs a point: move Q,R, a tile such as 12,5"),
        ("move 99,6", "a tile such as 12,5: the tile 99,6 is off the board"),
    ],
)
def test_other_words_are_refused_in_one_line(played, typed: str, told: str) -> None:
    out, _ = played(typed, "rest")

    assert told in out
