"""The exceptions of emlia3d, and the layers that raise them.

===================  =====================================================  ==============
exception            raised if                                              also a
===================  =====================================================  ==============
`Error`              a request is impossible and has no exception of its
                     own, such as an unknown name (any layer)
`FileError`          a file has an error (`field`, `scenario`,              `ValueError`
                     `battle.files`)
`ScenarioError`      a scenario or unit set has errors (`scenario`)         `ValueError`
`IllegalOrderError`  an order is not an option (`battle.flow`)              `ValueError`
`LogError`           a battle file cannot be resumed (`battle.files`)       `ValueError`
`MissingExtraError`  an optional library is missing                         `ImportError`
`RuleSystemError`    a rule system does not work (`scenario`)
`UnansweredError`    a rule system does not answer a kind of question
                     (`battle.system`)
`DisplayError`       no renderer works on this machine (`view`)             `RuntimeError`
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
    """Return a text with its control characters as JSON escapes, for a terminal."""
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
    """Return a value for a message as Python writes it, cut to 200 characters."""
    return cut(repr(value))


def cut(text: str, longest: int = LONGEST_VALUE) -> str:
    """Return a text; if it has more than *longest* characters, its beginning and three dots."""
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def unwritable(place: object, flaw: OSError) -> str:
    """Return the message for a file or folder that cannot be written."""
    return f"{place}: cannot be written: {flaw.strerror}"


def _lines(text: str) -> str:
    """Return the lines of a message for a terminal, each cut to a maximum length."""
    return printable("\n".join(cut(line, LONGEST_LINE) for line in text.split("\n")))


class Error(Exception):
    """Base class of all errors that emlia3d raises on purpose.

    It is raised itself for an impossible request. A subclass is for an error that a caller can
    handle in another way: correct a file, install a library, or continue without a display.
    """

    def __str__(self) -> str:
        return _lines(super().__str__())


class FileError(Error, ValueError):
    """A file that cannot be used; the message is ``FILE[:LINE]: error, and what is expected``."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """An error in a file.

    file : name of the file
    line : line of the error, from 1; None for the whole file
    message : the error, and what is expected
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
    """An order that is not legal."""


class LogError(FileError):
    """A battle file that cannot be written or resumed."""


class MissingExtraError(Error, ImportError):
    """An optional library that is not installed; the message says how to install it."""

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(f"{purpose} needs an optional library: pip install 'emlia3d[{extra}]'")


class RuleSystemError(Error):
    """A rule system of another package that cannot be loaded or gives no answer."""


class UnansweredError(Error):
    """A kind of question that a rule system does not answer."""


class DisplayError(Error, RuntimeError):
    """No renderer works on this machine."""


def near(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is most similar to *word*; None if none is similar."""
    import difflib  # noqa: PLC0415  only where a word is not known

    return next(iter(difflib.get_close_matches(word, sorted(known), n=1, cutoff=0.5)), None)


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return the end of a message that suggests a similar known word; "" if there is none."""
    name = near(word, known)
    return f"; did you mean {quoted(name)}?" if name else ""
