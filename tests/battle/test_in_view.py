"""The view shows a battle of rules that it has never heard of."""

from __future__ import annotations

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.events import Event
from emlia3d.battle.questions.captions import caption, card_of
from emlia3d.battle.setup import Setup
from emlia3d.force import FigureCondition
from emlia3d.view.moment.describe import scene_of
from emlia3d.view.moment.figures import whereabouts_of
from emlia3d.view.moment.scene import FALLEN, KNEELING, STANDING
from emlia3d.view.session.timeline import Timeline

METRES_PER_GSU = 0.5


@pytest.fixture
def timeline(fresh, played: tuple[Battle, tuple[Event, ...]]) -> Timeline:
    """The whole battle, from its events alone."""
    line = Timeline(fresh().state, played[1], every=3)
    line.close()
    return line


def test_figures_stand_where_the_state_says_at_every_moment(
    setup: Setup, timeline: Timeline
) -> None:
    assert len(timeline) > 20
    for step in range(len(timeline) + 1):
        state = timeline.moment(step)
        shown = np.flatnonzero(state.figures["condition"] != FigureCondition.GONE)
        before = whereabouts_of(setup, timeline.moment(max(step - 1, 0)))

        scene = scene_of(setup, timeline.moment(step), events=timeline.events(step), before=before)

        state = timeline.moment(step)
        figures = scene.figures
        np.testing.assert_allclose(figures.x_m, state.figures.floats("x")[shown] * METRES_PER_GSU)
        np.testing.assert_allclose(figures.y_m, state.figures.floats("y")[shown] * METRES_PER_GSU)
        np.testing.assert_allclose(figures.facing_deg, state.figures.ints("facing")[shown] / 64)
        lying = state.figures["condition"][shown] == FigureCondition.FALLEN
        assert ((figures.pose == FALLEN) == lying).all()


def test_the_last_moment_is_how_the_battle_ended(
    timeline: Timeline, played: tuple[Battle, tuple[Event, ...]]
) -> None:
    state, ended = timeline.moment(len(timeline)), played[0].state

    assert state.key_frame()["tables"] == ended.key_frame()["tables"]
    assert timeline.turn_starts == tuple(
        step
        for step in range(1, len(timeline) + 1)
        if timeline.events(step)[0].name == "turn_began"
    )


def test_a_fall_is_seen_with_the_bump_that_it_is_part_of(timeline: Timeline) -> None:
    steps = [[event.name for event in timeline.events(step + 1)] for step in range(len(timeline))]

    assert ["bumped", "fell"] in steps
    assert ["fell"] not in steps


def test_a_posture_of_tin_is_seen(setup: Setup, timeline: Timeline) -> None:
    figures = scene_of(setup, timeline.moment(1)).figures

    assert set(figures.pose[:17]) == {STANDING}
    assert set(figures.pose[17:]) == {KNEELING}, "the sailors and the bear crouch"


def test_columns_of_tin_are_told_by_their_labels(setup: Setup, timeline: Timeline) -> None:
    card = dict(card_of(setup, timeline.moment(len(timeline)), 2))

    assert card["side"] == "Bob"
    assert card["posture"] == "crouching"
    assert "spring" in card


def test_events_of_tin_are_told_in_their_own_words(
    setup: Setup, played: tuple[Battle, tuple[Event, ...]]
) -> None:
    bumped = next(event for event in played[1] if event.name == "bumped")

    told = caption(setup, bumped)

    assert " bumped > " in told
    assert "faces" in told
    assert all(caption(setup, event) for event in played[1])
