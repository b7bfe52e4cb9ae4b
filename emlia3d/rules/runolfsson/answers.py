"""Answers: sight with its reasons, odds, and ranges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import pi, sqrt

import numpy as np

from emlia3d.battle.facts import BattleFacts
from emlia3d.battle.formatting import percent
from emlia3d.battle.moment import Moment
from emlia3d.battle.questions.answer import SightAnswer, SightLine
from emlia3d.battle.questions.area import (
    NONE,
    PARTIAL,
    TOTAL,
    Observer,
    PointVisibility,
    Progress,
    silent,
)
from emlia3d.battle.questions.odds import CheckOdds, Odds, Spread, UnitOutcome
from emlia3d.battle.questions.ranges import Range
from emlia3d.battle.system import System
from emlia3d.field import Scale
from emlia3d.geometry.arrays import Floats
from emlia3d.rulekit.attack_odds import refused
from emlia3d.rulekit.english import listed
from emlia3d.rulekit.foreign_battles import mustered, taken_over
from emlia3d.rulekit.odds import added, at_least, mapped, successes, then
from emlia3d.rules.runolfsson.attack import pools, standing_shots
from emlia3d.rules.runolfsson.columns import Marker
from emlia3d.rules.runolfsson.contacts import entry_of, models_of, touching
from emlia3d.rules.runolfsson.core import chance, divided_fire, fraction, has_a_shot, joined, whole
from emlia3d.rules.runolfsson.fire_line import Lines, ends_at, ends_of, judge
from emlia3d.rules.runolfsson.movement import allowance
from emlia3d.rules.runolfsson.terrain import terrain_of
from emlia3d.rules.runolfsson.unit_set import LARGEST_BASE, SMALLEST_BASE, Entry

FIGURE_M = 1.8
"""Metres per inch, which is the height of a figure and of a level."""

BATCH = 4096
"""Number of points of an area in a batch."""

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


def answer(moment: Moment, observer: int, target: int) -> SightAnswer:
    """Return what one model sees of another: its fire line."""
    line = line_between(moment, observer, target)
    sees, models = bool(line.multiplier[0] > 0), models_of(moment)
    one, other = (moment.setup.units[row].name for row in (observer, target))
    stopped = _stopped_by(moment, line, 0) or ""
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
    return SightAnswer(
        observer=one,
        target=other,
        rules=moment.system.name,
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


def _stopped_by(moment: Moment, lines: Lines, line: int) -> str | None:
    """Return the name of the feature or model that stops a line; None if none does."""
    by, pieces = int(lines.by[line]), terrain_of(moment).pieces
    if by < 0:
        return None
    return pieces[by].name if by < len(pieces) else moment.setup.units[by - len(pieces)].name


def sight_area(
    moment: Moment,
    post: Observer,
    spots: Floats,
    height: float,
    reverse: bool,
    progress: Progress = silent,
) -> PointVisibility:
    """Return what an observer sees of a model on a base of one inch at each point, or the reverse.

    A point at which half the dice apply is partially concealed. Ranges do not count.
    """
    del height
    terrain, ends = terrain_of(moment), ends_of(moment)
    if post.unit is None:
        here = ends_at(terrain, np.array([post.place]), np.array([0.5]))
    else:
        here = ends.of(np.array([post.unit]))
    levels = np.empty(len(spots), dtype=np.uint8)
    because, hides = Counter[str](), Counter[str]()
    for first in range(0, len(spots), BATCH):
        part = spots[first : first + BATCH]
        count = len(part)
        there = ends_at(terrain, part, np.full(count, 0.5))
        at, each = np.zeros(count, dtype=np.int64), np.arange(count)
        known = post.unit is not None and not reverse
        pairs = (there, each, here, at) if reverse else (here, at, there, each)
        lines = judge(moment, *pairs, own_models=known)
        whole = np.where(lines.multiplier >= 1, NONE, PARTIAL)
        levels[first : first + count] = np.where(lines.multiplier > 0, whole, TOTAL)
        because.update(slug for line in range(count) for slug in lines.because(line))
        hides.update(
            name for line in range(count) if (name := _stopped_by(moment, lines, line)) is not None
        )
        progress((first + count) / len(spots))
    return PointVisibility(levels, because, hides)


def abroad(system: System, facts: BattleFacts) -> Moment:
    """Return a battle of other rules with each unit as one model, in inches.

    The base of the model is as large as the unit's boundary, within the range of base sizes.
    """
    factor = facts.field.scale.metres_per_gsu / FIGURE_M
    field = facts.field.measured_by(Scale(FIGURE_M, facts.field.scale.metres_per_height))
    # A height unit becomes a level, regardless of metres.
    board = replace(field, scale=Scale(FIGURE_M, FIGURE_M))
    units = []
    for unit in facts.units:
        wide = 2 * factor * sqrt(unit.outline.area / pi)
        base = min(max(wide, SMALLEST_BASE), LARGEST_BASE)
        entry = Entry(name=unit.name, base=base, move=0, attack=1, save=0, range=200)
        x, y = unit.outline.centroid.coords[0]
        units.append(mustered(unit, entry, board, (x * factor, y * factor)))
    return taken_over(system, facts, board, units)


def ranges_of(moment: Moment, unit: int) -> tuple[Range, ...]:
    """Return the range and the move of a model; a routed model has none."""
    if moment.state.units.integer("marker", unit) == Marker.ROUTED:
        return ()
    entry = entry_of(moment.setup, unit)
    fire = (Range(what="fire", limits=(entry.range,)),) if entry.range else ()
    rate = allowance(moment, unit)
    move = (Range(what="move", limits=(rate,), sighted=False, over_ground=True),) if rate else ()
    return (*fire, *move)


def odds_of(moment: Moment, attackers: Sequence[int], target: int) -> Odds:
    """Return the odds of an attack of models on another, if each uses all its dice."""
    side = moment.state.units.integer("side", attackers[0])
    open_to = {s.attacker: s for s in standing_shots(moment, side) if s.target == target}
    shots = [open_to[row] for row in attackers if row in open_to]
    dice = pools(moment, shots)
    if not has_a_shot(dice):
        told = "no line of fire, or no whole die (runolfsson.dice.no-shot)"
        return refused(moment, attackers, target, "attack", told)
    names = [unit.name for unit in moment.setup.units]
    rolled = [(whole(pool), modifier) for pool, modifier in dice]
    # Joined dice belong to the first model with a fraction of a die.
    parts = (shot for shot, (pool, _) in zip(shots, dice, strict=True) if fraction(pool))
    rolls = zip((*shots, next(parts, shots[0])), (*rolled, joined(dice)), strict=True)
    melee = len(touching(moment, target))
    hits = added(
        *(
            successes(divided_fire(count, 0 if shot.close else melee)[0], chance(modifier))
            for shot, (count, modifier) in rolls
        )
    )
    fate, own = _fate(moment, target, hits), listed([names[row] for row in attackers])
    likely = percent(float(at_least(hits, 1))), percent(float(fate.destroyed))
    return Odds(
        rules=moment.system.name,
        attacker=own,
        target=names[target],
        action="attack",
        checks=tuple(
            CheckOdds(
                unit=names[shot.attacker], target=names[target], dice=count, modifier=modifier,
                chance=chance(modifier), expected=count * chance(modifier),
            )
            for shot, (count, modifier) in zip(shots, rolled, strict=True)
        ),
        hits=hits,
        fates={names[target]: fate},
        text=f"{own} against {names[target]}: {likely[0]} to hit, {likely[1]} to destroy.",
    )  # fmt: skip


def _fate(moment: Moment, target: int, hits: Spread) -> UnitOutcome:
    units = moment.state.units
    save, left = units.integer("save", target), units.integer("hits_left", target)
    saves = successes(save, chance(0))
    through = then(hits, lambda count: mapped(saves, lambda saved: max(count - saved, 0)))
    gone = at_least(through, left)
    kept = {0: 1 - gone}
    return UnitOutcome(
        points=mapped(through, lambda lost: min(lost, left)),
        lost={**kept, **({1: gone} if gone else {})},
        destroyed=gone,
        morale=kept,
        because={},
    )
