"""Films, written and read back."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from emlia3d.battle.events import Event
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.errors import Error
from emlia3d.scenario import load
from emlia3d.view import film
from emlia3d.view.filming.reel import VideoWriter
from emlia3d.view.panda.labels.subtitle import subtitled
from tests.needing import needs
from tests.view.ruled import ruled

pytestmark = needs("av")
SIZE = (320, 180)


def frames(path: Path) -> list[NDArray[np.uint8]]:
    import av

    with av.open(str(path)) as file:
        return [frame.to_ndarray(format="rgb24") for frame in file.decode(video=0)]


@pytest.fixture(scope="module")
def fought() -> tuple[Setup, State, Sequence[Event], str]:
    battle = load("duel").battle(seed=2, turns=1)
    start = battle.state.copy()
    events = tuple(battle.run())
    return battle.setup, start, events, battle.digest.hexdigest()


@pytest.mark.parametrize("ending", [".mp4", ".webm"])
def test_what_is_written_is_what_was_filmed(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a{ending}"
    shades = [40, 120, 200]

    with VideoWriter(path, (64, 48), 5) as reel:
        for shade in shades:
            reel.add(np.full((48, 64, 3), shade, dtype=np.uint8))

    read = frames(path)
    assert [picture.shape for picture in read] == [(48, 64, 3)] * 3
    assert [float(picture.mean()) for picture in read] == pytest.approx(shades, abs=6)


def test_a_battle_is_filmed_whole_and_is_the_same_after(tmp_path: Path, fought) -> None:
    setup, start, events, _ = fought
    path, before, told = tmp_path / "duel.mp4", start.key_frame(), []

    count = film(
        setup, start, events, path, turn_s=0.4, size=SIZE,
        progress=lambda done, whole: told.append((done, whole)),
    )  # fmt: skip

    read = frames(path)
    assert len(read) == count == (1.0 + 0.4 + 2.0) * 25
    assert told == [(done, count) for done in range(1, count + 1)]
    assert read[0].shape == (SIZE[1], SIZE[0], 3)
    assert np.abs(read[0].astype(int) - read[-1]).mean() > 0.5
    assert start.key_frame() == before


@pytest.mark.long
def test_a_film_joins_those_at_close_quarters_by_a_line(tmp_path: Path, fought) -> None:
    setup, start, events, _ = fought
    fighting = ruled(setup, contacts=lambda state: ((0, 1),))

    films = []
    for name, rules in (("bare", None), ("joined", fighting)):
        path = tmp_path / f"{name}.mp4"
        film(setup, start, events, path, "top", rules=rules, turn_s=0.4, size=SIZE)
        films.append(np.array(frames(path)).astype(int))

    bare, joined = films
    assert (np.abs(bare - joined).max(axis=(1, 2, 3)) > 60).sum() > 3


def test_odd_sides_are_made_even(tmp_path: Path, fought) -> None:
    setup, start, events, _ = fought

    film(setup, start, events[:1], tmp_path / "odd.mp4", turn_s=0.1, size=(161, 91))

    assert frames(tmp_path / "odd.mp4")[0].shape == (92, 162, 3)


def test_a_film_needs_its_library(tmp_path: Path, fought, monkeypatch) -> None:
    setup, start, events, _ = fought
    monkeypatch.setitem(sys.modules, "av", None)

    with pytest.raises(Error, match=r"pip install 'emlia3d\[video\]'"):
        film(setup, start, events, tmp_path / "none.mp4")

    assert not list(tmp_path.iterdir())


def test_a_line_under_a_film_stays_within_the_picture() -> None:
    picture = np.full((180, 320, 3), 90, dtype=np.uint8)

    short = subtitled(picture, "Turn 1 of 8", "Asa strikes")
    long = subtitled(picture, "Turn 1 of 8", "Asa strikes the dragon " * 20)

    assert short.shape == long.shape == picture.shape
    assert (short[:158] == 90).all()
    assert (long[:158] == 90).all()
    lit = (long[158:] > 150).any(axis=(0, 2))
    assert lit[200:300].any()
    assert not lit[-8:].any()
