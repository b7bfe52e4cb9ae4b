"""The result of a rehearsed attack: losses of both sides, and the state of the two units."""

from __future__ import annotations

from dataclasses import dataclass

from emlia3d.rules.emlia.tables.morale import RETREATS


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedHarm:
    """Losses that one unit inflicts on another, in fractions of a member.

    blow : by its own checks to hit
    press : by the press of its rear ranks, or by its resistance to a push
    free : by free strikes
    """

    blow: float = 0.0
    press: float = 0.0
    free: float = 0.0

    @property
    def whole(self) -> float:
        """Return the sum."""
        return self.blow + self.press + self.free

    def capped(self, members: int) -> ExpectedHarm:
        """Return the losses, limited to a unit's members; the blow counts first, the press last."""
        blow = min(self.blow, members)
        free = min(self.free, members - blow)
        return ExpectedHarm(blow=blow, free=free, press=min(self.press, members - blow - free))

    def __add__(self, other: ExpectedHarm) -> ExpectedHarm:
        """Return the sum of both."""
        return ExpectedHarm(
            blow=self.blow + other.blow, press=self.press + other.press, free=self.free + other.free
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """The state of a unit after an attack.

    before, after : its morale
    disordered : whether it is disordered afterwards
    destroyed : whether it has no members left
    moved : its displacement, GSU
    """

    before: int
    after: int
    disordered: bool = False
    destroyed: bool = False
    moved: float = 0.0

    @property
    def broken(self) -> bool:
        """Return whether the attack drives it to retreat or rout, or destroys it."""
        return self.destroyed or self.after <= RETREATS < self.before


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """The result of an attack after the resolution of its step and the enemy's attack.

    dice, most : dice of its attack, and with all its members in reach
    inflicted, suffered : losses of the enemies and of the unit
    mine, theirs : the state of the unit, and of the enemy that it attacks
    worth : army value that it takes from the enemy less what it costs
    gain, cost : the two parts of that
    """

    dice: int
    most: int
    inflicted: ExpectedHarm
    suffered: ExpectedHarm
    mine: Fate
    theirs: Fate
    gain: float
    cost: float

    @property
    def worth(self) -> float:
        """Return the gain minus the cost."""
        return self.gain - self.cost

    def __str__(self) -> str:
        """Return the result in words, as a reason."""
        struck = self.inflicted.blow + self.inflicted.free
        words = f"{struck:.1f} losses expected"
        if self.inflicted.press >= _WORTH_A_WORD:
            words += f" and {self.inflicted.press:.1f} by press"
        words += f" for {self.suffered.whole:.1f} of its own"
        if self.theirs.destroyed:
            return f"{words}, enough to destroy it"
        return f"{words}, enough to break it" if self.theirs.broken else words


_WORTH_A_WORD = 0.05
"""Minimum losses by press that a reason mentions."""
