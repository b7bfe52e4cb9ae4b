"""What the paragraph on a sight question says of several things that stand in the corridor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from emlia3d.scenario import Scenario

Table = Mapping[str, Any]
Write = Callable[..., Scenario]
rule = pytest.mark.rule

OBSERVER = {"name": "observer", "box": (95, 40, 105, 50)}
TARGET = {"name": "target", "side": "Bob", "box": (95, 100, 105, 110)}


def piece(name: str, share: float, west: float, north: float, height: float, **more: Any) -> Table:
    """Something 1 GSU thick that takes this share of the 10 GSU between OBSERVER and TARGET."""
    return {"name": name, "height": height, "box": (west, north, west + 10 * share, north + 1),
            **more}  # fmt: skip


def told(asked: Scenario) -> str:
    return asked.sight("observer", "target").text


@rule("emlia.sight.intervening")
def test_what_conceals_is_told_of_before_any_number_of_things_that_do_not(scene: Write) -> None:
    kerbs = [piece(f"kerb {north}", 1, 95, north, 0.25) for north in (55, 60, 65, 70, 75)]
    wall = piece("wall", 1, 95, 90, 2)

    text = told(scene(OBSERVER, TARGET, terrain=[*kerbs, wall]))

    assert "is taken by wall: solid, 2 height units high" in text
    assert "So it conceals target wholly." in text
    assert text.index("is taken by wall") < text.index("is taken by kerb 55")
    assert "The following also conceal nothing of target: kerb 70 (100%), kerb 75 (100%)." in text


@rule("emlia.sight.group-level")
def test_what_is_too_low_is_not_told_to_be_too_narrow(scene: Write) -> None:
    kerbs = [piece("west kerb", 0.4, 95, 70, 0.25), piece("east kerb", 0.4, 101, 70, 0.25)]

    text = told(scene(OBSERVER, TARGET, terrain=kerbs))

    assert text.endswith(
        "Not counted, because they conceal nothing at any width: west kerb (40%), east kerb (40%)."
    )
    assert "Too narrow" not in text


@rule("emlia.sight.intervening-group")
def test_bushes_that_fall_short_of_half_together_are_added_up(scene: Write) -> None:
    bushes = [
        piece("low bush", 0.25, 95, 60, 1, body="sparse"),
        piece("dry bush", 0.125, 102, 80, 1, body="sparse"),
    ]

    text = told(scene(OBSERVER, TARGET, terrain=bushes))

    assert text.endswith(
        "Too narrow to count, even together (37.5%): low bush (25%), dry bush (12.5%)."
    )


@rule("emlia.sight.group-level")
def test_a_group_that_conceals_no_more_than_one_thing_does_is_told_so(scene: Write) -> None:
    hedge = piece("hedge", 1, 95, 60, 1, body="sparse")
    bushes = [piece(f"bush {west}", 0.3, west, 80, 1, body="sparse") for west in (95, 102)]

    text = told(scene(OBSERVER, TARGET, terrain=[hedge, *bushes]))

    assert text.count("of the corridor's width is taken by") == 1
    assert (
        "Too narrow to count alone, and together they conceal no more: bush 95 (30%), "
        "bush 102 (30%)." in text
    )


@rule("emlia.sight.intervening-group", "emlia.sight.raster-ground")
@pytest.mark.parametrize(
    ("height", "conceals"),
    [
        pytest.param(11, "wholly", id="above the line to the top"),
        pytest.param(0.9, "partly", id="above the line to half the height, 0.75 high there"),
    ],
)
def test_the_ground_is_added_up_with_the_group_that_it_belongs_to(
    scene: Write, height: float, conceals: str
) -> None:
    mound = np.zeros((200, 200))
    # The cells whose centres are at 96.5 to 98.5 east and 75.5 north.
    mound[124, 96:99] = 1.83 * height
    rock = piece("rock", 0.3, 101, 60, 2)

    answer = scene(OBSERVER, TARGET, terrain=[rock], elevation_m=mound).sight("observer", "target")

    assert answer.ground is not None
    shares = answer.ground.blocked_share, answer.ground.to_half
    of_ground = shares[0] if conceals == "wholly" else shares[1]
    assert 0 < max(of_ground, answer.intervening[0].fraction) < 0.5
    together = 100 * (of_ground + answer.intervening[0].fraction)
    assert (
        f"The shares of those and the ground that would conceal {conceals} add up to "
        f"{together:.1f}%; half is enough for a group." in answer.text
    )


@rule("emlia.sight.corridor.span")
@pytest.mark.parametrize(
    ("terrain", "says"),
    [
        ([], "They touch, so nothing is between them."),
        (
            [{"name": "wood", "kind": "forest", "box": (80, 40, 120, 60), "height": 10}],
            "They touch inside wood: sparse, 10 height units high.",
        ),
    ],
)
def test_two_that_touch_are_told_what_they_touch_in(
    scene: Write, terrain: list[Table], says: str
) -> None:
    touching = {**TARGET, "box": (95, 50, 105, 60)}

    assert says in told(scene(OBSERVER, touching, terrain=terrain))


@rule("emlia.sight.shadow-total-depth")
@pytest.mark.parametrize(
    ("depth", "says", "conceals"),
    [(8, "is 8 GSU behind it", "wholly"), (8 + 1 / 512, "is just over 8 GSU behind it", "partly")],
)
def test_a_depth_just_beyond_the_shadows_is_not_told_as_the_same(
    scene: Write, depth: float, says: str, conceals: str
) -> None:
    """From 6 high and 16 before a wall of 4, a man of size 2 is hidden wholly to 8 behind it."""
    high = {"name": "observer", "box": (95, 20, 105, 30), "on_height": 5}
    low = {**TARGET, "box": (99.5, 47 + depth, 100.5, 48 + depth), "size": 2}
    wall = {"name": "wall", "height": 4, "box": (80, 46, 120, 47)}

    text = told(scene(high, low, terrain=[wall]))

    assert f"The farthest of target {says}." in text
    assert f"So it conceals target {conceals}." in text


@rule("emlia.cover.taking-cover")
def test_what_one_takes_cover_behind_is_told_to_conceal_for_that(scene: Write) -> None:
    ogre = {**OBSERVER, "height": 2, "size": 2}
    low = {**TARGET, "states": ["taking cover"]}

    text = told(scene(ogre, low, terrain=[piece("wall", 1, 95, 98, 0.5)]))

    assert "So it conceals target, taking cover behind it, partly." in text


@rule("emlia.sight.from-shadow.partial")
def test_who_looks_up_out_of_a_shadow_is_told_of_it_from_the_taller(scene: Write) -> None:
    """The book's tower of 10, 28 GSU before a wall of 5; the observer is 12 behind the wall."""
    low = {"name": "observer", "box": (99.5, 66, 100.5, 67)}
    high = {**TARGET, "box": (95, 15, 105, 25), "on_height": 10}
    wall = {"name": "wall", "height": 5, "box": (80, 53, 120, 54)}

    text = told(scene(low, high, terrain=[wall]))

    assert (
        "Only target can look over it, so its shadow decides. With target 28 GSU from "
        "it and 2.2 times as high, it reaches 14 GSU behind it; a body of size 1 is hidden wholly "
        "to a depth of 11.2 GSU. The farthest of observer is 12 GSU behind it. So it conceals "
        "target partly." in text
    )


