"""Saving and playing the edited scenario, and detection of changes by other programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from emlia3d.errors import Error
from emlia3d.view.editing.edited_scenario import EditedScenario
from emlia3d.view.text_entry.text_line import Prompt, TextLine

ENDING = ".toml"
LOOK_EVERY_S = 2.0
"""Seconds between two inspections of the file."""

CHANGED = (
    "another program has changed {name}: Save overwrites that change; Save as keeps both"
)  # fmt: skip


class EditFiles:
    """The file of the edited scenario, and the prompt for a name.

    notice, alarm : a message, and an error; "" for none
    play : the file to play; None until the scenario is saved and the user chooses to play
    """

    def __init__(self, scenario: EditedScenario) -> None:
        self._scenario = scenario
        self._line: TextLine | None = None
        self._enter: Callable[[str], bool] | None = None
        self._play_next = False
        self._warned = False
        self._left_s = LOOK_EVERY_S
        self.notice = self.alarm = ""
        self.play: Path | None = None

    @property
    def prompt(self) -> Prompt | None:
        """The current line of the prompt."""
        return None if self._line is None else self._line.prompt

    def ask(self, label: str, text: str, enter: Callable[[str], bool], *, usual: str = "") -> None:
        """Open a prompt for a line.

        enter : called with the line; returns whether the prompt closes
        """
        self._line, self._enter = TextLine(label, text, usual), enter

    def letter(self, letter: str) -> None:
        """Type a letter."""
        if self._line is not None:
            self._line.letter(letter)

    def key(self, name: str) -> bool:
        """Press a key; return whether the prompt used it."""
        if self._line is None:
            return False
        if name == "escape":
            self._line, self._play_next = None, False
        elif name == "backspace":
            self._line.erase()
        elif name == "enter" and self._enter is not None:
            line = self._line
            if line.written and self._enter(line.written) and self._line is line:
                self._line = None
        return True

    def save(self) -> None:
        """Save the file, ask for another name, or save a draft of a text with errors."""
        scenario, self._play_next = self._scenario, False
        if any(not each.advice for each in scenario.position().findings):
            self._save_draft()
        elif scenario.is_bundled:
            self.save_as()
        elif scenario.is_changed_outside and not self._warned:
            self._warn()
        else:
            self._save(None)

    def save_as(self) -> None:
        """Ask for the name of a new file."""
        usual = free_file(self._scenario.path, beside=not self._scenario.is_bundled)
        self.ask("Save as", "", self._save_under, usual=str(usual))

    def begin_play(self) -> None:
        """Save unsaved edits and start the battle."""
        scenario = self._scenario
        if any(not each.advice for each in scenario.position().findings):
            self.alarm = "it has errors: only a scenario without errors can be played"
        elif not any(scenario.position().setup.units):
            self.alarm = "it has no units: place some for each side first"
        elif scenario.is_saved:
            self.play = scenario.path
        elif scenario.is_bundled:
            self.save_as()
            self._play_next = True
        else:
            self.save()
            if scenario.is_saved:
                self.play = scenario.path

    def tick(self, dt: float) -> None:
        """Advance by *dt* seconds; inspect the file from time to time."""
        self._left_s -= dt
        if self._left_s <= 0:
            self._left_s = LOOK_EVERY_S
            if self._scenario.is_changed_outside and not self._warned:
                self._warn()

    def _warn(self) -> None:
        self._warned = True
        self.alarm = CHANGED.format(name=self._scenario.path.name)

    def _save_under(self, name: str) -> bool:
        path = Path(name).expanduser()
        if path.suffix != ENDING:
            path = path.with_name(path.name + ENDING)
        done = self._save(path)
        if done and self._play_next:
            self._play_next, self.play = False, path
        return done

    def _save(self, path: Path | None) -> bool:
        if path is None:
            self._scenario.heed_outside()
        try:
            saved = self._scenario.save(path)
        except Error as fault:
            self.alarm = f"{fault}; the edit is kept here"
            return False
        self.alarm, self._warned = "", False
        self.notice = f"saved: {saved}"
        return True

    def _save_draft(self) -> None:
        try:
            draft = self._scenario.save_draft()
        except Error as fault:
            self.alarm = f"{fault}; the edit is kept here"
            return
        self.notice = f"it has errors: saved as a draft, {draft}, which check explains"


def free_file(path: Path, *, beside: bool) -> Path:
    """Return an unused file name derived from another file: beside it, or in the current folder."""
    first = path if beside else Path(path.name)
    found, number = first, 1
    while found.exists():
        number += 1
        found = first.with_name(f"{first.stem}-{number}{ENDING}")
    return found
