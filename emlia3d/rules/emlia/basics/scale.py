"""Emlia, chapter 1: the scale of a battle, of its figures and of its ground.

Rules only use GSU, so a scale is the length of one GSU in metres. A scenario names one of the
rulebook's scales, or states the height of its figures and its unit of measure.

Holds `emlia.scale`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from emlia3d.rules.rulebook import rule, rule_rows

SIX_FEET_MM = 1828.8
"""Height of a person, mm; divided by a figure's height, it gives the model scale."""

GSU_M: Mapping[str, float] = {"cm": 0.01, "inch": 0.0254, "dm": 0.1}
"""Common units of measure in metres; the cells of a board have their own size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableScale:
    """The scales of a table.

    battle : the level of organisation, a label
    figures : of miniatures and terrain, in the usual notation
    ground : ratio of a distance on the ground to the distance on the table
    gsu : "cm", "inch", "dm", or "cell" for the cells of a board
    """

    battle: str
    figures: str
    ground: float
    gsu: str

    @property
    def metres_per_gsu(self) -> float | None:
        """Metres per GSU; None if the GSU is a cell, because a cell can have any size."""
        unit = GSU_M.get(self.gsu)
        return None if unit is None else metres_per_gsu(unit, self.ground)


@rule("emlia.scale.gsu", "emlia.scale.ground-scale", "emlia.scale.free")
def metres_per_gsu(gsu_m: float, ground: float) -> float:
    """Return the ground length of one GSU: its length on the table times the ground scale."""
    return gsu_m * ground


@rule("emlia.scale.model-scale")
def model_scale(figure_mm: float) -> float:
    """Return the ratio of a person's height to a figure's."""
    return SIX_FEET_MM / figure_mm


# fmt: off
EXAMPLES: Mapping[str, TableScale] = {
    "troopers":  TableScale(battle="troopers",  figures="54 mm",  ground=20, gsu="inch"),
    "squads":    TableScale(battle="squads",    figures="28 mm",  ground=64, gsu="cm"),
    "regiments": TableScale(battle="regiments", figures="tokens", ground=64, gsu="cell"),
    "brigades":  TableScale(battle="brigades",  figures="1/72",   ground=72, gsu="cm"),
}
# fmt: on


@rule("emlia.scale.battle-scale", "emlia.scale.examples")
@rule_rows(*(f"emlia.scale.examples.{name}" for name in EXAMPLES))
def scale_named(name: str) -> TableScale:
    """Return a scale of the rulebook by its name; raise KeyError for any other."""
    return EXAMPLES[name]


@rule("emlia.scale.convert", "emlia.scale.unit-set-suggests")
def converted(figure_mm: float, gsu: str | None = None, ground: float | None = None) -> TableScale:
    """Return the scales of a table for figures of a given height.

    Without *ground*, the ground has the scale of the figures. Without *gsu*, the GSU is the inch
    for figures of 50 mm or more, otherwise the centimetre.
    """
    if gsu is None:
        gsu = "inch" if figure_mm >= 50 else "cm"
    return TableScale(
        battle="",
        figures=f"{figure_mm:g} mm",
        ground=model_scale(figure_mm) if ground is None else ground,
        gsu=gsu,
    )


def metres_at(scale: Mapping[str, Any]) -> float:
    """Return the metres per GSU of a scale; raise ValueError if it is unknown or lacks them."""
    if "name" not in scale:
        metres = converted(**scale).metres_per_gsu
    elif scale["name"] in EXAMPLES:
        metres = scale_named(scale["name"]).metres_per_gsu
    else:
        known = ", ".join(EXAMPLES)
        raise ValueError(f"unknown scale {scale['name']}; there are {known}")
    if metres is None:
        raise ValueError(f"{scale['name']} have no fixed cell size: state metres_per_gsu")
    return metres