@rule("emlia.sight.raster-ground")
@pytest.mark.parametrize(
    ("height", "says"),
    [
        (11, "from top to top in all of the width: by itself it conceals wholly."),
        (0.9, "to half the height of target in all of the width: by itself it conceals partly."),
    ],
)
def test_the_line_to_half_the_height_is_told_of_where_it_is_blocked_more(
    scene: Write, height: float, says: str
) -> None:
    bank = np.zeros((200, 200))
    bank[124, :] = 1.83 * height

    text = told(scene(OBSERVER, TARGET, elevation_m=bank))

    assert f"The ground rises above the line {says}" in text


@rule("emlia.sight.raster-ground")
def test_both_lines_are_told_of_where_the_ground_rises_above_both(scene: Write) -> None:
    bank = np.zeros((200, 200))
    bank[124, :100] = 1.83 * 0.9
    bank[124, :97] = 1.83 * 11

    text = told(scene(OBSERVER, TARGET, elevation_m=bank))

    _, _, line = text.partition("The ground rises above the line from top to top in ")
    first, _, rest = line.partition("% of the width, and above that to half the height of target ")
    second, _, so = rest.removeprefix("in ").partition("% of the width: ")
    assert 0 < float(first) < float(second) < 100
    assert so.startswith("by itself it conceals ")
