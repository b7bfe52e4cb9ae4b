"""Answers: sight with reasons, odds of shooting, and ranges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from shapely import MultiPolygon

from emlia3d.battle.facts import BattleFacts
from emlia3d.battle.formatting import percent
from emlia3d.battle.moment import Moment
from emlia3d.battle.questions.answer import Hindrance, SightAnswer, SightLine
from emlia3d.battle.questions.area import (
    NONE,
    TOTAL,
    Floats,
    Observer,
    PointVisibility,
    Progress,
    silent,
)
from emlia3d.battle.questions.cohesion import Cohesion, FormationTag
from emlia3d.battle.questions.odds import CheckOdds, Odds
from emlia3d.battle.questions.options import Place
from emlia3d.battle.questions.ranges import Range
from emlia3d.field.hexes import OBSTRUCTION, HexBoard, HinderedPoint, TileSight, union_of_tiles
from emlia3d.rulekit.deployment import waiting
from emlia3d.rulekit.english import counted, listed
from emlia3d.rulekit.odds import added, at_least, successes
from emlia3d.rules.epic.core import chance, tiles_apart
from emlia3d.rules.epic.formations import (
    LONGEST_LINK,
    capacity_left,
    enemies_of,
    is_broken,
    kind_of,
    shock_of,
    title_of,
    units_of,
)
from emlia3d.rules.epic.movement import zone_of_control
from emlia3d.rules.epic.overwatch import is_on_overwatch
from emlia3d.rules.epic.shooting import expected_fire
from emlia3d.rules.epic.sight import EYE, eyes_of, is_clear, sight_between, sight_on
from emlia3d.rules.epic.terrain import terrain_of, terrain_on
from emlia3d.rules.epic.unit_set import formation_of
from emlia3d.rules.epic.words import formation_name

RULES = "epic"
"""The name of the rule system."""

MOST_TILES = 40_000
"""Maximum number of tiles over a field of other rules."""


def sight_answer(moment: Moment, observer: int, target: int) -> SightAnswer:
    """Return what one unit sees of another, with the tiles that decide."""
    units = units_of(moment)
    eyes = eyes_of(moment, [observer]), eyes_of(moment, [target])
    ends = units.tile[observer], units.tile[target]
    sight = sight_between(moment, *ends, eyes)
    names = tuple(moment.setup.units[row].name for row in (observer, target))
    return _answer(sight, names, ends)


def sight_abroad(facts: BattleFacts, observer: int, target: int, damage: int = 0) -> SightAnswer:
    """Return what one unit sees of another in a battle of other rules.

    The field is divided into tiles, as small as `MOST_TILES` allows, and each unit is in the tile
    of its centre.
    """
    across = 1.0
    while facts.field.size[0] * facts.field.size[1] / across**2 > MOST_TILES:
        across *= 2
    board = HexBoard.covering(facts.field.size, across)
    terrain = terrain_on(facts.field, board)
    both = [facts.units[row] for row in (observer, target)]
    middles = [unit.outline.centroid.coords[0] for unit in both]
    centres = board.grid.centres(board.tiles)
    ends = [board.tiles[((centres - middle) ** 2).sum(axis=1).argmin()] for middle in middles]
    sight = sight_on(terrain, [], *ends)
    told = f" Tiles of {across:g} GSU are laid over the field."
    return _answer(sight, tuple(unit.name for unit in both), ends, told)


def _answer(
    sight: TileSight,
    names: tuple[str, ...],
    ends: Sequence[NDArray[np.int64]],
    told: str = "",
) -> SightAnswer:
    features, stops = int(sight.features[0]), int(sight.obstructions[0])
    sees = bool(is_clear(features, stops)[()])
    points = sight.hindered(0)
    verdict = f"{counted(features, 'feature')} between" if not stops else "obstructed"
    where = f" ({listed([_named(point) for point in points])})" if points else ""
    state = "clear" if sees else "blocked"
    grid = sight.board.grid
    starts = [(float(x), float(y)) for x, y in map(grid.centres, ends)]
    because = "epic.los.obstructing" if stops else "epic.los.features"
    return SightAnswer(
        observer=names[0],
        target=names[1],
        rules=RULES,
        distance=float(tiles_apart(*ends)) * grid.across,
        line_of_sight=sees,
        because=(because,) if points else ("epic.los.line",),
        text=f"The line from {names[0]} to {names[1]} is {state}: {verdict}{where}; two features "
        f"or one obstruction would block.{told}",
        verdict=verdict,
        degree=float(sees),
        lines=(
            SightLine(
                start=starts[0],
                end=starts[1],
                clear=sees,
                stopped_by=None if sees else _named(points[-1]),
            ),
        ),
        hindrances=tuple(_hindrance(sight.board, point) for point in points),
    )


def _hindrance(board: HexBoard, point: HinderedPoint) -> Hindrance:
    """Return a point at which a line is hindered, with the outlines of its tiles."""
    corners = board.grid.corners(point.tiles).tolist()
    return Hindrance(
        name=_named(point),
        blocks=point.hindrance >= OBSTRUCTION,
        outlines=tuple(tuple((float(x), float(y)) for x, y in each) for each in corners),
    )


def _named(point: HinderedPoint) -> str:
    tiles = " and ".join(f"{q},{r}" for q, r in point.tiles)
    return f"tile {tiles}" if point.hindrance < OBSTRUCTION else f"obstructing tile {tiles}"


def sight_area(
    moment: Moment,
    post: Observer,
    spots: Floats,
    height: float,
    reverse: bool,
    progress: Progress = silent,
) -> PointVisibility:
    """Return whether an observer sees a unit on the tile of each point, or the reverse.

    Tiles off the board are not seen. Each tile is judged once.
    """
    units, grid = units_of(moment), terrain_of(moment).board.grid
    here = grid.tiles_at(post.place) if post.unit is None else units.tile[post.unit]
    eye = EYE if post.unit is None else float(eyes_of(moment, [post.unit])[0])
    tiles, which = np.unique(grid.tiles_at(spots), axis=0, return_inverse=True)
    levels = np.full(len(tiles), TOTAL, dtype=np.uint8)
    on_board = np.flatnonzero(units.board.holds(tiles) & units.board.holds(here))
    because, hides = Counter[str](), Counter[str]()
    if len(on_board):
        start, end, eyes = here, tiles[on_board], (eye, EYE)
        if reverse:
            start, end, eyes = end, start, (EYE, eye)
        sight = sight_between(moment, start, end, eyes)
        clear = is_clear(sight.features, sight.obstructions)
        levels[on_board] = np.where(clear, NONE, TOTAL)
        stopped, open_ = int((~clear).sum()), int(clear.sum())
        because.update({"epic.los.features": stopped, "epic.los.line": open_})
    progress(1.0)
    return PointVisibility(levels[which.reshape(-1)], because, hides)


def odds_of_shooting(
    moment: Moment, attacker: int, target: int, modifier: int, action: str
) -> Odds:
    """Return the exact probabilities of a formation's hits on another.

    Each weapon uses its better value; partial cover is not ignored.

    modifier : of the action
    """
    setup = moment.setup
    leader, foe = formation_of(setup, attacker), formation_of(setup, target)
    fire = expected_fire(moment, leader, foe, modifier)
    names = setup.units[leader].name, setup.units[foe].name
    checks, spreads = [], [{0: Fraction(1)}]
    for gun, need in fire.guns:
        share, dice = chance(need), gun.weapon.shots
        checks.append(
            CheckOdds(
                unit=setup.units[gun.unit].name, target=names[1], dice=dice,
                modifier=fire.modifier, rows=(), chance=share, expected=dice * share,
            )
        )  # fmt: skip
        spreads.append(dict(successes(dice, share)))
    hits = added(*spreads)
    refusal = None if fire.guns else "no weapon in range and sight (epic.shoot.who)"
    likely = percent(float(at_least(hits, 1)))
    told = f"{likely} for a hit or more, with {counted(len(fire.guns), 'weapon')}"
    return Odds(
        rules=RULES,
        attacker=names[0],
        target=names[1],
        action=action,
        weapon=None,
        refusal=refusal,
        checks=tuple(checks),
        hits=hits,
        fates={},
        decisions=(),
        text=f"{names[0]} at {names[1]}: {refusal or told}.",
    )


def cohesion_of(moment: Moment, unit: int) -> Cohesion:
    """Return the shortest links that join a unit's formation, and enemy zones."""
    units, leader = units_of(moment), formation_of(moment.setup, unit)
    side = moment.state.units.integer("side", unit)
    rows = units.of_formation(leader)
    gaps = units.gaps(rows, rows)
    joined, pairs = rows[:1], list[tuple[int, int, int]]()
    while len(joined) < len(rows):
        found = (
            (int(gaps[rows.index(one), at]), one, other)
            for one in joined
            for at, other in enumerate(rows)
            if other not in joined
        )
        pairs.append(min(found))
        joined.append(pairs[-1][2])
    return Cohesion(
        links=tuple((one, other) for gap, one, other in pairs if gap <= LONGEST_LINK),
        broken=tuple((one, other) for gap, one, other in pairs if gap > LONGEST_LINK),
        zones=_outlines(moment, side),
    )


