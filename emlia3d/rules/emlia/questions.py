"""Queries to Emlia outside play: sight, awareness, odds, texts, places and reports.

Each answer is loaded when it is first asked for, because an unwatched battle needs none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emlia3d.on_demand import on_demand

if TYPE_CHECKING:
    from emlia3d.rules.emlia.commander.commander import proposals
    from emlia3d.rules.emlia.play.combat.ranges import ranges
    from emlia3d.rules.emlia.play.questions.answer import answer
    from emlia3d.rules.emlia.play.questions.foreign_battle import answer_abroad, battle_abroad
    from emlia3d.rules.emlia.play.questions.outcomes import odds, odds_of
    from emlia3d.rules.emlia.play.questions.pointing import (
        grounds,
        more,
        order_to,
        pointed,
        reach_of,
    )
    from emlia3d.rules.emlia.play.sight.area import sight_area
    from emlia3d.rules.emlia.play.sight.awareness import is_aware, unknown_to_side
    from emlia3d.rules.emlia.play.sight.side_picture import SidePicture
    from emlia3d.rules.emlia.play.situation.contact import contacts
    from emlia3d.rules.emlia.play.situation.going import impassable
    from emlia3d.rules.emlia.report.attacks import attack
    from emlia3d.rules.emlia.report.battle_report import chronicle
    from emlia3d.rules.emlia.report.highlights import highlights
    from emlia3d.rules.emlia.scenario_advice import advice
    from emlia3d.rules.emlia.tables.house_rows import ROWS
    from emlia3d.rules.emlia.unit_sets.army import ArmyList, army_faults, cost
    from emlia3d.rules.emlia.words.card import card
    from emlia3d.rules.emlia.words.phrases import WORDS

__all__ = [
    "ROWS",
    "WORDS",
    "ArmyList",
    "SidePicture",
    "advice",
    "answer",
    "answer_abroad",
    "army_faults",
    "attack",
    "battle_abroad",
    "card",
    "chronicle",
    "contacts",
    "cost",
    "grounds",
    "highlights",
    "impassable",
    "is_aware",
    "more",
    "odds",
    "odds_of",
    "order_to",
    "pointed",
    "proposals",
    "ranges",
    "reach_of",
    "sight_area",
    "unknown_to_side",
]

_ANSWERERS = {
    "emlia3d.rules.emlia.unit_sets.army": ("ArmyList", "army_faults", "cost"),
    "emlia3d.rules.emlia.commander.commander": ("proposals",),
    "emlia3d.rules.emlia.play.combat.ranges": ("ranges",),
    "emlia3d.rules.emlia.play.questions.pointing": (
        "grounds",
        "more",
        "order_to",
        "pointed",
        "reach_of",
    ),
    "emlia3d.rules.emlia.play.questions.outcomes": ("odds", "odds_of"),
    "emlia3d.rules.emlia.play.questions.foreign_battle": ("answer_abroad", "battle_abroad"),
    "emlia3d.rules.emlia.play.questions.answer": ("answer",),
    "emlia3d.rules.emlia.play.sight.area": ("sight_area",),
    "emlia3d.rules.emlia.play.sight.awareness": ("is_aware", "unknown_to_side"),
    "emlia3d.rules.emlia.play.sight.side_picture": ("SidePicture",),
    "emlia3d.rules.emlia.play.situation.contact": ("contacts",),
    "emlia3d.rules.emlia.play.situation.going": ("impassable",),
    "emlia3d.rules.emlia.tables.house_rows": ("ROWS",),
    "emlia3d.rules.emlia.report.attacks": ("attack",),
    "emlia3d.rules.emlia.report.battle_report": ("chronicle",),
    "emlia3d.rules.emlia.report.highlights": ("highlights",),
    "emlia3d.rules.emlia.scenario_advice": ("advice",),
    "emlia3d.rules.emlia.words.card": ("card",),
    "emlia3d.rules.emlia.words.phrases": ("WORDS",),
}
__getattr__ = on_demand(
    __name__, {name: module for module, names in _ANSWERERS.items() for name in names}
)
