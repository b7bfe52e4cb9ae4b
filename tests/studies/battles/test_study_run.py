"""Studies as they are run: whatever interrupts them, the same table comes out."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from emlia3d import StudyResult, study
from emlia3d.errors import Error
from emlia3d.studies.battles.processes import in_processes
from emlia3d.studies.battles.store import MANIFEST, PARTS

RUNS = 6
FIRST_OPTION = """
class FirstOption:
    def __init__(self, battle):
        pass

    def decide(self, decision):
        return 0
"""


def rows(found: StudyResult) -> list[dict[str, object]]:
    return found.battles.drop_columns(["seconds"]).to_pylist()


@pytest.fixture(scope="module")
def whole() -> StudyResult:
    return study("duel", runs=RUNS, turns=6, processes=1)


@pytest.mark.long
def test_the_table_does_not_depend_on_the_number_of_processes(whole: StudyResult) -> None:
    assert rows(study("duel", runs=RUNS, turns=6, processes=2)) == rows(whole)


@pytest.mark.long
def test_a_study_goes_on_if_a_process_dies(whole: StudyResult) -> None:
    killed: list[int] = []

    def kill_one(done: int, _: int) -> None:
        if not killed:
            children = multiprocessing.active_children()
            killed.extend(child.pid for child in children if child.pid is not None)
            os.kill(killed[0], signal.SIGKILL)

    found = study("duel", runs=RUNS, turns=6, processes=2, progress=kill_one)

    assert killed
    assert rows(found) == rows(whole)


def test_processes_that_always_die_end_a_study_with_one_line() -> None:
    with pytest.raises(Error, match="processes died 3 times in a row"):
        list(in_processes(os._exit, [1, 1], 2))


def test_a_battle_of_a_study_is_that_of_its_seed(whole: StudyResult) -> None:
    import emlia3d

    for row in rows(whole)[:3]:
        battle = emlia3d.load("duel").battle(int(str(row["seed"])), turns=6)
        result = battle.run_to_end()
        assert battle.digest.hexdigest() == row["digest"]
        assert (result.winner, result.level) == (row["winner"], row["level"])


@pytest.mark.long
def test_a_study_goes_on_without_playing_a_battle_twice(whole: StudyResult, tmp_path: Path) -> None:
    counts: list[tuple[int, int]] = []
    study("duel", runs=2, turns=6, out=tmp_path / "kept", processes=1)

    found = study(
        "duel", runs=RUNS, turns=6, out=tmp_path / "kept", processes=1,
        progress=lambda done, count: counts.append((done, count)),
    )  # fmt: skip

    assert counts == [(done, RUNS) for done in range(3, RUNS + 1)]
    assert rows(found) == rows(whole)
    fewer = study("duel", runs=3, turns=6, out=tmp_path / "kept", processes=1)
    assert rows(fewer) == rows(whole)[:3]


@pytest.mark.long
def test_a_study_that_is_killed_ends_with_the_same_table(
    whole: StudyResult, tmp_path: Path
) -> None:
    folder = tmp_path / "kept"
    words = ["study", "duel", "--runs", "400", "--turns", "6", "--out", str(folder)]
    running = subprocess.Popen(
        [sys.executable, "-m", "emlia3d", *words, "--processes", "1"],
        stdout=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not list(folder.glob(PARTS)) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    assert list(folder.glob(PARTS))

    found = study("duel", runs=RUNS, turns=6, out=folder, processes=1)

    assert rows(found) == rows(whole)


def test_sides_are_swapped_if_their_commanders_differ() -> None:
    found = study("duel", runs=2, turns=2, processes=1, commanders={"Dragon": "random"})

    assert [(row["run"], row["swapped"]) for row in rows(found)] == [
        (0, False), (0, True), (1, False), (1, True),
    ]  # fmt: skip
    alone = study("duel", runs=2, turns=2, processes=1, commanders={"Dragon": "random"}, swap=False)
    assert [row["swapped"] for row in rows(alone)] == [False, False]


def test_variants_play_the_same_seeds_with_their_own_values() -> None:
    found = study("duel", runs=3, processes=1, vary={"unit.dragon.members": [1], "turns": [1, 2]})

    assert [row["value of turns"] for row in rows(found)] == ["1"] * 3 + ["2"] * 3
    assert [row["seed"] for row in rows(found)[:3]] == [row["seed"] for row in rows(found)[3:]]
    assert [row["turns"] for row in rows(found)] == [1] * 3 + [2] * 3
    assert found.difference("Dragon", 1).count == 3


@pytest.mark.long
def test_a_study_stops_when_its_intervals_are_tight() -> None:
    loose = study("duel", runs=60, turns=1, processes=1, until=0.2)
    tight = study("duel", runs=60, turns=1, processes=1, until=0.05)

    assert loose.battles.num_rows == 16
    assert 16 < tight.battles.num_rows < 60
    rate = tight.win_rates()["Dragon"]
    assert (rate.high - rate.low) / 2 <= 0.05


def test_a_side_may_vary_its_commander_which_may_be_other_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "first_option.py").write_text(FIRST_OPTION, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    names = ["doctrine", "python:first_option:FirstOption"]

    found = study(
        "duel", runs=2, turns=2, processes=1, commanders={"Dragon": "random"},
        vary={"side.Dragon.commander": names},
    )  # fmt: skip

    assert [led[1] for led in found.commanders] == names
    assert not any(map(found.is_swapped, (0, 1)))
    digests = found.battles["digest"].to_pylist()
    assert digests[:2] == study("duel", runs=2, turns=2).battles["digest"].to_pylist()
    assert len(set(digests)) == 4


def test_commanders_that_play_each_other_are_rated() -> None:
    found = study("kings-road", runs=2, turns=3, processes=1, against=["doctrine", "random"])

    assert found.battles.num_rows == 4
    assert {one.commander for one in found.ratings()} == {"doctrine", "random"}
    assert sum(one.score for one in found.ratings()) == pytest.approx(1)


def test_a_folder_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    study("duel", runs=1, turns=1, out=folder, processes=1)
    before = sorted(file.read_bytes() for file in folder.iterdir())
    others = tmp_path / "notes"
    others.mkdir()
    (others / "mine.txt").write_text("x", encoding="utf-8")

    for change in ({"seed": 1}, {"turns": 2}, {"vary": {"turns": [1, 2]}}):
        with pytest.raises(Error, match="study of something else"):
            study("duel", **{"runs": 1, "turns": 1, "out": folder, "processes": 1, **change})
    with pytest.raises(Error, match="study of something else: its scenario"):
        study("bandits", runs=1, turns=1, out=folder, processes=1)
    with pytest.raises(Error, match="not the folder of a study"):
        study("duel", runs=1, turns=1, out=others, processes=1)
    assert sorted(file.read_bytes() for file in folder.iterdir()) == before
    assert [file.name for file in others.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("text", [b"{", b"[]", b"\xff\xfe\x00", b"[" * 100_000])
def test_a_manifest_that_is_damaged_is_named_and_left_alone(tmp_path: Path, text: bytes) -> None:
    (tmp_path / MANIFEST).write_bytes(text)

    with pytest.raises(Error, match=r"study\.json: not the design of a study"):
        study("duel", runs=1, turns=1, out=tmp_path, processes=1)
    assert (tmp_path / MANIFEST).read_bytes() == text


def test_a_part_that_is_damaged_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    study("duel", runs=1, turns=1, out=folder, processes=1)
    (part,) = folder.glob(PARTS)
    part.write_bytes(part.read_bytes()[:40])

    with pytest.raises(Error, match="kept"):
        study("duel", runs=1, turns=1, out=folder, processes=1)


@pytest.mark.long
def test_a_cluster_gives_the_same_table_even_if_a_worker_dies(whole: StudyResult) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        killed: list[int] = []

        def kill_one(done: int, _: int) -> None:
            if done == 2 and not killed:
                worker = next(iter(cluster.workers.values()))
                killed.append(worker.pid)
                os.kill(worker.pid, signal.SIGKILL)

        found = study(
            "duel", runs=RUNS, turns=6, scheduler=cluster.scheduler_address, progress=kill_one
        )

    assert killed
    assert rows(found) == rows(whole)


@pytest.mark.long
def test_a_scheduler_that_ends_stops_a_study_with_one_line(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
    )

    def close(done: int, _: int) -> None:
        if done == 1:
            cluster.close()

    with pytest.raises(Error, match="the scheduler has ended"):
        study(
            "duel", runs=200, turns=6, out=tmp_path / "kept",
            scheduler=cluster.scheduler_address, progress=close,
        )  # fmt: skip

    found = study("duel", runs=RUNS, turns=6, out=tmp_path / "kept", processes=1)
    assert found.battles.num_rows == RUNS


def test_a_kept_study_has_tables_of_units_turns_and_luck(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    found = study("bandits", runs=3, turns=3, out=folder, processes=1)

    tables = {
        name: pq.read_table(sorted(folder.glob(f"{name}-*.parquet"))).to_pylist()
        for name in ("units", "turns", "luck", "places")
    }

    for battle in found.battles.to_pylist():
        units = [row for row in tables["units"] if row["run"] == battle["run"]]
        assert [row["name"] for row in units] == ["archers", "bandits", "raiders"]
        for side in found.sides:
            gone = sum(row["strength"] - row["left"] for row in units if row["side"] == side)
            assert gone == battle[f"figures lost of {side}"]
        turns = [row["turn"] for row in tables["turns"] if row["run"] == battle["run"]]
        assert turns == [turn for turn in range(battle["turns"] + 1) for _ in found.sides]
        fell = [
            row["figures"]
            for row in tables["places"]
            if (row["run"], row["kind"]) == (battle["run"], "fell")
        ]
        assert sum(fell) <= sum(battle[f"figures lost of {side}"] for side in found.sides)
        assert [row["side"] for row in tables["luck"] if row["run"] == battle["run"]] == list(
            found.sides
        )


@pytest.mark.long
def test_two_studies_do_not_write_to_one_folder(whole: StudyResult, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    refused: list[str] = []

    def begin_another(done: int, _: int) -> None:
        if done == 2:
            try:
                study("duel", runs=RUNS, turns=6, out=folder, processes=1)
            except Error as flaw:
                refused.append(str(flaw))

    study("duel", runs=1, turns=6, out=folder, processes=1)
    found = study("duel", runs=RUNS, turns=6, out=folder, processes=1, progress=begin_another)

    assert len(refused) == 1
    assert refused[0].startswith(f"{folder / MANIFEST}: in use by process {os.getpid()}")
    assert rows(found) == rows(whole)
    assert rows(study("duel", runs=RUNS, turns=6, out=folder, processes=1)) == rows(whole)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root writes anywhere")
def test_a_folder_that_cannot_be_written_can_be_read(whole: StudyResult, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    study("duel", runs=RUNS, turns=6, out=folder, processes=1)
    (folder / MANIFEST).chmod(0o444)

    assert rows(study("duel", runs=RUNS, turns=6, out=folder, processes=1)) == rows(whole)
