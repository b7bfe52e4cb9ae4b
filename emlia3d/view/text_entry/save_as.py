"""Saving a battle under another name: the written part of its file is copied."""

from __future__ import annotations

from pathlib import Path

from emlia3d.battle.files.copying import ENDING, copy_battle, free_name
from emlia3d.errors import Error
from emlia3d.view.text_entry.text_line import Prompt, TextLine


class SaveAs:
    """The entry of the name under which the battle of a window is saved.

    file : of the battle; None without a file
    notice, alarm : a message, and an error; "" for none
    """

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self._line: TextLine | None = None
        self.notice = self.alarm = ""

    @property
    def writing(self) -> bool:
        """True if a name is being typed, so that keys are letters."""
        return self._line is not None

    @property
    def prompt(self) -> Prompt | None:
        """The line being typed."""
        return None if self._line is None else self._line.prompt

    def begin(self) -> None:
        """Begin the entry of a name."""
        if self.file is None:
            self.notice = "there is no battle file to save: this battle has not been played"
            return
        here = Path(self.file.name.removesuffix(ENDING) + ENDING)
        self._line = TextLine("Save as", usual=free_name(here).name)

    def letter(self, letter: str) -> None:
        """Type a letter."""
        if self._line is not None:
            self._line.letter(letter)

    def key(self, name: str) -> None:
        """Handle a key that is not a letter."""
        line = self._line
        if line is None:
            return
        if name == "escape":
            self._line = None
        elif name == "backspace":
            line.erase()
        elif name == "enter":
            self._save(line.written)

    def _save(self, name: str) -> None:
        """Copy the file; on an error the name stays for correction."""
        assert self.file is not None
        path = Path(name).expanduser()
        if not path.name.endswith(ENDING):
            path = path.with_name(path.name + ENDING)
        try:
            copy_battle(self.file, path)
        except Error as flaw:
            self.alarm = str(flaw)
            return
        self._line = None
        self.notice = f"saved as {path}"
