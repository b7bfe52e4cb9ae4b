"""The battle file: written as things happen, taken up wherever it ends."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.events import kinds_by_name
from emlia3d.battle.files import log
from emlia3d.battle.files.log import BattleLog
from emlia3d.battle.files.record import read_record
from emlia3d.battle.result import Result
from emlia3d.errors import LogError
from tests.battle import toy_system

HEADER = {"title": "Nursery \u2028 of Jos\u00e9\x85", "seed": 7}

Write = Callable[[list[bytes]], Path]


def play(battle: Battle, written: BattleLog) -> Battle:
    """Play on to the end, written down."""
    try:
        for _ in battle.run(recorder=written):
            pass
        assert battle.result is not None
        written.finish(battle.result)
    finally:
        written.close()
    return battle


def resumed(path: Path, battle: Battle) -> Battle:
    """Take a file up and play it to its end."""
    return play(battle, log.resume(read_record(path), battle))


def bodies(lines: list[bytes]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines]


def line_of(body: dict[str, Any]) -> bytes:
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode() + b"\n"


def test_the_header_comes_first_and_every_line_has_sorted_keys(lines: list[bytes]) -> None:
    assert json.loads(lines[0]) == {"emlia3d": 1, **HEADER}
    for line in lines:
        assert line_of(json.loads(line)) == line


def test_a_line_ends_nowhere_but_at_its_end(lines: list[bytes], write: Write) -> None:
    """Characters that end lines in other texts stand in the title as they are."""
    record = read_record(write(lines))

    assert record.header["title"] == HEADER["title"]
    assert "\u2028".encode() in lines[0]
    assert [line.number for line in record.lines] == list(range(2, len(lines) + 1))


def test_what_was_recorded_can_be_read_back(lines: list[bytes], write: Write, fresh) -> None:
    record, battle = read_record(write(lines)), fresh()
    happened = tuple(battle.run())

    assert tuple(record.events(kinds_by_name(battle.system.events))) == happened
    assert record.result == battle.result
    assert record.size == sum(map(len, lines))


def test_boundaries_are_numbered_and_vouch_for_what_went_before(lines: list[bytes], fresh) -> None:
    replayed, boundaries = fresh(), []
    digests = {}
    for event in replayed.run():
        digests[replayed.state.stretch + 1] = replayed.digest.hexdigest()
        del event
    boundaries = [body for body in bodies(lines) if "boundary" in body]

    assert [body["boundary"] for body in boundaries] == list(range(1, 18))
    assert {body["boundary"]: body["digest"] for body in boundaries} == digests


def test_a_turn_ends_with_a_key_frame_of_the_battle_as_it_is(lines: list[bytes], fresh) -> None:
    frames = {body["boundary"]: body["frame"] for body in bodies(lines) if "frame" in body}
    battle = fresh()

    # Turns are counted on in stretches 2, 7 and 12: the opening is 1, four units act in each.
    assert list(frames) == [2, 7, 12]
    for event in battle.run():
        if event.name == "turn_began":
            frame = battle.state.key_frame()
            assert frames[frame["stretch"] + 1]["tables"] == frame["tables"]


def test_a_battle_that_is_over_ends_with_its_result_and_digest(
    lines: list[bytes], whole: tuple[bytes, str]
) -> None:
    assert json.loads(lines[-1]) == {
        "digest": whole[1],
        "result": {"winner": "Bob", "level": "victory", "reason": "Mother calls."},
    }
    assert b"result" not in b"".join(lines[:-1])


def test_a_file_that_is_there_is_never_written_over(tmp_path: Path, battle: Battle) -> None:
    path = tmp_path / "dear.battle.jsonl"
    path.write_text("dear diary\n")

    with pytest.raises(LogError, match="there is a file already; resume it, or choose another"):
        BattleLog.begin(path, HEADER, battle)

    assert path.read_text() == "dear diary\n"


def test_a_file_in_a_folder_that_is_not_there_is_told(tmp_path: Path, battle: Battle) -> None:
    with pytest.raises(LogError, match="cannot be written: No such file"):
        BattleLog.begin(tmp_path / "nowhere" / "x.battle.jsonl", HEADER, battle)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_told_in_one_line(battle: Battle) -> None:
    device = Path("/dev/full").open("w", encoding="utf-8")  # noqa: SIM115  the log's to close
    written = BattleLog(Path("full.jsonl"), device, battle)

    with pytest.raises(LogError, match=r"full\.jsonl: cannot be written: No space left"):
        list(battle.run(recorder=written))
    written.close()


def test_lines_are_in_the_file_as_they_happen_and_safe_at_each_boundary(
    tmp_path: Path, battle: Battle, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, synced = tmp_path / "live.battle.jsonl", []
    written = BattleLog.begin(path, HEADER, battle)
    monkeypatch.setattr(os, "fsync", lambda _: synced.append(path.read_bytes()))

    for event in battle.run(recorder=written):
        assert json.loads(path.read_bytes().splitlines()[-1])["event"] == event.name
    written.close()

    assert len(synced) == 17
    assert all(b'"boundary"' in text.splitlines()[-1] for text in synced)


def test_a_file_bears_its_name_only_once_its_header_is_safe(
    tmp_path: Path, battle: Battle, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, synced = tmp_path / "new.battle.jsonl", []
    monkeypatch.setattr(os, "fsync", lambda _: synced.append(path.exists()))

    BattleLog.begin(path, HEADER, battle).close()

    assert synced == [False]
    assert read_record(path).header["seed"] == 7
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_the_last_line_is_left_out_while_it_is_torn(lines: list[bytes], write: Write) -> None:
    record = read_record(write([*lines[:5], lines[5][:-1]]))

    assert len(record.lines) == 4
    assert record.size == sum(map(len, lines[:5]))
    assert record.result is None


@pytest.mark.long
def test_a_file_cut_anywhere_ends_as_an_unbroken_one(
    whole: tuple[bytes, str], lines: list[bytes], write: Write, fresh, monkeypatch
) -> None:
    """After every line, after its first byte, in its middle and before its end."""
    monkeypatch.setattr(os, "fsync", lambda _: None)  # no power fails in this test
    ends = [sum(map(len, lines[: row + 1])) for row in range(len(lines))]
    cuts = [
        cut
        for end, after in zip(ends, [*lines[1:], b""], strict=True)
        for cut in sorted({end, end + 1, end + len(after) // 2, end + len(after) - 1})
        if end <= cut < end + max(len(after), 1)
    ]

    assert len(cuts) > 3 * len(lines)
    for cut in cuts:
        path = write([whole[0][:cut]])
        battle = resumed(path, fresh())
        assert path.read_bytes() == whole[0], cut
        assert battle.digest.hexdigest() == whole[1]


def test_a_file_cut_between_two_parts_of_a_letter_is_taken_up(
    lines: list[bytes], write: Write, fresh, whole: tuple[bytes, str]
) -> None:
    path = write([*lines[:4], "{\u2028".encode()[:-1]])

    resumed(path, fresh())

    assert path.read_bytes() == whole[0]


def test_a_battle_taken_up_again_and_again_ends_as_an_unbroken_one(
    whole: tuple[bytes, str], lines: list[bytes], write: Write, fresh
) -> None:
    path = write(lines[:1])
    for events in range(1, 12):
        battle = fresh()
        written = log.resume(read_record(path), battle)
        for count, _ in enumerate(battle.run(recorder=written), start=1):
            if count == events:
                break
        written.close()
    resumed(path, fresh())

    assert path.read_bytes() == whole[0]


def test_a_battle_that_is_over_has_nothing_more_to_be_played(
    whole: tuple[bytes, str], lines: list[bytes], write: Write, fresh
) -> None:
    path, battle = write(lines), fresh()

    written = log.resume(read_record(path), battle)
    assert list(battle.run(recorder=written)) == []
    written.close()
    resumed(path, fresh())

    assert path.read_bytes() == whole[0]


def test_replaying_shows_the_state_after_each_event(
    lines: list[bytes], write: Write, fresh
) -> None:
    ruled, shown = fresh(), fresh().state
    frames = [ruled.state.key_frame() for _ in ruled.run()]

    replayed = [state.key_frame() for _, state in read_record(write(lines)).replay(shown)]

    assert replayed == frames
    assert shown.stretch == ruled.state.stretch


def test_a_file_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.battle.jsonl", tmp_path):
        with pytest.raises(LogError, match="cannot be read"):
            read_record(path)


def test_a_file_that_may_not_be_written_is_told(lines: list[bytes], write: Write, fresh) -> None:
    path = write(lines[:9])
    record = read_record(path)
    path.unlink()

    with pytest.raises(LogError, match="cannot be written: No such file"):
        log.resume(record, fresh())


def test_a_result_says_who_won_and_why(lines: list[bytes], write: Write) -> None:
    assert read_record(write(lines)).result == Result(
        winner="Bob", level="victory", reason="Mother calls."
    )


def test_a_question_with_one_option_that_the_record_does_not_know_has_that_answer(
    tmp_path: Path, write: Write, fresh, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(battle: Battle, unit: int, foe: int) -> Procedure[None]:
        stand = Order(verb="stand", unit=unit)
        side = battle.state.units.integer("side", unit)
        yield Decision(side=side, asks="tin.flee", unit=unit, options=(stand,))

    monkeypatch.setattr(toy_system, "_answer", answer)
    path = tmp_path / "asked.battle.jsonl"
    asked = fresh()
    play(asked, BattleLog.begin(path, HEADER, asked))
    lines = path.read_bytes().splitlines(keepends=True)
    at = max(row for row, body in enumerate(bodies(lines)) if body.get("order") == "stand")
    unasked = write([*lines[:at], lines[at + 1]])

    again = resumed(unasked, fresh())

    assert again.digest.hexdigest() == asked.digest.hexdigest()
    assert bodies(unasked.read_bytes().splitlines())[at : at + 2] == bodies(lines[at + 1 : at + 3])
