"""Geometric answers formatted as one paragraph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from emlia3d.battle.formatting import format_height, format_value, known_ground, percent
from emlia3d.battle.questions.answer import GeometricAnswer, HiddenPart
from emlia3d.field import Field

_MOST_NAMED = 3


def format_geometric_sight(answer: GeometricAnswer, field: Field) -> str:
    """Return a geometric answer as text: visible fraction, eyes, obstacles and assumptions."""
    sentences = [
        f"By plain geometry, {answer.observer} can see {_seen(answer)}.",
        *_eyes(answer),
        f"They are {format_value(answer.distance)} GSU apart."
        if answer.distance
        else "They touch.",
        f"Heights above the lower base elevation: {format_height(answer.observer_height)} for "
        f"{answer.observer}{_raised(answer.observer_height, answer.observer_footing)} and "
        f"{format_height(answer.target_height)} for {answer.target}"
        f"{_raised(answer.target_height, answer.target_footing)}.",
        *_blockers([each for each in answer.hiding if each.body == "solid"], answer),
        *_ground(answer, field),
        *_sparse([each for each in answer.hiding if each.body == "sparse"], answer),
        *_stood_in(answer),
        "Eyes are at the tops of bodies, a body is as wide as its member's space, and members of "
        "these two units hide nothing.",
    ]
    return " ".join(sentences)


def _seen(answer: GeometricAnswer) -> str:
    if not answer.line_of_sight:
        return f"nothing of {answer.target}"
    if answer.visible_share == 1:
        return f"all of {answer.target}"
    return f"{percent(answer.visible_share)} of {answer.target}"


def _eyes(answer: GeometricAnswer) -> Iterator[str]:
    """Yield the sentences that count visible members, and eyes that see anything."""
    if not answer.line_of_sight:
        return
    if answer.members > 1 and answer.visible_share < 1:
        yield (
            f"That is the mean visible fraction of its {answer.members} members; "
            f"{_of(answer.members_seen, answer.members)} are visible at least in part."
        )
    if answer.eyes > 1:
        yield (
            f"The best placed of {answer.eyes} eyes sees this; "
            f"{_of(answer.eyes_that_see, answer.eyes)} see something."
        )


def _of(some: int, all_: int) -> str:
    return "all" if some == all_ else f"{some} of the {all_}"


def _raised(height: float, footing: float) -> str:
    if not footing:
        return ""
    return f" ({format_value(height - footing)} on a base elevation of {format_value(footing)})"


def _blockers(things: Sequence[HiddenPart], answer: GeometricAnswer) -> Iterator[str]:
    if not things and not answer.ground:
        yield "Nothing solid is between them." if answer.distance else "Nothing is between them."
    chief = sorted(things, key=lambda each: -each.share)[:_MOST_NAMED]
    for each in chief:
        yield (
            f"{each.entity}, {format_height(each.height)} high, "
            f"{format_value(each.distance)} GSU from {answer.observer} and "
            f"{format_value(each.to_target)} from {answer.target}, "
            f"would hide {_hidden(each.share)} by itself."
        )
    if len(things) > _MOST_NAMED:
        others = [each.entity for each in things if each not in chief]
        named = ", ".join(others[:_MOST_NAMED])
        rest = f" and {len(others) - _MOST_NAMED} more" if len(others) > _MOST_NAMED else ""
        yield f"Less is behind {named}{rest}."


def _hidden(share: float) -> str:
    return "all" if share == 1 else percent(share)


def _ground(answer: GeometricAnswer, field: Field) -> Iterator[str]:
    if answer.ground:
        yield f"The ground between would hide {_hidden(answer.ground)} by itself."
    if answer.ground is not None:
        yield known_ground(field)


def _sparse(things: Sequence[HiddenPart], answer: GeometricAnswer) -> Iterator[str]:
    if answer.through:
        names = ", ".join(each.entity for each in things)
        yield f"{percent(answer.through)} of the visible part is visible only through {names}."


def _stood_in(answer: GeometricAnswer) -> Iterator[str]:
    if answer.stood_in:
        yield f"The answer ignores {', '.join(answer.stood_in)}, where some of them stand."
