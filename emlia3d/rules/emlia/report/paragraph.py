"""Actions as sentences: consecutive actions of one unit form one sentence."""

from __future__ import annotations

from dataclasses import dataclass, field

from emlia3d.rulekit.english import ReportNames, joined, sentence


@dataclass(slots=True)
class Paragraph:
    """Sentences of a paragraph in progress.

    whole : the finished sentences
    subject : the subject of the last sentence
    clauses : its actions
    """

    names: ReportNames
    whole: list[str] = field(default_factory=list)
    subject: int | None = None
    clauses: list[str] = field(default_factory=list)

    def add(self, unit: int, deed: str, aside: str = "") -> None:
        """Add an action of a unit; *aside* follows unchanged."""
        if unit != self.subject:
            self._finish()
            self.subject = unit
        self.clauses.append(self.names.agreed(unit, deed) + aside)

    def say(self, words: str) -> None:
        """Add a sentence about something else."""
        self._finish()
        self.whole.append(sentence(words))

    def text(self) -> str:
        """Return the whole text and reset the paragraph."""
        self._finish()
        told, self.whole = " ".join(self.whole), []
        return told

    def _finish(self) -> None:
        if self.subject is not None and self.clauses:
            self.whole.append(sentence(f"{self.names.unit(self.subject)} {joined(self.clauses)}"))
        self.subject, self.clauses = None, []
