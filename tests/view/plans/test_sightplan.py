"""The picture of a sight question: whose colours are where, and shadows where they fall."""

from __future__ import annotations

import itertools
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageColor, ImageDraw

from emlia3d.scenario import Scenario, load
from emlia3d.view.plans.paper import FINE, Sheet
from emlia3d.view.plans.sightplan import corridor_picture
from emlia3d.view.plans.sightquestion import (
    CORRIDOR,
    EARTH,
    RISE,
    SIZE_PX,
    SOLID,
    SPARSE,
    SightDiagram,
    placed,
)
from emlia3d.view.sight.corridor import PARTIAL, TOTAL

Picture = NDArray[np.int64]


def drawn(asked: Scenario, observer: str, target: str) -> tuple[Picture, Picture]:
    """The plan and the section."""
    state, answer = asked.battle().state, asked.sight(observer, target)
    picture = np.asarray(corridor_picture(asked.setup, state, answer), dtype=np.int64)
    assert picture.shape == (SIZE_PX[1], SIZE_PX[0], 3)
    _, _, bands = placed(SightDiagram(asked.setup, state, answer))
    assert HEAD_PX < bands.plan[0] < bands.plan[1] < bands.caption < bands.section[0] < LEGEND_PX
    return picture[: int(bands.caption)], picture[int(bands.caption) : LEGEND_PX]


# The legend below shows every colour.
HEAD_PX, LEGEND_PX = 118, 930

OUTLINES = 3
"""Pixels that the outlines of a body take of its height."""


def where(picture: Picture, colour: str) -> NDArray[np.bool_]:
    """Where a picture has just this colour, (height, width)."""
    found: NDArray[np.bool_] = (picture == ImageColor.getrgb(colour)).all(axis=2)
    return found


def columns(picture: Picture, colour: str) -> tuple[int, int]:
    """The first and the last column of what has this colour, with the outline that is round it."""
    found = np.flatnonzero(where(picture, colour).sum(axis=0) > 3)
    return int(found.min()) - 3, int(found.max()) + 3


ARCHERS, BANDITS = "#2a5caa", "#8a2f1d"


@pytest.mark.parametrize("roles", [("archers", "bandits"), ("bandits", "archers")])
def test_plan_and_section_show_the_same_at_the_same_place(roles: tuple[str, str]) -> None:
    plan, section = drawn(load("bandits"), *roles)

    for colour in (ARCHERS, BANDITS, SOLID):
        assert columns(plan, colour) == pytest.approx(columns(section, colour), abs=4)
    order = [columns(plan, colour) for colour in (ARCHERS, SOLID, BANDITS)]
    assert order == sorted(order, reverse=roles[0] == "bandits")


def test_distances_and_heights_are_to_scale() -> None:
    """Archers 4 GSU deep on a tower of 8 stand 28 from a rock 6 deep and 5 high."""
    plan, section = drawn(load("bandits"), "archers", "bandits")

    archers, rock = columns(plan, ARCHERS), columns(plan, SOLID)
    gsu = (rock[1] - archers[0]) / (4 + 28 + 6)
    assert (archers[1] - archers[0]) / gsu == pytest.approx(4, abs=0.2)
    assert (rock[0] - archers[1]) / gsu == pytest.approx(28, abs=0.3)
    tall = np.flatnonzero(where(section, SOLID).any(axis=1))
    man = np.flatnonzero(where(section, ARCHERS).any(axis=1))
    unit = (tall.max() - tall.min() + OUTLINES) / 5
    assert (tall.max() - man.min() + OUTLINES) / unit == pytest.approx(9, abs=0.2)


