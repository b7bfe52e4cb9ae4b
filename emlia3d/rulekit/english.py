"""English for sentences about units: articles, number, lists, and names of units and places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from typing_extensions import override

from emlia3d.battle.setup import Setup, UnitSetup

_TITLES = {
    "Captain", "Colonel", "Count", "Dame", "Duke", "Earl", "General", "King", "Lady", "Lord",
    "Major", "Master", "Prince", "Princess", "Queen", "Sir",
}  # fmt: skip
_ARTICLES = ("the ", "a ", "an ")
_ONE_THOUGH_IT_ENDS_SO = ("ss", "us", "is")
_IRREGULAR = {"is": "are", "was": "were", "has": "have", "does": "do", "goes": "go", "lies": "lie"}
_HISSES = ("sses", "shes", "ches", "xes")
_NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
_MARKED = re.compile(r"<(\w+)>")
_THEIRS = {"it": "they", "its": "their", "itself": "themselves"}


class Names:
    """The names of a battle's units and places in a log, without articles.

    setup : of the battle
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup

    def unit(self, row: int | None) -> str:
        """Return the name of a unit; "" for none."""
        return "" if row is None else self.setup.units[row].name

    def named(self, name: str) -> str:
        """Return a unit or a place by its name."""
        return name

    def is_alone(self, row: int) -> bool:
        """Return whether a unit has had one member from the start."""
        setup = self.setup
        return setup.units[setup.deployed_as(row)].muster.members <= 1

    def agreed(self, row: int, words: str) -> str:
        """Return words whose verbs and pronouns, marked <thus>, have the number of a unit."""
        unit = self.setup.units[row]
        return agreed(words, many=unit.muster.members > 1 and is_plural(unit.name))


class ReportNames(Names):
    """The names of a battle's units and places in a report, with articles."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        whole = [setup.units[setup.deployed_as(row)] for row in range(len(setup.units))]
        self._units = [unit_named(unit) for unit in whole]
        for row, unit in enumerate(setup.units):
            if unit.muster.spare_for >= 0:
                which = unit.name.removeprefix(f"{whole[row].name}, ")
                self._units[row] = f"the {which} of {self._units[row]}"
        self._known = {unit.name: told for unit, told in zip(setup.units, self._units, strict=True)}
        self._many = [unit.muster.members > 1 and is_plural(unit.name) for unit in setup.units]
        self._just_named: int | None = None

    @override
    def unit(self, row: int | None) -> str:
        """Return a unit with its article, or a pronoun if the sentence has just named it."""
        if row is None:
            return "no unit"
        if row == self._just_named and self._many[row]:
            return "them"
        return self._units[row]

    def name_again(self, row: int | None) -> None:
        """Use a pronoun for this unit from now on, if it is plural; None for no unit."""
        self._just_named = row

    @override
    def named(self, name: str) -> str:
        return self._known.get(name, articled(name))

    @override
    def agreed(self, row: int, words: str) -> str:
        return agreed(words, many=self._many[row])


def unit_named(unit: UnitSetup) -> str:
    """Return the name of a unit in a sentence: the Foot Guards, but General Amory."""
    return articled(unit.name) if unit.muster.members <= 1 else body(unit.name)


def articled(name: str) -> str:
    """Return a name with its article; a proper name has none."""
    return f"the {name}" if name[:1].islower() and not name.startswith(_ARTICLES) else name


def body(name: str) -> str:
    """Return a plural name with its article: the Foot Guards, but General Amory."""
    first = name.split(maxsplit=1)[0]
    proper = first in _TITLES or first.endswith(("'s", "s'")) or name.lower().startswith(_ARTICLES)
    return name if proper else f"the {name}"


def side(name: str) -> str:
    """Return a side in a sentence."""
    return name if name.lower().startswith(_ARTICLES) else f"the {name}"


def is_plural(name: str) -> bool:
    """Return whether the head word of a name is plural."""
    heart = re.split(r" of | on | at | in |,", name)[0].split()[-1:]
    word = heart[0].lower() if heart else ""
    ends_so = word.endswith("s") and not word.endswith(_ONE_THOUGH_IT_ENDS_SO)
    return ends_so or word.endswith("men")


def agreed(words: str, *, many: bool) -> str:
    """Return words with verbs and pronouns, marked <thus>, in the singular or plural."""
    return _MARKED.sub(lambda found: _of_many(found[1]) if many else found[1], words)


def _of_many(word: str) -> str:
    if word in _THEIRS:
        return _THEIRS[word]
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(_HISSES) else word.removesuffix("s")


def counted(number: int, one: str, many: str = "") -> str:
    """Return a count of things, in words up to twelve: three hits."""
    told = _NUMBERS[number] if 0 <= number < len(_NUMBERS) else f"{number:,}"
    return f"{told} {one if number == 1 else many or f'{one}s'}"


def listed(words: Iterable[str], last: str = "and") -> str:
    """Return words as a list: a, b and c; "" for none."""
    *first, end = list(words) or [""]
    return f"{', '.join(first)} {last} {end}" if first else end


def sentence(words: str) -> str:
    """Return words with a capital at the beginning and a full stop at the end."""
    return f"{words[:1].upper()}{words[1:]}{'' if words.endswith(('.', '!', '?')) else '.'}"


def joined(clauses: Sequence[str]) -> str:
    """Join successive actions: "a, b and c"; if they are long, "a; b; then c"."""
    if len(clauses) == 1:
        return clauses[0]
    *first, last = clauses
    if not any(" and " in clause or ", " in clause for clause in clauses):
        return f"{', '.join(first)} and {last}"
    return f"{'; '.join(first)}{';' if first[1:] else ','} then {last}"
