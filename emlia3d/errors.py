"""The exceptions of emlia3d, and who raises what.

===================  =====================================================  ==============
exception            raised by                                              also a
===================  =====================================================  ==============
`Error`              any layer: a request that cannot be met and that no
                     caller handles otherwise: an unknown name, options
                     that exclude each other
`FileError`          `field`, `scenario`, `battle.files`: a file is wrong   `ValueError`
`ScenarioError`      `scenario`: all errors of a file, each with its place  `ValueError`
`IllegalOrderError`  `battle.flow`: an order that is not an option          `ValueError`
`LogError`           `battle.files`: a battle file cannot be resumed        `ValueError`
`MissingExtraError`  a feature whose optional library is missing            `ImportError`
`RuleSystemError`    `scenario`: a rule system does not work
`UnansweredError`    `battle.system`: a question that a rule system
                     does not answer
`DisplayError`       `view`: this machine has no working renderer           `RuntimeError`
===================  =====================================================  ==============
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from unicodedata import category

LONGEST_VALUE = 200
"""Greatest length of a value quoted in an error message, characters."""

LONGEST_LINE = 8_000
"""Length of the longest line of an error message: a list of all house rules fits."""


def printable(text: str) -> str:
    """Return *text* with each character that a terminal would obey as a JSON escape."""
    if text.isprintable():
        return text
    return "".join(letter if _is_shown(letter) else _escape(letter) for letter in text)


def _is_shown(letter: str) -> bool:
    return letter.isprintable() or letter == "\n" or category(letter) == "Zs"


def _escape(letter: str) -> str:
    """Return JSON's escape: one code unit of UTF-16, or two."""
    units = letter.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def quoted(value: object) -> str:
    """Return a value for a message, as Python writes it, cut at 200 characters."""
    return cut(repr(value))


def cut(text: str, longest: int = LONGEST_VALUE) -> str:
    """Return *text*, or its beginning and three dots if it has more than *longest* characters."""
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def unwritable(place: object, flaw: OSError) -> str:
    """Return the message for a file or folder that the system does not let be written."""
    return f"{place}: cannot be written: {flaw.strerror}"


def _lines(text: str) -> str:
    """Return the lines of a message, none of them endless, for a terminal."""
    return printable("\n".join(cut(line, LONGEST_LINE) for line in text.split("\n")))


class Error(Exception):
    """Root of everything that emlia3d raises on purpose.

    It is raised itself for a request that cannot be met. A subclass stands for what a caller
    handles otherwise: a file to mend, a library to install, a display to do without.
    """

    def __str__(self) -> str:
        return _lines(super().__str__())


class FileError(Error, ValueError):
    """A file from outside that cannot be used: ``FILE[:LINE]: what is wrong, what is right``."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing that is wrong with a file, and where.

    line : counted from 1; None where the whole file is meant
    """

    file: str
    line: int | None
    message: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return _lines(f"{place}: {self.message}")


class ScenarioError(FileError):
    """All errors of a scenario or unit-set file, in the order of its lines."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(str(diagnostic) for diagnostic in self.diagnostics))


class IllegalOrderError(Error, ValueError):
    """An order that was not on offer."""


class LogError(FileError):
    """A battle file that cannot be played on."""


class MissingExtraError(Error, ImportError):
    """An optional library is missing; the message says what to install."""

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(f"{purpose} needs an optional library: pip install 'emlia3d[{extra}]'")


class RuleSystemError(Error):
    """A rule system of another package that cannot be loaded, or gives no answer."""


class UnansweredError(Error):
    """A question that a rule system does not answer, and need not."""


class DisplayError(Error, RuntimeError):
    """Nothing on this machine can draw a picture."""


def near(word: str, known: Iterable[str]) -> str | None:
    """Return the one of *known* most like *word*; None if none is much like it."""
    import difflib  # noqa: PLC0415  only where a word is not known

    return next(iter(difflib.get_close_matches(word, sorted(known), n=1, cutoff=0.5)), None)


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return the end of a sentence that suggests the nearest of *known*; "" if none is near."""
    name = near(word, known)
    return f"; did you mean {quoted(name)}?" if name else ""
