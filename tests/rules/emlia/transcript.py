"""A battle as text: what happened, by which rules, with which dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from emlia3d.battle import flow
from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Fall, Place, Set
from emlia3d.battle.dice import Faces, SeededDice
from emlia3d.battle.events import Event
from emlia3d.force.facing import degrees_of

FEW = 20
"""So many faces of a roll are written one by one; of more, how often each was thrown."""


class NotedDice(SeededDice):
    """The dice of a battle, with a note of every roll since the last event."""

    rolls: ClassVar[list[str]] = []

    def roll(self, why: str, count: int, sides: int) -> Faces:
        """Roll as ever, and note the faces and the rule that asked for them."""
        noted = len(self.rolls)
        faces = super().roll(why, count, sides)
        self.rolls[noted:] = [f"{why} {count}d{sides}: {_shown(faces)}"]
        return faces

    def faces(self, count: int, sides: int) -> NDArray[np.int64]:
        """Roll as ever, and note the faces."""
        faces = super().faces(count, sides)
        self.rolls.append(f"{count}d{sides}: {_shown(tuple(faces.tolist()))}")
        return faces


def transcript(battle: Battle, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The lines of a battle as it is played to its end, the last with its digest.

    Each event is a line that begins with its name, followed by its sentence where it has one;
    then, indented, the rolls before it, the slugs of its rules, and what became of the units.
    """
    rolls: list[str] = []
    monkeypatch.setattr(NotedDice, "rolls", rolls)
    monkeypatch.setattr(flow, "SeededDice", NotedDice)
    for event in battle.run():
        yield _told(battle, event)
        yield from (f"    rolled {roll}" for roll in rolls)
        if event.because:
            yield f"    because {', '.join(event.because)}"
        yield from (f"    {line}" for line in _changed(battle, event))
        rolls.clear()
    yield f"digest {battle.digest.hexdigest()}"


def _told(battle: Battle, event: Event) -> str:
    words = battle.system.tell(battle, event)
    if words:
        return f"{event.name}: {words}"
    names = (
        battle.setup.units[unit].name for unit in (event.unit, event.target) if unit is not None
    )
    return " ".join((event.name, *names))


def _changed(battle: Battle, event: Event) -> Iterator[str]:
    """Where units stand now, who fell, and what became of morale and damage."""
    units = battle.setup.units
    for change in event.changes:
        match change:
            case Place():
                facing = degrees_of(change.facing)
                yield f"{units[change.unit].name} at ({change.x}, {change.y}) facing {facing:g}"
            case Fall():
                yield f"{units[change.unit].name} loses {len(change.figures)}"
            case Set(table="unit", column="morale" | "damage" as column):
                yield f"{units[change.row].name} {column} {change.value}"


def _shown(faces: Faces) -> str:
    if len(faces) <= FEW:
        return " ".join(map(str, faces))
    counts = sorted(Counter(faces).items())
    return ", ".join(f"{count} of {face}" for face, count in counts)
