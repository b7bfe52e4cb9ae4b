"""Rules and troops of the scenarios that the program writes by itself.

Elsewhere no module names a rule system or its unit sets.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Two armies to begin with, on a field that was imported.

    troops : unit set and entry of the two units of each side, from the left
    wipe_out, objective : levels of victory when the enemy is gone, and when a side controls the
        objective
    """

    rules: str
    troops: tuple[str, str]
    wipe_out: str
    objective: str


SAMPLE = Sample(
    rules="emlia",
    troops=("emlia/spearmen", "emlia/longbowmen"),
    wipe_out="massacre",
    objective="victory",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Muster:
    """Armies of any size for measuring.

    unit_set : a unit set that ships, which names the rules
    troops : entry and ranks of every eight units after one another
    wipe_out : level of victory when the enemy is gone
    """

    unit_set: str
    troops: tuple[tuple[str, int], ...]
    wipe_out: str


HORSE_AND_MUSKET = Muster(
    unit_set="blackpowder",
    troops=(
        ("hussars", 2), ("line", 3), ("fusiliers", 3), ("light", 2),
        ("grenadiers", 3), ("line", 3), ("line", 3), ("cuirassiers", 2),
    ),
    wipe_out="massacre",
)  # fmt: skip
