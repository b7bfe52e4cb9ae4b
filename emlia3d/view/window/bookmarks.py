"""Bookmarks in the window: creation, names, list, jumps and removal, all by keyboard."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from emlia3d.battle.files import bookmarks as shelf
from emlia3d.battle.files.bookmarks import MOST_LETTERS, Bookmark
from emlia3d.errors import FileError
from emlia3d.view.session.session import BattleSession
from emlia3d.view.text_entry.text_line import Prompt, TextLine
from emlia3d.view.window.status import BookmarksCard


@dataclass(slots=True)
class _Draft:
    """A bookmark during its entry: first its name, then its note.

    old : the bookmark that it replaces; line : the input line
    """

    mark: Bookmark
    old: Bookmark | None
    line: TextLine
    named: bool = False

    @classmethod
    def of(cls, mark: Bookmark, old: Bookmark | None, text: str, usual: str) -> _Draft:
        """Return a draft whose name is typed next."""
        return cls(mark, old, TextLine("Name of the bookmark", text, usual, MOST_LETTERS))


class Bookmarks:
    """The bookmarks of one battle.

    marks : in the order of the battle; chosen : the selected row, None without bookmarks
    notice, alarm : a message, and an error; "" for none
    """

    def __init__(self, course: BattleSession) -> None:
        self._course = course
        self._path: Path | None = None
        self._draft: _Draft | None = None
        self._found: tuple[object, tuple[int, ...]] = None, ()
        self.marks: tuple[Bookmark, ...] = ()
        self.chosen: int | None = None
        self.notice = self.alarm = ""

    def keep_beside(self, battle: Path) -> None:
        """Use the bookmarks stored beside a battle file from now on."""
        self._path, self.marks, self.chosen = shelf.bookmarks_path(battle), (), None
        try:
            self._take(shelf.read(self._path))
        except FileError as flaw:
            self.alarm = str(flaw)

    @property
    def writing(self) -> bool:
        """True if a name or note is being typed, so that keys are letters."""
        return self._draft is not None

    @property
    def prompt(self) -> Prompt | None:
        """The text being edited."""
        return None if self._draft is None else self._draft.line.prompt

    def steps(self) -> tuple[int, ...]:
        """Return the steps with a bookmark, without undone steps."""
        now = self.marks, self._course.timeline.count, len(self._course.timeline)
        if self._found[0] != now:
            steps = (self.step_of(mark) for mark in self.marks)
            self._found = now, tuple(step for step in steps if step is not None)
        return self._found[1]

    def step_of(self, mark: Bookmark) -> int | None:
        """Return the step of a bookmark; None if the battle has not reached it."""
        timeline = self._course.timeline
        return timeline.step_at(mark.events) if mark.events <= timeline.count else None

    def card(self) -> BookmarksCard:
        """Return the list."""
        timeline = self._course.timeline
        rows = []
        for mark in self.marks:
            step = self.step_of(mark)
            when = "not there now" if step is None else f"turn {timeline.turn(step)}, {step}"
            rows.append((mark.name, when, mark.note))
        file = "" if self._path is None else self._path.name
        return BookmarksCard(rows=tuple(rows), chosen=self.chosen, file=file)

    def begin(self) -> None:
        """Begin a bookmark at the shown step, with the entry of its name."""
        if self._path is None:
            self.notice = "bookmarks need a battle file: --save FILE.battle.jsonl"
            return
        step = self._course.step
        mark = Bookmark(events=self._course.timeline.count_at(step), name="")
        usual = f"Turn {self._course.timeline.turn(step)}, step {step}"
        self._draft = _Draft.of(mark, None, "", usual)

    def amend(self) -> None:
        """Edit the name and note of the selected bookmark."""
        if self.chosen is not None:
            mark = self.marks[self.chosen]
            self._draft = _Draft.of(mark, mark, mark.name, mark.name)

    def choose(self, row: int) -> None:
        """Select a bookmark; beyond the ends of the list, the first or last."""
        if self.marks:
            self.chosen = min(max(row, 0), len(self.marks) - 1)

    def jump(self) -> bool:
        """Show the step of the selected bookmark; return whether it exists."""
        step = None if self.chosen is None else self.step_of(self.marks[self.chosen])
        if step is None:
            return False
        assert self.chosen is not None
        self._course.playback.playing = False
        self._course.playback.seek(step)
        mark = self.marks[self.chosen]
        self.notice = f"{mark.name}: {mark.note}" if mark.note else mark.name
        return True

    def remove(self) -> None:
        """Remove the selected bookmark."""
        if self.chosen is not None:
            gone = self.marks[self.chosen]
            if self._change(gone, None):
                self.notice = f"bookmark {gone.name} deleted"

    def letter(self, letter: str) -> None:
        """Type a letter."""
        if self._draft is not None:
            self._draft.line.letter(letter)

    def key(self, name: str) -> None:
        """Handle a key that is not a letter during text entry."""
        draft = self._draft
        if draft is None:
            return
        if name == "escape":
            self._draft = None
        elif name == "backspace":
            draft.line.erase()
        elif name == "enter":
            self._enter(draft)

    def _enter(self, draft: _Draft) -> None:
        if not draft.named:
            draft.named = True
            draft.mark = replace(draft.mark, name=draft.line.written)
            label = "Note (Enter for none)"
            draft.line = TextLine(label, draft.mark.note, most=MOST_LETTERS)
            return
        mark = replace(draft.mark, note=draft.line.written)
        if self._change(draft.old, mark):
            self._draft = None
            self.chosen = self.marks.index(mark)
            self.notice = f"bookmark: {mark.name}"

    def _change(self, old: Bookmark | None, new: Bookmark | None) -> bool:
        """Replace one bookmark by another; return whether the file could be written."""
        assert self._path is not None

        def how(marks: tuple[Bookmark, ...]) -> tuple[Bookmark, ...]:
            rest = list(marks)
            if old in rest:
                rest.remove(old)
            return tuple(rest) if new is None else (*rest, new)

        try:
            self._take(shelf.change(self._path, how))
        except FileError as flaw:
            self.alarm = str(flaw)
            return False
        return True

    def _take(self, marks: tuple[Bookmark, ...]) -> None:
        self.marks = marks
        last = len(marks) - 1
        self.chosen = None if last < 0 else min(max(self.chosen or 0, 0), last)
