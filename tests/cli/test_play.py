"""Battles that people play in a terminal, typed line by line."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from emlia3d.battle.files.record import read_record

Play = Callable[..., "Played"]


class Played:
    """What a game printed, and the file that it left."""

    def __init__(self, status: int, out: str, err: str, file: Path) -> None:
        self.status, self.out, self.err, self.file = status, out, err, file

    @property
    def digest(self) -> str:
        found = re.search(r"digest ([0-9a-f]{16})", self.out)
        assert found is not None, self.out + self.err
        return found.group(1)

    @property
    def orders(self) -> list[dict[str, object]]:
        """Those that stand."""
        return [dict(line.body) for line in read_record(self.file).lines if "order" in line.body]


@pytest.fixture
def play(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Play a battle with these lines typed, in a file of its own."""

    def play_one(*words: str, typed: str, file: Path | None = None) -> Played:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        there = file or tmp_path / "game.battle.jsonl"
        told = run(["play", *words, "--text", *(() if file else ("--save", there))])
        return Played(told.status, told.out, told.err, there)

    return play_one


def test_a_battle_left_to_the_doctrine_goes_as_one_that_nobody_plays(run, play: Play) -> None:
    alone = run(["battle", "bandits", "--seed", "3", "--headless", "--json"])

    played = play("bandits", "--seed", "3", typed="rest\n" * 20)

    assert played.status == 0, played.err
    assert json.loads(alone.out)["digest"].startswith(played.digest)


def test_every_decision_of_a_side_is_asked_and_answered_by_number(play: Play) -> None:
    played = play("bandits", "--turns", "2", typed="1\n" * 40)

    assert played.status == 0, played.err
    assert "archers: what does it do?" in played.out
    assert "aimed fire, without moving, at raiders with Longbow" in played.out
    assert "raiders: what does it do?" not in played.out
    assert played.orders[0]["order"] == "aim"


def test_two_sides_at_one_table_look_away_by_turns(play: Play) -> None:
    words = ("bandits", "--turns", "1", "--side", "Militia", "--side", "Bandits")

    played = play(*words, typed="\n1\n1\n\n" + "1\n" * 30)

    assert "Bandits: look away. Militia: press Enter." in played.out
    assert "Militia: look away. Bandits: press Enter." in played.out


def test_a_side_is_not_told_of_enemies_that_it_is_not_aware_of(play: Play) -> None:
    hidden = play("bandits", "--turns", "1", typed="units\nlook bandits\nrest\n")

    (field,) = re.findall(r"Number, or help: ((?:  .*\n)+)", hidden.out)[:1]
    assert "raiders" in field
    assert "bandits" not in field
    assert "look: expected one of archers, raiders" in hidden.out


def test_without_fog_everybody_is_told_of(play: Play) -> None:
    plain = play("bandits", "--turns", "1", "--no-fog", typed="look bandits\nrest\n")

    assert "side: Bandits" in plain.out


def test_an_order_to_a_place_leads_there(play: Play) -> None:
    played = play("bandits", "--turns", "1", typed="move 60 6 90\nrest\n")

    assert played.orders[0]["order"] == "move"
    assert played.orders[0]["legs"][-1]["facing"] == 90 * 64  # type: ignore[index]


def test_what_may_not_be_done_is_refused_with_its_rule_and_asked_again(play: Play) -> None:
    far = {"order": "move", "unit": 0, "legs": [
        {"step": "march", "x": 60.0, "y": 70.0, "facing": 0, "formation": -1, "files": -1}
    ]}  # fmt: skip

    played = play("bandits", "--turns", "1", typed=f"{json.dumps(far)}\nsing\n99\nrest\n")

    assert "illegal order: " in played.out
    assert "(emlia.move.normal)" in played.out or "(emlia.move.blocked-by-object)" in played.out
    assert "unknown answer 'sing'" in played.out
    assert "there are the orders 1 to " in played.out
    assert played.status == 0


def test_an_order_taken_back_stays_in_the_file_and_stands_no_longer(play: Play) -> None:
    played = play("bandits", "--turns", "1", "--seed", "3", typed="17\nundo\n1\nrest\n")

    lines = [json.loads(line) for line in played.file.read_text("utf-8").splitlines()]
    (back,) = (row for row, line in enumerate(lines) if "back" in line)
    assert lines[lines[back]["back"] - 1]["order"] == "drop-down"
    assert [order["order"] for order in played.orders[:1]] == ["aim"]


