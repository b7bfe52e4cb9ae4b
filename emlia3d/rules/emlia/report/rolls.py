"""What an event says of itself, read with care; and its dice and modifiers in brackets."""

from __future__ import annotations

from emlia3d.battle.events import Event
from emlia3d.errors import quoted


def number(event: Event, fact: str) -> float:
    """A number that an event tells."""
    value = event.facts.get(fact)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"the event {quoted(event.name)} tells no number {quoted(fact)}")
    return value


def count(event: Event, fact: str) -> int:
    """A whole number that an event tells."""
    return int(number(event, fact))


def text(event: Event, fact: str) -> str:
    """A text that an event tells."""
    value = event.facts.get(fact)
    if not isinstance(value, str):
        raise ValueError(f"the event {quoted(event.name)} tells no text {quoted(fact)}")
    return value


def row(event: Event, fact: str) -> tuple[str, ...]:
    """What an event tells in a row, each as text; empty where it tells nothing of the kind."""
    value = event.facts.get(fact, ())
    if not isinstance(value, tuple):
        raise ValueError(f"the event {quoted(event.name)} tells no row {quoted(fact)}")
    return tuple(str(part) for part in value)


def bracket(event: Event) -> str:
    """Dice and modifiers of an event: [5 dice at +1: 1 8 11; elevation +1]; "" without dice."""
    if not {"dice", "modifier"} <= event.facts.keys():
        return ""
    dice = count(event, "dice")
    told = f"{dice} {'die' if dice == 1 else 'dice'} at {count(event, 'modifier'):+d}"
    if faces := row(event, "faces"):
        told += f": {' '.join(faces)}"
    elif counts := row(event, "counts"):
        thrown = [f"{many} x {face}" for face, many in enumerate(counts, start=1) if many != "0"]
        told += f": {', '.join(thrown)}"
    if rows := _rows(event):
        told += f"; {rows}"
    return f" [{told}]"


def _rows(event: Event) -> str:
    """The rows of the modifier tables that held, each with what it adds."""
    figures = row(event, "figures")
    if not figures or len(figures) > len(event.because):
        return ""
    slugs = event.because[len(event.because) - len(figures) :]
    names = (slug.rpartition(".")[2].replace("-", " ") for slug in slugs)
    return ", ".join(
        f"{name} {int(figure):+d}" for name, figure in zip(names, figures, strict=True)
    )
