"""``check`` tells every mistake with its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHIPPED = sorted([*(ROOT / "maps").glob("*.toml"), *(ROOT / "emlia3d/armies").glob("*.toml")])

ADVICE = {"marle.toml": 4, "ridge.toml": 3, "wendel.toml": 4}
"""How many pieces of advice each bundled scenario leaves; all others leave none."""

BAD = """\
format = 1
title = "Everything is wrong"
rules = "emlya"
turns = 0

[field]
size = [120, 80]

[[side]]
name = "Militia"
color = "#2a5caa"
"""


@pytest.mark.parametrize("file", SHIPPED, ids=lambda path: path.name)
def test_what_ships_is_right(run, file: Path) -> None:
    told = run(["check", file])

    *advice, last = told.out.splitlines()
    assert (told.status, last) == (0, f"{file}: OK")
    # The cavalry of these battles stands in two ranks, as cavalry of its time did.
    assert len(advice) == ADVICE.get(file.name, 0)
    assert all("advice (emlia.ranked.engaged-members)" in line for line in advice)


def test_every_mistake_is_told_with_its_line(run, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(BAD)

    told = run(["check", "bad.toml"])

    assert told.status == 2
    for line, word in ((3, "emlia"), (4, "turns"), (11, "colour")):
        assert any(
            complaint.startswith(f"bad.toml:{line}: ") and word in complaint
            for complaint in told.complaints
        ), (line, told.err)


def test_a_battle_of_a_bad_scenario_tells_every_mistake(run, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(BAD)

    told = run(["battle", "bad.toml"])

    assert told.status == 2
    assert told.complaints == run(["check", "bad.toml"]).complaints


def test_a_good_file_beside_a_bad_one_is_still_ok(run, tmp_path: Path, bandits: Path) -> None:
    (tmp_path / "bad.toml").write_text("format = ")

    told = run(["check", "bad.toml", bandits])

    assert told.status == 2
    assert told.complaints[0].startswith("bad.toml:1: ")
    assert told.out == f"{bandits}: OK\n"


def test_advice_is_told_and_is_no_mistake(run, tmp_path: Path, bandits: Path) -> None:
    text = bandits.read_text(encoding="utf-8")
    end = text.index("[[victory]]")
    (tmp_path / "aimless.toml").write_text(text[:end], encoding="utf-8")

    told = run(["check", "aimless.toml"])

    assert (told.status, told.err) == (0, "")
    assert told.out.splitlines() == [
        "aimless.toml: advice (emlia.scenario.parts): a scenario has victory conditions: there is "
        "no [[victory]]",
        "aimless.toml: OK",
    ]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="an empty file"),
        pytest.param(b"\x00\xff\xfe", id="no text"),
        pytest.param(b"[]\n", id="no object"),
        pytest.param(b'{"emlia3d":1}\n', id="a header without a battle"),
        pytest.param(b'{"emlia3d":99}\n', id="a format that is not known"),
        pytest.param(b"not JSON\n", id="no JSON"),
    ],
)
def test_a_bad_battle_file_is_told_in_one_line(run, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad.battle.jsonl").write_bytes(content)

    told = run(["check", "bad.battle.jsonl"])

    assert told.status == 2
    assert len(told.complaints) == 1
    assert "bad.battle.jsonl" in told.complaints[0]


def test_a_folder_is_no_scenario(run, tmp_path: Path) -> None:
    told = run(["check", tmp_path])

    assert told.status == 2
    assert len(told.complaints) == 1


def test_bookmarks_are_checked_too(run, tmp_path: Path) -> None:
    file = tmp_path / "duel.battle.jsonl.marks.jsonl"
    file.write_text('{"emlia3d_bookmarks":1}\n{"events":3,"name":"The duel"}\n')
    right = run(["check", file])
    file.write_text('{"emlia3d_bookmarks":1}\n{"events":3}\n')
    wrong = run(["check", file])

    assert (right.status, right.out) == (0, f"{file}: OK\n")
    assert (wrong.status, len(wrong.complaints)) == (2, 1)
    assert wrong.complaints[0].startswith(f"{file}:2: name and note")


def test_the_findings_are_one_document_with_each_place(run, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(BAD)
    (tmp_path / "bad.battle.jsonl").write_text("{}\n")

    told = run(["check", "bad.toml", "bad.battle.jsonl", ROOT / "maps/duel.toml", "--json"])

    scenario, battle, duel = json.loads(told.out)
    assert (told.status, told.err) == (2, "")
    assert [each["ok"] for each in (scenario, battle, duel)] == [False, False, True]
    assert (3, True) in {(each["line"], "emlia" in each["message"]) for each in scenario["errors"]}
    assert [(each["file"], each["line"]) for each in battle["errors"]] == [("bad.battle.jsonl", 1)]
    assert duel == {
        "file": str(ROOT / "maps/duel.toml"), "ok": True, "errors": [], "advice": [],
    }  # fmt: skip


def test_an_error_reads_the_same_in_text_and_document(run, tmp_path: Path) -> None:
    (tmp_path / "bad.battle.jsonl").write_text('{"emlia3d": 1}\n')
    (line,) = run(["check", "bad.battle.jsonl"]).complaints

    (found,) = json.loads(run(["check", "bad.battle.jsonl", "--json"]).out)
    (error,) = found["errors"]

    place = error["file"] if error["line"] is None else f"{error['file']}:{error['line']}"
    assert f"{place}: {error['message']}" == line
