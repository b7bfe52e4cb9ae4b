"""What events look like."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from msgspec import structs

from emlia3d.battle.apply import apply
from emlia3d.battle.changes import Place
from emlia3d.battle.events import Event, FallOfShot, Gesture, Mustered, Unread
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.force import Formation
from emlia3d.rules.emlia.events.combat import Struck
from emlia3d.view.moment.figures import whereabouts_of
from emlia3d.view.moment.ground import terrain_of
from emlia3d.view.moment.marks import marks_of, units_of
from emlia3d.view.moment.scene import Arrow, Mark, Ring, Stroke, TintedArea
from tests.made_up import made_up
from tests.view.conftest import Shot


def test_a_shot_flies_from_the_shooters_front_to_the_target(
    setup: Setup, start: State, story: tuple[Event, ...]
) -> None:
    terrain = terrain_of(setup, start)

    strokes = marks_of(setup, start, story[3:4], terrain)

    assert len(strokes) == 10
    for stroke in strokes:
        assert isinstance(stroke, Stroke)
        assert stroke.start[1] == pytest.approx(24.0), "the front line of the archers"
        assert stroke.end[1] == pytest.approx(98.0), "the front line of the bandits"
        assert stroke.start[2] > terrain.height(*stroke.start[:2])


def test_as_many_tracers_hit_as_the_event_says(
    setup: Setup, start: State, story: tuple[Event, ...]
) -> None:
    strokes = marks_of(setup, start, story[3:4], terrain_of(setup, start))

    tones = [stroke.tone for stroke in strokes if isinstance(stroke, Stroke)]
    assert (tones.count("hit"), tones.count("miss")) == (2, 8)


def test_a_volley_flies_into_a_circle_and_shows_how_far_it_strayed(
    setup: Setup, start: State
) -> None:
    fell = FallOfShot(aimed_at=(60.0, 40.0), fell_at=(67.0, 40.0), coverage=3.0)
    event = Event(facts=fell, unit=0, gesture="shoot")

    *strokes, drift, circle = marks_of(setup, start, [event], terrain_of(setup, start))

    assert len(strokes) == 10
    for stroke in strokes:
        assert isinstance(stroke, Stroke)
        assert abs(stroke.end[0] - 134.0) < 3
        assert stroke.end[1] == pytest.approx(80.0, abs=3)
    assert isinstance(drift, Arrow)
    assert drift.path_m.tolist() == [[120.0, 80.0], [134.0, 80.0]]
    assert isinstance(circle, Ring)
    assert (circle.x_m, circle.y_m, circle.radius_m) == (134.0, 80.0, 3.0)


def bearing(setup: Setup, body: str) -> Setup:
    """The same quarrel with such bodies in place of the archers'."""
    archers = setup.units[0]
    troops = replace(archers.muster.troops, model=body)
    other = replace(archers, muster=replace(archers.muster, troops=troops))
    return replace(setup, units=(other, *setup.units[1:]))


def highest_m(stroke: Mark) -> float:
    """How far a shot rises above its straight line."""
    assert isinstance(stroke, Stroke)
    points = stroke.points()
    share = np.linspace(0.0, 1.0, len(points))
    return float((points[:, 2] - np.interp(share, [0, 1], points[[0, -1], 2])).max())


@pytest.mark.parametrize(
    ("body", "low", "high"),
    [("foot_musket", 0.0, 0.0), ("gun", 0.0, 0.0), ("springald", 0.5, 4.0), ("foot_bow", 4.0, 9.0),
     ("trebuchet", 15.0, 20.0)],
)  # fmt: skip
def test_a_shot_flies_as_what_looses_it_throws(
    body: str, low: float, high: float, setup: Setup, start: State, story: tuple[Event, ...]
) -> None:
    shot, *_ = marks_of(bearing(setup, body), start, story[3:4], terrain_of(setup, start))

    assert low <= highest_m(shot) <= high, "over 74 metres"


def test_arrows_shot_into_an_area_fly_higher_than_aimed_ones(
    setup: Setup, start: State, story: tuple[Event, ...]
) -> None:
    fell = FallOfShot(aimed_at=(60.0, 50.0), fell_at=(60.0, 50.0), coverage=3.0)
    volley = Event(facts=fell, unit=0, gesture="shoot")
    terrain = terrain_of(setup, start)

    (aimed, *_), (high, *_) = (marks_of(setup, start, [e], terrain) for e in (story[3], volley))

    assert highest_m(high) > 1.5 * highest_m(aimed)


@pytest.mark.parametrize(("body", "smokes"), [("gun", True), ("springald", False)])
def test_powder_smokes_and_rope_does_not(
    body: str, smokes: bool, setup: Setup, start: State, story: tuple[Event, ...]
) -> None:
    shots = marks_of(bearing(setup, body), start, story[3:4], terrain_of(setup, start))

    assert {shot.smoke for shot in shots if isinstance(shot, Stroke)} == {smokes}


def test_a_march_is_an_arrow_from_there_to_here(
    setup: Setup, start: State, later: State, story: tuple[Event, ...]
) -> None:
    fresh = State.mustered([unit.muster for unit in setup.units], 2, [1.0, 1.0])
    before = whereabouts_of(setup, fresh)

    (arrow,) = marks_of(setup, later, story[2:3], terrain_of(setup, later), before)

    assert isinstance(arrow, Arrow)
    assert arrow.path_m.tolist() == [[120.0, 24.0], [120.0, 40.0]]


