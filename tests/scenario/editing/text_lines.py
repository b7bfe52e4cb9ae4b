"""Lines of a scenario's text."""

from __future__ import annotations


def comments(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.lstrip().startswith("#")]


def is_part_of(few: list[str], many: list[str]) -> bool:
    """Whether the lines *few* stand in *many* in this order."""
    rest = iter(many)
    return all(any(line == other for other in rest) for line in few)
