"""The editor's panels with every tool: each in its box, none over another, the middle free."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest

from emlia3d.cli.editing.edit_window import opened_editor
from emlia3d.cli.editing.edited_file import EditedFile
from emlia3d.view.editing.edit_keys import TOOLS
from emlia3d.view.editing.edit_panels import status_of
from emlia3d.view.editing.edit_session import EditSession
from emlia3d.view.editing.edit_sheet import edit_layout
from emlia3d.view.editing.edit_status import EditStatus
from emlia3d.view.layout.panel import Rect
from emlia3d.view.panda.labels.lettering import width_px
from emlia3d.view.text_entry.text_line import Prompt
from emlia3d.view.window.settings import Settings
from tests.view.window.panel_checks import check_inside, is_within, overlap

SIZES = [(1280, 720), (1920, 1080)]
TEXTS = [0.8, 1.0, 1.6]
FREE = 0.38, 0.68
"""The part of the width that stays free."""


@cache
def _statuses() -> dict[str, EditStatus]:
    """The panels of each tool, with a selection, an answer and many errors."""
    session = EditSession(EditedFile(opened_editor("castle")))
    session.sight.pick(0)
    session.sight.pick(len(session.position.setup.units) - 1)
    session.selected = ("unit", 0)
    for row in range(3):
        session.edit(lambda row=row: session.scenario.change("unit", row, {"at": [9000, 9000]}))
    session.say("it has errors " * 20)
    session.tools.drawn = [(1.0, 1.0), (2.0, 2.0)]
    found = {}
    for tool in TOOLS:
        session.tools.tool = tool
        found[tool] = status_of(session, Settings())
    session.selected = ("terrain", 0)
    session.tools.tool = "select"
    found["terrain selected"] = status_of(session, Settings())
    found["a name is typed"] = replace(
        found["select"], prompt=Prompt(label="Save as", text="long-name" * 40), alarm="wrong " * 99
    )
    return found


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("text_size", TEXTS)
@pytest.mark.parametrize("case", [*TOOLS, "terrain selected", "a name is typed"])
def test_nothing_is_outside_its_panel_and_no_panel_over_another(
    size: tuple[int, int], text_size: float, case: str
) -> None:
    status = replace(_statuses()[case], text_size=text_size)

    sheet = edit_layout(status, size, width_px)

    assert status.findings.title.endswith("errors")
    assert not [pair for pair in combinations(sheet.panels, 2) if overlap(*pair)]
    for panel in sheet.panels:
        assert is_within(panel, Rect(0, 0, *size))
        if panel.w < size[0]:
            assert panel.x + panel.w <= FREE[0] * size[0] or panel.x >= FREE[1] * size[0]
    check_inside(sheet)
    names = [name for name, _ in sheet.buttons]
    assert {"save", "undo", "play"} <= set(names)
