"""What `emlia3d bench` measures: the same work in every run, on any number of threads."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from emlia3d.studies.growth import exponent, forecast
from emlia3d.studies.host import SyntheticArmies, checksum
from emlia3d.studies.tasks import KINDS

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"

# Figures that are worked on in several chunks where that costs little.
FIGURES = {
    "corridors": 1_000, "concealment": 400, "ground": 1_000, "silhouettes": 1_000,
    "lines": 20_000, "viewshed": 1_000, "hits": 20_000, "damage": 20_000, "dice": 5_000,
    "neighbours": 40_000, "ways": 4_000, "turn": 60,
}  # fmt: skip
CASES = [
    pytest.param(kind, hills, id=f"{kind.name} {'hills' if hills else 'level'}")
    for kind in KINDS
    for hills in (False, True)
    if (kind.on_hills if hills else kind.on_level)
]


@pytest.mark.long
@pytest.mark.parametrize(("kind", "hills"), CASES)
def test_every_run_on_any_number_of_threads_has_the_same_result(
    kind, hills: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = set()
    for threads in ("1", "2", "4"):
        monkeypatch.setenv("EMLIA3D_THREADS", threads)
        task = kind.make(SyntheticArmies(FIGURES[kind.name], hills=hills))
        found.add(checksum(task.once()))

    assert len(found) == 1


@pytest.mark.parametrize(("kind", "hills"), CASES)
def test_baselines_that_need_no_library_come_to_the_same(kind, hills: bool) -> None:
    figures = 60 if kind.name == "turn" else 400
    task = kind.make(SyntheticArmies(figures, hills=hills))
    result = task.once()

    for baseline in task.baselines:
        if baseline.needs is None:
            assert baseline.agrees(baseline.make()(), result), baseline.name


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "hills"), CASES)
def test_baselines_that_need_a_library_come_to_the_same(kind, hills: bool) -> None:
    task = kind.make(SyntheticArmies(2_000 if kind.name != "turn" else 60, hills=hills))
    for baseline in task.baselines:
        if baseline.needs is not None:
            pytest.importorskip(baseline.needs)
            assert baseline.agrees(baseline.make()(), task.once()), baseline.name


@pytest.mark.parametrize("file", sorted(RESULTS.glob("*.json")), ids=lambda path: path.stem)
def test_what_was_measured_once_comes_out_again_on_every_machine(file) -> None:
    kept = {
        (each["task"], each["figures"]): each["checksum"]
        for each in json.loads(file.read_text("utf-8"))["measures"]
    }

    # Those that depend neither on the armies' scenario nor on how a turn is played.
    for kind in KINDS:
        if kind.name in {"hits", "damage", "dice", "neighbours"}:
            for figures in (1_000, 3_000):
                task = kind.make(SyntheticArmies(figures, hills=False))
                assert checksum(task.once()) == kept[kind.name, figures]


@pytest.mark.long
def test_a_turn_is_a_lap_and_six_are_played() -> None:
    host = SyntheticArmies(1_000, hills=False)
    battle = host.scenario.battle(0, turns=6)
    battle.run_to_end()

    task = next(kind for kind in KINDS if kind.name == "turn").make(host)
    laps = [checksum(result) for result in task.laps(task.fresh())]

    assert len(set(laps)) == len(laps) == 6
    assert laps[-1] == checksum(
        (np.frombuffer(bytes.fromhex(battle.digest.hexdigest()), dtype=np.uint8),)
    )


def test_another_seed_is_other_work() -> None:
    dice = next(kind for kind in KINDS if kind.name == "dice")

    sums = {
        checksum(dice.make(SyntheticArmies(500, hills=False, seed=seed)).once()) for seed in (0, 1)
    }

    assert len(sums) == 2


def test_armies_have_units_of_a_size_that_there_is() -> None:
    for figures in (40, 1_000, 100_000):
        host = SyntheticArmies(figures, hills=False)
        assert 20 * host.units <= figures <= 500 * host.units
        assert host.units >= 2
    assert (
        sum(u.muster.members for u in SyntheticArmies(1_000, hills=False).scenario.setup.units)
        == 1_000
    )


def test_a_checksum_tells_types_and_shapes_apart() -> None:
    row = np.arange(6, dtype=np.int32)
    others = (row.reshape(2, 3), row.astype(np.int64), row[::-1], row[:5])

    assert checksum((row,)) == checksum((row.copy(),))
    assert len({checksum((column,)) for column in (row, *others)}) == 5


def test_growth_is_the_power_of_the_size() -> None:
    sizes = [1_000.0, 3_000.0, 10_000.0]

    assert exponent(sizes, [2e-9 * size**1.5 for size in sizes]) == pytest.approx(1.5)
    assert exponent(sizes, [0.25] * 3) == pytest.approx(0)
    assert exponent([1_000], [1.0]) is None


def test_a_forecast_goes_on_as_it_went_but_never_below_growth_with_the_size() -> None:
    assert forecast([100], [1.0], 300) == pytest.approx(9.0)
    assert forecast([100, 200], [1.0, 8.0], 400) == pytest.approx(64.0)
    assert forecast([100, 200], [1.0, 1.0], 400) == pytest.approx(2.0)
