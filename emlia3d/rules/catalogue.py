"""The rule catalogues that ship: which slugs there are, which are entered, which are tested.

``slugs/SYSTEM.txt`` lists every entry of a system's catalogue, one slug a line.
``untested/SYSTEM.txt`` lists those that no conformance test proves; it may only shrink.
``explained/SYSTEM.txt`` says why no test can prove some of these.
``uncited/SYSTEM.txt`` says why no event of fifty battles cites some entries.
``chapters/SYSTEM.txt`` says of a book in chapters which families of slugs are in which.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Set
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files

from emlia3d.rules.installed import HERE
from emlia3d.rules.rulebook import RULES

SYSTEMS = tuple(sorted(path.stem for path in (HERE / "slugs").glob("*.txt")))
"""The rule systems that this program has a catalogue of, installed or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How much of a catalogue the program plays.

    catalogue : entries in all
    implemented : of these, entered in the rulebook
    tested : of these, proven by a conformance test: a marked test executes the function that claims
        the entry, which claims at most three, or makes the table row of that name hold
    """

    catalogue: int
    implemented: int
    tested: int


def catalogue(system: str) -> tuple[str, ...]:
    """Every slug of a system's catalogue, in alphabetical order."""
    return _listed("slugs", system)


def untested(system: str) -> tuple[str, ...]:
    """The slugs of a system that no conformance test proves, in alphabetical order."""
    return _listed("untested", system)


def explained(system: str) -> dict[str, str]:
    """Why no test proves some untested slugs of a system, by slug, in alphabetical order."""
    return dict(_rows("explained", system))


def uncited(system: str) -> dict[str, str]:
    """Return why no event of fifty battles cites some slugs of a system, by slug."""
    return dict(_rows("uncited", system))


def coverage() -> dict[str, Coverage]:
    """How much of each system's catalogue is implemented and tested."""
    import_rule_modules()
    return {system: _coverage(system) for system in SYSTEMS}


def import_rule_modules() -> None:
    """Import every module under `emlia3d.rules`, so that each enters its rules."""
    package = import_module("emlia3d.rules")
    for module in pkgutil.walk_packages(package.__path__, "emlia3d.rules."):
        import_module(module.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A chapter of a rulebook.

    families : beginnings of the slugs that are in it, without the system's name
    """

    number: int
    title: str
    families: tuple[str, ...]


def chapters(system: str) -> tuple[Chapter, ...]:
    """The chapters of a system's book, in its order; none for a book without a list of them."""
    return tuple(
        Chapter(number=int(number), title=title, families=tuple(families.split()))
        for number, title, families in _rows("chapters", system)
    )


def chapter_of(slug: str, among: Iterable[Chapter]) -> Chapter:
    """The chapter that a slug is in: the one of the longest beginning that fits it."""
    words = slug.split(".")[1:]
    fitting = [
        (len(family), chapter)
        for chapter in among
        for family in (name.split(".") for name in chapter.families)
        if words[: len(family)] == family
    ]
    return max(fitting, key=lambda one: one[0])[1]


def status(system: str) -> dict[Chapter, Coverage]:
    """How much of each chapter of a system's book is implemented and tested."""
    import_rule_modules()
    book = chapters(system)
    slugs: dict[Chapter, set[str]] = {chapter: set() for chapter in book}
    for slug in catalogue(system) if book else ():
        slugs[chapter_of(slug, book)].add(slug)
    return {chapter: _coverage_of(system, found) for chapter, found in slugs.items()}


def _coverage(system: str) -> Coverage:
    return _coverage_of(system, set(catalogue(system)))


def _coverage_of(system: str, slugs: Set[str]) -> Coverage:
    return Coverage(
        catalogue=len(slugs),
        implemented=len(slugs & set(RULES)),
        tested=len(slugs - set(untested(system))),
    )


def _listed(folder: str, system: str) -> tuple[str, ...]:
    path = files("emlia3d.rules").joinpath(folder, f"{system}.txt")
    return tuple(path.read_text(encoding="utf-8").split())


def _rows(folder: str, system: str) -> list[list[str]]:
    """The lines of a table, split at " | "; none for a system without that table."""
    path = files("emlia3d.rules").joinpath(folder, f"{system}.txt")
    if not path.is_file():
        return []
    return [line.split(" | ") for line in path.read_text(encoding="utf-8").splitlines()]
