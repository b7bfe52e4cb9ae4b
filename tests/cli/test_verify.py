"""``emlia3d battle --verify`` plays recorded battles again and finds the first difference."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Ran, Run
from tests.cli.own_commanders import block, script

Lines = list[str]


@pytest.fixture
def recorded(run: Run, tmp_path: Path) -> Path:
    """The first turns of a battle."""
    file = tmp_path / "duel.battle.jsonl"
    run(["battle", "duel", "--headless", "--turns", "3", "--save", file])
    return file


def verified(run: Run, *files: Path, processes: int = 1) -> Ran:
    return run(["battle", "--verify", "--processes", str(processes), *files])


def altered(file: Path, alter: Callable[[Lines], Lines]) -> Path:
    """A copy of a battle file with other lines."""
    copy = file.with_name("altered.battle.jsonl")
    lines = alter(file.read_text("utf-8").splitlines())
    copy.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return copy


def first(lines: Lines, pattern: str) -> int:
    """The row of the first line after the header that has a pattern."""
    return next(row for row, line in enumerate(lines) if row and re.search(pattern, line))


def test_recorded_battles_agree(run: Run, recorded: Path, tmp_path: Path) -> None:
    other = tmp_path / "road.battle.jsonl"
    run(["battle", "kings-road", "--headless", "--turns", "1", "--save", other])

    ran = verified(run, recorded, other)

    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert re.fullmatch(rf"{re.escape(str(recorded))}: \d+ events agree", lines[0])
    assert re.fullmatch(rf"{re.escape(str(other))}: \d+ events agree", lines[1])


@pytest.mark.slow
def test_several_processes_give_the_same_lines(run: Run, recorded: Path) -> None:
    files = [recorded, altered(recorded, lambda lines: lines[:40])]

    assert verified(run, *files, processes=2) == verified(run, *files)


@pytest.mark.skipif(os.name != "posix", reason="the commander is a shell script")
def test_a_battle_of_another_commander_agrees_without_it(run: Run, tmp_path: Path) -> None:
    bot, file = script(tmp_path, block("sh")), tmp_path / "x.battle.jsonl"
    led = ["--commander", f"Warriors=exec:{bot}"]
    run(["battle", "duel", "--headless", *led, "--save", file])
    bot.unlink()

    ran = verified(run, file)

    assert (ran.status, ran.err) == (0, "")


@pytest.mark.skipif(os.name != "posix", reason="the commander is a shell script")
def test_a_battle_with_forfeits_agrees(run: Run, tmp_path: Path) -> None:
    bot, file = script(tmp_path, "exit 3"), tmp_path / "x.battle.jsonl"
    led = ["--commander", f"Warriors=exec:{bot}"]
    run(["battle", "duel", "--headless", "--turns", "1", *led, "--save", file])

    assert verified(run, file).status == 0


@pytest.mark.long
def test_an_unfinished_battle_agrees_as_far_as_it_goes(run: Run, recorded: Path) -> None:
    count = len(recorded.read_text("utf-8").splitlines())

    for kept in range(1, count, 7):
        part = altered(recorded, lambda lines, kept=kept: lines[:kept])
        ran = verified(run, part)
        assert (ran.status, ran.err) == (0, "")
        assert ran.out.endswith("events agree; the battle has not ended\n")


def changes() -> Iterator[tuple[str, str, Callable[[Lines], tuple[int, Lines]]]]:
    """What differs, part of the message, and how lines are altered, with the row that differs."""

    def at(pattern: str, replace: str, into: str) -> Callable[[Lines], tuple[int, Lines]]:
        def alter(lines: Lines) -> tuple[int, Lines]:
            row = first(lines, pattern)
            return row, [*lines[:row], re.sub(replace, into, lines[row]), *lines[row + 1 :]]

        return alter

    def without_event(lines: Lines) -> tuple[int, Lines]:
        row = first(lines, '"event":"moved"')
        return row, [*lines[:row], *lines[row + 1 :]]

    def with_seed(lines: Lines) -> tuple[int, Lines]:
        header = json.loads(lines[0]) | {"seed": 77}
        return first(lines, "first drawn"), [json.dumps(header), *lines[1:]]

    def going_on(lines: Lines) -> tuple[int, Lines]:
        return len(lines) - 1, [*lines[:-1], lines[first(lines, "boundary")], lines[-1]]

    faces = r'"event":.*"faces":\['
    yield (
        "a die",
        "event .*: facts.faces[0]: the file has 99, ",
        at(faces, r'"faces":\[\d+', '"faces":[99'),
    )
    yield (
        "a rule",
        ': because[0]: the file has "a.rule", ',
        at('"because":', r'"because":\["[^"]*"', '"because":["a.rule"'),
    )
    yield "a missing event", "the file has ", without_event
    yield "the seed", "event first drawn: ", with_seed
    yield "an order", " is refused: ", at('^{"legs":', r'"x":[\d.]+', '"x":2')
    yield "a side", "side: the file has 1, the battle 0", at('"side":0', '"side":0', '"side":1')
    yield "a digest", ": digest: ", at('"boundary":2', r'"digest":"\w', '"digest":"x')
    yield "the result", "result ", at('^{"digest".*"result"', '"reason":"', '"reason":"No. ')
    yield "a line too many", "the file has boundary ", going_on


@pytest.mark.long
@pytest.mark.parametrize(
    ("message", "alter"),
    [pytest.param(message, alter, id=what) for what, message, alter in changes()],
)
def test_the_first_difference_is_named_with_its_line(
    run: Run,
    recorded: Path,
    message: str,
    alter: Callable[[Lines], tuple[int, Lines]],
) -> None:
    row, lines = alter(recorded.read_text("utf-8").splitlines())
    other = altered(recorded, lambda _: lines)

    ran = verified(run, recorded, other)

    assert (ran.status, ran.err) == (1, "")
    agreed, told = ran.out.splitlines()
    assert agreed.endswith("events agree")
    place, events, rest = re.fullmatch(
        rf"{re.escape(str(other))}:(\d+): differs after (\d+) events: (.*)", told
    ).groups()
    assert int(place) == row + 1
    assert int(events) == sum('"event":' in line for line in lines[1:row])
    pattern = ".*".join(map(re.escape, message.split(".*")))
    assert re.search(pattern, rest)


def test_files_that_cannot_be_read_have_a_line_each(run: Run, recorded: Path) -> None:
    missing = recorded.with_name("missing.battle.jsonl")
    words = recorded.with_name("words.battle.jsonl")
    words.write_text("hello\n", "utf-8")
    order = altered(recorded, lambda lines: [*lines[:-1], '{"order":3}', lines[-1]])
    code = recorded.with_name("code.battle.jsonl")
    header, rest = recorded.read_text("utf-8").split("\n", 1)
    led = json.loads(header) | {"commanders": {"Dragon": "exec:touch ran"}}
    code.write_text(f"{json.dumps(led)}\n{rest}", "utf-8")

    ran = verified(run, missing, words, order, code, recorded)

    assert ran.status == 2
    places = [f"{missing}: ", f"{words}:1: ", f"{order}:", f"{code}:1: "]
    assert len(ran.complaints) == len(places)
    assert all(map(str.startswith, ran.complaints, places))
    assert ran.out.endswith("events agree\n")
    assert not recorded.with_name("ran").exists()


@pytest.mark.long
def test_json_has_the_verdicts(run: Run, recorded: Path) -> None:
    part = altered(recorded, lambda lines: lines[:30])

    whole, cut = json.loads(run(["battle", "--json", "--verify", recorded, part]).out)

    assert (whole["status"], whole["is_finished"], whole["line"]) == (0, True, None)
    assert (cut["status"], cut["is_finished"], cut["messages"]) == (0, False, [])


@pytest.mark.parametrize(
    "words",
    [["--verify"], ["duel", "ridge"], ["--verify", "x.battle.jsonl", "--seed", "0"],
     ["--verify", "x.battle.jsonl", "--times", "2"]],
)  # fmt: skip
def test_what_does_not_fit_together_is_refused(run: Run, words: list[str]) -> None:
    ran = run(["battle", *words])

    assert (ran.status, ran.out) == (2, "")
    assert len(ran.complaints) == 1