def _outlines(moment: Moment, side: int) -> tuple[tuple[Place, ...], ...]:
    """Return the outlines of zones of control around enemies of a side."""
    units, zone = units_of(moment), zone_of_control(moment, side)
    if not zone.any():
        return ()
    board = units.board
    foes = [row for row in enemies_of(moment, side)
            if not is_broken(moment, formation_of(moment.setup, row))]  # fmt: skip
    zone[units.number[foes]] = True
    whole = union_of_tiles(board.grid, board.tiles[zone].tolist())
    parts = whole.geoms if isinstance(whole, MultiPolygon) else (whole,)
    return tuple(tuple((x, y) for x, y in part.exterior.coords[:-1]) for part in parts)


def formation_tags(moment: Moment) -> tuple[FormationTag, ...]:
    """Return the tags of the formations with units on the field: units left, Shock and state."""
    units = units_of(moment)
    return tuple(_tag(moment, leader) for side in (0, 1) for leader in units.formations(side))


def _tag(moment: Moment, leader: int) -> FormationTag:
    setup, units = moment.setup, units_of(moment)
    rows = units.of_formation(leader)
    began, left = 1 + len(setup.followers_of(leader)), len(units.with_carried(rows))
    broken = is_broken(moment, leader)
    shock, watching = shock_of(moment, leader), not broken and is_on_overwatch(moment, leader)
    count = f"{left}" if left == began else f"{left} of {began}"
    told = (
        "" if began == 1 else f"{count} units",
        f"Shock {shock}" if shock else "",
        "broken" if broken else "",
        "overwatch" if watching else "",
    )
    return FormationTag(
        units=tuple(rows),
        name=formation_name(setup, leader),
        text=", ".join(filter(None, told)),
        left=None if began == 1 else left / began,
        sign="broken" if broken else "watching" if watching else "",
    )


