"""A line of text while it is typed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A line that is being written: what it is, and what it says so far.

    usual : what it says if nothing is written
    """

    label: str
    text: str
    usual: str = ""


@dataclass(slots=True)
class TextLine:
    """A line that is being written.

    most : letters at most
    """

    label: str
    text: str = ""
    usual: str = ""
    most: int = 200

    def letter(self, letter: str) -> None:
        """Type a letter; others than letters that can be seen are left out."""
        if letter.isprintable() and len(self.text) < self.most:
            self.text += letter

    def erase(self) -> None:
        """Take the last letter away."""
        self.text = self.text[:-1]

    @property
    def written(self) -> str:
        """The text without blanks at its ends, or the usual one."""
        return self.text.strip() or self.usual

    @property
    def prompt(self) -> Prompt:
        """The line as it is shown."""
        return Prompt(label=self.label, text=self.text, usual=self.usual)
