"""Movement of units in words, relative to their previous positions."""

from __future__ import annotations

import numpy as np

from emlia3d.battle.formatting import format_value
from emlia3d.battle.state import State
from emlia3d.force.facing import degrees_of
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.events.movement import DoublePaced, FellBack, Fled, Moved, RolledOn

_WINDS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
_LEAST = 0.5  # GSU; a shorter way is a shuffle
MOVES = (Moved, DoublePaced, FellBack, Fled, RolledOn)
"""The kinds of event whose words in a report are a verb to which the way is added."""

_COLUMNS = ("x", "y", "facing", "formation", "files")


class PreviousPositions:
    """The position of every unit before the event in hand."""

    def __init__(self, state: State) -> None:
        self.note(state)

    def note(self, state: State) -> None:
        """Record the positions after the event."""
        self._before = {name: np.array(state.units[name]) for name in _COLUMNS}

    def moves(self, unit: int, verb: str, state: State) -> str:
        """Return a move as text: <moves> 15 GSU north; "" if nothing changed.

        verb : the verb of the move
        """
        was = {name: float(column[unit]) for name, column in self._before.items()}
        now = {name: float(state.units.value(name, unit)) for name in _COLUMNS}
        east, north = now["x"] - was["x"], now["y"] - was["y"]
        away = float(np.hypot(east, north))
        if away >= _LEAST:
            way = wind(float(np.degrees(np.arctan2(east, north))))
            return f"{verb} {format_value(round(away, 0 if away >= 10 else 1))} GSU {way}"
        if now["formation"] != was["formation"]:
            return f"<forms> {Formation(int(now['formation'])).name.lower()} order"
        if now["facing"] != was["facing"]:
            return f"<turns> {wind(degrees_of(int(now['facing'])))}"
        return "<changes> <its> front" if now["files"] != was["files"] else ""


def wind(bearing_deg: float) -> str:
    """Return a bearing by the nearest of eight winds."""
    return _WINDS[round(bearing_deg / 45.0) % 8]
