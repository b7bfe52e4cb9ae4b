"""A battle at one moment, as a scene for any renderer, without window and rules."""

from __future__ import annotations

from collections.abc import Sequence

from emlia3d.battle.events import Event
from emlia3d.battle.questions.cohesion import FormationTag
from emlia3d.battle.questions.objectives import ObjectivePlace
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.moment.banners import banners_of, objective_banners
from emlia3d.view.moment.cohesion import signs_of
from emlia3d.view.moment.figures import FigurePositions, figures_of
from emlia3d.view.moment.ground import terrain_of
from emlia3d.view.moment.marks import marks_of, units_of
from emlia3d.view.moment.plumes import plumes_of
from emlia3d.view.moment.scene import DrawnGround, Light, Pattern, Scene, SideLook

PATTERNS: tuple[Pattern, ...] = ("saltire", "pale", "cross", "fess", "quarterly", "plain")

MOST_ACTIVE = 4
"""Maximum number of units that an event highlights."""


def sides_of(setup: Setup) -> tuple[SideLook, ...]:
    """Return the looks of sides: the scenario's colours, and a pattern for each."""
    return tuple(
        SideLook(name=side.name, colour=side.colour, pattern=PATTERNS[row % len(PATTERNS)])
        for row, side in enumerate(setup.sides)
    )


def scene_of(  # noqa: PLR0913  what may be added to a moment, each by its name
    setup: Setup,
    state: State,
    *,
    events: Sequence[Event] = (),
    before: FigurePositions | None = None,
    selected: int | None = None,
    terrain: DrawnGround | None = None,
    contours: bool = True,
    formations: Sequence[FormationTag] = (),
    objectives: Sequence[ObjectivePlace] = (),
) -> Scene:
    """Return the picture of *state*.

    events : the latest events, shown by marks
    before : positions before them, from which figures move
    terrain : of the previous moment, if no feature has changed; it is slow to build
    formations : formations with one tag and markers on the ground each
    objectives : points with a flag each
    """
    ground = terrain_of(setup, state) if terrain is None else terrain
    active = units_of(events)
    return Scene(
        terrain=ground,
        sides=sides_of(setup),
        figures=figures_of(setup, state, before),
        banners=(
            *banners_of(
                setup,
                state,
                selected=selected,
                active=active if len(active) <= MOST_ACTIVE else (),
                formations=formations,
            ),
            *objective_banners(setup, objectives),
        ),
        marks=(
            *marks_of(setup, state, events, ground, before),
            *plumes_of(setup, state, ground),
            *signs_of(setup, state, formations, ground),
        ),
        light=Light(),
        contours=contours,
    )
