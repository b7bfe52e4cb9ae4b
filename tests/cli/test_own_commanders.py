"""Commanders of other code lead sides of whole battles, and ruin none when they fail."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from itertools import count
from pathlib import Path

import pytest

from emlia3d.battle.exchange.outside import MOST_STARTS
from emlia3d.scenario import load
from tests.cli.own_commanders import (
    MISBEHAVING,
    block,
    events_of,
    forfeits_of,
    lines_of,
    orders_of,
    script,
)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="commanders here are shell scripts")

BATTLES = [("duel", "Warriors", 0), ("kings-road", "Orcs", 1)]
"""Scenarios of two rule systems, each with a side."""

_numbers = count()


@pytest.fixture(autouse=True)
def own_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Find modules of a test in no other one."""
    monkeypatch.setattr("sys.path", [*sys.path])
    monkeypatch.delitem(sys.modules, "eager", raising=False)


def module(folder: Path, text: str) -> str:
    """Write a module of a name that no other test imports; return the name."""
    name = f"own_commander_{next(_numbers)}"
    (folder / f"{name}.py").write_text(text, "utf-8")
    return name


def assert_refused(ran, place: str) -> None:
    """One line, at a place, and exit status 2."""
    assert (ran.status, ran.out) == (2, "")
    (line,) = ran.complaints
    assert place in line


@pytest.mark.long
@pytest.mark.parametrize(("scenario", "side", "row"), BATTLES, ids=[one[0] for one in BATTLES])
@pytest.mark.parametrize("form", ["python", "shell", "python process"])
def test_the_commanders_of_the_tutorial_lead_a_whole_battle(
    run, tmp_path: Path, scenario: str, side: str, row: int, form: str
) -> None:
    if form == "python":
        name = f"python:{module(tmp_path, block('python'))}:Eager"
    elif form == "shell":
        name = f"exec:{script(tmp_path, block('sh'))}"
    else:
        program = tmp_path / "eager.py"
        program.write_text(f"{block('python')}{AS_PROCESS}", "utf-8")
        name = f"exec:{sys.executable} {program}"
    file = tmp_path / "x.battle.jsonl"

    ran = run(["battle", scenario, "--headless", "--commander", f"{side}={name}", "--save", file])

    assert (ran.status, ran.err) == (0, "")
    assert len(orders_of(file, row)) > 20
    assert forfeits_of(file, row) == []
    header = lines_of(file)[0]
    assert header["outside"] == {side: name}
    assert header["commanders"][side] == "doctrine"


AS_PROCESS = """
import json, sys

commander = Eager(json.loads(sys.stdin.readline()))
for line in sys.stdin:
    print(json.dumps(commander.decide(json.loads(line))), flush=True)
"""


