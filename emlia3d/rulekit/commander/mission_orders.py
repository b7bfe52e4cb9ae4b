"""Missions that a player gives to brigades, in words: "1st Brigade: attack the farm"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from emlia3d.errors import Error, quoted, suggestion
from emlia3d.rulekit.commander.plan import KINDS, MissionKind
from emlia3d.rulekit.english import listed

FREE = "free"
"""The word that returns a brigade to its commander."""

_AT_ENEMIES = frozenset({"flank", "pursue"})
"""Missions that need an enemy."""

_WITHOUT_GOAL = frozenset({"reserve", "withdraw"})
"""Missions without a goal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrigadeOrder:
    """A mission from a player for a brigade; it holds until the player gives another one.

    brigade : its name
    kind : the mission; None returns the brigade to its commander
    target : row of the enemy unit that is its goal
    area : name of the position that is its goal
    """

    brigade: str
    kind: MissionKind | None
    target: int | None = None
    area: str = ""


def order_from_words(
    words: str, brigades: Sequence[str], places: Iterable[str], enemies: Mapping[str, int]
) -> BrigadeOrder:
    """Parse an order: a brigade, a mission, and a position or an enemy.

    Capitals, a colon after the brigade and "the" before a name make no difference. The beginning of
    a name is enough if it is unique.

    brigades, places : names that are known
    enemies : rows of the enemy units that are known, by name

    Raises Error if the words name no brigade, mission or goal; the message suggests the nearest
    name.
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
    """Return an order as text that `order_from_words` can parse.

    unit_names : names of all units, by row
    """
    goal = order.area if order.target is None else unit_names[order.target]
    return " ".join(filter(None, (f"{order.brigade}:", order.kind or FREE, goal)))


def _named(word: str, names: Sequence[str]) -> str | None:
    """Return the name that equals a word, or the only name that begins with it."""
    low = _bare(word)
    same = [name for name in names if _bare(name) == low]
    begun = same or [name for name in names if _bare(name).startswith(low)]
    return begun[0] if same or len(begun) == 1 else None


def _bare(name: str) -> str:
    """Return a name in lower case without its article."""
    return name.lower().removeprefix("the ")


def _brigade(text: str, brigades: Sequence[str]) -> tuple[str, str]:
    """Return the brigade with which some words begin, and the rest; the longest name wins."""
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