def outline_of(board: HexBoard, tiles: NDArray[np.int64]) -> tuple[Place, ...]:
    """Return the corners of the largest part of some tiles, GSU; () for no tiles."""
    if not len(tiles):
        return ()
    whole = union_of_tiles(board.grid, tiles.tolist())
    parts = whole.geoms if isinstance(whole, MultiPolygon) else (whole,)
    largest = max(parts, key=lambda part: part.area)
    return tuple((x, y) for x, y in largest.exterior.coords[:-1])


def ranges_of(moment: Moment, unit: int) -> tuple[Range, ...]:
    """Return the ranges of a unit's weapons and its move, GSU."""
    entry = kind_of(moment, unit)
    limits = tuple(sorted({float(gun.range) for gun in entry.guns}))
    fire = (Range(what="fire", limits=limits),) if limits else ()
    return (*fire, Range(what="move", limits=(float(entry.speed),), sighted=False))


def card_of(moment: Moment, unit: int) -> tuple[tuple[str, str], ...]:
    """Return the values of a unit and its formation, with labels."""
    entry, leader = kind_of(moment, unit), formation_of(moment.setup, unit)
    units, setup, state = units_of(moment), moment.setup, moment.state.units
    weapons = [
        f"{gun.name} {gun.range}: {gun.ap or '-'}/{gun.at or '-'}/{gun.mw or '-'}"
        for gun in entry.guns
    ]
    rides = [setup.units[row].name for row in units.carried_by(unit)]
    carrier = int(units.carrier[unit])
    waits = [row for row in waiting(moment) if units.leader[row] == leader]
    left = len(units.with_carried(units.of_formation(leader) + waits))
    tile = "to be deployed" if unit in waits else title_of(moment, unit)
    broken = ", broken" if is_broken(moment, leader) else ""
    return (
        ("unit", f"{setup.units[unit].name}, {entry.name} ({entry.unit_type})"),
        ("tile", tile if carrier < 0 else f"in {setup.units[carrier].name}"),
        ("values", f"speed {entry.speed}, save {entry.save}, CC {entry.cc}, FF {entry.ff}"),
        ("weapons", ", ".join(weapons) or "small arms"),
        ("damage left", str(capacity_left(moment, unit))),
        *((("carries", listed(rides) or "no unit"),) if entry.carry else ()),
        ("formation", f"{counted(left, 'unit')}, Shock {shock_of(moment, leader)}{broken}"),
        ("overwatch", "yes" if state.integer("overwatch", leader) else "no"),
    )
