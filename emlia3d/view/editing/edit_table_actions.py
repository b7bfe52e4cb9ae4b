"""Edits of a scenario's tables by the buttons of the panels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from emlia3d.battle.setup import UnitSetup
from emlia3d.view.editing.edit_drag import facing_of, shifted, turns
from emlia3d.view.editing.edit_shapes import outline_of_table
from emlia3d.view.editing.edited_scenario import Place, TableRef

if TYPE_CHECKING:
    from emlia3d.view.editing.edit_session import EditSession

FORMATIONS = (None, "open", "close", "ranked")
EDGES = ("south", "north", "west", "east")
MOST_TURNS = 1000
HEIGHT_STEP = 0.5
BESIDE = 4.0
"""Minimum distance of a copy from its original, GSU."""


class TableActions:
    """Edits of tables by buttons: "set:KEY:STEP", "choose:WHAT:ROW" and others."""

    def __init__(self, session: EditSession) -> None:
        self._session = session

    def do(self, action: str) -> bool:
        """Carry out an action; return whether it exists."""
        kind, _, what = action.partition(":")
        known = {
            "set": self._set, "choose": self._choose, "size": self._size, "side": self._side,
            "victory": self._victory, "finding": self._go_to, "turns": self._turns,
            "rename": self._rename, "copy": self._copy, "delete": self._delete,
            "sight": self._sight, "objective": self._objective,
        }  # fmt: skip
        if kind not in known:
            return False
        known[kind](what)
        return True

    def place_unit(self, at: Place, facing: float | None) -> None:
        """Place a unit of the chosen entry, and select it.

        facing : None for the side's default
        """
        session, tools = self._session, self._session.tools
        choices, sides = session.scenario.choices(), session.scenario.tables("side")
        if not choices or not sides:
            session.say("it needs a side and a unit set with entries")
            return
        choice = choices[min(tools.choice, len(choices) - 1)]
        side = min(tools.side, len(sides) - 1)
        if facing is None:
            facing = usual_facing(sides[side], side)
        facing = session.steps.facing_near(facing)
        values = {
            "name": choice.name, "side": sides[side].get("name", ""), "type": choice.entry,
            "at": list(session.steps.place(at)), "facing": facing,
        }  # fmt: skip
        self._add("unit", values)

    def add_shape(self, shape: Mapping[str, Any]) -> bool:
        """Add terrain or an area of a shape; return whether it was added."""
        session, tools = self._session, self._session.tools
        if tools.tool == "area":
            return self._add("area", {"name": "area", **shape})
        kinds = session.scenario.terrain_kinds()
        kind = kinds[min(tools.kind, len(kinds) - 1)]
        return self._add("terrain", {"name": kind, "kind": kind, **shape})

    def _add(self, kind: str, values: Mapping[str, Any]) -> bool:
        session = self._session
        if not session.edit(lambda: session.scenario.add(kind, values)):
            return False
        session.selected = (kind, len(session.scenario.tables(kind)) - 1)
        return True

    def _change(self, ref: TableRef, values: Mapping[str, Any]) -> None:
        session = self._session
        session.edit(lambda: session.scenario.change(*ref, values))

    def _set(self, what: str) -> None:
        """Change a value of the selected table by a step."""
        ref = self._session.selected
        if ref is None:
            return
        key, _, step = what.partition(":")
        by = int(step or 1)
        values, steps = self._session.table(ref), self._session.steps
        if key == "turn":
            self._turn(by * steps.step)
        elif key == "facing":
            self._change(ref, {key: steps.facing_near(facing_of(values) + by * steps.step)})
        elif key in {"members", "files"}:
            self._change(ref, {key: max(self.number_of(ref, key) + by, 1)})
        elif key == "formation":
            self._change(ref, {key: following(FORMATIONS, values.get(key), by)})
        elif key == "side":
            names = [side.get("name") for side in self._session.scenario.tables("side")]
            self._change(ref, {key: following(names, values.get(key), by)})
        elif key == "kind":
            kinds = self._session.scenario.terrain_kinds()
            self._change(ref, {key: following(kinds, values.get(key), by)})
        elif key in {"height", "width"}:
            least = HEIGHT_STEP if key == "width" else -1000.0
            now = values.get(key)
            now = self.height_of(ref) if now is None else float(now)
            self._change(ref, {key: max(now + by * HEIGHT_STEP, least)})

    def number_of(self, ref: TableRef, key: str) -> int:
        """Return the members or files of a unit's table, or its entry's."""
        given = self._session.table(ref).get(key)
        if isinstance(given, int):
            return given
        unit = self._first_unit_of(ref)
        if unit is None:
            return 1
        return int(unit.muster.members if key == "members" else unit.muster.files)

    def formation_of(self, ref: TableRef) -> str:
        """Return the formation of a unit without one in its table."""
        unit = self._first_unit_of(ref)
        return "default" if unit is None else f"{unit.muster.formation.name.lower()}, by default"

    def _first_unit_of(self, ref: TableRef) -> UnitSetup | None:
        """Return the first unit of a table; None if it has none on the field."""
        position = self._session.position
        rows = (row for row, table in enumerate(position.units) if table == ref)
        row = next(rows, None)
        return None if row is None else position.setup.units[row]

    def height_of(self, ref: TableRef) -> float:
        """Return the height of a feature, height units; 1 if it is not on the field."""
        name = self._session.table(ref).get("name")
        features = self._session.position.setup.field.features
        return next((feature.height for feature in features if feature.name == name), 1.0)

    def _choose(self, what: str) -> None:
        key, _, row = what.partition(":")
        tools = self._session.tools
        if key in {"choice", "side", "kind"}:
            setattr(tools, key, int(row))
        elif key == "shape":
            tools.shape, tools.drawn = tools.shapes[int(row)], []

    def _size(self, what: str) -> None:
        key, _, step = what.partition(":")
        self._session.tools.change(key, int(step))

    def _turns(self, what: str) -> None:
        session = self._session
        turns = session.scenario.heading("turns")
        now = turns if isinstance(turns, int) else session.position.setup.turns
        after = min(max(now + int(what), 1), MOST_TURNS)
        session.edit(lambda: session.scenario.change_heading({"turns": after}))

    def _side(self, what: str) -> None:
        """Add a side, or change one: "add", "colour:ROW", "lines:ROW", "goal:ROW", "delete:ROW"."""
        session = self._session
        sides = session.scenario.tables("side")
        key, _, text = what.partition(":")
        if key == "add":
            colours = session.scenario.colours()
            colour = colours[len(sides) % len(colours)]
            edge = EDGES[len(sides) % len(EDGES)]
            self._add("side", {"name": "Side", "colour": colour, "lines": edge})
            session.selected = None
            return
        row = int(text)
        if key == "colour":
            colours = session.scenario.colours()
            self._change(("side", row), {key: following(colours, sides[row].get(key), 1)})
        elif key == "lines":
            now = sides[row].get(key, EDGES[row % len(EDGES)])
            self._change(("side", row), {key: following(EDGES, now, 1)})
        elif key == "goal":
            places = [None, *self.places()]
            now = sides[row].get("objective")
            self._change(("side", row), {"objective": following(places, now, 1)})
        elif key == "delete":
            session.edit(lambda: session.scenario.delete("side", row))
        elif key == "rename":
            self._ask_name(("side", row))

    def places(self) -> list[str]:
        """Return the names of areas and features."""
        tables = self._session.scenario.tables
        return [each["name"] for kind in ("area", "terrain") for each in tables(kind)
                if isinstance(each.get("name"), str)]  # fmt: skip

    def _objective(self, what: str) -> None:
        """Make the selected area the objective of a side, by row."""
        ref = self._session.selected
        if ref is not None:
            self._change(("side", int(what)), {"objective": self._session.table(ref).get("name")})

    def _victory(self, what: str) -> None:
        """Add or delete a condition: "gone:ROW", "controls:ROW", "level:ROW", "delete:ROW"."""
        session = self._session
        key, _, text = what.partition(":")
        row, levels = int(text), session.scenario.levels()
        if key == "delete":
            session.edit(lambda: session.scenario.delete("victory", row))
            return
        if key == "level":
            now = session.table(("victory", row)).get("level")
            self._change(("victory", row), {key: following(levels, now, 1)})
            return
        sides = session.scenario.tables("side")
        side = sides[row]
        if not levels:
            session.say("these rules have victory conditions of their own")
        elif key == "gone":
            others = [one.get("name") for one in sides if one is not side]
            if others:
                values = {"gone": others[0], "ends": True}
                self._add_victory(side, levels[-1], values)
        elif key == "controls":
            places = [side["objective"]] if side.get("objective") else self.places()[:1]
            if places:
                self._add_victory(side, levels[len(levels) // 2], {"controls": places[0]})
            else:
                session.say("draw an area first")

    def _add_victory(self, side: Mapping[str, Any], level: str, values: Mapping[str, Any]) -> None:
        session = self._session
        whole = {"side": side.get("name", ""), "level": level, **values}
        session.edit(lambda: session.scenario.add("victory", whole))

    def _go_to(self, what: str) -> None:
        """Select the table of a finding."""
        finding = self._session.position.findings[int(what)]
        if finding.table is None:
            return
        if finding.table[0] in {"side", "victory", "event"}:
            self._session.tools.take("sides")
        else:
            self._session.tools.take("select")
            self._session.selected = finding.table

    def _rename(self, what: str) -> None:
        if what == "title":
            session = self._session
            title = str(session.scenario.heading("title") or "")
            session.files.ask("Title", title, self._entitle)
        elif self._session.selected is not None:
            self._ask_name(self._session.selected)

    def _entitle(self, title: str) -> bool:
        session = self._session
        return session.edit(lambda: session.scenario.change_heading({"title": title}))

    def _ask_name(self, ref: TableRef) -> None:
        session = self._session
        now = str(session.table(ref).get("name", ""))

        def enter(name: str) -> bool:
            return session.edit(lambda: session.scenario.rename(*ref, name))

        session.files.ask("Name", now, enter)

    def _copy(self, what: str) -> None:
        """Copy the selection beside itself, and select the copies."""
        del what
        session, tables = self._session, self._session.selection.tables
        if not tables:
            session.say("select a unit, terrain or an area to copy")
            return
        step = max(self._width(tables) + 1.0, BESIDE)
        changes = {ref: shifted(ref, session.table(ref), step, 0.0, session.steps)
                   for ref in tables}  # fmt: skip
        copies: list[TableRef] = []
        if session.edit(lambda: copies.extend(session.scenario.copy_all(changes))):
            session.selection.set(copies)

    def _width(self, tables: Sequence[TableRef]) -> float:
        """Return the width of one unit, or of several tables from west to east, GSU."""
        session = self._session
        outlines = [ring for ref in tables for ring in session.position.footprints.get(ref, ())]
        if len(tables) == 1:
            return max((float((ring.max(axis=0) - ring.min(axis=0)).max()) for ring in outlines),
                       default=0.0)  # fmt: skip
        size = session.position.setup.field.size
        shapes = [outline_of_table(session.table(ref), size) for ref in tables]
        outlines += [ring for ring in shapes if ring is not None]
        if not outlines:
            return 0.0
        return float(np.ptp(np.concatenate([ring[:, 0] for ring in outlines])))

    def _turn(self, degrees: float) -> None:
        """Turn the selection clockwise around its centre."""
        session = self._session
        tables = {ref: session.table(ref) for ref in session.selection.tables}
        session.edit(lambda: session.scenario.change_all(turns(tables, degrees, session.steps)))

    def _delete(self, what: str) -> None:
        """Delete the selection."""
        del what
        session, tables = self._session, self._session.selection.tables
        if tables:
            session.selected = None
            session.edit(lambda: session.scenario.delete_all(tables))

    def _sight(self, what: str) -> None:
        if what == "exchange":
            self._session.sight.exchange()
        else:
            self._session.sight.close()


def following(values: Sequence[Any], now: Any, by: int) -> Any:
    """Return the value after or before *now*; the first one if *now* is not among them."""
    if not values:
        return now
    return values[(list(values).index(now) + by) % len(values)] if now in values else values[0]


def usual_facing(side: Mapping[str, Any], row: int) -> float:
    """Return the facing away from a side's own lines, degrees."""
    edge = side.get("lines", EDGES[row % len(EDGES)])
    return {"south": 0.0, "north": 180.0, "west": 90.0, "east": 270.0}.get(str(edge), 0.0)
