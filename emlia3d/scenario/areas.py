"""Viewsheds of a whole field: observers, cells, and the answer in words."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from emlia3d.battle.formatting import known_ground, percent
from emlia3d.battle.questions.area import (
    TOTAL,
    Floats,
    Grid,
    Observer,
    PointVisibility,
    Progress,
    SightArea,
    cells_of,
    silent,
)
from emlia3d.battle.system import System
from emlia3d.errors import Error
from emlia3d.field.hexes import HexBoard, board_of
from emlia3d.scenario.messages import listed, nearest, shown
from emlia3d.scenario.observers import posts_of
from emlia3d.scenario.systems import ALL, TRUE

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.setup import Setup
    from emlia3d.field import Field
    from emlia3d.scenario.scenario import Scenario

MOST_CELLS = 4_000_000
"""Maximum number of cells."""

TALLEST = 1_000.0
"""Maximum height of a figure, height units."""

# The cells are the cells of the raster if there are not too many. Otherwise they have a round size,
# and the answer takes a few seconds.
_OWN, _ROUND = (60, 200), 160
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)

_OF_TILES, _MOST_OF_TILES = 0.125, 200_000
"""Cell size and maximum number on a field of tiles, GSU: the map shows the shapes of tiles."""

_MOST_NAMED = 3

Look: TypeAlias = Callable[[Observer, Floats, Progress], PointVisibility]


def look_over(  # noqa: PLR0913  the options of the question
    scenario: Scenario,
    observers: Sequence[str],
    *,
    height: float = 1.0,
    rules: str | None = None,
    cell: float | None = None,
    reverse: bool = False,
    progress: Progress | None = None,
) -> SightArea:
    """Compute the answer of `Scenario.viewshed`."""
    moment = scenario.position()
    posts = posts_of(scenario, moment, observers)
    return area_of(
        scenario, moment, posts, asked=observers, height=height, rules=rules, cell=cell,
        reverse=reverse, progress=progress,
    )  # fmt: skip


def area_of(  # noqa: PLR0913  the options of the question
    scenario: Scenario,
    moment: Moment,
    posts: Sequence[Observer],
    *,
    asked: Sequence[str],
    height: float = 1.0,
    rules: str | None = None,
    cell: float | None = None,
    reverse: bool = False,
    progress: Progress | None = None,
) -> SightArea:
    """Return what observers see in *moment* of a figure at the centre of each cell.

    asked : the words that name the observers; for other parameters see `Scenario.viewshed`
    """
    setup = scenario.setup
    look = look_of(scenario, moment, rules, height, reverse=reverse)
    grid = Grid.over(setup.field.size, cell_length(scenario, cell))
    found = levels_from(look, posts, grid.spots, progress or silent)
    answer = SightArea(
        asked=tuple(dict.fromkeys(asked)),
        observers=tuple(post.name for post in posts),
        rules=rules or setup.rules,
        height=height,
        reverse=reverse,
        grid=grid,
        each=found.levels.reshape(len(posts), grid.rows, grid.columns),
        because=tuple(slug for slug, _ in _most_first(found.because)),
        hides=tuple(_most_first(found.hides)),
        text="",
    )
    return dataclasses.replace(answer, text=_in_words(answer, setup))


def _no_such_rules(scenario: Scenario, rules: str) -> str:
    own = scenario.setup.rules
    if rules == ALL:
        return f"expected one method: the rules {own}, or {TRUE} for geometry"
    if rules in scenario.systems:
        return f"expected the scenario's own rules, {own}, or {TRUE} for geometry"
    return f"unknown rule system {shown(rules)}; {nearest(rules, [own, TRUE])}"


def look_of(
    scenario: Scenario, moment: Moment, rules: str | None, height: float, *, reverse: bool = False
) -> Look:
    """Return a function that computes whether an observer sees figures at points.

    rules, height, reverse : as for `Scenario.viewshed`

    Raises
    ------
    Error
        The height is out of range, or the rule system has no area answers.
    """
    name, system = scenario.name, scenario.system
    if rules not in {None, TRUE, scenario.setup.rules}:
        raise Error(f"{name}: {_no_such_rules(scenario, rules)}")
    if not (math.isfinite(height) and 0 < height <= TALLEST):
        told = f"a number of height units above 0 and up to {TALLEST:g}, got {height:g}"
        raise Error(f"{name}: height: expected {told}")
    if rules == TRUE:
        from emlia3d.battle.plain_geometry.geometric_viewshed import (  # noqa: PLC0415  for this only
            geometric_viewshed,
        )

        return geometric_viewshed(moment, height, reverse)
    if not system.can(System.sight_area):
        told = f"have no area answers; use {TRUE} for geometry"
        raise Error(f"{name}: the rules {scenario.setup.rules} {told}")

    def by_rules(post: Observer, spots: Floats, progress: Progress) -> PointVisibility:
        return system.sight_area(moment, post, spots, height, reverse, progress)

    field = scenario.setup.field
    return by_rules if field.cells == "none" else _by_tiles(by_rules, board_of(field))


def _by_tiles(look: Look, board: HexBoard) -> Look:
    """Return a function that computes the answer at the centre of each point's tile.

    A point outside the board counts as not seen.
    """

    def by_tiles(post: Observer, spots: Floats, progress: Progress) -> PointVisibility:
        centres, on_board = board.centres_around(spots)
        found = look(post, centres[on_board], progress)
        levels = np.full(len(spots), TOTAL, dtype=np.uint8)
        levels[on_board] = found.levels
        return found._replace(levels=levels)

    return by_tiles


def levels_from(
    look: Look, posts: Sequence[Observer], spots: Floats, progress: Progress
) -> PointVisibility:
    """Return the answers of all observers, with one row of levels for each."""
    found = PointVisibility(
        np.empty((len(posts), len(spots)), dtype=np.uint8), Counter(), Counter()
    )
    for row, post in enumerate(posts):

        def of_post(part: float, row: int = row) -> None:
            progress((row + part) / len(posts))

        looks = look(post, spots, of_post)
        found.levels[row] = looks.levels
        found.because.update(looks.because)
        found.hides.update(looks.hides)
        progress((row + 1) / len(posts))
    return found


def _most_first(tally: Counter[str]) -> list[tuple[str, int]]:
    return sorted(tally.items(), key=lambda item: (-item[1], item[0]))


def cell_length(scenario: Scenario, wanted: float | None) -> float:
    """Return the cell size, GSU: as requested, that of the raster, or a round value."""
    size, ground = scenario.setup.field.size, scenario.setup.field.ground
    if wanted is None and scenario.setup.field.cells != "none":
        return max(_OF_TILES, math.sqrt(size[0] * size[1] / _MOST_OF_TILES))
    if wanted is None:
        if ground.low_m < ground.high_m and _OWN[0] <= max(size) / ground.cell <= _OWN[1]:
            return ground.cell
        least = max(size) / _ROUND
        power = 10.0 ** math.floor(math.log10(least))
        return next(step * power for step in _STEPS if step * power >= least * (1 - 1e-9))
    least = math.sqrt(size[0] * size[1] / MOST_CELLS)
    if not (math.isfinite(wanted) and least <= wanted <= max(size)):
        told = f"a number of GSU from {least:.2g} to {max(size):g} on this field, got {wanted:g}"
        raise Error(f"{scenario.name}: cell: expected {told}")
    return wanted


def _in_words(answer: SightArea, setup: Setup) -> str:
    """Return the answer as a paragraph."""
    names = answer.observers
    who = listed(answer.asked)
    if names != answer.asked:
        who += f" ({len(names)} unit{'' if len(names) == 1 else 's'})"
    figure = f"a figure of height {answer.height:g}"
    none, partial, total = (
        percent(cells / answer.levels.size) for cells in cells_of(answer.levels)
    )
    if answer.reverse:
        best = who if len(names) == 1 else f"the one of {who} that it sees best"
        told = [
            f"From {none} of the field {figure} can see {best} without concealment, from "
            f"{partial} in part, and from {total} not at all."
        ]
    else:
        together = "" if len(names) == 1 else " between them"
        told = [
            f"On {none} of the field {who} can{together} see {figure} without concealment, on "
            f"{partial} in part, and on {total} not at all."
        ]
    if answer.hides:
        told.append(f"{_hiders(answer)}.")
    told.append(_how_asked(answer, setup.field))
    told.append(known_ground(setup.field))
    return " ".join(told)


def _hiders(answer: SightArea) -> str:
    first, *others = [
        f"{name} ({percent(cells / answer.each.size)}{' of the field' if not row else ''})"
        for row, (name, cells) in enumerate(answer.hides[:_MOST_NAMED])
    ]
    seen = "" if len(answer.observers) == 1 else " on average of all observers"
    return f"Most is hidden by {listed([first, *others])}{seen}"


def _how_asked(answer: SightArea, field: Field) -> str:
    grid, height, scale = answer.grid, answer.height, field.scale
    cells = (
        f"the centre of each of {grid.columns} x {grid.rows} cells of {grid.cell:g} GSU "
        f"({scale.metres_of_gsu(grid.cell):g} m)"
    )
    if answer.rules == TRUE:
        return (
            f"Computed with straight lines over the ground and past upright prisms, for a figure "
            f"as thin as a vertical line, in {cells}. Sparse terrain hides in part at any depth. "
            "For the visible fraction of a unit, use emlia3d sight."
        )
    if field.cells != "none":
        cells = f"the tile of each of {grid.columns} x {grid.rows} cells of {grid.cell:g} GSU"
    return f"Computed by the rules of {answer.rules} for one figure of size {height:g} in {cells}."
