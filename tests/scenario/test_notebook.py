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

    assert shown.startswith("**archers does not see bandits**: concealment total (")
    assert "The whole of the corridor's width is taken by rock" in shown
    assert "`emlia.sight.corridor`" in shown


def test_an_answer_says_in_a_notebook_what_would_alter_it() -> None:
    shown = load("bandits").sight("archers", "bandits", what_if=True)._repr_markdown_()

    assert "\n- bandits, step left by 16.8 GSU: concealment none\n" in shown


def test_plain_geometry_and_areas_show_themselves_in_words() -> None:
    scenario = load("bandits")

    true = scenario.sight("archers", "bandits", rules="true")._repr_markdown_()
    area = scenario.viewshed("archers", cell=20)._repr_markdown_()

    assert true.startswith("**archers sees nothing of bandits** (plain geometry)\n\nBy plain")
    assert area.startswith("On ")
    assert "of the field archers can see a figure of height 1" in area


def test_reading_a_scenario_loads_no_graphics_library() -> None:
    asked = (
        "import sys, emlia3d; emlia3d.load('bandits'); "
        "raise SystemExit(any(name.startswith('panda3d') for name in sys.modules))"
    )

    assert subprocess.run([sys.executable, "-c", asked], check=False).returncode == 0
