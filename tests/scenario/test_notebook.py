"""What a notebook shows of a scenario, and of an answer."""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from emlia3d import view
from emlia3d.errors import DisplayError
from emlia3d.scenario import load


def test_a_scenario_shows_itself_as_a_picture() -> None:
    shown = load("bandits")._repr_png_()

    assert shown is not None
    with Image.open(BytesIO(shown)) as picture:
        assert (picture.format, picture.size) == ("PNG", (960, 540))
        assert np.asarray(picture).std() > 5


def test_where_nothing_can_draw_a_notebook_has_to_do_with_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def none(*_: object, **__: object) -> None:
        raise DisplayError("nothing here can draw")

    monkeypatch.setattr(view, "picture", none)

    assert load("bandits")._repr_png_() is None


def test_an_answer_shows_itself_in_words_with_its_rules() -> None:
    shown = load("bandits").sight("archers", "bandits")._repr_markdown_()

    assert shown.startswith("**archers does not see bandits**: concealment total, cover total (")
    assert "The whole of the corridor's width is taken by rock" in shown
    assert "`emlia.sight.corridor`" in shown


def test_reading_a_scenario_loads_no_graphics_library() -> None:
    asked = (
        "import sys, emlia3d; emlia3d.load('bandits'); "
        "raise SystemExit(any(name.startswith('panda3d') for name in sys.modules))"
    )

    assert subprocess.run([sys.executable, "-c", asked], check=False).returncode == 0
