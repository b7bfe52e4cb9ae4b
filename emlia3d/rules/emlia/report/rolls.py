"""Dice and modifiers of an event, in brackets."""

from __future__ import annotations

from emlia3d.battle.events import Event, Rolled


def bracket(event: Event) -> str:
    """Return dice and modifiers as text: [5 dice at +1: 1 8 11; elevation +1]; "" without dice."""
    rolled = event.facts
    if not isinstance(rolled, Rolled):
        return ""
    told = f"{rolled.dice} {'die' if rolled.dice == 1 else 'dice'} at {rolled.modifier:+d}"
    if rolled.faces:
        told += f": {' '.join(map(str, rolled.faces))}"
    elif rolled.counts:
        thrown = [f"{many} x {face}" for face, many in enumerate(rolled.counts, start=1) if many]
        told += f": {', '.join(thrown)}"
    if rows := _rows(event.because, rolled.figures or ()):
        told += f"; {rows}"
    return f" [{told}]"


def _rows(because: tuple[str, ...], figures: tuple[float, ...]) -> str:
    """Return the rows of the modifier tables that held, each with its value."""
    if not figures or len(figures) > len(because):
        return ""
    names = (slug.rpartition(".")[2].replace("-", " ") for slug in because[-len(figures) :])
    return ", ".join(
        f"{name} {int(figure):+d}" for name, figure in zip(names, figures, strict=True)
    )
