"""Emlia's words for the questions that it asks players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from emlia3d.rulekit.commander import plan_words
from emlia3d.rulekit.words import QuestionPhrase

if TYPE_CHECKING:
    from emlia3d.battle.decisions import Decision
    from emlia3d.battle.moment import Moment


def _next_unit(moment: Moment, decision: Decision) -> str:
    side = moment.setup.sides[decision.side].name
    return f"{side}: which unit acts now, at timing {moment.state.battle.integer('step', 0)}?"


def _what_to_do(moment: Moment, decision: Decision) -> str:
    """Return the question for an action, with the actions used so far."""
    unit, units = decision.unit, moment.state.units
    assert unit is not None
    used = [name for name in ("move", "primary") if units.value(f"{name}_used", unit)]
    asked = f"{moment.setup.units[unit].name}: what does it do?"
    return f"{asked} ({' and '.join(used)} action used)" if used else asked


QUESTIONS: Mapping[str, QuestionPhrase] = {
    **plan_words.QUESTIONS,
    "emlia.time.order-in-step": _next_unit,
    "emlia.activate.free-when": "{unit} is about to act by itself: may anything stop it first?",
    "emlia.activate.two-actions": _what_to_do,
    "emlia.orders.initiative": "{unit} acts on initiative: how?",
    "emlia.orders.mixed.part-orders": "{unit}: a part acts on initiative; does the rest follow?",
    "emlia.prepare.must-execute-all": "{unit} does what it has prepared: how?",
    "emlia.prepare.several-units": "{side}: several notes are met; which comes first?",
    "emlia.align": "{unit} has met its enemy: does it turn to face it?",
    "emlia.align.envelop": "{unit}: does it envelop the enemy?",
    "emlia.push.follow": "{unit} has pushed its enemy back: does it follow up?",
    "emlia.mixedeng.follow": "the fight has moved away from {unit}: does it follow?",
    "emlia.skirmish.shift": "{unit} has the upper hand: which way does it drive the fight?",
    "emlia.push.not-facing": "{unit} has beaten an enemy beside it or behind: what now?",
    "emlia.push.break-ranks": "units that {unit} presses break their ranks: does it too?",
    "emlia.push.choices": "{unit} is pushed: what does it do?",
    "emlia.freestrike.who": "an enemy turns from {unit} or passes by: does it make a free strike?",
    "emlia.volley.success": "{unit}: how many successes go on drift? The others widen the area.",
    "emlia.disengage.success": "{unit} disengages: which enemies does it keep from a free strike?",
    "emlia.morale.falling-back": "{unit} falls back: where to?",
    "emlia.entity.formation-ambiguity": "{unit} was forced back: which formation is it in now?",
    "emlia.lead.split": "{unit} is split: where?",
    "emlia.lead.leader.choice": "{unit}: who leads the new unit?",
    "emlia.hits.subunit-ties": "{unit} is hit: whose members are hit first?",
    "emlia.hits.group-order": "{unit} is hit: which hits are taken first?",
    "emlia.damage.casualty-choice": "{unit}: where does it lose members?",
}
"""By the slug of the rule that asks."""