def test_a_shadow_begins_at_the_rock_and_hides_wholly_to_its_depth_and_partly_to_its_end() -> None:
    plan, section = drawn(load("bandits"), "archers", "bandits")

    rock, wholly, partly = (columns(section, colour) for colour in (SOLID, TOTAL, PARTIAL))
    gsu = (rock[1] - columns(section, ARCHERS)[0]) / (4 + 28 + 6)
    assert abs(wholly[0] - rock[1]) < 7
    assert (wholly[1] - rock[1]) / gsu == pytest.approx(25.2, abs=0.3)
    assert (partly[1] - rock[1]) / gsu == pytest.approx(28, abs=1.5)
    assert abs(partly[0] - wholly[1]) < 9
    # In the plan the shadow is a part of the corridor, which ends with the bandits.
    assert abs(columns(plan, TOTAL)[0] - columns(plan, SOLID)[1]) < 7
    assert not where(plan, PARTIAL).any()
    before = where(plan, CORRIDOR).any(axis=0)
    assert np.flatnonzero(before).max() < rock[0] + 5


def test_the_shadow_of_what_has_gaps_hides_partly(tmp_path: Path) -> None:
    text = (files("emlia3d.maps") / "bandits.toml").read_text("utf-8")
    sparse = tmp_path / "sparse.toml"
    sparse.write_text(text.replace('body = "solid"', 'body = "sparse"'), encoding="utf-8")

    plan, section = drawn(load(sparse), "archers", "bandits")

    for part in (plan, section):
        assert where(part, SPARSE).sum() > 500
        assert where(part, PARTIAL).sum() > 500
        assert not where(part, TOTAL).any()


def test_what_is_too_narrow_to_count_casts_no_shadow() -> None:
    for part in drawn(load("bandits"), "archers", "raiders"):
        assert where(part, SOLID).any()
        assert not where(part, TOTAL).any()
        assert not where(part, PARTIAL).any()


def test_the_section_shows_the_ground_that_rises_above_the_line() -> None:
    _, section = drawn(load("ridge"), "Jarlby Regiment", "Bessing Regiment")

    heights = (where(section, EARTH) | where(section, RISE)).sum(axis=0)
    assert heights.max() > 3 * heights[heights > 0].min()


def test_ground_that_blocks_the_line_is_marked_in_both() -> None:
    """Behind the crest the whole width is; on the axis, which the section shows, less than that."""
    plan, section = drawn(load("ridge"), "Jarlby Regiment", "Bessing Regiment")

    along, on_axis = where(plan, RISE).sum(axis=0), where(section, RISE).any(axis=0)
    assert along.max() > 0.9 * where(plan, CORRIDOR).sum(axis=0).max()
    assert on_axis.sum() > 200
    assert (along[on_axis] > 0).mean() > 0.95
    for part in drawn(load("castle"), "eastern crossbows", "bowmen of the hill"):
        assert not where(part, RISE).any()


def test_a_unit_that_stands_between_has_the_rim_of_its_side() -> None:
    """Two of the garrison stand in the right half, before him who is looked at; nobody before."""
    garrison = np.array(ImageColor.getrgb("#2a5caa"))

    for part in drawn(load("castle"), "eastern crossbows", "crossbows on the wall"):
        rims = (np.abs(part - garrison).max(axis=2) < 12).any(axis=0)
        first = np.flatnonzero(rims).min()
        assert SIZE_PX[0] * 0.45 < first < SIZE_PX[0] * 0.55
        assert (np.diff(np.flatnonzero(rims)) > 100).sum() >= 1


def test_who_stands_on_a_wall_is_shown_on_it() -> None:
    _, section = drawn(load("castle"), "crossbows on the wall", "Red company")

    men = np.flatnonzero(where(section, "#2a5caa").sum(axis=1) > 100)
    wall = np.flatnonzero(where(section, SOLID).sum(axis=1) > 100)
    assert men.max() < wall.min()
    assert columns(section, SOLID)[0] <= columns(section, "#2a5caa")[0] + 3


@pytest.mark.parametrize("north", [10, 10.5, 11])
def test_two_who_touch_or_stand_in_one_place_can_be_drawn(tmp_path: Path, north: float) -> None:
    text = 'format = 1\ntitle = "T"\nrules = "emlia"\nturns = 1\n[field]\nsize = [50, 50]\n'
    for side, colour in (("Alice", "#cc2222"), ("Bob", "#2222cc")):
        text += f'[[side]]\nname = "{side}"\ncolour = "{colour}"\n'
    for name, side, y in (("one", "Alice", 10), ("other", "Bob", north)):
        text += f'[[unit]]\nname = "{name}"\nside = "{side}"\nat = [10, {y}]\n'
        text += "size = 1\nheight = 1\n"
    path = tmp_path / "touching.toml"
    path.write_text(text, encoding="utf-8")

    plan, section = drawn(load(path), "one", "other")

    assert where(plan, "#2222cc").any()
    assert where(section, "#2222cc").any()


