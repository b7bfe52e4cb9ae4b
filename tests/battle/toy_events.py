"""What happens in Tin, as records."""

from __future__ import annotations

from emlia3d.battle.events import Facts


class CalledIn(Facts, frozen=True):
    """The battle is over."""

    kind = "called_in"


class TurnBegan(Facts, frozen=True):
    """A turn begins."""

    kind = "turn_began"


class StoodStill(Facts, frozen=True):
    """A unit is gone or run down."""

    kind = "stood_still"


class Done(Facts, frozen=True):
    """A unit has acted."""


class Marched(Facts, frozen=True, kw_only=True):
    """A unit has marched.

    why : the reason that its commander gave
    """

    why: str


class Bumped(Facts, frozen=True, kw_only=True):
    """A unit has bumped into another: a fact of each type.

    faces : its dice
    hits : how many fell on five or six
    force : a quarter of that
    hard : whether there were more than two
    aim : nothing
    """

    faces: tuple[int, ...]
    hits: int
    force: float
    hard: bool
    aim: None


class Fell(Facts, frozen=True, kw_only=True):
    """Figures have fallen over.

    figures : how many
    """

    figures: int


class RanDown(Facts, frozen=True, kw_only=True):
    """A spring has lost tension.

    worn : how much
    """

    kind = "ran_down"
    worn: int


class Fled(Facts, frozen=True):
    """A unit has fled."""


EVENTS: tuple[type[Facts], ...] = (
    CalledIn, TurnBegan, StoodStill, Done, Marched, Bumped, Fell, RanDown, Fled,
)  # fmt: skip
