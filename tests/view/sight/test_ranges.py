"""How far the chosen unit acts, on the ground: whole where it sees, hatched where it does not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.events import Event
from emlia3d.battle.questions.ranges import FireArc, Range
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.battle.unit_outlines import outline_of
from emlia3d.view.moment.scene import Overlay
from emlia3d.view.rules import ObserverSpec
from emlia3d.view.sight.ranges import RangeRings, rings_of
from emlia3d.view.window.viewer import Viewer
from tests.view.ruled import ruled

BOW = Range(what="Longbow", limits=(10.0, 20.0, 30.0))
MOVE = Range(what="a move", limits=(12.0,), sighted=False, over_ground=True)
ARCHERS, BANDITS = 0, 1


def survey(
    lookout: ObserverSpec, spots: NDArray[np.float64], height: float, state: State
) -> NDArray[np.uint8]:
    """Nothing is seen east of 60 GSU."""
    assert not lookout.by_rules, "quick, as it follows whoever is chosen"
    return np.where(spots[:, 0] > 60, 2, 0).astype(np.uint8)


def ranges(unit: int, state: State) -> tuple[Range, ...]:
    return (BOW, MOVE) if unit == ARCHERS else (MOVE,)


@pytest.fixture
def rings(setup: Setup) -> RangeRings:
    return RangeRings(setup, ruled(setup, ranges=ranges, survey=survey))


@pytest.fixture
def viewer(setup: Setup, start: State, story: tuple[Event, ...]) -> Iterator[Viewer]:
    found = Viewer(setup, start, story, ruled(setup, ranges=ranges, survey=survey))
    found.select(ARCHERS)
    yield found
    found.close()


def shown(rings: RangeRings, state: State, times: int = 1) -> Overlay:
    for _ in range(times):
        rings.next(ARCHERS, state)
    for _ in range(200):
        rings.tick(0.05, ARCHERS, state, 0)
    found = rings.overlay(state)
    assert found is not None
    return found


def at(overlay: Overlay, x: float, y: float) -> NDArray[np.int64]:
    """The colour and strength over a place in GSU of 2 m, round about it."""
    west, south, east, north = (bound / 2 for bound in overlay.bounds_m)
    rows, columns = overlay.picture.shape[:2]
    column, row = (
        int((x - west) / (east - west) * columns),
        int((north - y) / (north - south) * rows),
    )
    around = overlay.picture[row - 4 : row + 5, column - 4 : column + 5].astype(np.int64)
    return np.asarray(around.reshape(-1, 4).mean(axis=0))


def test_bands_are_measured_from_the_boundary_and_do_not_lie_over_one_another(
    setup: Setup, start: State
) -> None:
    short, medium, long = rings_of(setup, start, ARCHERS, BOW)

    assert short.contains(shapely.Point(60, 21.95)), "a base before the men, who stand at 11"
    assert not short.contains(shapely.Point(60, 22.05))
    assert medium.contains(shapely.Point(60, 22.05))
    assert long.contains(shapely.Point(60, 41.95))
    assert short.intersection(medium).area == pytest.approx(0.0, abs=1e-6)


def test_an_arc_opens_ahead_of_the_unit_from_its_middle(setup: Setup, start: State) -> None:
    body, middle = outline_of(setup, start, ARCHERS), (60.0, 11.0)
    arc = FireArc(body=body, left=middle, right=middle, facing=0, arc_deg=90.0)

    (ring,) = rings_of(setup, start, ARCHERS, Range(what="Gun", limits=(30.0,), arcs=(arc,)))

    assert ring.contains(shapely.Point(60, 30))
    assert ring.contains(shapely.Point(70, 22))
    assert not ring.contains(shapely.Point(80, 22))
    assert not ring.contains(shapely.Point(60, 5)), "behind it"


def test_what_is_not_seen_within_range_is_dark_and_hatched(rings: RangeRings, start: State) -> None:
    overlay = shown(rings, start)

    seen, unseen = at(overlay, 52, 25), at(overlay, 68, 25)
    assert seen[0] > 200
    assert seen[0] > unseen[0] + 60
    assert unseen[2] > unseen[0], "violet"
    dark = overlay.picture[..., 3][overlay.picture[..., 2] > overlay.picture[..., 0]]
    assert len(np.unique(dark[dark > 60])) > 1, "stripes and what is between them"


def test_the_nearer_band_is_the_stronger(rings: RangeRings, start: State) -> None:
    overlay = shown(rings, start)

    strengths = [at(overlay, 55, y)[3] for y in (16, 26, 36)]

    assert strengths == sorted(strengths, reverse=True)
    assert strengths[0] > strengths[2] + 10


COARSE, FINE = shapely.box(50, 8, 62, 20), shapely.box(50, 8, 70, 20)


def grounds(unit: int, state: State) -> Iterator[BaseGeometry]:
    """Archers may go to the right, as is found out in two goes; bandits stay where they are."""
    yield COARSE
    if unit == ARCHERS:
        yield FINE


@pytest.fixture
def walks(setup: Setup) -> RangeRings:
    return RangeRings(setup, ruled(setup, ranges=ranges, survey=survey, grounds=grounds))


def test_the_ground_of_a_move_is_what_the_rules_say_of_it(walks: RangeRings, start: State) -> None:
    overlay = shown(walks, start, times=2)

    assert at(overlay, 66, 14)[3] > 40
    west, _, east, _ = overlay.bounds_m
    assert (west / 2, east / 2) == (50, 70), "no circle of twelve GSU round the archers"


def test_the_ground_of_a_move_is_shown_at_once_and_grows(walks: RangeRings, start: State) -> None:
    walks.next(ARCHERS, start)
    walks.next(ARCHERS, start)
    wide = []
    for _ in range(4):
        walks.tick(0.02, ARCHERS, start, 0)
        overlay = walks.overlay(start)
        assert overlay is not None
        wide.append(overlay.bounds_m[2] / 2)

    assert wide == [62, 70, 70, 70]
    assert walks.overlay(start) is overlay, "nothing is painted twice"


def test_the_ground_of_a_move_is_that_of_whoever_is_chosen_now(
    walks: RangeRings, start: State
) -> None:
    shown(walks, start, times=2)

    for _ in range(3):
        walks.tick(0.02, BANDITS, start, 0)
    overlay = walks.overlay(start)

    assert overlay is not None
    assert overlay.bounds_m[2] / 2 == 62


def test_a_move_is_not_clipped_by_sight(rings: RangeRings, start: State) -> None:
    overlay = shown(rings, start, times=2)

    np.testing.assert_allclose(at(overlay, 52, 17), at(overlay, 68, 17), atol=3)


def test_it_lies_on_the_field_and_covers_no_more_than_it_reaches(
    rings: RangeRings, start: State
) -> None:
    west, south, east, north = shown(rings, start).bounds_m

    assert south == 0.0, "the archers stand near the edge"
    assert north == pytest.approx(2 * 42, abs=1)
    assert east - west == pytest.approx(2 * 70, abs=1), "ten of archers, and thirty to each side"


def test_ranges_come_one_after_another_and_then_none(rings: RangeRings, start: State) -> None:
    told = [rings.next(ARCHERS, start) for _ in range(4)]

    assert told[0] == "Longbow: 10, 20, 30 GSU, hatched where it does not see"
    assert told[1] == "a move: 12 GSU on open ground; bright where its centre can stand"
    assert told[2] == "no range is shown"
    assert told[3] == told[0]


def test_without_a_unit_it_says_what_is_wanted(rings: RangeRings, start: State) -> None:
    assert rings.next(None, start) == "select a unit to show its ranges"
    assert rings.overlay(start) is None


def test_nothing_is_painted_anew_while_nothing_changes(rings: RangeRings, start: State) -> None:
    first = shown(rings, start)
    rings.tick(0.05, ARCHERS, start, 0)

    assert rings.overlay(start) is first


def test_another_unit_shows_its_own_range_at_once(viewer: Viewer) -> None:
    viewer.say(viewer.rings.next(viewer.selected, viewer.state))
    viewer.tick(0.05)
    bow = viewer.on_field()[1]
    viewer.select(BANDITS)
    viewer.tick(0.05)
    move = viewer.on_field()[1]
    viewer.select(None)
    viewer.tick(0.05)

    assert bow is not None
    assert move is not None
    assert bow.bounds_m != move.bounds_m
    assert viewer.on_field()[1] is None


def test_the_card_says_which_range_is_shown(viewer: Viewer) -> None:
    before = viewer.status().card
    viewer.say(viewer.rings.next(viewer.selected, viewer.state))
    after = viewer.status().card

    assert before is not None
    assert after is not None
    assert after.rows[0] == ("range: Longbow", "10, 20, 30 GSU")
    assert after.rows[1:] == before.rows


def test_an_arc_between_two_corners_holds_what_lies_ahead_of_the_line_between_them() -> None:
    body = shapely.box(-1, -1, 1, 1)
    arc = FireArc(body=body, left=(-10, 0), right=(10, 0), facing=0, arc_deg=90.0)

    ground = arc.within(40.0)

    for x, y, held in (
        (0, 40.9, True), (0, 41.1, False), (9, 1, True), (10, 1, True), (-10, 1, True),
        (12, 3, True), (14, 3, False), (-14, 3, False), (0, -0.5, False),
    ):  # fmt: skip
        assert ground.covers(shapely.Point(x, y)) == held, (x, y)


@pytest.mark.parametrize("arc_deg", [1.0, 90.0, 120.0, 180.0, 200.0, 359.0])
@pytest.mark.parametrize("facing", [0, 64 * 45, 64 * 190])
def test_an_arc_from_a_centre_holds_the_bearings_within_half_of_it(
    arc_deg: float, facing: int
) -> None:
    arc = FireArc(
        body=shapely.Point(5, 7).buffer(1),
        left=(5, 7),
        right=(5, 7),
        facing=facing,
        arc_deg=arc_deg,
    )
    ground = arc.within(20.0)

    for turn in np.arange(-179.75, 180, 0.5):
        way = np.radians(facing / 64 + turn)
        place = shapely.Point(5 + 19 * np.sin(way), 7 + 19 * np.cos(way))
        assert ground.covers(place) == (abs(turn) <= arc_deg / 2), turn


def test_an_arc_of_a_full_circle_is_measured_all_round() -> None:
    body = shapely.box(0, 0, 4, 2)
    arc = FireArc(body=body, left=(2, 1), right=(2, 1), facing=0, arc_deg=360.0)

    assert arc.within(3.0).equals(body.buffer(3.0, quad_segs=24))


def test_a_unit_without_ranges_says_so(setup: Setup, start: State) -> None:
    nothing = RangeRings(setup, ruled(setup, ranges=lambda unit, state: ()))

    assert nothing.next(ARCHERS, start) == f"{setup.units[ARCHERS].name} has no ranges now"
    nothing.tick(0.05, ARCHERS, start, 0)
    assert nothing.overlay(start) is None