def on_a_hill(tmp_path: Path, ends: float) -> Scenario:
    """Two squares of 10 x 10, of which the first stands on a hill that ends so far north."""
    text = 'format = 1\ntitle = "T"\nrules = "emlia"\nturns = 1\n[field]\nsize = [60, 60]\n'
    for side, colour in (("Alice", "#cc2222"), ("Bob", "#2222cc")):
        text += f'[[side]]\nname = "{side}"\ncolour = "{colour}"\n'
    for name, side, y in (("one", "Alice", 10), ("other", "Bob", 40)):
        outline = [[25, y], [35, y], [35, y + 10], [25, y + 10]]
        text += f'[[unit]]\nname = "{name}"\nside = "{side}"\noutline = {outline}\n'
        text += "size = 1\nheight = 1\n"
    hill = [[10, 0], [50, 0], [50, ends], [10, ends]]
    text += f'[[terrain]]\nname = "hill"\nkind = "hill"\nheight = 10\noutline = {hill}\n'
    path = tmp_path / "hill.toml"
    path.write_text(text, encoding="utf-8")
    return load(path)


def test_a_hill_that_both_stand_on_is_the_ground(tmp_path: Path) -> None:
    plan, section = drawn(on_a_hill(tmp_path, 55), "one", "other")

    for part in (plan, section):
        assert where(part, EARTH).any()
        assert not where(part, SOLID).any()
    # Between the two the corridor is open, and their heights take up the section.
    assert where(plan, CORRIDOR).sum() > 0.8 * where(plan, "#cc2222").sum()
    assert where(section, "#cc2222").any(axis=1).sum() > 0.5 * section.shape[0]


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, float]]:
    """Every text that is drawn, and the column in which it is, in pixels of the picture."""
    found: list[tuple[str, float]] = []
    text = ImageDraw.ImageDraw.text

    def noted(pen: ImageDraw.ImageDraw, xy: Any, words: str, *rest: Any, **more: Any) -> None:
        found.append((words, xy[0] / FINE))
        text(pen, xy, words, *rest, **more)

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", noted)
    return found


def test_a_name_is_written_where_nobody_stands_on_what_it_names(
    tmp_path: Path, written: list[tuple[str, float]]
) -> None:
    plan, _ = drawn(on_a_hill(tmp_path, 36), "one", "other")

    assert dict(written)["hill"] > columns(plan, "#cc2222")[1]


def test_those_in_the_corridor_are_named(written: list[tuple[str, float]]) -> None:
    drawn(load("bandits"), "archers", "bandits")

    texts = [words for words, _ in written]
    assert texts[:2] == [
        "bandits, from archers: not seen",
        "concealment total; 36.02 GSU between nearest edges",
    ]
    assert {"archers", "bandits", "rock", "archers, 9", "bandits, 0.5", "rock, 5"} <= {*texts}
    assert {"total concealment here", "partial concealment here"} <= {*texts}
    assert {"0", "10", "40"} <= {*texts}
    assert "emlia.sight.shadow-total-depth" in " ".join(texts)


def test_names_do_not_lie_on_each_other() -> None:
    sheet = Sheet(ImageDraw.Draw(Image.new("RGB", (400, 400))))

    for _ in range(9):
        sheet.name("hedge", (180, 200, 220, 230), (60, 380))

    tops = sorted(box[1] for box in sheet.taken)
    assert len(tops) == 9
    assert all(low - high >= 23 for high, low in itertools.pairwise(tops))
    assert tops[0] >= 60
    assert tops[-1] + 23 <= 380
    assert not any(200 - 23 < top < 230 for top in tops)
