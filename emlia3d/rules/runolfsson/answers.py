"""Answers: sight with its reasons, odds, and ranges."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from emlia3d.battle.moment import Moment
from emlia3d.battle.questions.answer import Answer, SightLine
from emlia3d.battle.questions.odds import CheckOdds, Odds, Spread, UnitOutcome
from emlia3d.battle.questions.ranges import Range
from emlia3d.battle.words import percent
from emlia3d.rulekit.english import listed
from emlia3d.rulekit.odds import added, at_least, mapped, successes, then
from emlia3d.rules.runolfsson.attack import pools, standing_shots
from emlia3d.rules.runolfsson.core import chance, divided_fire, has_a_shot, joined, whole
from emlia3d.rules.runolfsson.fire_line import Lines, ends_of, judge
from emlia3d.rules.runolfsson.models import entry_of, models_of, touching
from emlia3d.rules.runolfsson.movement import allowance
from emlia3d.rules.runolfsson.terrain import terrain_of

_WORDS = {
    "runolfsson.contour.down": "it stands back from the edge of higher ground",
    "runolfsson.contour.fired-upon": "the target stands back from the edge of higher ground",
    "runolfsson.elevation.ground-between": "higher ground lies between",
    "runolfsson.rock.block": "a rock is in the way",
    "runolfsson.through.friendly": "a friendly model is in the way",
    "runolfsson.gap.minimum": "the line leads through an opening of less than 1 inch",
}


def line_between(moment: Moment, observer: int, target: int) -> Lines:
    """Return the fire line from one model to another."""
    ends = ends_of(moment)
    return judge(moment, ends, np.array([observer]), ends, np.array([target]))


def answer(moment: Moment, rules: str, observer: int, target: int) -> Answer:
    """Return what one model sees of another: its fire line."""
    line = line_between(moment, observer, target)
    sees, models = bool(line.multiplier[0] > 0), models_of(moment)
    one, other = (moment.setup.units[row].name for row in (observer, target))
    stopped = _stopped_by(moment, line)
    dice = _dice(line)
    reason = _WORDS.get(str(line.stopped[0]), "")
    edge = f" at {int(line.modifier[0]):+d}" if line.modifier[0] else ""
    told = (
        f"{one} may not fire at {other}: {reason}{stopped and f' ({stopped})'}."
        if not sees
        else f"{one} and {other} are in contact."
        if line.close[0]
        else f"{one} may fire at {other} with {dice}{edge}."
    )
    return Answer(
        observer=one,
        target=other,
        rules=rules,
        distance=max(float(line.gap[0]), 0.0),
        line_of_sight=sees,
        because=line.because(0) or ("runolfsson.los.line",),
        text=told,
        verdict=dice if sees else "",
        degree=min(float(line.multiplier[0]), 1.0),
        lines=(
            SightLine(
                start=models.spot(observer),
                end=models.spot(target),
                clear=sees,
                stopped_by=None if sees else stopped or "ground",
            ),
        ),
    )


def _dice(line: Lines) -> str:
    known = {1.0: "all its dice", 2.0: "twice its dice", 0.5: "half its dice"}
    return known.get(float(line.multiplier[0]), "a quarter of its dice")


def _stopped_by(moment: Moment, line: Lines) -> str:
    """Return the name of the piece or model that stops a line; "" for none."""
    by = int(line.by[0])
    names = [piece.name for piece in terrain_of(moment).pieces]
    names += [unit.name for unit in moment.setup.units]
    return names[by] if by >= 0 else ""


def ranges_of(moment: Moment, unit: int) -> tuple[Range, ...]:
    """Return the range and the move of a model."""
    entry = entry_of(moment.setup, unit)
    fire = (Range(what="fire", limits=(entry.range,)),) if entry.range else ()
    rate = allowance(moment, unit)
    move = (Range(what="move", limits=(rate,), sighted=False, over_ground=True),) if rate else ()
    return (*fire, *move)


def odds_of(moment: Moment, rules: str, attackers: Sequence[int], target: int) -> Odds:
    """Return what may come of an attack of models on another, if each uses all its dice."""
    side = moment.state.units.integer("side", attackers[0])
    names = [moment.setup.units[row].name for row in (*attackers, target)]
    shots = [
        shot
        for shot in standing_shots(moment, side)
        if shot.attacker in attackers and shot.target == target
    ]
    dice, count = (
        pools(moment, shots),
        1 + (0 if shots and shots[0].close else len(touching(moment, target))),
    )
    checks, rolled = [], list(map(whole, (pool for pool, _ in dice)))
    for shot, own, (_, modifier) in zip(shots, rolled, dice, strict=True):
        checks.append(_check(moment, shot.attacker, target, own, modifier))
    extra, worst = joined(dice)
    spreads = [
        successes(divided_fire(own, count - 1)[0], chance(modifier))
        for own, modifier in [*zip(rolled, (m for _, m in dice), strict=True), (extra, worst)]
    ]
    hits = added(*spreads)
    refusal = (
        None if has_a_shot(dice) else "no line of fire, or no whole die (runolfsson.dice.no-shot)"
    )
    fate = _fate(moment, target, hits)
    told = (
        f"{percent(float(at_least(hits, 1)))} to hit, {percent(float(fate.destroyed))} to destroy"
    )
    return Odds(
        rules=rules,
        attacker=listed(names[:-1]),
        target=names[-1],
        action="attack",
        weapon=None,
        refusal=refusal,
        checks=tuple(checks),
        hits=hits,
        fates={names[-1]: fate},
        decisions=(),
        text=f"{listed(names[:-1])} against {names[-1]}: {refusal or told}.",
    )


def _check(moment: Moment, attacker: int, target: int, dice: int, modifier: int) -> CheckOdds:
    share = chance(modifier)
    units = moment.setup.units
    return CheckOdds(
        unit=units[attacker].name,
        target=units[target].name,
        dice=dice,
        modifier=modifier,
        rows=(),
        chance=share,
        expected=dice * share,
    )


def _fate(moment: Moment, target: int, hits: Spread) -> UnitOutcome:
    units = moment.state.units
    save, left = units.integer("save", target), units.integer("hits_left", target)
    saves = successes(save, chance(0))
    through = then(hits, lambda count: mapped(saves, lambda saved: max(count - saved, 0)))
    gone = at_least(through, left)
    kept = {0: 1 - gone} if gone < 1 else {}
    return UnitOutcome(
        points=mapped(through, lambda lost: min(lost, left)),
        lost={**kept, **({1: gone} if gone else {})},
        destroyed=gone,
        morale=kept,
        because={},
    )