def test_a_battle_with_orders_taken_back_ends_as_if_they_had_never_been_given(
    run, play: Play, tmp_path: Path
) -> None:
    words = ("bandits", "--turns", "2", "--seed", "3")

    straight = play(*words, typed="1\n2\nrest\nrest\n")
    astray = play(
        *words,
        "--save", str(tmp_path / "astray.battle.jsonl"),
        typed="16\nundo\n2\nundo\n1\n2\nrest\nrest\n",
        file=tmp_path / "astray.battle.jsonl",
    )  # fmt: skip

    assert astray.digest == straight.digest
    resumed = run(["battle", "--resume", astray.file, "--headless", "--json"])
    assert json.loads(resumed.out)["digest"].startswith(straight.digest)
    drawn = run(["view", astray.file, "--picture", tmp_path / "end.png", "--size", "160x90"])
    assert drawn.status == 0, drawn.err


def test_nothing_can_be_taken_back_before_the_first_order(play: Play) -> None:
    assert "there is no order to undo" in play("bandits", typed="undo\nquit\n").out


def test_a_game_that_was_left_is_gone_on_with_where_it_was(run, play: Play) -> None:
    left = play("bandits", "--turns", "2", "--seed", "3", typed="1\n")

    assert left.status == 1
    assert f"Resume with: emlia3d play {left.file}" in left.out
    ended = play(str(left.file), typed="2\nrest\nrest\n", file=left.file)
    resumed = run(["battle", "--resume", left.file, "--headless", "--json"])
    assert ended.status == 0, ended.err
    assert json.loads(resumed.out)["digest"].startswith(ended.digest)


def test_a_game_is_written_beside_the_player_under_a_name_that_is_free(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        monkeypatch.setattr("sys.stdin", io.StringIO(""))
        run(["play", "bandits", "--text"])

    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "bandits-2.battle.jsonl",
        "bandits.battle.jsonl",
    ]


def test_without_a_display_one_line_says_how_to_play_all_the_same(run, tmp_path: Path) -> None:
    told = run(["play", "bandits"])

    assert list(tmp_path.iterdir()) == []

    assert told.status == 1
    assert told.complaints == ["no display found; emlia3d play --text plays in the terminal"]


def test_a_side_that_there_is_not_is_told_with_those_that_there_are(run, tmp_path: Path) -> None:
    told = run(["play", "bandits", "--text", "--side", "Pirates"])

    assert told.status == 2
    assert "--side: expected one of Militia, Bandits, got Pirates" in told.complaints[0]
    assert list(tmp_path.iterdir()) == []


def test_the_odds_of_an_attack_are_told_when_asked(play: Play) -> None:
    played = play("bandits", "--turns", "1", typed="odds 1\nodds 16\nquit\n")

    assert "The archers roll 10 dice" in played.out
    assert "this order has no odds" in played.out


SPLIT = """\
format = 1
title = "A unit to split"
rules = "emlia"
turns = 1

[field]
size = [120, 80]
metres_per_gsu = 1.0

[[side]]
name = "Alice"
lines = "south"

[[side]]
name = "Bob"
lines = "north"

[[unit]]
name = "guards"
side = "Alice"
type = "emlia/bandits"
at = [60, 20]
formation = "close"
members = 11
files = 4
skills = {leadership = "12"}

[[unit]]
name = "raiders"
side = "Bob"
type = "emlia/bandits"
at = [60, 70]
"""


def test_members_are_split_off_by_their_number_and_side(play: Play, tmp_path: Path) -> None:
    scenario = tmp_path / "split.toml"
    scenario.write_text(SPLIT, "utf-8")
    split = json.dumps({"order": "split-unit", "unit": 0, "target": 0})

    played = play(
        str(scenario), "--side", "Alice",
        typed=f"{split}\ndivide 11 rear\ndivide {'9' * 5000} rear\ndivide 5 rear\nrest\n",
    )  # fmt: skip

    assert "illegal order: of 11 members, 1 to 10 can leave (emlia.lead.split)" in played.out
    assert "unknown answer 'divide'" in played.out
    order = {"order": "divide", "unit": 0, "number": 5, "words": "rear", "side": 0}
    assert order in played.orders
    assert played.status == 0, played.err


