"""Artillery: an engine with its crew."""

from __future__ import annotations

from emlia3d.rules.oathmark.core import MOST_DICE, BlockSide, Ranks
from emlia3d.rules.rulebook import rule


@rule("oathmark.artillery.process")
def ranks_for_bonus(full: int, *, artillery: bool) -> int:
    """Return the number of complete ranks of shooters; a crew is one rank."""
    return min(full, 1) if artillery else full


@rule("oathmark.artillery.dice-table")
def additional_dice(side: BlockSide, *, large: bool, enormous: bool) -> int:
    """Return the number of dice of artillery without those for the ranks of its target."""
    size = 2 if enormous else 1 if large else 0
    return 1 + size + (0 if side is BlockSide.FRONT else 2)


@rule("oathmark.artillery.dice")
def artillery_dice(
    ranks: Ranks, side: BlockSide, *, large: bool = False, enormous: bool = False
) -> int:
    """Return the dice of artillery: its own, and one for each full or partial rank."""
    return ranks.all + additional_dice(side, large=large, enormous=enormous)


@rule("oathmark.artillery.unit-of-one")
def mod_unit_of_one(*, unit_of_one: bool, large: bool) -> int:
    """+5 for artillery against a unit-of-one that is neither Large nor Enormous."""
    return 5 if unit_of_one and not large else 0


@rule("oathmark.artillery.melee-crew")
def crew_dice(combat_dice: int, crew: int) -> int:
    """Return the dice of a crew in combat, which is one rank with its engine."""
    return min(combat_dice * crew, MOST_DICE)


@rule("oathmark.artillery.casualties")
def crew_left(crew: int, hits: int) -> int:
    """Return the crew of an engine after hits, which never hit the engine."""
    return max(crew - hits, 0)


@rule("oathmark.artillery.removed")
def is_engine_removed(crew: int, *, broken: bool) -> bool:
    """Return whether an engine is removed: with the last of its crew, or if the unit breaks."""
    return crew == 0 or broken


@rule("oathmark.artillery.morale")
def counts_as_shooting(*, artillery: bool) -> bool:
    """Return whether a test caused by shots has the bonus for shooting; artillery gives none."""
    return not artillery
