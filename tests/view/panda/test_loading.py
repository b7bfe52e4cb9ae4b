"""The loading screen: a window is never black while its battle is prepared."""

from __future__ import annotations

import numpy as np
import pytest

from emlia3d.battle.events import Event
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.panda.loading import FRAMES, PARTS, loading_layout
from emlia3d.view.panda.window import Backroom
from tests.view.panda.window_driver import opened
from tests.view.window.panels import SIZES, measure, words_of


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("part", range(len(PARTS)))
def test_the_title_and_the_part_are_in_the_window(size: tuple[int, int], part: int) -> None:
    screen = loading_layout("A very long title of a battle " * 9, part, size, measure, 1.6)

    assert PARTS[part] in words_of(screen)
    for text in screen.texts:
        assert measure(text.text, text.size, text.bold) <= size[0]
        assert 0 <= text.y <= size[1]


def test_each_part_is_drawn_before_the_battle_is_and_none_is_black(
    setup: Setup, start: State, story: tuple[Event, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    monkeypatch.setattr(Backroom, "draw", lambda room, changed: seen.append(room.image()))

    app = opened(setup, start, story)
    app.step(0.0)
    app.close()

    *screens, battle = seen
    different = {screen.tobytes() for screen in screens[FRAMES - 1 :: FRAMES]}
    assert len(different) == len(PARTS)
    for screen in screens:
        assert int(screen.max()) > 150
        assert float(np.mean(screen.max(axis=2) < 5)) < 0.05
    assert battle.tobytes() not in different
