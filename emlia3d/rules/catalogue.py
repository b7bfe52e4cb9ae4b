"""The rule catalogues: which slugs there are, which are entered, which are tested.

``slugs/SYSTEM.txt`` lists every entry of a system's catalogue: ``slug`` or ``slug: Title`` on a
line, then our summary of the rule on indented lines; an empty line divides its paragraphs.
``untested/SYSTEM.txt`` lists entries that no conformance test proves; it may only shrink.
``explained/SYSTEM.txt`` says why no test can prove some of these.
``uncited/SYSTEM.txt`` says why no event of fifty battles cites some entries.
``chapters/SYSTEM.txt`` says of a book in chapters which families of slugs are in which.
``credits/SYSTEM.txt`` names the source of the rules, its authors and its licence.

The files lie here for our rule systems, and in the package of its module for any other. Only
``slugs`` must be there; without ``untested`` no entry counts as tested.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from emlia3d.errors import RuleSystemError
from emlia3d.rules.installed import HERE, installed, load, load_module
from emlia3d.rules.rulebook import RULES

SYSTEMS = tuple(sorted(path.stem for path in (HERE / "slugs").glob("*.txt")))
"""The rule systems that this program has a catalogue of, installed or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSummary:
    """An entry as its catalogue lists it.

    title : the rule's name, as the book has it where it names it; "" if none is listed
    text : our own summary of what the rule says, paragraphs divided by empty lines; "" without one
    """

    slug: str
    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueCoverage:
    """The part of a catalogue that the program plays.

    catalogue : entries in all
    implemented : of these, entered in the rulebook
    tested : of these, proven by a conformance test: a marked test executes the function that claims
        the entry, which claims at most three, or makes the table row of that name hold
    """

    catalogue: int
    implemented: int
    tested: int


def catalogued() -> tuple[str, ...]:
    """Return the rule systems with a catalogue: ours, then by name other packages' own."""
    others = sorted(set(installed()) - set(SYSTEMS))
    return (*SYSTEMS, *(name for name in others if _found("slugs", name)))


def catalogue(system: str) -> tuple[str, ...]:
    """Every slug of a system's catalogue, in alphabetical order."""
    return tuple(entry.slug for entry in summaries(system))


def summaries(system: str) -> tuple[RuleSummary, ...]:
    """Return every entry of a system's catalogue as listed, in alphabetical order of slugs.

    Raises
    ------
    RuleSystemError
        If the list cannot be read, or begins with an indented line.
    """
    path = _found("slugs", system)
    return () if path is None else tuple(_summaries(path))


def untested(system: str) -> tuple[str, ...]:
    """Return the slugs of a system that no conformance test proves, in alphabetical order."""
    path = _found("untested", system)
    return catalogue(system) if path is None else tuple(_text(path).split())


def explained(system: str) -> dict[str, str]:
    """Why no test proves some untested slugs of a system, by slug, in alphabetical order."""
    return dict(_rows("explained", system))


def uncited(system: str) -> dict[str, str]:
    """Return why no event of fifty battles cites some slugs of a system, by slug."""
    return dict(_rows("uncited", system))


def credit(system: str) -> str:
    """Return the source of a system's rules, as a paragraph of lines; "" if none is named."""
    path = _found("credits", system)
    return "" if path is None else _text(path).strip()


def coverage(system: str) -> CatalogueCoverage:
    """Return how much of a system's catalogue is implemented and tested.

    Raises
    ------
    RuleSystemError
        If the system of another package cannot be loaded, or its files cannot be read.
    """
    enter_rules(system)
    return _coverage_of(system, set(catalogue(system)))


def import_rule_modules() -> None:
    """Import every module under `emlia3d.rules`, so that each enters its rules."""
    package = import_module("emlia3d.rules")
    for module in pkgutil.walk_packages(package.__path__, "emlia3d.rules."):
        import_module(module.name)


