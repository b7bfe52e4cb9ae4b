"""The odds of an attack in figures and words, from all the ways in which it can go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from emlia3d.battle.events import Event, Rolled
from emlia3d.battle.formatting import percent
from emlia3d.battle.questions.odds import (
    CheckOdds,
    ModifierRow,
    Odds,
    UnitOutcome,
    mean,
    merge_equal,
)
from emlia3d.battle.setup import Setup
from emlia3d.rulekit.english import ReportNames, sentence
from emlia3d.rules.emlia.events.combat import Fired, Struck, VolleyConcentrated, VolleyFell
from emlia3d.rules.emlia.events.losses import Losses
from emlia3d.rules.emlia.tables.morale import state_of
from emlia3d.rules.emlia.tables.skills import success_chance

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


@dataclass(frozen=True, slots=True)
class OutcomeWay:
    """One way that an attack can go: what happened, and how the two stand after it.

    left, morale : of attacker and target
    """

    chance: Fraction
    events: tuple[Event, ...]
    left: tuple[bool, bool]
    morale: tuple[int, int]
    decisions: tuple[str, ...]


def weighed(
    scene: Moment, named: tuple[str, str], pair: tuple[int, int], ways: Sequence[OutcomeWay]
) -> Odds:
    """All the ways together.

    named : the action and the weapon
    pair : attacker and target
    """
    (name, weapon), (unit, target) = named, pair
    names = scene.setup.units
    checks: dict[CheckOdds, None] = {}
    for way in ways:
        checks |= dict.fromkeys(_checks(scene, way, target))
    hits = merge_equal((_hits(scene, way, unit, target), way.chance) for way in ways)
    fates = {names[one].name: _fate(ways, one, at) for at, one in enumerate((unit, target))}
    decisions = tuple(dict.fromkeys(told for way in ways for told in way.decisions))
    found = Odds(
        rules="emlia",
        attacker=names[unit].name,
        target=names[target].name,
        action=name,
        weapon=weapon,
        refusal=None,
        checks=tuple(checks),
        hits=hits,
        fates=fates,
        decisions=decisions,
        text="",
    )
    return replace(found, text=_text(found, scene.setup))


def _checks(scene: Moment, way: OutcomeWay, target: int) -> Iterator[CheckOdds]:
    """Yield the checks of one way, each with the rows that held for it."""
    for event in way.events:
        rolled = event.facts
        if not isinstance(rolled, Rolled) or rolled.figures is None:
            continue
        figures, dice, modifier = rolled.figures, rolled.dice, rolled.modifier
        automatic = rolled.faces is None and rolled.counts is None
        chance = Fraction(1) if automatic else success_chance(modifier)
        slugs = event.because[len(event.because) - len(figures) :]
        names = scene.setup.units
        yield CheckOdds(
            unit="" if event.unit is None else names[event.unit].name,
            target=names[target if event.target is None else event.target].name,
            dice=dice,
            modifier=modifier,
            rows=tuple(
                ModifierRow(
                    name=slug.rpartition(".")[2].replace("-", " "), slug=slug, figure=figure
                )
                for slug, figure in zip(slugs, figures, strict=True)
                if isinstance(figure, int)
            ),
            chance=chance,
            expected=dice * chance,
        )


def _hits(scene: Moment, way: OutcomeWay, unit: int, target: int) -> int:
    """Return the attacker's hits; for a volley at a point, hits on the target alone."""
    name, hits = scene.setup.units[target].name, 0
    for event in way.events:
        match event.facts:
            case Fired() | Struck() | VolleyConcentrated() as attack if event.unit == unit:
                hits += attack.successes
            case VolleyFell(struck=struck, hits=each):
                hits += sum(count for who, count in zip(struck, each, strict=True) if who == name)
    return hits


def morale_rows(event: Event) -> tuple[str, ...]:
    """Return the rows of the morale tables that an event names, which come last."""
    return event.because[event.because.index("emlia.morale.update") + 1 :]


def _fate(ways: Sequence[OutcomeWay], unit: int, at: int) -> UnitOutcome:
    """Return the outcome for a unit, the attacker (*at* 0) or the target (1)."""
    points, lost = [], []
    reasons: dict[str, Fraction] = {}
    for way in ways:
        mine = [event for event in way.events if event.unit == unit]
        tolls = [event.facts for event in mine if isinstance(event.facts, Losses)]
        points.append((sum(int(toll.points) for toll in tolls), way.chance))
        lost.append((sum(toll.lost for toll in tolls), way.chance))
        swayed = [event for event in mine if "emlia.morale.update" in event.because]
        for slug in dict.fromkeys(slug for event in swayed for slug in morale_rows(event)):
            reasons[slug] = reasons.get(slug, Fraction(0)) + way.chance
    return UnitOutcome(
        points=merge_equal(points),
        lost=merge_equal(lost),
        destroyed=sum((way.chance for way in ways if not way.left[at]), start=Fraction(0)),
        morale=merge_equal((way.morale[at], way.chance) for way in ways if way.left[at]),
        because=dict(sorted(reasons.items(), key=lambda one: (-one[1], one[0]))),
    )


_DEEDS = {
    "melee": "<strikes>", "aim": "<takes> aim and <fires> at", "fire": "<fires> at",
    "charge": "<charges>", "volley": "<fires> a volley at", "area": "<bombards>",
}  # fmt: skip
"""The words for an attacker's action; the verbs are marked for `emlia3d.rulekit.english`."""


def _text(odds: Odds, setup: Setup) -> str:
    """Return the answer in one paragraph."""
    names = ReportNames(setup)

    def does(name: str, words: str) -> str:
        row = setup.unit_of(name)
        return sentence(f"{names.unit(row)} {names.agreed(row, words)}")

    target = names.named(odds.target)
    told = [does(odds.attacker, f"{_DEEDS[odds.action]} {target} with {odds.weapon}")]
    if not odds.checks:
        told.append("The attack does not reach the enemy.")
    for check in odds.checks:
        dice = "1 die" if check.dice == 1 else f"{check.dice} dice"
        rolls = (
            f"<rolls> {dice} at {check.modifier:+d} against {names.named(check.target)}; "
            f"each succeeds at {percent(check.chance)}, {float(check.expected):.2f} on average"
        )
        told.append(does(check.unit, rolls))
    told.append(does(odds.attacker, f"<makes> {float(mean(odds.hits)):.2f} hits on average"))
    for name, fate in odds.fates.items():
        if not any(fate.points):
            continue
        suffers = (
            f"<takes> {float(mean(fate.points)):.2f} damage and <loses> "
            f"{float(mean(fate.lost)):.2f} on average, and <is> destroyed at "
            f"{percent(fate.destroyed)}"
        )
        told.append(does(name, suffers))
    for name, fate in odds.fates.items():
        if fate.morale:
            likely = max(fate.morale, key=lambda morale: (fate.morale[morale], morale))
            told.append(
                f"The morale of {names.named(name)} will most likely be {likely}, "
                f"{state_of(likely).name}, at {percent(fate.morale[likely])}."
            )
    return " ".join(told)
