"""`emlia3d bench`: measures of small armies, told to people and as one document."""

from __future__ import annotations

import json
import re
import sys

import numpy as np
import pytest

from emlia3d.cli import bench_run
from emlia3d.studies.host import SyntheticArmies, Task
from emlia3d.studies.tasks import TaskSpec

SMALL = ["bench", "--sizes", "100,200", "--tasks", "hits,dice,neighbours"]


@pytest.fixture(autouse=True)
def without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine without the baselines that take seconds to compile."""
    monkeypatch.setitem(sys.modules, "numba", None)


def test_the_document_has_every_task_at_every_size_with_its_growth(run) -> None:
    told = run([*SMALL, "--json"])

    document = json.loads(told.out)
    measures = document["measures"]
    assert told.status == 0
    assert told.err == ""
    assert [(each["task"], each["figures"]) for each in measures] == [
        (task, size) for task in ("hits", "dice", "neighbours") for size in (100, 200)
    ]
    assert all(each["seconds"] > 0 and each["bytes"] > 0 for each in measures)
    assert [each["task"] for each in document["growth"]] == ["hits", "dice", "neighbours"]
    assert all(isinstance(each["exponent"], float) for each in document["growth"])
    baselines = {each["name"]: each for measure in measures for each in measure["baselines"]}
    assert baselines["marker by marker"]["agrees"]
    assert baselines["marker by marker"]["ratio"] > 1
    assert baselines["closed form in numba"] == {
        "name": "closed form in numba", "ratio": None, "agrees": None,
    }  # fmt: skip
    assert document["machine"].keys() == {
        "processor", "cores", "threads", "system", "python", "numpy",
    }  # fmt: skip


def test_two_runs_agree_on_all_that_is_no_time_on_any_number_of_threads(run) -> None:
    once, again = (
        json.loads(run([*SMALL, "--json", "--threads", threads]).out) for threads in ("1", "4")
    )

    assert once["machine"]["threads"] == 1
    assert again["machine"]["threads"] == 4
    sums = [[each["checksum"] for each in found["measures"]] for found in (once, again)]
    assert sums[0] == sums[1]
    assert len(set(sums[0])) == 6


def test_the_table_says_time_growth_and_what_is_missing(run) -> None:
    told = run(SMALL)

    assert told.status == 0
    assert re.search(r"^hits, level ground: time grows as figures\^-?\d", told.out, re.MULTILINE)
    assert re.search(r"^ +200 +200 checks +[\d.]+ [mu]?s .*one by one \d", told.out, re.MULTILINE)
    assert (
        "not installed: closed form in numba, grid in numba: pip install 'emlia3d[bench]'"
        in told.out
    )


def test_units_are_as_large_as_they_are_wanted(run) -> None:
    words = ["bench", "--sizes", "1000", "--tasks", "corridors", "--json", "--unit"]

    few, many = (json.loads(run([*words, size]).out)["measures"][0] for size in ("500", "20"))

    assert (few["units"], many["units"]) == (2, 50)
    assert (few["count"], many["count"]) == (1, 25 * 25)


def test_what_would_take_too_long_is_left_out_and_named(run) -> None:
    told = run(["bench", "--sizes", "100,10000000", "--tasks", "dice", "--longest", "0.1"])

    assert told.status == 0
    assert re.search(r"^left out: dice, level, 10,000,000 figures: about [\d,]+ s", told.out, re.M)


def test_a_plot_is_drawn_of_every_kind(run, tmp_path) -> None:
    pytest.importorskip("matplotlib")

    for name in ("growth.png", "growth.svg"):
        assert run([*SMALL, "--plot", name]).status == 0

    assert (tmp_path / "growth.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "growth.svg").read_text("utf-8")


def test_without_matplotlib_a_plot_says_what_to_install_before_anything_is_measured(
    run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)

    told = run([*SMALL, "--plot", "growth.png"])

    assert told.status == 1
    assert told.out == ""
    assert told.complaints == [
        "drawing a plot needs an optional library: pip install 'emlia3d[plots]'"
    ]


def test_all_tasks_are_measured_where_none_is_named() -> None:
    from emlia3d.cli.commands.bench import TASKS
    from emlia3d.studies.tasks import KINDS

    assert TASKS.split(",") == [kind.name for kind in KINDS]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["--sizes", "many"],
            "--sizes: expected numbers of figures from 40 to 10,000,000, such as",
        ),
        (["--sizes", "1000,39"], "--sizes: expected numbers of figures from 40 to 10,000,000"),
        (["--sizes", "10000001"], "--sizes: expected numbers of figures from 40 to 10,000,000"),
        (["--tasks", "hits,pace"], "unknown task 'pace'; there are corridors"),
        (["--threads", "0"], "--threads"),
        (["--unit", "10"], "--unit"),
        (["--plot", "growth.gif"], "plots need a file name that ends in .png, .svg or .pdf"),
        (["--plot", "no/growth.png"], "there is no folder no"),
    ],
)
def test_a_mistake_is_one_line(run, words: list[str], told: str) -> None:
    ran = run(["bench", *words])

    assert ran.status == 2
    assert len(ran.complaints) == 1
    assert told in ran.complaints[0]


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (9.999e-6, "10 us"), (9.9999999e-4, "1 ms"), (9.994e-4, "999 us"), (0.9996, "1 s"),
        (0.0123456, "12.3 ms"), (1234.0, "1,234 s"), (2e-10, "0.2 ns"),
    ],
)  # fmt: skip
def test_a_time_is_told_to_three_digits_and_never_as_a_thousand_of_a_unit(
    seconds: float, told: str
) -> None:
    from emlia3d.cli.bench_table import in_seconds

    assert in_seconds(seconds) == told


def test_the_longest_lap_counts_and_all_laps_tell_what_comes_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    host, found = SyntheticArmies(60, hills=False), (np.zeros(1),)
    task = Task(counted="laps", count=3, laps=lambda _: iter([found] * 3))
    wall, processor = (
        iter([0.0, 1.0, 1.0, 4.0, 4.0, 6.0, 6.0]),
        iter([0.0, 0.5, 0.5, 1.0, 1.0, 3.0, 3.0]),
    )
    monkeypatch.setattr(bench_run.time, "perf_counter", lambda: next(wall))
    monkeypatch.setattr(bench_run.time, "process_time", lambda: next(processor))

    best, measure = bench_run._measure(TaskSpec("laps", lambda _: task), host, limit=0.0)

    assert (measure.seconds, measure.processor, best.whole) == (3.0, 2.0, 6.0)