def enter_rules(system: str) -> None:
    """Import the modules of a rule system, so that each enters its rules.

    All modules below a package are imported, and a single module with its own imports.
    """
    point = installed().get(system)
    if point is None:
        return
    load(point)
    paths = getattr(import_module(point.module), "__path__", ())
    for module in pkgutil.walk_packages(paths, f"{point.module}."):
        if not module.name.endswith(".__main__"):
            load_module(point, module.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A chapter of a rulebook.

    families : beginnings of the slugs that are in it, without the system's name
    """

    number: int
    title: str
    families: tuple[str, ...]


def chapters(system: str) -> tuple[Chapter, ...]:
    """Return the chapters of a system's book in order; none if it lists none."""
    return tuple(
        Chapter(number=int(number), title=title, families=tuple(families.split()))
        for number, title, families in _rows("chapters", system)
    )


def chapter_of(slug: str, among: Iterable[Chapter]) -> Chapter:
    """Return the chapter that a slug is in: the one of the longest beginning that fits it.

    Raises
    ------
    RuleSystemError
        If it is in none.
    """
    words = slug.split(".")[1:]
    fitting = [
        (len(family), chapter)
        for chapter in among
        for family in (name.split(".") for name in chapter.families)
        if words[: len(family)] == family
    ]
    if not fitting:
        raise RuleSystemError(f"{slug}: expected a chapter that has it, got none")
    return max(fitting, key=lambda one: one[0])[1]


def status(system: str) -> dict[Chapter, CatalogueCoverage]:
    """Return how much of each chapter of a system's book is implemented and tested."""
    enter_rules(system)
    book = chapters(system)
    slugs: dict[Chapter, set[str]] = {chapter: set() for chapter in book}
    for slug in catalogue(system) if book else ():
        slugs[chapter_of(slug, book)].add(slug)
    return {chapter: _coverage_of(system, found) for chapter, found in slugs.items()}


def _coverage_of(system: str, slugs: Set[str]) -> CatalogueCoverage:
    return CatalogueCoverage(
        catalogue=len(slugs),
        implemented=len(slugs & set(RULES)),
        tested=len(slugs - set(untested(system))),
    )


def _summaries(path: Path) -> Iterator[RuleSummary]:
    """Yield the entries of a list of slugs with titles and summaries."""
    heading, lines = "", list[str]()
    for number, line in enumerate([*_text(path).splitlines(), _END], start=1):
        if line[:1].isspace() or not line:
            if not heading and line.strip():
                raise RuleSystemError(f"{path}:{number}: expected a slug before its summary")
            lines.append(line.strip())
            continue
        if heading:
            slug, _, title = heading.partition(": ")
            paragraphs = "\n".join(lines).strip().split("\n\n")
            text = "\n\n".join(" ".join(each.split()) for each in paragraphs)
            yield RuleSummary(slug=slug.strip(), title=title.strip(), text=text)
        heading, lines = line, []


_END = "end"
"""A line that closes the last entry of a list."""


def _rows(folder: str, system: str) -> list[list[str]]:
    """Return the lines of a table, split at " | "; none for a system without that table."""
    path, cells = _found(folder, system), _CELLS[folder]
    rows = [] if path is None else [line.split(" | ") for line in _text(path).splitlines()]
    for number, row in enumerate(rows, start=1):
        if len(row) != len(cells) or (cells[0] == "NUMBER" and not row[0].strip().isdecimal()):
            raise RuleSystemError(f"{path}:{number}: expected {' | '.join(cells)}")
    return rows


_CELLS = {
    "explained": ("SLUG", "REASON"),
    "uncited": ("SLUG", "REASON"),
    "chapters": ("NUMBER", "TITLE", "FAMILIES"),
}
"""The cells of each line of a table."""


def _found(folder: str, system: str) -> Path | None:
    """Return a file of a system's catalogue; None if there is none."""
    home = HERE if system in SYSTEMS else _package_folder(system)
    path = None if home is None else home / folder / f"{system}.txt"
    return path if path is not None and path.is_file() else None


def _package_folder(system: str) -> Path | None:
    """Return the folder of the package that a rule system of another package is in.

    It is the package that the entry point names, or that its module is in.
    """
    module = installed()[system].module
    try:
        spec = find_spec(module)
        if spec is not None and spec.submodule_search_locations is None:
            spec = find_spec(module.rpartition(".")[0]) if "." in module else None
    except (Exception, SystemExit):  # a package that cannot be imported has no catalogue
        spec = None
    found = list((spec and spec.submodule_search_locations) or ())
    return Path(found[0]) if found else None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as fault:
        raise RuleSystemError(f"{path}: cannot be read: {fault}") from fault
