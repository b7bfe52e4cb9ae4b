"""Contents of the editor's panels: the active tool, the selection and the findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from emlia3d.view.editing.edit_drag import facing_of
from emlia3d.view.editing.edit_keys import KEY_WORDS, TOOLS
from emlia3d.view.editing.edit_session import EditSession
from emlia3d.view.editing.edit_shapes import shape_key
from emlia3d.view.editing.edit_status import EditPaneCard, EditRow, EditStatus
from emlia3d.view.editing.edit_table_actions import EDGES
from emlia3d.view.editing.edited_scenario import TableRef
from emlia3d.view.window.settings import Settings

ACTIONS = (
    ("map", "Map"), ("undo", "Undo"), ("redo", "Redo"), ("save", "Save"),
    ("save_as", "Save as"), ("play", "Play"),
)  # fmt: skip
"""Buttons of the title bar."""

HINTS = {
    "select": "Click to select, drag to move, drag the ring in front of a unit to turn it. "
    "Shift adds to the selection",
    "unit": "Click to place a unit, or drag to place it facing the direction of the drag",
    "area": "Click each corner. To finish, click the first one again",
    "terrain": "Click each corner. To finish, click the first one again",
    "ground": "Click to raise the ground. A brush height below 0 m lowers it",
    "sides": "Click a line to change it",
    "sight": "Click the observer and then the target; then move terrain with Select",
}
CIRCLE_HINT = "Press at the centre and drag to the edge"
PATH_HINT = "Click each corner. To finish, click the last one again"
CAMERA_HINT = "Drag to move the view, right-drag to turn it, scroll to zoom"
CONDITIONS = {
    "controls": "it controls {}",
    "denied": "it denies {} to enemies",
    "conceded": "it leaves {} to an enemy",
    "unguarded": "{} is empty",
    "outnumbers": "it outnumbers enemies in {}",
    "gone": "{} has left the field",
    "destroyed": "{} is destroyed",
    "cleared": "{} is cleared from the field",
    "lost": "{} is lost",
}


def status_of(session: EditSession, liked: Settings) -> EditStatus:
    """Return the contents of the panels, with the text size and contrast of the settings."""
    scenario, sight = session.scenario, session.sight.look(asked=session.tools.tool == "sight")
    right = list(_selection(session))
    return EditStatus(
        title=str(scenario.heading("title") or "Untitled"),
        file=scenario.path.name,
        saved=scenario.is_saved,
        actions=tuple((name, word, KEY_WORDS.get(name, "")) for name, word in ACTIONS),
        tools=tuple(
            (f"tool:{tool}", title, str(number), tool == session.tools.tool)
            for number, (tool, title) in enumerate(TOOLS.items(), start=1)
        ),
        left=tuple(_tool_panes(session)),
        right=tuple(right),
        findings=_findings(session),
        sight=None if sight is None else sight.card,
        prompt=session.files.prompt,
        hint=_hint(session),
        cursor=_cursor(session),
        notice=session.notice,
        alarm=session.alarm,
        text_size=liked.text_size,
        stark=liked.contrast == "high",
        scrolled=tuple(session.scrolled.items()),
    )


def _hint(session: EditSession) -> str:
    tool, shape = session.tools.tool, session.tools.shape
    hint = HINTS[tool]
    if tool in {"terrain", "area"} and shape != "outline":
        hint = CIRCLE_HINT if shape == "circle" else PATH_HINT
    return f"{hint}.   {CAMERA_HINT}."


def _cursor(session: EditSession) -> str:
    """Return the point under the cursor in words; "" if it is off the ground."""
    if session.cursor is None:
        return ""
    east, north = session.cursor
    ground = session.position.setup.field.ground
    height_m = float(ground.elevations_m(np.array([east]), np.array([north]))[0])
    return f"{east:.0f}, {north:.0f} GSU, {height_m:.0f} m high"


def _tool_panes(session: EditSession) -> Iterator[EditPaneCard]:
    """Yield the panes of the active tool."""
    tools, scenario = session.tools, session.scenario
    sides = scenario.tables("side")
    if tools.tool == "unit":
        rows = [
            EditRow(text=str(side.get("name")), button=f"choose:side:{row}",
                    colour=_colour(session, side.get("name")), chosen=row == tools.side)
            for row, side in enumerate(sides)
        ]  # fmt: skip
        fixed = len(rows)
        choices = list(enumerate(scenario.choices()))
        for title, each in groupby(choices, key=lambda one: one[1].title):
            rows.append(EditRow(text=title, tone="head"))
            rows += [
                EditRow(text=choice.name, button=f"choose:choice:{row}",
                        chosen=row == tools.choice)
                for row, choice in each
            ]  # fmt: skip
        yield EditPaneCard(name="entries", title="Unit to place", rows=tuple(rows), fixed=fixed)
    elif tools.tool in {"terrain", "area"}:
        rows = list(_shape_rows(session))
        fixed = len(rows)
        if tools.tool == "terrain":
            rows += [
                EditRow(text=kind, button=f"choose:kind:{row}", chosen=row == tools.kind)
                for row, kind in enumerate(scenario.terrain_kinds())
            ]
        title = "Terrain to draw" if tools.tool == "terrain" else "Area to draw"
        yield EditPaneCard(name="shapes", title=title, rows=tuple(rows), fixed=fixed)
    elif tools.tool == "ground":
        rows = [
            EditRow(text="radius", value=f"{tools.radius:g} GSU", less="size:radius:-1",
                    more="size:radius:1"),
            EditRow(text="height", value=f"{tools.height_m:+g} m", less="size:height_m:-1",
                    more="size:height_m:1"),
        ]  # fmt: skip
        yield EditPaneCard(name="brush", title="Brush for the ground", rows=tuple(rows))
    elif tools.tool == "sides":
        yield from _sides(session)
    elif tools.tool == "sight" and session.sight.chosen:
        rows = [EditRow(text="exchange the two units", button="sight:exchange")]
        rows.append(EditRow(text="close the question", button="sight:close"))
        yield EditPaneCard(name="sight", title="Sight", rows=tuple(rows))


def _shape_rows(session: EditSession) -> Iterator[EditRow]:
    """Yield the shapes that can be drawn, and how to finish one."""
    tools = session.tools
    for row, shape in enumerate(tools.shapes):
        yield EditRow(text=shape, button=f"choose:shape:{row}", chosen=shape == tools.shape)
    if tools.shape == "path" and tools.tool == "terrain":
        yield EditRow(text="width", value=f"{tools.width:g} GSU", less="size:width:-1",
                      more="size:width:1")  # fmt: skip
    if tools.drawn:
        count = len(tools.drawn)
        corners = "1 corner" if count == 1 else f"{count} corners"
        yield EditRow(text="finish", value=corners, button="finish", tone="amber")
        yield EditRow(text="drop", value=KEY_WORDS["drop"], button="drop", tone="amber")


def _sides(session: EditSession) -> Iterator[EditPaneCard]:
    """Yield the pane of the scenario and its sides."""
    scenario = session.scenario
    sides = scenario.tables("side")
    turns = scenario.heading("turns") or session.position.setup.turns
    rows = [
        EditRow(text="title", value=str(scenario.heading("title") or ""), button="rename:title"),
        EditRow(text="turns", value=str(turns), less="turns:-1", more="turns:1"),
    ]
    for row, side in enumerate(sides):
        colour = _colour(session, side.get("name"))
        rows += [
            EditRow(text=str(side.get("name")), colour=colour, tone="head",
                    value="rename", button=f"side:rename:{row}"),
            EditRow(text="colour", value=str(side.get("colour") or "default"),
                    button=f"side:colour:{row}"),
            EditRow(text="own lines", value=_lines(side, row), button=f"side:lines:{row}"),
            EditRow(text="objective", value=str(side.get("objective") or "none"),
                    button=f"side:goal:{row}"),
            EditRow(text="delete this side", button=f"side:delete:{row}", tone="dim"),
        ]  # fmt: skip
    rows.append(EditRow(text="add a side", button="side:add", tone="amber"))
    yield EditPaneCard(name="sides", title="Scenario and sides", rows=tuple(rows))


def _victory(session: EditSession, sides: Sequence[Mapping[str, Any]]) -> Iterator[EditRow]:
    for row, values in enumerate(session.scenario.tables("victory")):
        side = str(values.get("side"))
        yield EditRow(text=f"{side}: {values.get('level')}", button=f"victory:level:{row}",
                      colour=_colour(session, side))  # fmt: skip
        told = " and ".join(_conditions(values))
        ends = "; this ends the battle" if values.get("ends") else ""
        yield EditRow(text=f"if {told}{ends}" if told else "no condition yet", tone="dim")
        yield EditRow(text="delete this level", button=f"victory:delete:{row}", tone="dim")
    for row, table in enumerate(sides):
        name = str(table.get("name"))
        colour = _colour(session, name)
        yield EditRow(text=f"add: {name} wins if an enemy has left the field", colour=colour,
                      tone="amber", button=f"victory:gone:{row}")  # fmt: skip
        yield EditRow(text=f"add: {name} wins if it controls its objective", colour=colour,
                      tone="amber", button=f"victory:controls:{row}")  # fmt: skip


def _conditions(values: Mapping[str, Any]) -> Iterator[str]:
    for key, words in CONDITIONS.items():
        given = values.get(key)
        if given:
            names = given if isinstance(given, list) else [given]
            yield words.format(", ".join(map(str, names)))


def _selection(session: EditSession) -> Iterator[EditPaneCard]:
    """Yield the pane of the selection. For the tool "sides", yield the victory pane instead."""
    if session.tools.tool == "sides":
        rows = tuple(_victory(session, session.scenario.tables("side")))
        yield EditPaneCard(name="victory", title="Victory", rows=rows)
        return
    ref = session.selected
    if ref is None:
        return
    if session.selection.is_group:
        yield _group(session)
        return
    values = session.table(ref)
    own = _unit_rows(session, ref, values) if ref[0] == "unit" else _place_rows(session, ref)
    name = str(values.get("name") or ref[0])
    yield EditPaneCard(
        name=f"{ref[0]} {ref[1]}", title=name, rows=(*own, *_common_rows(session, ref))
    )


def _group(session: EditSession) -> EditPaneCard:
    """Return the pane of several tables that are selected."""
    tables = session.selection.tables
    rows = [EditRow(text="turn", value=f"{session.steps.step:g}°", less="set:turn:-1",
                    more="set:turn:1")]  # fmt: skip
    for ref in tables:
        values = session.table(ref)
        name, side = str(values.get("name") or ref[0]), values.get("side")
        colour = "" if side is None else _colour(session, side)
        rows.append(EditRow(text=name, colour=colour, tone="dim"))
    rows += _edit_rows()
    return EditPaneCard(name="group", title=f"{len(tables)} selected", rows=tuple(rows))


def _unit_rows(session: EditSession, ref: TableRef, values: Mapping[str, Any]) -> Iterator[EditRow]:
    side = str(values.get("side"))
    yield EditRow(text="side", value=side, button="set:side:1", colour=_colour(session, side))
    told = str(values.get("type") or "defined in the scenario")
    yield EditRow(text="type", value=told, tone="dim")
    if "row" in values:
        row = values["row"]
        count = row.get("count") if isinstance(row, Mapping) else row
        yield EditRow(text="row", value=f"{count} units", tone="dim")
    if "outline" not in values:
        actions = session.actions
        for key in ("members", "files"):
            yield EditRow(text=key, value=str(actions.number_of(ref, key)),
                          less=f"set:{key}:-1", more=f"set:{key}:1")  # fmt: skip
        default = actions.formation_of(ref)
        yield EditRow(text="formation", value=str(values.get("formation") or default),
                      button="set:formation:1")  # fmt: skip
    yield EditRow(text="facing", value=f"{facing_of(values):g}°", less="set:facing:-1",
                  more="set:facing:1")  # fmt: skip


def _place_rows(session: EditSession, ref: TableRef) -> Iterator[EditRow]:
    """Yield the rows of a feature or an area."""
    values = session.table(ref)
    key = shape_key(values)
    if ref[0] == "terrain":
        if isinstance(values.get("from"), Mapping):
            yield EditRow(text="from a map", value=str(values["from"].get("file")), tone="dim")
        else:
            yield EditRow(text="kind", value=str(values.get("kind")), less="set:kind:-1",
                          more="set:kind:1")  # fmt: skip
            height = values.get("height", session.actions.height_of(ref))
            # A file with errors can contain anything.
            told = f"{height:g}" if isinstance(height, int | float) else str(height)
            yield EditRow(text="height", value=f"{told} height units", less="set:height:-1",
                          more="set:height:1")  # fmt: skip
    yield EditRow(text="shape", value=key or "as in the file", tone="dim")
    if key == "path":
        yield EditRow(text="width", value=f"{values.get('width', 1)} GSU", less="set:width:-1",
                      more="set:width:1")  # fmt: skip
    for row, side in enumerate(session.scenario.tables("side")):
        is_goal = side.get("objective") == values.get("name")
        yield EditRow(
            text=f"objective of {side.get('name')}", colour=_colour(session, side.get("name")),
            button="" if is_goal else f"objective:{row}", value="yes" if is_goal else "no",
        )  # fmt: skip


def _common_rows(session: EditSession, ref: TableRef) -> Iterator[EditRow]:
    for finding in session.position.findings:
        if finding.table == ref:
            yield EditRow(text=finding.text, tone="dim" if finding.advice else "alarm")
    yield EditRow(text="rename", button="rename:selected", tone="amber")
    yield from _edit_rows()


def _edit_rows() -> Iterator[EditRow]:
    yield EditRow(text="copy", value=KEY_WORDS["copy"], button="copy", tone="amber")
    yield EditRow(text="delete", value=KEY_WORDS["delete"], button="delete", tone="amber")


def _findings(session: EditSession) -> EditPaneCard:
    """Return the pane of the findings."""
    found = session.position.findings
    errors = sum(not each.advice for each in found)
    title = "No errors" if not errors else "1 error" if errors == 1 else f"{errors} errors"
    rows = tuple(
        EditRow(text=each.text, button=f"finding:{row}" if each.table else "",
                tone="dim" if each.advice else "alarm")
        for row, each in enumerate(found)
    )  # fmt: skip
    return EditPaneCard(name="findings", title=title, rows=rows)


def _colour(session: EditSession, name: object) -> str:
    """Return the displayed colour of a side by its name; grey if there is none."""
    sides = session.position.setup.sides
    return next((side.colour for side in sides if side.name == name), "#808080")


def _lines(side: Mapping[str, Any], row: int) -> str:
    """Return a side's own lines in words."""
    given = side.get("lines", EDGES[row % len(EDGES)])
    return given if isinstance(given, str) else "a place"