ASKED = "what is the plan of this turn? (command.plan)"


def test_a_turn_begins_with_the_plan_and_its_first_answer_goes_on_with_it(play: Play) -> None:
    played = play("ridge", "--turns", "1", typed="1\nrest\n")

    assert played.out.count(ASKED) == 1
    assert "   1  accept this plan: the Infantry assaults the ridge" in played.out
    assert [order["order"] for order in played.orders[:1]] == ["plan"]


@pytest.mark.long
def test_a_brigade_does_what_its_player_has_ordered(play: Play) -> None:
    """The infantry goes back all turn long, and again in the next turn without another word."""
    played = play("ridge", "--turns", "2", typed="mission infantry withdraw\nrest\n1\nrest\n")

    assert played.status == 0, played.err
    assert played.out.count("Southern brigade gives a mission. Infantry: withdraw") == 1
    assert played.out.count("accept this plan: the Infantry withdraws") == 2
    assert played.out.count("and the missions as listed above") == 1
    assert played.out.count("mission Cavalry: hold") == 2, "once a turn"
    told = [line.body for line in read_record(played.file).lines if "event" in line.body]
    plans = [each["facts"]["missions"] for each in told if each["event"] == "planned"]
    assert [any("Infantry withdraws" in text for text in plan) for plan in plans] == [
        True, False, True, False,
    ]  # fmt: skip


def test_a_mission_can_be_chosen_by_number_withdrawn_and_taken_back(play: Play) -> None:
    typed = "7\nmission Infantry: free\nundo\nundo\nmission infantry attack farm\n1\nrest\n"
    played = play("ridge", "--turns", "1", typed=typed)

    assert played.status == 0, played.err
    given = [order["words"] for order in played.orders if order["order"] == "mission"]
    assert given == ["infantry attack farm"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("Infantri hold", "there is no brigade 'Infantri'; did you mean 'Infantry'?"),
        ("Infantry hlod", "there is no mission 'hlod'; did you mean 'hold'?"),
        ("Infantry attack frm", "there is no place or known enemy 'frm'; did you mean 'farm'?"),
        ("Cavalry flank Lund Regiment", "there is no known enemy 'Lund Regiment'"),
    ],
)
def test_a_mission_that_cannot_be_is_refused_in_one_line(
    play: Play, words: str, reason: str
) -> None:
    played = play("ridge", "--turns", "1", typed=f"mission {words}\nquit\n")

    (line,) = (line for line in played.out.splitlines() if "illegal order" in line)
    assert line.endswith(f"illegal order: {reason} (command.plan)")


def test_a_brigade_is_left_to_the_doctrine_and_the_others_are_asked_about(play: Play) -> None:
    typed = "1\nrest Infantri\nrest infantry\n" + "doctrine\n" * 60
    played = play("ridge", "--turns", "1", typed=typed)

    assert "unknown brigade 'Infantri'; did you mean 'Infantry'?" in played.out
    assert "Southern Hussars: what does it do?" in played.out
    assert "Carrow Regiment: what does it do?" not in played.out
    assert played.status == 0, played.err


def test_neither_side_is_told_of_the_enemy_s_plan(play: Play) -> None:
    played = play("ridge", "--turns", "1", typed="rest\n")

    assert "Southern brigade plans to" in played.out
    assert "Northern brigade plans to" not in played.out


def test_a_routine_order_is_given_once_and_the_unit_is_not_asked_about_again(play: Play) -> None:
    played = play("bandits", "--turns", "2", typed="routine fire\n")
    again = play("bandits", "--turns", "2", typed="routine fire\n", file=played.file)

    assert played.status == 0, played.err
    assert "archers: fire at will, until changed" in played.out
    assert played.out.count("archers: what does it do?") == 1
    assert {order["order"] for order in played.orders if order["side"] == 0} >= {"done"}
    assert again.digest == played.digest


def test_a_routine_order_is_ended_and_bad_ones_are_refused_in_one_line(play: Play) -> None:
    typed = "routine fly\nroutine hold nobody\nroutine go 5\nroutine none archers\nquit\n"
    played = play("bandits", typed=typed)

    assert "there is no routine order" in played.out
    assert "routine: expected the name of a unit of yours" in played.out
    assert "go: expected X Y" in played.out
    assert "archers: ends its routine order" in played.out
    assert "Traceback" not in played.out + played.err
