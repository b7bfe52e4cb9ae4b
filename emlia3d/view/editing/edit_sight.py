"""The sight question about two units of the edited scenario, updated during edits."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from emlia3d.view.editing.edited_scenario import EditedPosition
from emlia3d.view.sight.sighttool import Sight, SightTool

FIRST_UNIT = "Click the observer with the tool Sight"
SECOND_UNIT = "Click the target with the tool Sight"


class EditSight:
    """The sight question about two units, answered again after each edit and during drags.

    names : observer and target; "" if not chosen
    """

    def __init__(self, position: EditedPosition) -> None:
        self._position = position
        self._trial: EditedPosition | None = None
        self._steps = count()
        self._answer: Sight | None = None
        self.names: tuple[str, str] = ("", "")

    @property
    def chosen(self) -> bool:
        """True if both units are chosen."""
        return all(self.names)

    def follow(self, position: EditedPosition) -> None:
        """Answer the question for the position after an edit."""
        self._position, self._trial, self._answer = position, None, None

    def try_out(self, position: EditedPosition | None) -> None:
        """Answer the question for a hypothetical position; None for the scenario's own."""
        if position is not self._trial:
            self._trial, self._answer = position, None

    def pick(self, unit: int) -> None:
        """Choose the observer, then the target; with both chosen, another target."""
        name = self._position.setup.units[unit].name
        observer = self.names[0]
        self.names = (observer, name) if observer and name != observer else (name, "")
        self._answer = None

    def exchange(self) -> None:
        """Exchange observer and target."""
        if self.chosen:
            self.names, self._answer = self.names[::-1], None

    def close(self) -> None:
        """Close the question."""
        self.names, self._answer = ("", ""), None

    def look(self, *, asked: bool) -> Sight | None:
        """Return the answer; None without one.

        asked : whether the tool is active, so that a hint names the unit to choose
        """
        if not self.names[0] and not asked:
            return None
        if self._answer is None:
            self._answer = self._look()
        return self._answer

    def _look(self) -> Sight:
        position = self._trial or self._position
        rows = {unit.name: row for row, unit in enumerate(position.setup.units)}
        tool = SightTool(position.setup, position.rules)
        tool.open(rows.get(self.names[0]), rows.get(self.names[1]))
        found = tool.look(position.state, next(self._steps))
        if self.chosen:
            return found
        note = SECOND_UNIT if self.names[0] else FIRST_UNIT
        return replace(found, card=replace(found.card, note=note))
