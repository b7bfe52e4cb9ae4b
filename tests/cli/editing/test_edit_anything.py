"""Whatever is pressed in the editor, in any order: the text stays right, and can be undone."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emlia3d.cli.editing.edit_window import opened_editor
from emlia3d.cli.editing.edited_file import EditedFile
from emlia3d.scenario.checking import review_text
from emlia3d.view.editing.edit_marks import edit_marks
from emlia3d.view.editing.edit_panels import status_of
from emlia3d.view.editing.edit_session import EditSession
from emlia3d.view.editing.edit_sheet import edit_layout
from emlia3d.view.panda.labels.lettering import width_px
from emlia3d.view.window.settings import Settings


@pytest.mark.long
@given(st.randoms(use_true_random=False))
@settings(max_examples=3, deadline=None)
def test_whatever_is_pressed_can_be_undone_to_the_first_text(hazard: random.Random) -> None:
    session = EditSession(EditedFile(opened_editor(hazard.choice(["bandits", "duel", "cavemen"]))))
    first = session.scenario.text
    for _ in range(25):
        sheet = edit_layout(status_of(session, Settings()), (1280, 720), width_px)
        known = [name for name, _ in sheet.buttons
                 if name.partition(":")[0] not in {"save", "save_as", "play"}]  # fmt: skip
        east, north = session.position.setup.field.size
        place, end = ((hazard.uniform(-5, east), hazard.uniform(0, north)) for _ in range(2))
        unit = hazard.choice([None, *range(len(session.position.setup.units))])
        moved = hazard.random() < 0.5
        if hazard.random() < 0.5:
            session.do(hazard.choice([*known, "finish", "drop", "undo", "redo"]))
            session.files.key("escape")
        elif session.press(place, unit, 3.0) or not moved:
            session.move(end)
            edit_marks(session, 3.0)
            session.tick(0.2)
            session.release(end if moved else place, moved=moved, unit=unit)
        edit_marks(session, 3.0)
        errors = [each for each in session.position.findings if not each.advice]
        found = review_text(session.scenario.text, "a", Path()).diagnostics
        assert len(errors) == len(found)

    session.tools.drawn = []
    while session.scenario.undo():
        pass
    assert session.scenario.text == first
