"""Missions that a player gives to brigades, in words: "1st Brigade: attack the farm"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from emlia3d.errors import Error, quoted, suggestion
from emlia3d.rulekit.commander.plan import KINDS, MissionKind
from emlia3d.rulekit.english import listed

FREE = "free"
"""The word that leaves a brigade to its commander again."""

_AT_ENEMIES = frozenset({"flank", "pursue"})
"""Missions that need an enemy."""

_WITHOUT_GOAL = frozenset({"reserve", "withdraw"})
"""Missions that are about no place and no enemy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrigadeOrder:
    """A mission that a player has given to a brigade; it stands until another is given.

    brigade : its name
    kind : the task; None leaves the brigade to its commander
    target : row of the enemy unit that it is about
    area : name of the place that it is about
    """

    brigade: str
    kind: MissionKind | None
    target: int | None = None
    area: str = ""


def order_from_words(
    words: str, brigades: Sequence[str], places: Iterable[str], enemies: Mapping[str, int]
) -> BrigadeOrder:
    """Return the order that some words give: a brigade, a mission, and a place or an enemy.

    Capitals, a colon after the brigade and "the" before a name make no difference, and of a name
    the beginning is enough where only one begins so.

    brigades, places : names that are known
    enemies : rows of the enemy units that are known, by name

    Raises Error for words that name no brigade, no mission or no goal, with the nearest that is
    known.
    """
    text = " ".join(words.split())
    brigade, rest = _brigade(text, brigades)
    word, _, goal = rest.partition(" ")
    kind = word.lower()
    if kind == FREE:
        if goal:
            raise Error(f"{FREE} takes no goal, not {quoted(goal)}")
        return BrigadeOrder(brigade=brigade, kind=None)
    found = next((each for each in KINDS if each == kind), None)
    if found is None:
        known = (*KINDS, FREE)
        meant = suggestion(kind, known) or f"; missions are {', '.join(known)}"
        raise Error(f"there is no mission {quoted(word)}{meant}")
    if not goal:
        if found in _AT_ENEMIES:
            raise Error(f"{found} needs an enemy: {brigade}: {found} ENEMY")
        return BrigadeOrder(brigade=brigade, kind=found)
    if found in _WITHOUT_GOAL:
        raise Error(f"{found} takes no goal, not {quoted(goal)}")
    areas = () if found in _AT_ENEMIES else tuple(places)
    name = _named(goal, (*enemies, *areas))
    if name is None:
        about = "known enemy" if found in _AT_ENEMIES else "place or known enemy"
        raise Error(f"there is no {about} {quoted(goal)}{suggestion(goal, (*areas, *enemies))}")
    if name in enemies:
        return BrigadeOrder(brigade=brigade, kind=found, target=enemies[name])
    return BrigadeOrder(brigade=brigade, kind=found, area=name)


def to_words(order: BrigadeOrder, unit_names: Sequence[str]) -> str:
    """Return the words that `order_from_words` reads.

    unit_names : names of all units, by row
    """
    goal = order.area if order.target is None else unit_names[order.target]
    return " ".join(filter(None, (f"{order.brigade}:", order.kind or FREE, goal)))


def _named(word: str, names: Sequence[str]) -> str | None:
    """Return the name that a word is, or that alone begins with it."""
    low = _bare(word)
    same = [name for name in names if _bare(name) == low]
    begun = same or [name for name in names if _bare(name).startswith(low)]
    return begun[0] if same or len(begun) == 1 else None


def _bare(name: str) -> str:
    """Return a name in small letters without an article."""
    return name.lower().removeprefix("the ")


def _brigade(text: str, brigades: Sequence[str]) -> tuple[str, str]:
    """Return the brigade that some words begin with, and what follows; the longest name wins."""
    for name in sorted(brigades, key=len, reverse=True):
        rest = text[len(name) :]
        if text.lower().startswith(name.lower()) and (not rest or rest[0] in ": "):
            return name, rest.lstrip(": ")
    words = text.replace(":", " : ").split()
    ends = (at for at, word in enumerate(words) if word.lower() in {":", *KINDS, FREE})
    end = next(ends, len(words))
    named = " ".join(words[:end])
    if named and (found := _named(named, brigades)) is not None:
        return found, " ".join(words[end:]).lstrip(": ")
    meant = suggestion(named, brigades) or f"; there are {listed(map(quoted, brigades))}"
    raise Error(f"there is no brigade {quoted(named)}{meant}")
