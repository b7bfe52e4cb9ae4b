"""A person commands a side of ``emlia3d battle`` in the terminal."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from tests.cli.conftest import Ran, Run
from tests.cli.own_commanders import block, forfeits_of, lines_of, orders_of, script

pytestmark = pytest.mark.skipif(os.name != "posix", reason="commanders here are shell scripts")


@pytest.fixture
def typed(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Run a battle with these lines typed."""

    def run_typed(lines: str, *words: str | Path) -> Ran:
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        return run(["battle", *words])

    return run_typed


def test_a_person_commands_against_other_code_to_the_end(typed, tmp_path: Path) -> None:
    bot, file = script(tmp_path, block("sh")), tmp_path / "x.battle.jsonl"
    led = ["--commander", "Dragon=human", "--commander", f"Warriors=exec:{bot}"]

    ran = typed("1\n" * 100, "duel", "--turns", "2", *led, "--save", file)

    assert (ran.status, ran.err) == (0, "")
    assert "Turn 1. dragon: what does it do?" in ran.out
    assert "   1  charge Asa" in ran.out
    assert orders_of(file, 1)[0]["order"] == "charge"
    assert forfeits_of(file, 0) == []
    assert "result" in lines_of(file)[-1]


def test_the_end_of_input_ends_the_game_and_keeps_all_orders(
    typed, run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "x.battle.jsonl"
    words = ["duel", "--commander", "Dragon=human", "--commander", "Warriors=random"]

    ran = typed("1\nnonsense\n", *words, "--save", file)

    assert ran.status == 1
    assert "unknown answer 'nonsense'" in ran.out
    assert "End of input: the game ends here." in ran.out
    assert ran.out.endswith(
        f"Resume with: emlia3d play {file} --side Dragon --commander Warriors=random\n"
    )
    assert [order["order"] for order in orders_of(file, 1)] == ["charge"]
    assert run(["battle", "--verify", file]).status == 0
    text = file.read_text("utf-8")
    resumed = typed("1\n", "--resume", file, "--commander", "Dragon=human")
    assert resumed.status == 1
    assert file.read_text("utf-8").startswith(text)
    assert len(orders_of(file, 1)) == 2


def test_without_a_name_the_file_lies_beside_the_player(typed, tmp_path: Path) -> None:
    ran = typed("", "duel", "--commander", "Warriors=human")

    assert "Resume with: emlia3d play duel.battle.jsonl\n" in ran.out
    assert (tmp_path / "duel.battle.jsonl").exists()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--commander", "Nobody=human"], 'unknown side "Nobody"'),
        (["--commander", "Dragon=human", "--times", "2"], "human plays one battle at a time"),
        (["--commander", "Dragon=human", "--json"], "human cannot be combined with"),
        (["--commander", "Dragon=human", "--swap-sides"], "human cannot be combined with"),
        (["--commander", "Dragon=humann"], "unknown commander"),
        (["--commander", "Dragon"], "--commander: expected SIDE=NAME"),
    ],
)
def test_a_person_is_refused_where_none_can_answer(
    typed, tmp_path: Path, words: list[str], reason: str
) -> None:
    ran = typed("1\n", "duel", *words)

    assert (ran.status, ran.out) == (2, "")
    (line,) = ran.complaints
    assert reason in line
    assert [*tmp_path.glob("*.jsonl")] == []


def test_the_other_side_of_a_game_may_be_led_by_other_code(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot, file = script(tmp_path, block("sh")), tmp_path / "x.battle.jsonl"
    monkeypatch.setattr("sys.stdin", io.StringIO("rest\n" * 9))
    led = ["--side", "Dragon", "--commander", f"Warriors=exec:{bot}", "--time-limit", "5"]

    ran = run(["play", "duel", "--text", "--turns", "2", *led, "--save", file])

    assert (ran.status, ran.err) == (0, "")
    assert forfeits_of(file, 0) == []
    assert len(orders_of(file, 0)) > 10
