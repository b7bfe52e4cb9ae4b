"""Fire lines between models, judged in batches, with reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.derived import Derived, Each
from emlia3d.battle.moment import Moment
from emlia3d.geometry.arrays import Floats
from emlia3d.geometry.openings import Openings, openings
from emlia3d.geometry.outline_crossings import Bools
from emlia3d.rules.rulebook import rule
from emlia3d.rules.runolfsson import elevation
from emlia3d.rules.runolfsson.contacts import models_of
from emlia3d.rules.runolfsson.core import SLACK, TOUCH, is_close_attack, multiplier
from emlia3d.rules.runolfsson.elevation import Ints
from emlia3d.rules.runolfsson.terrain import (
    Terrain,
    at_a_target_in_stream,
    out_of_a_stream,
    rock_blocks,
    terrain_of,
    tree_halves,
    wall_halves,
)

NARROW = 1.0
"""Minimum width of an opening for fire, inches."""


@dataclass(frozen=True, slots=True, eq=False)
class FireLineEnds:
    """Ends of fire lines, with their properties.

    unit : (ends,) the model; -1 for none
    spots, radius : of bases
    level, stream : of each centre; -1 is no stream
    piece, piece_at : (ends, pieces) whether the base touches each piece; (ends,) the piece that is
        the target, -1 for none
    edge, holds : (ends, contours) whether the base touches the edge of a contour, and is inside
    aloft : whether it is a jumper in flight, which contour edges do not hide
    """

    unit: Ints
    spots: Floats
    radius: Floats
    level: Ints
    stream: Ints
    piece: Bools
    piece_at: Ints
    edge: Bools
    holds: Bools
    aloft: Bools

    def __len__(self) -> int:
        return len(self.unit)

    def of(self, rows: Ints) -> FireLineEnds:
        """Return some of the ends, in this order."""
        return FireLineEnds(
            **{field.name: getattr(self, field.name)[rows] for field in fields(self)}
        )


@rule("runolfsson.geometry.primitives")
def ends_at(
    terrain: Terrain,
    spots: Floats,
    radius: Floats,
    *,
    unit: Sequence[int] | Ints | None = None,
    piece_at: Ints | None = None,
) -> FireLineEnds:
    """Return ends of fire lines, of models or of none.

    spots, radius, unit, piece_at : see `FireLineEnds`
    """
    none = np.full(len(spots), -1)
    reach = float(radius.max(initial=0.0)) + TOUCH + SLACK
    base = radius[:, None]
    return FireLineEnds(
        unit=none if unit is None else np.asarray(unit, dtype=np.int64),
        spots=spots,
        radius=radius,
        level=elevation.level_at(terrain.contours, spots),
        stream=terrain.stream_at(spots),
        piece=elevation.touches(terrain.outlines.distance(spots, reach) - base),
        piece_at=none if piece_at is None else piece_at,
        edge=elevation.touches(terrain.contours.distance(spots, reach, to_edge=True) - base),
        holds=terrain.contours.holds(spots),
        aloft=np.zeros(len(spots), dtype=np.bool_),
    )


def _all_ends(moment: Moment) -> FireLineEnds:
    models = models_of(moment)
    rows = np.arange(len(models.radius))
    return ends_at(terrain_of(moment), models.spots, models.radius, unit=rows)


ends_of = Derived(models_of, terrain_of, make=_all_ends)
"""The ends of all models at their positions, by row."""


_narrow: Each[int, Openings] = Each(models_of, terrain_of)


@rule("runolfsson.gap.minimum")
def narrow_openings(moment: Moment, side: int) -> Openings:
    """Return the openings that stop fire, between pieces of terrain and models of a side.

    The rows are of the pieces, then of the models of the side in their order.
    """
    known = _narrow(moment)
    if side not in known:
        terrain, models = terrain_of(moment), models_of(moment)
        friends = models.of_side(side)
        points = map(shapely.Point, models.spots[friends])
        shapes = np.array([*terrain.outlines.shapes, *points], dtype=np.object_)
        radius = np.concatenate((np.zeros(len(terrain.pieces)), models.radius[friends]))
        known[side] = openings(shapes, radius, NARROW)
    return known[side]


@dataclass(frozen=True, slots=True)
class Lines:
    """Judged fire lines, as columns (lines,).

    attacker, target : the ends
    gap : between bases, inches
    close : whether the two are in contact
    multiplier : of dice; 0 if there is no attack
    modifier : of contour edges
    stopped : the slug of the rule that stops it; "" if none does
    by : obstacle that stops it: a piece, or a model after all pieces; -1 for none
    bore : slugs of rules with the lines to which they applied
    """

    attacker: Ints
    target: Ints
    gap: Floats
    close: Bools
    multiplier: Floats
    modifier: Ints
    stopped: NDArray[np.str_]
    by: Ints
    bore: tuple[tuple[str, Bools], ...]

    def of(self, rows: Bools) -> Lines:
        """Return some of the lines, in this order."""
        bore = tuple((slug, on[rows]) for slug, on in self.bore)
        names = [field.name for field in fields(self) if field.name != "bore"]
        return Lines(bore=bore, **{name: getattr(self, name)[rows] for name in names})

    def because(self, line: int) -> tuple[str, ...]:
        """Return the rules that decided a line."""
        stopped = str(self.stopped[line])
        return (stopped,) if stopped else tuple(slug for slug, on in self.bore if on[line])


@rule("runolfsson.los.line")
def line_length(start: Floats, end: Floats, one: Floats, other: Floats) -> tuple[Floats, Floats]:
    """Return the lengths of segments between centres, and the gaps between the two bases."""
    length = np.hypot(*(end - start).T)
    return length, length - one - other


@rule("runolfsson.plunging.base")
def plunges(base: Floats, friend: Floats) -> Bools:
    """Return whether a model fires over a friend on a smaller base, by the diameters."""
    over: Bools = (base >= 1.5 - SLACK) & (friend <= base - 0.5 + SLACK)
    return over


@rule("runolfsson.through.friendly")
def friend_blocks(crossed: Bools, shot_over: Bools, touched: Bools, plunged: Bools) -> Bools:
    """Return whether a friendly model on the fire line stops it."""
    return crossed & ~shot_over & ~touched & ~plunged


@rule("runolfsson.through.hostile")
def may_stand_in_the_way(sides: NDArray[np.integer[Any]], attacker: int) -> Bools:
    """Return which models can block fire: those not hostile to the attacker."""
    friendly: Bools = sides == attacker
    return friendly


@rule("runolfsson.geometry.fire-algorithm", "runolfsson.geometry.vectors")
def judge(
    moment: Moment,
    one: FireLineEnds,
    attackers: Ints,
    other: FireLineEnds,
    targets: Ints,
    *,
    own_models: bool = True,
) -> Lines:
    """Judge fire lines of models of one side, without ranges.

    attackers, targets : (lines,) numbers of ends, of *one* and of *other*
    own_models : whether models of the attackers' side can block lines
    """
    judging = _Judging(moment, one.of(attackers), other.of(targets), own_models)
    judging.contours()
    judging.pieces()
    judging.friends()
    judging.openings()
    return judging.lines(attackers, targets)


class _Judging:
    """Lines during judging, rule by rule.

    a, t : the ends, (lines,)
    """

    def __init__(self, moment: Moment, a: FireLineEnds, t: FireLineEnds, own_models: bool) -> None:
        self.terrain, self.models, self.moment = terrain_of(moment), models_of(moment), moment
        self.a, self.t = a, t
        length, self.gap = line_length(a.spots, t.spots, a.radius, t.radius)
        self.length, self.near, self.far = length[:, None], a.radius[:, None], t.radius[:, None]
        self.way = (t.spots - a.spots) / np.maximum(self.length, SLACK)
        self.high = np.maximum(a.level, t.level)[:, None]
        self.stopped = np.full(len(a), "", dtype="U40")
        self.by = np.full(len(a), -1)
        self.side = int(self.models.side[a.unit[0]]) if len(a) and own_models else -1
        may_block = may_stand_in_the_way(self.models.side, self.side)
        self.rows = np.flatnonzero(self.models.there & may_block)

    def over(self, top: Ints, near: Floats, far: Floats) -> Bools:
        """Return (lines, things) whether fire passes over things with these edges."""
        edges = [(at - self.near, self.length - at - self.far) for at in (near, far)]
        levels = self.a.level[:, None], self.t.level[:, None]
        over: Bools = elevation.over(*levels, top, *edges)
        return over

    @rule("runolfsson.los.order")
    def stop(self, lines: Any, slug: str | NDArray[np.str_], by: Ints | int = -1) -> None:
        """Stop lines that no earlier rule has stopped."""
        fresh = np.equal(self.stopped, "") & lines
        self.stopped = np.where(fresh, slug, self.stopped)
        self.by = np.where(fresh, by, self.by)

    def stop_by(self, blocks: Bools, slug: str, numbers: Ints) -> None:
        """Stop lines by the first obstacle, (lines, things), that blocks each."""
        if blocks.shape[1]:
            self.stop(blocks.any(axis=1), slug, numbers[blocks.argmax(axis=1)])

    def contours(self) -> None:
        """Judge contour edges, and the ground between."""
        a, t, levels = self.a, self.t, self.terrain.levels
        cross = self.terrain.contours.crossed(a.spots, t.spots)
        down = (a.level > t.level)[:, None]
        one_side = a.holds ^ t.holds
        own = one_side & (levels == self.high)
        to_crossing = np.where(down, cross.first - self.near, self.length - cross.last - self.far)
        at_edge = elevation.at_its_edge(own & np.where(down, a.edge, t.edge), to_crossing)
        foot = (own & np.where(down, t.edge, a.edge)).any(axis=1)
        at_foot = elevation.at_the_foot(np.minimum(a.level, t.level), self.high[:, 0], foot)
        allowed = elevation.may_fire_across(a.level, t.level, at_edge.any(axis=1), at_foot)
        slugs = ("runolfsson.contour.down", "runolfsson.contour.fired-upon")
        self.stop(~(allowed | t.aloft), np.where(down[:, 0], *slugs))
        terrace = one_side & elevation.is_terrace(a.level[:, None], t.level[:, None], levels)
        blocks = elevation.blocked_by_ground(
            np.where(terrace, np.isfinite(cross.first), cross.through),
            (a.holds | t.holds) & ~terrace,
            self.high,
            levels,
            self.over(
                levels,
                np.where(terrace, cross.first, cross.near),
                np.where(terrace, cross.last, cross.far),
            ),
        )
        self.stop(blocks.any(axis=1), "runolfsson.elevation.ground-between")
        edges = one_side & (levels > np.minimum(a.level, t.level)[:, None]) & t.edge
        self.edge = elevation.edge_modifier(a.level, t.level, edges.any(axis=1))

    def pieces(self) -> None:
        """Judge pieces of terrain on the line."""
        a, t, kinds = self.a, self.t, self.terrain.kinds
        cross = self.terrain.outlines.crossed(a.spots, t.spots)
        numbers = np.arange(len(kinds))
        self.itself = numbers == t.piece_at[:, None]
        on, shot_over = (
            cross.through & ~self.itself,
            self.over(self.terrain.tops, cross.near, cross.far),
        )
        self.stop_by(
            rock_blocks(on & (kinds == "rock"), shot_over), "runolfsson.rock.block", numbers
        )
        green = self.terrain.green
        self.halved = tree_halves(on & (green | (kinds == "smoke")), shot_over, a.piece)
        self.behind = wall_halves(on & (kinds == "wall"), shot_over, t.piece, a.piece)
        self.close = is_close_attack(self.gap) & ~(on & green).any(axis=1)

    def friends(self) -> None:
        """Judge friendly models on the line."""
        radius = self.models.radius[self.rows]
        self.tops = ends_of(self.moment).level[self.rows] + elevation.height_of("model")
        x, y = (self.models.spots[self.rows][None] - self.a.spots[:, None]).transpose(2, 0, 1)
        along = x * self.way[:, :1] + y * self.way[:, 1:]
        off = y * self.way[:, :1] - x * self.way[:, 1:]
        half = np.sqrt(np.maximum(radius**2 - off**2, 0.0))
        own = self.rows == self.a.unit[:, None]
        on = (half > SLACK) & (along + half > 0) & (along - half < self.length) & ~own
        touched = elevation.touches(np.hypot(x, y) - self.near - radius)
        plunged = plunges(2 * self.near, 2 * radius)
        shot_over = self.over(self.tops, along - half, along + half)
        blocks = friend_blocks(on, shot_over, touched, plunged)
        self.stop_by(blocks, "runolfsson.through.friendly", len(self.terrain.pieces) + self.rows)
        self.plunged = (on & plunged & ~touched & ~shot_over).any(axis=1)
        self.free = np.concatenate((self.a.piece | self.itself, touched | plunged | own), axis=1)

    def openings(self) -> None:
        """Judge openings between obstacles that are not shot over, touched or plunged over."""
        narrow = narrow_openings(self.moment, self.side)
        at = narrow.crossed(self.a.spots, self.t.spots)
        tops = np.concatenate((self.terrain.tops, self.tops))
        shut = np.isfinite(at)
        for things in narrow.between.T:
            shut &= ~self.over(tops[things], at, at) & ~self.free[:, things]
        self.stop_by(shut, "runolfsson.gap.minimum", np.full(len(narrow), -1))

    def lines(self, attackers: Ints, targets: Ints) -> Lines:
        """Return the judged lines, with multipliers of streams."""
        wet = at_a_target_in_stream(self.a.stream, self.t.stream)
        out = out_of_a_stream(self.a.stream, self.t.stream)
        halvings = self.halved.sum(axis=1) + self.behind.sum(axis=1)
        fire = ~self.close
        uphill = elevation.uphill_modifier(self.a.level, self.t.level)
        dice = np.where(self.stopped == "", multiplier((wet, out, 0.5**halvings)), 0.0)
        return Lines(
            attacker=attackers,
            target=targets,
            gap=self.gap,
            close=self.close,
            multiplier=np.where(fire, dice, 1.0),
            modifier=np.where(fire, self.edge, uphill),
            stopped=np.where(fire, self.stopped, ""),
            by=np.where(fire, self.by, -1),
            bore=(
                ("runolfsson.contour.contact", self.close & (uphill != 0)),
                ("runolfsson.contour.minus-one", fire & (self.edge != 0)),
                ("runolfsson.tree.half", fire & self.halved.any(axis=1)),
                ("runolfsson.wall.half", fire & self.behind.any(axis=1)),
                ("runolfsson.stream.double", fire & (wet != 1)),
                ("runolfsson.stream.half", fire & (out != 1)),
                ("runolfsson.plunging.base", fire & self.plunged),
            ),
        )
