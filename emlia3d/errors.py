"""The exceptions of emlia3d, and who raises what.

===================  =====================================================  ==========
exception            raised by                                              also a
===================  =====================================================  ==========
`Error`              the root; never raised itself
`FileError`          `field`, `scenario`, `battle.log`: a file is wrong      ValueError
`ScenarioError`      `scenario`: every mistake of a file, each with place    ValueError
`IllegalOrderError`  `battle.flow`: an order that was not on offer           ValueError
`LogError`           `battle.log`: a battle file cannot be played on         ValueError
`MissingExtraError`  whoever needs an optional library that is not there     ImportError
`DisplayError`       `view`: nothing on this machine can draw                RuntimeError
===================  =====================================================  ==========

Each message is one line that a player understands. A broken promise of the program itself
is an ``assert``, never one of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


def printable(text: str) -> str:
    """The text in which no letter tells a terminal what to do: such are written out."""
    return "".join(
        letter if letter.isprintable() or letter == "\n" else f"\\u{ord(letter):04x}"
        for letter in text
    )


class Error(Exception):
    """The root of everything that emlia3d raises on purpose."""

    def __str__(self) -> str:
        return printable(super().__str__())


class FileError(Error, ValueError):
    """A file from outside that cannot be used: ``FILE[:LINE]: what is wrong, what is right``."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing that is wrong with a file, and where.

    line : counted from 1; None where the whole file is meant
    """

    file: str
    line: int | None
    message: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return printable(f"{place}: {self.message}")


class ScenarioError(FileError):
    """Every mistake of a scenario or unit-set file at once, in the order of its lines."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(str(mistake) for mistake in self.mistakes))


class IllegalOrderError(Error, ValueError):
    """An order that was not on offer."""


class LogError(FileError):
    """A battle file that cannot be played on."""


class MissingExtraError(Error, ImportError):
    """An optional library is missing; the message says what to install."""

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(f"{purpose} needs an optional library: pip install 'emlia3d[{extra}]'")


class DisplayError(Error, RuntimeError):
    """Nothing on this machine can draw a picture."""
