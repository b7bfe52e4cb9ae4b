"""A sight answer as text, for the panel beside the picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from emlia3d.battle.formatting import percent
from emlia3d.battle.questions.answer import CorridorAnswer, Degree, Intervening, SightAnswer
from emlia3d.field import Scale

HIDES: dict[Degree, str] = {
    "none": "no concealment",
    "partial": "partial concealment",
    "total": "total concealment",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SightCard:
    """The text of a sight question.

    observer, target : name, "" if none is selected, and the colour of the side
    picks : the one that is selected next
    note : instructions, or the reason for no answer; "" with an answer
    verdict : in one line; degree : of concealment, None without an answer
    by_lines : whether the rules judge by lines, so that no corridor is drawn
    rows : (label, value)
    because : slugs of the rules that decided
    ground : (label, value), of the viewshed; empty while it is not shown
    """

    observer: tuple[str, str]
    target: tuple[str, str]
    picks: Literal["observer", "target"] = "observer"
    note: str = ""
    verdict: str = ""
    degree: Degree | None = None
    by_lines: bool = False
    rows: tuple[tuple[str, str], ...] = ()
    text: str = ""
    because: tuple[str, ...] = ()
    ground: tuple[tuple[str, str], ...] = ()


def verdict_of(answer: SightAnswer) -> str:
    """Return whether the target is visible, and how much of it."""
    if not isinstance(answer, CorridorAnswer) or not answer.line_of_sight:
        return answer.in_short
    return "seen in part" if answer.concealment == "partial" else "seen"


def degree_of(answer: SightAnswer) -> Degree:
    """Return the degree of concealment; without a corridor, by the proportion in the rules."""
    if isinstance(answer, CorridorAnswer):
        return answer.concealment
    if not answer.line_of_sight:
        return "total"
    return "none" if answer.degree is None or answer.degree >= 1 else "partial"


def rows_of(answer: SightAnswer, scale: Scale) -> tuple[tuple[str, str], ...]:
    """Return the numbers of the verdict, and the obstacles."""
    metres = scale.metres_of_gsu(answer.distance)
    distance = ("distance", f"{answer.distance:.4g} GSU, {metres:.4g} m")
    if not isinstance(answer, CorridorAnswer):
        return (distance, *_lines(answer))
    rows: list[tuple[str, str]] = [("concealment", answer.concealment)]
    if answer.damage:
        rows.append((f"cover against base damage {answer.damage}", answer.cover))
    rows += [
        distance,
        ("heights", f"{answer.observer_height:.4g} and {answer.target_height:.4g}"),
        *((each.entity, _height_text(each)) for each in answer.intervening),
    ]
    if answer.ground is not None:
        rows.append(("ground", f"above {percent(answer.ground.blocked_share)} of the width"))
    return tuple(rows)


def _lines(answer: SightAnswer) -> Iterator[tuple[str, str]]:
    """Yield the number of clear lines, and the number that each body blocks."""
    if answer.lines:
        clear = sum(line.clear for line in answer.lines)
        yield "clear lines", f"{clear} of {len(answer.lines)}"
    stopped = Counter(line.stopped_by for line in answer.lines if line.stopped_by is not None)
    for name, count in stopped.items():
        yield name, f"stops {count} {'line' if count == 1 else 'lines'}"


def _height_text(each: Intervening) -> str:
    return f"{percent(each.fraction)} of the width, {HIDES[each.gives]}"
