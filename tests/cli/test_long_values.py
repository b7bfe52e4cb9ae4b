"""However long a value in a file is, the line that refuses it repeats 200 characters of it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

MARK = "ab "
LONG = MARK * 2_000
MOST = 3 * 200 // len(MARK)  # a line may repeat a value, and name another that holds it


def assert_short(told) -> None:
    assert told.err
    for line in told.complaints:
        assert line.count(MARK) <= MOST, line[:2_000]
        assert len(line) < 10_000


def variants(text: str) -> list[str]:
    """The text with each quoted value, key and number made long, one at a time."""
    words = [json.dumps(MARK)] * 999
    changes = (
        (r'"[^"\n]*"', f'"{LONG}"'),
        (r"(?m)^\w+(?= =)", f'"{LONG}"'),
        (r"(?<== )\d[^\n]*", f"[{', '.join(words)}]"),
        (r"(?m)^\[house\]", f'[house."{LONG}"]'),
    )
    found = [(match, new) for pattern, new in changes for match in re.finditer(pattern, text)]
    return [text[: match.start()] + new + text[match.end() :] for match, new in found]


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_no_line_about_a_scenario_repeats_a_long_value(
    run, bandits: Path, tmp_path: Path, step: int
) -> None:
    text = bandits.read_text("utf-8") + "\n[house]\nx = 1\n"
    changed = variants(text)

    assert len(changed) > 50
    for number, one in enumerate(changed[::step]):
        file = tmp_path / f"{number}.toml"
        file.write_text(one, "utf-8")
        told = run(["check", file])
        if told.err:
            assert_short(told)


def long_parts(body: object) -> list[object]:
    """A JSON value with each of its parts made long, one at a time."""
    if isinstance(body, dict):
        keys = [{LONG if key == one else key: cell for key, cell in body.items()} for one in body]
        cells = [{**body, key: new} for key, cell in body.items() for new in long_parts(cell)]
        return [*keys, *cells, {**body, LONG: 1}]
    if isinstance(body, list):
        return [[MARK] * 999]
    return [LONG, [MARK] * 999, {LONG: LONG}]


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.slow)])
def test_no_line_about_a_battle_file_repeats_a_long_value(run, tmp_path: Path, step: int) -> None:
    file = tmp_path / "duel.battle.jsonl"
    run(["battle", "duel", "--turns", "1", "--headless", "--save", file])
    lines = file.read_text("utf-8").splitlines()
    bodies = [json.loads(line) for line in lines]
    first = {next(iter(body)): row for row, body in reversed(list(enumerate(bodies)))}
    changed = [
        (row, new)
        for row in (0, *first.values())
        for new in (*long_parts(bodies[row]), {"back": LONG}, {"event": LONG})
    ]

    for row, new in changed[::step]:
        file.write_text("\n".join([*lines[:row], json.dumps(new), *lines[row + 1 :], ""]), "utf-8")
        told = run(["check", file])
        if told.err:
            assert_short(told)


@pytest.mark.parametrize(
    "body",
    [
        {"program": "1", "digest": "x", LONG: 1},
        {"program": "1", "digest": "x", "rules": LONG},
        {"answers": {LONG: {"program": "1", "digest": "x"}}},
        {"answers": {"emlia": {"program": LONG, "digest": LONG}}},
    ],
)
def test_no_line_about_a_saved_answer_repeats_a_long_value(run, tmp_path: Path, body) -> None:
    file = tmp_path / "answer.json"
    file.write_text(json.dumps(body), "utf-8")

    assert_short(run(["sight", "bandits", "archers", "bandits", "--verify", file]))


@pytest.mark.parametrize(
    "body", [{"events": LONG, "name": "x"}, {"events": 1, "name": LONG}, {LONG: 1}]
)
def test_no_line_about_bookmarks_repeats_a_long_value(run, tmp_path: Path, body) -> None:
    file = tmp_path / "x.battle.jsonl.marks.jsonl"
    file.write_text('{"emlia3d_bookmarks":1}\n' + json.dumps(body) + "\n", "utf-8")

    assert_short(run(["check", file]))
