"""No command shows a black window, from its first frame to the battle or the editor."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.cli.on_screen import in_a_window, require_running
from tests.cli.x11_input import Typist

BEHIND = (200, 30, 160)
"""The colour of the screen where there is no window."""
STEP_S = 0.1
PATIENCE_S = 200.0

COMMANDS = {
    "battle": ("battle", "bandits", "--seed", "1"),
    "play": ("play", "bandits", "--seed", "1"),
    "view": ("view", "bandits"),
    "edit": ("edit", "bandits"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_no_picture_of_a_window_is_black_while_it_opens(
    name: str, screen: str, tmp_path: Path
) -> None:
    with Typist(screen) as typist:
        typist.paint(BEHIND)
        with in_a_window(screen, tmp_path, *COMMANDS[name], "--size", "1280x720") as program:
            black, kinds = _watched(program, typist)

    assert max(black) < 0.05
    assert kinds == ["nothing", "loading", "ready"]


def _watched(program: subprocess.Popen[str], typist: Typist) -> tuple[list[float], list[str]]:
    """Look at the screen step by step until a field is shown, and ten steps longer.

    Return the proportion of black pixels in each picture, and what was shown, in turn.
    """
    black: list[float] = []
    kinds: list[str] = []
    end, more = time.monotonic() + PATIENCE_S, 10
    while more:
        require_running(program)
        assert time.monotonic() < end, "nothing is shown"
        picture = typist.picture(1280, 720)
        black.append(float((picture.max(axis=2) < 5).mean()))
        kind = _kind(picture)
        if kinds[-1:] != [kind]:
            kinds.append(kind)
        more -= kind == "ready"
        time.sleep(STEP_S)
    return black, kinds


def _kind(picture: NDArray[np.uint8]) -> str:
    """Return whether a picture is of the empty screen, of few colours, or of a field."""
    colours = len(np.unique(picture[::4, ::4].reshape(-1, 3), axis=0))
    if (picture == BEHIND).all(axis=2).mean() > 0.9:
        return "nothing"
    return "loading" if colours < 600 else "ready"
