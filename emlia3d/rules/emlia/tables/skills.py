"""Emlia, chapter 5: skills and checks.

Holds `emlia.skill`, `emlia.dice`, `emlia.meta.probability` and `emlia.meta.rounding`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emlia3d.battle.dice import Dice, Faces, face_counts, thrown
from emlia3d.errors import FileError
from emlia3d.rules.emlia.basics.tables import Modified, Row, total
from emlia3d.rules.rulebook import rule, rule_rows

SkillName = str
"""One of `SKILLS`, or a skill that the entry's unit set adds."""

SKILLS = ("close combat", "aimed fire", "volley fire", "leadership", "alertness", "stealth")
"""The skills of the core."""

SIDES = 12
SUCCESS = 5
"""Minimum face, after modifiers, of a success."""
IMPROVISED = -4
FACES_RECORDED = 24
"""Number of dice above which a check records counts of faces, not each face."""

_CODE = re.compile(r"(?P<dice>\d{1,5})(?:/(?P<per_loss>[1-9]\d{0,5})|(?P<star>\*))?")
_DICE = re.compile(r"(?P<count>[1-9]\d*)?d(?P<sides>[1-9]\d*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """A skill level as printed.

    per_loss : members (or damage points) lost for each die lost; None if no die is
    per_member : *dice* count for each member able to take part
    """

    dice: int
    per_loss: int | None = None
    per_member: bool = False


@rule("emlia.skill.level-plain")
def skill_of(code: str) -> Skill:
    """Read a printed level: "3" is three dice, "10/1" loses one a member, "2*" is two a member.

    Raise FileError for any other text.
    """
    match = _CODE.fullmatch(code.strip())
    if match is None:
        raise FileError(f'a skill level: expected the form 3, 10/1 or 2*, got "{code}"')
    per_loss = match["per_loss"]
    return Skill(
        dice=int(match["dice"]),
        per_loss=int(per_loss) if per_loss else None,
        per_member=match["star"] is not None,
    )


@rule("emlia.dice.notation")
def dice_notation(text: str) -> tuple[int, int]:
    """Read "2d6" as (2, 6): two dice of six sides; one die if no number is given.

    Raise FileError for any other text, spaces included.
    """
    match = _DICE.fullmatch(text)
    if match is None:
        raise FileError(f'dice: expected a form such as d12 or 2d6, got "{text}"')
    return int(match["count"] or 1), int(match["sides"])


@rule("emlia.skill.level-diminish", "emlia.skill.level-star")
@rule("emlia.meta.rounding")
def dice_of(skill: Skill, able: int, lost: int) -> int:
    """Return how many dice a unit has for a skill: counts round down, and never below 0.

    able : members able to take part
    lost : members lost or, in ranked combat, not engaged; of a single character damage points
    """
    if skill.per_member:
        return skill.dice * able
    if skill.per_loss is None:
        return skill.dice
    return max(0, skill.dice - lost // skill.per_loss)


class SkillLevel(NamedTuple):
    """The basis of a number of dice.

    skill : the level as it is printed
    able, absent : members that take part, and that do not
    lost : as for `dice_of`
    """

    skill: Skill
    able: int
    absent: int
    lost: int


def level_because(level: SkillLevel) -> tuple[str, ...]:
    """Return the rules that decided the result of `dice_of`."""
    skill, _, absent, lost = level
    absence = ("emlia.skill.able-members",) if absent else ()
    if skill.per_member:
        return (*absence, "emlia.skill.level-star")
    if skill.per_loss is None:
        return ("emlia.skill.level-plain",)
    return (*absence, "emlia.skill.level-diminish") if lost >= skill.per_loss else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillPenalties:
    """The penalties on every skill check of a unit."""

    double_paced: bool = False
    aligned_flank: bool = False
    aligned_rear: bool = False
    improvised: bool = False


# fmt: off
GENERAL: tuple[Row[SkillPenalties], ...] = (
    Row("emlia.skill.total-modifier.double-paced",  -4, lambda unit: unit.double_paced),
    Row("emlia.skill.total-modifier.aligned-flank", -1, lambda unit: unit.aligned_flank),
    Row("emlia.skill.total-modifier.aligned-rear",  -2, lambda unit: unit.aligned_rear),
    Row("emlia.skill.total-modifier.improvised", IMPROVISED, lambda unit: unit.improvised),
)
# fmt: on


@rule("emlia.skill.total-modifier")
@rule_rows(*(row.slug for row in GENERAL))
def general_modifier(
    unit: SkillPenalties, rows: Sequence[Row[SkillPenalties]] = GENERAL
) -> Modified:
    """Return the sum of the general modifiers to any check of the unit."""
    return total(rows, unit)


@dataclass(frozen=True, slots=True)
class Attempt:
    """The dice that a unit may roll for an action; no dice where it cannot try.

    improvised : one die, at -4 by the general modifiers
    bonus : what abilities add to each die
    level : the basis of the dice; None without the skill
    """

    dice: int
    improvised: bool
    because: tuple[str, ...]
    bonus: int = 0
    level: SkillLevel | None = None


@rule("emlia.skill.improvise", "emlia.skill.improvise.diminished")
def attempt(
    dice: int | None, may_improvise: bool, bonus: int = 0, level: SkillLevel | None = None
) -> Attempt:
    """Return the unit's dice, or one improvised die if it has none and the action allows that.

    dice : of the skill; None if the unit lacks it, 0 if its losses have used it up
    bonus : what abilities add to each die
    level : the basis of *dice*
    """
    if dice:
        return Attempt(dice, False, (), bonus, level)
    if not may_improvise:
        return Attempt(0, False, (), bonus, level)
    lacking = "emlia.skill.improvise" if dice is None else "emlia.skill.improvise.diminished"
    return Attempt(1, True, (lacking,), bonus, level)


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A skill check that was made.

    dice : how many dice it had
    faces : as rolled; empty for many dice, whose counts are kept, and if none was rolled
    counts : how often each face from 1 to 12 came up; None where the faces are kept
    automatic : every die succeeded without being rolled
    """

    dice: int
    modifier: int
    successes: int
    faces: Faces = ()
    counts: tuple[int, ...] | None = None
    automatic: bool = False

    @property
    @rule("emlia.gloss.success", "emlia.gloss.check-fail", "emlia.skill.outcome")
    def succeeded(self) -> bool:
        """True if there is at least one success (`emlia.skill.outcome`)."""
        return self.successes > 0


@rule("emlia.skill.check", "emlia.dice.d12")
@rule("emlia.skill.check.example-bog")
def roll_check(why: str, count: int, modifier: int, dice: Dice) -> Check:
    """Roll *count* d12; each die that reaches 5 after the modifier is a success.

    No face succeeds or fails automatically: at +4 every die succeeds, at -8 none does.
    """
    if count > FACES_RECORDED:
        column = thrown(dice, why, count, SIDES)
        successes = int(np.count_nonzero(column >= SUCCESS - modifier))
        return Check(
            dice=count, modifier=modifier, successes=successes, counts=face_counts(column, SIDES)
        )
    faces = dice.roll(why, count, SIDES)
    successes = sum(face + modifier >= SUCCESS for face in faces)
    return Check(dice=count, modifier=modifier, successes=successes, faces=faces)


def roll_checks(why: str, counts: ArrayLike, modifiers: ArrayLike, dice: Dice) -> NDArray[np.int64]:
    """Return (n,) successes of n checks at once, as `roll_check` one after another.

    counts : (n,) int, dice of each, 0 or more
    modifiers : () or (n,) int
    """
    each = np.asarray(counts, dtype=np.int64)
    least = np.broadcast_to(SUCCESS - np.asarray(modifiers, dtype=np.int64), each.shape)
    ends = np.cumsum(each)
    faces = thrown(dice, why, int(ends[-1]) if len(ends) else 0, SIDES)
    so_far = np.concatenate(([0], np.cumsum(faces >= np.repeat(least, each))))
    successes: NDArray[np.int64] = so_far[ends] - so_far[ends - each]
    return successes


@rule("emlia.skill.automatic-success")
def automatic_check(count: int, modifier: int) -> Check:
    """Return a check in which every die counts as a success without a roll."""
    return Check(dice=count, modifier=modifier, successes=count, automatic=True)


@rule("emlia.meta.probability")
def success_chance(modifier: int) -> Fraction:
    """Return the probability that one die succeeds: 1 from +4 up, 0 from -8 down."""
    return Fraction(min(max(SIDES + 1 - SUCCESS + modifier, 0), SIDES), SIDES)


def is_sure(modifier: int) -> bool:
    """Return whether every face succeeds at this modifier, or every face fails."""
    return success_chance(modifier) in {0, 1}


@functools.lru_cache(maxsize=1024)
def expected_successes(count: int, modifier: int) -> Fraction:
    """Return the expected number of successes of *count* dice."""
    return count * success_chance(modifier)