@pytest.mark.parametrize(
    ("gesture", "tone"),
    [("suffer", "hit"), ("waver", "warning"), ("rally", "order"), ("vanish", "miss")],
)
def test_what_befalls_a_unit_is_a_ring_around_it(
    setup: Setup, start: State, gesture: Gesture, tone: str
) -> None:
    event = Event(facts=Unread(event="something"), unit=1, gesture=gesture)

    (ring,) = marks_of(setup, start, [event], terrain_of(setup, start))

    assert isinstance(ring, Ring)
    assert (ring.x_m, ring.y_m, ring.tone) == (120.0, 100.0, tone)
    assert ring.radius_m > 3.6, "it holds the block of 6 x 4 metres"


def test_a_clash_lies_between_those_who_fight(
    setup: Setup, start: State, story: tuple[Event, ...]
) -> None:
    event = Event(facts=made_up(Struck), unit=0, target=1, gesture="strike")
    start.units.writable("y")[1] = 14.0

    *strokes, area = marks_of(setup, start, [event], terrain_of(setup, start))

    assert isinstance(area, TintedArea)
    low, high = area.outline_m.min(axis=0), area.outline_m.max(axis=0)
    assert low[1] <= 23.0
    assert high[1] >= 27.0
    assert (low[0], high[0]) == pytest.approx((115.8, 124.2)), "as wide as the smaller, six metres"
    assert all(isinstance(stroke, Stroke) and stroke.tone == "melee" for stroke in strokes)


def test_who_has_parted_since_is_shown_striking_no_longer(setup: Setup, start: State) -> None:
    event = Event(facts=made_up(Struck), unit=0, target=1, gesture="strike")
    start.units.writable("y")[1] = 90.0  # beyond the edge of the field

    assert marks_of(setup, start, [event], terrain_of(setup, start)) == ()


def test_a_clash_with_many_units_as_one_lies_at_the_part_that_is_struck(
    setup: Setup, start: State
) -> None:
    event = Event(facts=made_up(Struck), unit=0, target=1, gesture="strike")
    units = start.units
    units.writable("parent")[2] = 1
    units.writable("x")[2], units.writable("y")[2] = 60.0, 14.0

    *_, area = marks_of(setup, start, [event], terrain_of(setup, start))

    assert isinstance(area, TintedArea)
    assert area.outline_m[:, 1].max() < 40.0, "at the dragon, and not at the bandits he is under"


@pytest.mark.parametrize(("north", "tone"), [(40.0, "order"), (10.0, "warning")])
def test_an_arrow_tells_who_goes_for_an_enemy_from_who_is_driven_back(
    setup: Setup, start: State, north: float, tone: str
) -> None:
    before = whereabouts_of(setup, start)
    way = Place(unit=0, x=60.0, y=north, facing=0, formation=Formation.RANKED, files=10)
    event = Event(facts=Unread(event="went"), unit=0, target=1, gesture="march", changes=(way,))
    apply(start, event)

    (arrow,) = marks_of(setup, start, [event], terrain_of(setup, start), before)

    assert isinstance(arrow, Arrow)
    assert arrow.tone == tone


def test_each_who_falls_is_marked_where_he_fell(
    setup: Setup, later: State, story: tuple[Event, ...]
) -> None:
    _, *ticks = marks_of(setup, later, story[4:5], terrain_of(setup, later))

    places = {tick.start[:2] for tick in ticks if isinstance(tick, Stroke)}
    assert len(ticks) == len(places) == 2
    for x, y in places:
        assert 117.0 <= x <= 123.0
        assert 96.0 <= y <= 106.0


def test_what_has_no_gesture_shows_nothing(setup: Setup, start: State) -> None:
    assert marks_of(setup, start, [Event(facts=Mustered(), unit=1)], terrain_of(setup, start)) == ()


def test_both_units_of_an_event_are_active(story: tuple[Event, ...]) -> None:
    assert units_of(story[3:5]) == {0, 1}


def test_all_units_that_act_together_shoot_and_share_the_hits(
    setup: Setup, start: State, story: tuple[Event, ...]
) -> None:
    shot = structs.replace(story[3], others=(2,), facts=Shot(dice=12, modifier=0, successes=11))

    strokes = marks_of(setup, start, [shot], terrain_of(setup, start))

    by_dragon = strokes[10]
    assert len(strokes) == 11
    assert isinstance(by_dragon, Stroke)
    assert np.hypot(by_dragon.start[0] - 180.0, by_dragon.start[1] - 120.0) < 4, "the dragon"
    assert [stroke.tone for stroke in strokes if isinstance(stroke, Stroke)] == ["hit"] * 11


def test_all_units_that_march_together_have_arrows(setup: Setup, start: State) -> None:
    before = whereabouts_of(setup, start)
    places = [
        Place(unit=unit, x=x, y=20.0, facing=0, formation=0, files=1)
        for unit, x in ((0, 60.0), (2, 90.0))
    ]
    event = Event(
        facts=Unread(event="marched"), unit=0, others=(2,), gesture="march", changes=tuple(places)
    )
    apply(start, event)

    arrows = marks_of(setup, start, [event], terrain_of(setup, start), before)

    ends = [arrow.path_m[-1].tolist() for arrow in arrows if isinstance(arrow, Arrow)]
    assert ends == [[120.0, 40.0], [180.0, 40.0]]


def test_all_units_that_act_together_are_active(story: tuple[Event, ...]) -> None:
    assert units_of([structs.replace(story[3], others=(2,))]) == {0, 1, 2}
