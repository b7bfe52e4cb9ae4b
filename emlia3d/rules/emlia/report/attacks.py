"""The attacks of Emlia, as statistics of a battle count them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from emlia3d.battle.events import Event, Rolled
from emlia3d.battle.questions.attacks import AttackRoll, rolled_attack
from emlia3d.battle.setup import Setup
from emlia3d.rules.emlia.events.combat import AttackFromAfar, Blow, VolleyFell, VolleyLoosed
from emlia3d.rules.emlia.tables.skills import success_chance

AUTOMATIC = "emlia.skill.automatic-success"


def attack(setup: Setup, event: Event) -> AttackRoll | None:
    """Return the attack that an event is; None if it is none.

    An Area Volley scores its hits when it is loosed, and is credited with losses where it falls.
    """
    facts = event.facts
    if isinstance(facts, VolleyFell):
        hits = dict(zip(facts.struck, facts.hits, strict=True))
        struck = ((row, hits[u.name]) for row, u in enumerate(setup.units) if u.name in hits)
        return AttackRoll(kind="shot", struck=tuple(struck))
    if not isinstance(facts, AttackFromAfar | Blow):
        return None
    chances = _chances(event, facts)
    if isinstance(facts, VolleyLoosed):
        return AttackRoll(kind="shot", dice=facts.dice, hits=facts.successes, chances=chances)
    found = rolled_attack(event, chances)
    if found is not None and isinstance(facts, Blow):
        enemies = (row for row in facts.enemies if 0 <= row < len(setup.units))
        return replace(found, struck=tuple((row, facts.successes) for row in enemies))
    return found


def _chances(event: Event, facts: Rolled) -> tuple[Fraction, Fraction]:
    """Return the chances of no hit and of one hit of a die; automatic successes are certain."""
    hit = Fraction(1) if AUTOMATIC in event.because else success_chance(facts.modifier)
    return 1 - hit, hit
