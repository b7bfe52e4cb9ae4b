"""A sight answer in words and figures, for the panel beside the picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from emlia3d.battle.questions.answer import Answer, Degree, Intervening
from emlia3d.battle.words import percent
from emlia3d.field import Scale

HIDES: dict[Degree, str] = {
    "none": "hides nothing",
    "partial": "hides partly",
    "total": "hides wholly",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SightCard:
    """What is told of a sight question.

    observer, target : name, "" where none is chosen, and the colour of the side
    picks : which of them is chosen next
    note : what to do, or why there is no answer; "" where there is one
    verdict : in one line; degree : of the concealment, None without an answer
    rows : (label, value)
    because : slugs of the rules that decided
    ground : (label, value), of the ground that is seen; none while it is not shown
    """

    observer: tuple[str, str]
    target: tuple[str, str]
    picks: Literal["observer", "target"] = "observer"
    note: str = ""
    verdict: str = ""
    degree: Degree | None = None
    rows: tuple[tuple[str, str], ...] = ()
    text: str = ""
    because: tuple[str, ...] = ()
    ground: tuple[tuple[str, str], ...] = ()


def verdict_of(answer: Answer) -> str:
    """Whether the target is seen, and how much of it."""
    if not answer.line_of_sight:
        return "not seen"
    return "seen partly" if answer.concealment == "partial" else "seen"


def rows_of(answer: Answer, scale: Scale) -> tuple[tuple[str, str], ...]:
    """The figures that the verdict rests on, with what stands in the way."""
    metres = scale.metres_of_gsu(answer.distance)
    rows = [
        ("concealment", answer.concealment),
        (f"cover against {answer.damage}", answer.cover),
        ("distance", f"{answer.distance:.4g} GSU, {metres:.4g} m"),
        ("heights", f"{answer.observer_height:.4g} and {answer.target_height:.4g}"),
        *((each.entity, _told(each)) for each in answer.intervening),
    ]
    if answer.ground is not None:
        rows.append(("ground", f"above {percent(answer.ground.blocked_share)} of the width"))
    return tuple(rows)


def _told(each: Intervening) -> str:
    return f"{percent(each.fraction)} of the width, {HIDES[each.gives]}"
