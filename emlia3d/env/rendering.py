"""A battle for people who watch: as text, or as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.formatting import format_value
from emlia3d.battle.moment import Moment
from emlia3d.errors import Error, quoted
from emlia3d.force.facing import degrees_of

RenderMode: TypeAlias = Literal["ansi", "rgb_array"]
RENDER_MODES = ("ansi", "rgb_array")
SIZE_PX = (960, 540)


def check_render_mode(mode: str | None) -> None:
    """Raise Error if an environment has no such mode."""
    if mode is not None and mode not in RENDER_MODES:
        raise Error(f"render_mode: expected 'ansi' or 'rgb_array', got {quoted(mode)}")


def rendered(moment: Moment, mode: str | None) -> str | NDArray[np.uint8] | None:
    """Return the whole battle as text or as a picture, (540, 960, 3) uint8; None without a mode.

    Raises DisplayError if nothing on this machine can draw.
    """
    if mode is None:
        return None
    if mode == "ansi":
        return "\n".join(_lines(moment))
    from emlia3d.view import picture  # noqa: PLC0415  loaded to draw only

    return picture(moment.setup, moment.state, size=SIZE_PX)


def _lines(moment: Moment) -> Iterator[str]:
    """Yield the turn, then each side with its units on the field, then the result."""
    setup, units = moment.setup, moment.state.units
    yield f"{setup.title}: turn {moment.state.turn} of {setup.turns}"
    wide = max(len(unit.name) for unit in setup.units)
    here = (units["present"] != 0) & (units.ints("members") > 0)
    for side, one in enumerate(setup.sides):
        mine = units.ints("side") == side
        left, strength = (
            units.ints("members")[mine & here].sum(),
            units.ints("strength")[mine].sum(),
        )
        yield f"{one.name}: {left:,} of {strength:,} figures"
        for row in np.flatnonzero(mine & here).tolist():
            east, north = (format_value(float(units.value(axis, row))) for axis in ("x", "y"))
            facing = format_value(degrees_of(units.integer("facing", row)))
            yield (
                f"  {setup.units[row].name:<{wide}}  {units.integer('members', row):>5,} of"
                f" {units.integer('strength', row):>5,} at {east}, {north} facing {facing}"
            )
    result = moment.system.result(moment)
    if result is not None:
        ending = result.level if result.winner is None else f"{result.winner}: {result.level}"
        yield f"{ending}. {result.reason}"
