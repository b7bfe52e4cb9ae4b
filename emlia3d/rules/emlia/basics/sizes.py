"""Emlia, chapter 3.1: sizes and heights.

Holds the examples of `emlia.attr.size` and `emlia.attr.height`, which unit sets can use as names of
sizes and heights.
"""

from __future__ import annotations

from collections.abc import Mapping

from emlia3d.rules.rulebook import rule, rule_rows

# fmt: off
SIZES: Mapping[str, float] = {
    "human adult": 1,
    "human child": 1/2,
    "average tree": 1,
    "large tree": 2,
    "wolf": 1,
    "coyote": 1/2,
    "fox": 1/4,
    "ogre": 2,
    "mountain": 2000,
}
HEIGHTS: Mapping[str, float] = {
    "human adult": 1,
    "human child": 1/2,
    "average tree": 2,
    "large tree": 3,
    "wolf": 1/2,
    "coyote": 1/4,
    "fox": 1/8,
    "ogre": 2,
    "mountain": 2000,
}
# fmt: on
"""Heights by kind; a mountain's is the minimum."""


def _slugs(table: str, examples: Mapping[str, float]) -> list[str]:
    return [f"emlia.attr.{table}.examples.{name.replace(' ', '-')}" for name in examples]


@rule("emlia.attr.size", "emlia.attr.size.examples")
@rule_rows(*_slugs("size", SIZES))
def size_of(printed: object) -> object:
    """Return a size as a number; a large adult human has 1.

    Each step down halves it, and each step up adds the volume of one more. A value that is not a
    name is returned unchanged and unchecked. Raise ValueError for a name not in the book.
    """
    return _named(printed, SIZES, "size")


@rule("emlia.attr.height", "emlia.attr.height.examples")
@rule_rows(*_slugs("height", HEIGHTS))
def height_of(printed: object) -> object:
    """Return a height as a number if the entry names a kind; six feet are 1."""
    return _named(printed, HEIGHTS, "height")


def _named(printed: object, examples: Mapping[str, float], what: str) -> object:
    if not isinstance(printed, str):
        return printed
    if printed not in examples:
        raise ValueError(f"unknown {what} {printed}; there are {', '.join(examples)}")
    return float(examples[printed])
