"""Answers to questions about the odds of an attack."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from emlia3d.battle.moment import Moment
from emlia3d.battle.questions.odds import ModifierRow, Odds
from emlia3d.rulekit.english import listed


def modifier_rows(rows: Iterable[tuple[str, int]]) -> tuple[ModifierRow, ...]:
    """Return table rows with their slugs and values; the name of a row is the end of its slug."""
    return tuple(
        ModifierRow(name=slug.rpartition(".")[2].replace("-", " "), slug=slug, figure=value)
        for slug, value in rows
    )


def refused(
    moment: Moment, attackers: Sequence[int], target: int, action: str, reason: str
) -> Odds:
    """Return the answer about an attack that is not legal.

    reason : with the slug of the rule
    """
    names = [unit.name for unit in moment.setup.units]
    own, foe = listed([names[row] for row in attackers]), names[target]
    return Odds(
        rules=moment.system.name, attacker=own, target=foe, action=action, refusal=reason,
        hits={0: Fraction(1)}, text=f"{own} against {foe}: {reason}.",
    )  # fmt: skip
