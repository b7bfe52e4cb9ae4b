"""A line of text during its entry."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """An input line: its label and its text so far.

    usual : the default text
    """

    label: str
    text: str
    usual: str = ""


@dataclass(slots=True)
class TextLine:
    """An input line.

    most : maximum number of letters
    """

    label: str
    text: str = ""
    usual: str = ""
    most: int = 200

    def letter(self, letter: str) -> None:
        """Type a letter; ignore invisible characters."""
        if letter.isprintable() and len(self.text) < self.most:
            self.text += letter

    def erase(self) -> None:
        """Delete the last letter."""
        self.text = self.text[:-1]

    @property
    def written(self) -> str:
        """The text without blanks at its ends, or the default."""
        return self.text.strip() or self.usual

    @property
    def prompt(self) -> Prompt:
        """The line for display."""
        return Prompt(label=self.label, text=self.text, usual=self.usual)
