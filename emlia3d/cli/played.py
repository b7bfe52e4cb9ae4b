"""Counts of the catalogue entries that recorded battles cite."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from emlia3d.battle.files.record import read_record
from emlia3d.cli.writing import echo
from emlia3d.errors import Error
from emlia3d.rules.catalogue import Chapter, catalogue, chapter_of, chapters, uncited


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedEntries:
    """Entries of one system's catalogue that the events of battles cite.

    battles : number of files
    cited : number of events that cite each slug, in the order of the catalogue
    """

    system: str
    battles: int
    cited: dict[str, int]

    @property
    def count(self) -> int:
        """The number of entries that at least one event cites."""
        return sum(map(bool, self.cited.values()))


def played_in(system: str, files: Sequence[Path]) -> CitedEntries:
    """Count the entries that events of battle files cite in their ``because``.

    Raises
    ------
    LogError
        A file is not a valid battle file; the message has the line.
    Error
        A battle has other rules.
    """
    found = Counter[str]()
    for file in files:
        record = read_record(file)
        rules = record.header.get("rules")
        if rules != system:
            raise Error(f"{file}:1: expected a battle by the rules {system}, got {rules}")
        found.update(slug for event in record.events() for slug in event.because)
    cited = {slug: found[slug] for slug in catalogue(system)}
    return CitedEntries(system=system, battles=len(files), cited=cited)


def print_played(played: CitedEntries, *, as_json: bool) -> None:
    """Print the counts by chapter, if the rulebook has chapters, or as one JSON document."""
    reasons = uncited(played.system)
    if as_json:
        body = {"battles": played.battles, "cited": played.cited, "uncited": reasons}
        echo(json.dumps(body))
        return
    whole, battles = len(played.cited), "battle" if played.battles == 1 else "battles"
    head = f"{played.count} of {whole} entries are cited in {played.battles} {battles}"
    echo(f"{played.system}: {head}")
    book = chapters(played.system)
    wide = max((len(chapter.title) for chapter in book), default=0) + 6
    for chapter, slugs in _by_chapter(book, played.cited):
        some = sum(bool(played.cited[slug]) for slug in slugs)
        title = f"{chapter.number:>2}  {chapter.title}"
        echo(f"{title:<{wide}}{some:>4} of {len(slugs):>3}")
    if reasons:
        echo(f"{len(reasons)} entries are cited in no bundled battle; --json gives the reasons")


def _by_chapter(book: Sequence[Chapter], slugs: Iterable[str]) -> list[tuple[Chapter, list[str]]]:
    held: dict[Chapter, list[str]] = {chapter: [] for chapter in book}
    for slug in slugs if book else ():
        held[chapter_of(slug, book)].append(slug)
    return list(held.items())