def test_a_record_ends_as_it_did_without_its_commander(run, tmp_path: Path) -> None:
    bot = script(tmp_path, block("sh"))
    whole, cut = tmp_path / "whole.battle.jsonl", tmp_path / "cut.battle.jsonl"
    words = ["battle", "duel", "--headless", "--commander"]
    run([*words, f"Warriors=exec:{bot}", "--save", whole])
    text = whole.read_text("utf-8").splitlines(keepends=True)
    cut.write_text("".join(text[: len(text) * 9 // 10]), "utf-8")
    bot.unlink()

    kept = run(["battle", "--resume", whole, "--headless"])
    resumed = run(["battle", "--resume", cut, "--headless"])

    assert kept.status == resumed.status == 0
    assert len(resumed.complaints) == 1
    assert "the code that led Warriors (exec:" in resumed.err
    assert "is ignored; doctrine leads instead" in resumed.err
    recorded = [line for line in text if '"event"' in line]
    assert cut.read_text("utf-8").startswith("".join(text[: len(text) * 9 // 10]))
    assert f"{len(recorded):,} events" in kept.out


def test_a_resumed_battle_may_be_led_by_the_same_commander(run, tmp_path: Path) -> None:
    name = f"Warriors=exec:{script(tmp_path, block('sh'))}"
    whole, cut = tmp_path / "whole.battle.jsonl", tmp_path / "cut.battle.jsonl"
    first = run(["battle", "duel", "--headless", "--commander", name, "--save", whole])
    text = whole.read_text("utf-8").splitlines(keepends=True)
    cut.write_text("".join(text[: len(text) // 2]), "utf-8")

    resumed = run(["battle", "--resume", cut, "--headless", "--commander", name])

    assert (resumed.out, resumed.err) == (first.out, "")


@pytest.mark.long
@pytest.mark.parametrize("what", MISBEHAVING)
def test_a_commander_that_fails_forfeits_to_the_default(run, tmp_path: Path, what: str) -> None:
    name = f"Warriors=exec:{script(tmp_path, MISBEHAVING[what])}"
    file, usual = tmp_path / "x.battle.jsonl", tmp_path / "usual.battle.jsonl"
    words = ["battle", "duel", "--headless", "--turns", "2"]
    run([*words, "--save", usual])

    ran = run([*words, "--commander", name, "--time-limit", "0.3", "--save", file])

    assert ran.status in {0, 1}
    orders, forfeits = orders_of(file, 0), forfeits_of(file, 0)
    if "flood" in what:  # its lines are answers until it is found out
        assert forfeits
    else:
        assert len(forfeits) == len(orders)
        assert events_of(file) == events_of(usual)


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("def __init__(self, battle): 1 / 0", "ZeroDivisionError: division by zero"),
        ("def __init__(self, battle): raise SystemExit(3)", "it raised SystemExit"),
        ("def decide(self, decision): return self.plan", "it raised AttributeError"),
        ("def decide(self, decision): raise SystemExit", "it raised SystemExit"),
        ("def decide(self, decision): return object()", "expected the number of an option"),
        ("def decide(self, decision):\n        while True: time.sleep(9)", "no answer within"),
        ("def decide(self, decision): decision.clear(); return -1", "expected an option from 0"),
    ],
)
def test_a_class_that_fails_forfeits_to_the_default(
    run, tmp_path: Path, text: str, reason: str
) -> None:
    methods = "def __init__(self, battle): pass\n    def decide(self, decision): return 0"
    base = f"import time\n\nclass Sound:\n    {methods}\n"
    name = module(tmp_path, f"{base}\nclass Faulty(Sound):\n    {text}\n")
    file, usual = tmp_path / "x.battle.jsonl", tmp_path / "usual.battle.jsonl"
    words = ["battle", "duel", "--headless", "--turns", "1"]
    run([*words, "--save", usual])

    limit = "0.3" if "within" in reason else "10"
    name = f"Warriors=python:{name}:Faulty"
    run([*words, "--commander", name, "--time-limit", limit, "--save", file])

    assert reason in forfeits_of(file, 0)[0]
    assert len(forfeits_of(file, 0)) == len(orders_of(file, 0))
    assert events_of(file) == events_of(usual)


def test_the_first_forfeit_alone_is_reported_in_one_line(tmp_path: Path) -> None:
    bot = script(tmp_path, MISBEHAVING["answers illegally"])
    words = ["battle", "duel", "--headless", "--turns", "1", "--commander", f"Warriors=exec:{bot}"]

    ran = subprocess.run(
        [sys.executable, "-m", "emlia3d", *words],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    (line,) = ran.stderr.splitlines()
    assert line.startswith(f"Warriors: exec:{bot}: expected an option from 0 to ")
    assert line.endswith(
        "got 99999; the default commander decides whenever it gives no legal answer"
    )


def test_no_process_outlives_its_battle(run, tmp_path: Path) -> None:
    bot = script(tmp_path, f'echo $$ >> "{tmp_path}/pids"\n{MISBEHAVING["reads but hangs"]}')

    run(["battle", "duel", "--headless", "--turns", "1", "--time-limit", "0.5",
         "--commander", f"Warriors=exec:{bot}"])  # fmt: skip

    pids = (tmp_path / "pids").read_text("utf-8").split()
    assert 1 <= len(pids) <= MOST_STARTS
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("exec:", "expected a command"),
        ("exec:no-such-program --fast", "unknown program 'no-such-program'"),
        ("exec:sh 'bot", "no closing quotation"),
        ("python:json", "expected python:MODULE:CLASS"),
        ("python:no_such_module:Eager", "ModuleNotFoundError"),
        ("python:json:NoSuchClass", "AttributeError"),
        ("python:json:JSONDecoder", "is not a class with a method decide"),
        ("Exec:sh", "unknown commander"),
        ("bold-one", "unknown commander"),
    ],
)
def test_a_commander_that_is_not_there_is_refused(run, name: str, reason: str) -> None:
    assert_refused(run(["battle", "duel", "--headless", "--commander", f"Dragon={name}"]), reason)


@pytest.mark.parametrize("name", ["exec:touch ran", "python:ran:It", " EXEC :touch ran"])
@pytest.mark.parametrize("command", ["battle", "check", "report", "view"])
def test_a_scenario_names_no_code(run, tmp_path: Path, name: str, command: str) -> None:
    (tmp_path / "ran.py").write_text("open('ran', 'w')", "utf-8")
    text = load("duel").text.replace('lines = "south"', f'commander = "{name}"', 1)
    line = text[: text.index("commander =")].count("\n") + 1
    file = tmp_path / "code.toml"
    file.write_text(text, "utf-8")

    ran = run([command, file])

    assert ran.status == 2
    (told,) = (ran.out + ran.err).splitlines()[:1]
    assert f"code.toml:{line}: " in told
    assert "is code, which only the command line can name" in told
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "words", [["battle", "--headless", "--resume"], ["report"], ["check"], ["play", "--text"]]
)
def test_a_battle_file_names_no_code(run, tmp_path: Path, words: list[str]) -> None:
    file = tmp_path / "x.battle.jsonl"
    given = ["--commander", "Warriors=random", "--turns", "1"]
    run(["battle", "duel", "--headless", "--save", file, *given])
    text = file.read_text("utf-8")
    file.write_text(text.replace('"Warriors":"random"', '"Warriors":"exec:touch ran"'), "utf-8")

    ran = run([*words, file])

    assert ran.status == 2
    assert f"{file}:1: commander 'exec:touch ran' is code" in ran.out + ran.err
    assert not (tmp_path / "ran").exists()


def test_the_commander_of_a_package_is_named_simply(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "site"
    (folder / "eager-1.0.dist-info").mkdir(parents=True)
    name = module(folder, block("python"))
    (folder / "eager-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: eager\n")
    (folder / "eager-1.0.dist-info" / "entry_points.txt").write_text(
        f"[emlia3d.commanders]\neager = {name}:Eager\nwrong = {name}:nothing\n"
    )
    monkeypatch.syspath_prepend(str(folder))
    file = tmp_path / "x.battle.jsonl"
    words = ["battle", "duel", "--headless", "--turns", "3"]

    ran = run([*words, "--commander", "Warriors=eager", "--save", file])
    wrong = run([*words, "--commander", "Warriors=wrong"])
    near = run([*words, "--commander", "Warriors=eagr"])

    assert ran.err == ""
    assert any(order.get("why") == "an enemy is in reach" for order in orders_of(file, 0))
    assert_refused(wrong, "the commander wrong cannot be loaded: AttributeError")
    assert_refused(near, "did you mean eager?")
    scenario = load("duel").text.replace('lines = "south"', 'commander = "eager"', 1)
    (tmp_path / "led.toml").write_text(scenario, "utf-8")
    assert run(["check", tmp_path / "led.toml"]).status == 0
    assert run(["battle", tmp_path / "led.toml", "--headless", "--turns", "3"]).out.endswith(
        ran.out.splitlines()[-1] + "\n"
    )


def test_many_battles_may_be_led_by_other_code(run, tmp_path: Path) -> None:
    name = f"Warriors=exec:{script(tmp_path, block('sh'))}"

    ran = run(["battle", "duel", "--turns", "2", "--times", "2", "--processes", "1",
               "--commander", name])  # fmt: skip

    assert (ran.status, ran.err) == (0, "")


def test_a_forfeit_is_reported_once_in_many_battles(
    run, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    name = f"Warriors=exec:{script(tmp_path, 'exit 3')}"

    run(["battle", "duel", "--turns", "1", "--times", "3", "--processes", "1", "--commander", name])

    assert len(caplog.records) == 1


def test_no_thread_outlives_its_battle(run, tmp_path: Path) -> None:
    name = f"Warriors=python:{module(tmp_path, block('python'))}:Eager"
    other = f"Dragon=exec:{script(tmp_path, block('sh'))}"
    before = set(threading.enumerate())

    run(["battle", "duel", "--turns", "1", "--headless", "--commander", name, "--commander", other])

    left = set(threading.enumerate()) - before
    for thread in left:
        thread.join(timeout=5)
    assert [thread for thread in left if thread.is_alive()] == []
