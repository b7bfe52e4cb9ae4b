"""Battle files that somebody has meddled with, and files that are none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.files import log
from emlia3d.battle.files.record import read_record
from emlia3d.errors import LogError

Write = Callable[[list[bytes]], Path]


def play_on(path: Path, battle: Battle) -> None:
    """Take a file up and play it to its end."""
    written = log.resume(read_record(path), battle)
    try:
        for _ in battle.run(recorder=written):
            pass
        assert battle.result is not None
        written.finish(battle.result)
    finally:
        written.close()


def refused(path: Path, battle: Battle) -> str:
    """What is told of a file that cannot be taken up; nothing was appended to it."""
    before = path.read_bytes()
    with pytest.raises(LogError) as told:
        play_on(path, battle)
    assert path.read_bytes() == before
    message = str(told.value)
    assert "\n" not in message
    return message


def bodies(lines: list[bytes]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines]


def number_of(lines: list[bytes], kind: str, after: int = 0) -> int:
    """The index of the first line of a kind from *after* on."""
    return next(row for row, body in enumerate(bodies(lines)) if row >= after and kind in body)


def line_of(body: dict[str, Any]) -> bytes:
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode() + b"\n"


def test_a_tampered_event_is_found_at_the_next_boundary(
    lines: list[bytes], write: Write, fresh
) -> None:
    for row, body in enumerate(bodies(lines)):
        if "event" not in body:
            continue
        other = [*lines]
        other[row] = line_of({**body, "because": ["tin.magic"]})

        told = refused(path := write(other), fresh())

        boundary = number_of(lines, "boundary", row) + 1
        assert told.startswith(f"{path}:{boundary}: the events before this line were altered")


def test_a_tampered_event_after_the_last_boundary_is_found_where_it_stands(
    lines: list[bytes], write: Write, fresh
) -> None:
    for row, body in enumerate(bodies(lines)):
        if "event" not in body:
            continue
        other = [*lines[:row], line_of({**body, "event": "rained"})]

        told = refused(path := write(other), fresh())

        assert told == (
            f"{path}:{row + 1}: this version plays the battle differently from the record;"
            " nothing was appended"
        )


def test_a_tampered_digest_is_found_where_it_stands(
    lines: list[bytes], write: Write, fresh
) -> None:
    for row, body in enumerate(bodies(lines)):
        if "digest" not in body:
            continue
        for digest in ("0" * 64, None, 1, ["a"]):
            other = [*lines]
            other[row] = line_of({**body, "digest": digest})

            told = refused(path := write(other), fresh())

            assert told.startswith(f"{path}:{row + 1}: ")


def test_a_boundary_of_another_number_is_found(lines: list[bytes], write: Write, fresh) -> None:
    row = number_of(lines, "boundary", 20)
    body = json.loads(lines[row])
    right = body["boundary"]

    told = refused(
        path := write([*lines[:row], line_of({**body, "boundary": right + 1}), *lines[row + 1 :]]),
        fresh(),
    )

    assert told == f"{path}:{row + 1}: expected boundary {right}"


def test_a_line_that_is_missing_is_found(lines: list[bytes], write: Write, fresh) -> None:
    for row, body in enumerate(bodies(lines)[:-1]):
        if row == 0 or "order" in body:
            continue

        told = refused(path := write(lines[:row] + lines[row + 1 :]), fresh())

        assert told.startswith(f"{path}:")


def test_a_recorded_order_that_is_not_on_offer_is_told_with_its_line(
    lines: list[bytes], write: Write, fresh
) -> None:
    row = number_of(lines, "order")
    body = json.loads(lines[row])
    other = [*lines[:row], line_of({**body, "order": "dance"})]

    told = refused(path := write(other), fresh())

    assert told.startswith(f"{path}:{row + 1}: tin.act: the order 'dance' is refused")
    assert told.endswith("nothing was appended")


@pytest.mark.parametrize(
    "change", [{"unit": "bear"}, {"legs": [1]}, {"order": 3}, {"colour": 1}, {"number": 0.5}]
)
@pytest.mark.parametrize("cut", [True, False], ids=["after the last boundary", "before it"])
def test_an_order_that_is_none_is_told_with_its_line(
    lines: list[bytes], write: Write, fresh, change: dict[str, Any], *, cut: bool
) -> None:
    row = number_of(lines, "order", 10)
    other = [*lines[:row], line_of({**json.loads(lines[row]), **change})]

    told = refused(path := write(other if cut else other + lines[row + 1 :]), fresh())

    assert told.startswith(f"{path}:{row + 1}: no order: ")


def test_an_order_of_the_other_side_is_found(lines: list[bytes], write: Write, fresh) -> None:
    row = number_of(lines, "order")
    other = [*lines[:row], line_of({**json.loads(lines[row]), "side": 1})]

    assert f":{row + 1}: this version plays" in refused(write(other), fresh())


def test_nothing_follows_a_result(lines: list[bytes], write: Write, fresh) -> None:
    told = refused(path := write([*lines, b'{"event":"rained"}\n']), fresh())

    assert told == f"{path}:{len(lines) + 1}: the battle ended in the line before"


def test_a_result_that_the_rules_do_not_give_is_found(
    lines: list[bytes], write: Write, fresh
) -> None:
    """Alice says that she has won; or that it is over, long before it is."""
    result = {**json.loads(lines[-1])["result"], "winner": "Alice"}
    early = number_of(lines, "boundary", 20) + 1
    digest = json.loads(lines[early - 1])["digest"]

    for other in (
        [*lines[:-1], line_of({**json.loads(lines[-1]), "result": result})],
        [*lines[:early], line_of({"result": result, "digest": digest})],
    ):
        told = refused(path := write(other), fresh())
        assert told.startswith(f"{path}:{len(other)}: this version plays the battle differently")


@pytest.mark.parametrize(
    "result", [None, "won", [], {}, {"winner": "Bob"}, {"colour": 1, "winner": None}]
)
def test_a_result_that_is_none_is_told_with_its_line(
    lines: list[bytes], write: Write, fresh, result: Any
) -> None:
    path = write([*lines[:-1], line_of({**json.loads(lines[-1]), "result": result})])

    with pytest.raises(LogError, match=f":{len(lines)}: a result has a winner"):
        _ = read_record(path).result
    assert f":{len(lines)}: " in refused(path, fresh())


CHANGES: dict[str, dict[str, Any]] = {
    "a table that is not there": {
        "do": "set", "table": "moon", "row": 0, "column": "x", "value": 1,
    },
    "a column that is not there": {
        "do": "set", "table": "unit", "row": 0, "column": "colour", "value": 1,
    },
    "a row that is not there": {
        "do": "set", "table": "unit", "row": 99, "column": "spring", "value": 1,
    },
    "a row before the first": {
        "do": "set", "table": "unit", "row": -1, "column": "spring", "value": 1,
    },
    "a figure before the first": {"do": "fall", "unit": 0, "figures": [-1]},
    "a unit before the first": {"do": "leave", "unit": -1},
    "a row that is no number": {
        "do": "set", "table": "unit", "row": "all", "column": "spring", "value": 1,
    },
    "a number that no column holds": {
        "do": "add", "table": "side", "row": 0, "column": "score", "value": 10**30,
    },
    "members from nowhere": {
        "do": "set", "table": "unit", "row": 0, "column": "members", "value": 99,
    },
    "no files": {
        "do": "place", "unit": 0, "x": 1, "y": 1, "facing": 0, "formation": 0, "files": 0,
    },
    "a change that is none": {"do": "burn"},
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_an_event_that_does_not_fit_is_told_with_its_line(
    lines: list[bytes], write: Write, fresh, change: dict[str, Any]
) -> None:
    row = number_of(lines, "event", 20)
    body = {**json.loads(lines[row]), "changes": [change]}
    path = write([*lines[:row], line_of(body), *lines[row + 1 :]])

    for take_up in (
        lambda: play_on(path, fresh()),
        lambda: list(read_record(path).replay(fresh().state)),
    ):
        with pytest.raises(LogError) as told:
            take_up()
        assert str(told.value).startswith(f"{path}:{row + 1}: ")


@pytest.mark.parametrize("unit", [-1, 4, 1.5, "bear", True])
def test_an_event_of_a_unit_that_is_not_there_is_told_with_its_line(
    lines: list[bytes], write: Write, fresh, unit: Any
) -> None:
    row = number_of(lines, "event", 20)
    body = {**json.loads(lines[row]), "unit": unit}

    told = refused(path := write([*lines[:row], line_of(body), *lines[row + 1 :]]), fresh())

    assert told.startswith(f"{path}:{row + 1}: ")


FOREIGN: dict[str, bytes] = {
    "nothing": b"",
    "a text without lines": b"dear diary",
    "a diary": b"dear diary\n",
    "a scenario": b'format = 1\ntitle = "Bandits"\n',
    "a picture": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\n",
    "text of another code": "Jos\u00e9\n".encode("utf-16"),
    "a packed file": b"\x1f\x8b\x08\n\x00\xff\n",
    "JSON of something else": b'{"title":"x"}\n',
    "JSON that is no object": b"[1]\n",
    "a number": b"1\n",
    "another format": b'{"emlia3d":2}\n',
    "a format that is no number": b'{"emlia3d":true}\n',
    "empty lines": b"\n\n\n",
    "a header that is deep": b'{"emlia3d":1,"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n",
    "a number that is long": b'{"emlia3d":' + b"1" * 100_000 + b"}\n",
}


@pytest.mark.parametrize("raw", FOREIGN.values(), ids=FOREIGN)
def test_a_file_that_is_no_battle_is_refused_in_one_line(write: Write, fresh, raw: bytes) -> None:
    told = refused(path := write([raw]), fresh())

    assert told.startswith(f"{path}:")
    assert len(told) < len(str(path)) + 100


BAD_LINES: dict[str, bytes] = {
    "no JSON": b"rained\n",
    "an empty line": b"\n",
    "no object": b"[]\n",
    "nothing known": b"{}\n",
    "two things at once": b'{"boundary":1,"event":"rained"}\n',
    "a number that JSON has not": b'{"event":"rained","facts":{"x":NaN}}\n',
    "a number without end": b'{"event":"rained","facts":{"x":1e999}}\n',
    "a number that is too long": b'{"event":"rained","facts":{"x":' + b"9" * 9999 + b"}}\n",
    "much depth": b'{"event":"rained","facts":{"x":' + b"[" * 5_000_000 + b"\n",
    "some depth": b'{"event":"rained","facts":{"x":' + b"[" * 900 + b"]" * 900 + b"}}\n",
    "a deep order": b'{"order":"wait","legs":' + b"[" * 900 + b"]" * 900 + b"}\n",
    "half a letter": b'{"event":"\\ud800"}\n',
}


@pytest.mark.parametrize("line", BAD_LINES.values(), ids=BAD_LINES)
@pytest.mark.parametrize("cut", [True, False], ids=["after the last boundary", "before it"])
def test_a_bad_line_is_told_by_its_number(
    lines: list[bytes], write: Write, fresh, line: bytes, *, cut: bool
) -> None:
    row = number_of(lines, "event", 20)

    told = refused(path := write([*lines[:row], line, *([] if cut else lines[row:])]), fresh())

    assert told.startswith(f"{path}:{row + 1}: ")
    assert len(told) < len(str(path)) + 300


def test_a_line_is_never_too_deep_to_be_refused(lines: list[bytes], write: Write, fresh) -> None:
    row = number_of(lines, "event", 20)
    for depth in range(1, 1100, 50):
        deep = b"[" * depth + b"]" * depth
        line = b'{"event":"rained","facts":{"x":' + deep + b"}}\n"

        told = refused(path := write([*lines[:row], line, *lines[row:]]), fresh())

        assert told.startswith(f"{path}:")


def test_a_line_that_is_no_text_is_told_with_its_number(
    lines: list[bytes], write: Write, fresh
) -> None:
    path = write([*lines[:3], b"\xff\xfe\n", *lines[3:]])

    told = refused(path, fresh())

    assert told == f"{path}:4: a battle file is UTF-8 text, this is not"
