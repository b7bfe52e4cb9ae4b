"""Procedures of casualties and morale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Add, Change, Fall, Leave, set_cells
from emlia3d.battle.decisions import Procedure
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.battle.state import State
from emlia3d.rules.oathmark.artillery import crew_left, is_engine_removed
from emlia3d.rules.oathmark.blocks import (
    Block,
    block_at,
    entry_of,
    figures_by_slot,
    last_rank,
    put,
)
from emlia3d.rules.oathmark.combat import losses_of, must_test_after_losses
from emlia3d.rules.oathmark.core import Rows, ranks_of, roll, total
from emlia3d.rules.oathmark.events import Broken, Hurt, MoraleTested
from emlia3d.rules.oathmark.morale import (
    Fled,
    after_failure,
    casualty_rows,
    chained,
    dice_for,
    passes,
    rows_for,
    who_panics,
)
from emlia3d.rules.oathmark.unit_set import house_of


@dataclass(frozen=True, slots=True)
class Casualties:
    """The losses of a unit by hits.

    fallen, left : number of figures, or of the crew of an engine
    lost : Health that counts in a test; for a unit of figures, the number that fell
    wounds : of the next figure to fall
    """

    fallen: int
    left: int
    lost: int
    wounds: int


def casualties_of(moment: Moment, unit: int, hits: int) -> Casualties:
    """Return the casualties from a number of hits."""
    entry, units = entry_of(moment.setup, unit), moment.state.units
    if entry.crew:
        crew = units.integer("crew", unit)
        left = crew_left(crew, hits)
        return Casualties(crew - left, left, crew - left, 0)
    members = units.integer("members", unit)
    fallen, wounds = losses_of(hits, members, entry.health, units.integer("wounds", unit))
    return Casualties(fallen, members - fallen, hits if entry.is_one else fallen, wounds)


def rows_after(moment: Moment, unit: int, losses: tuple[int, int], bonus: int) -> Rows:
    """Return the modifiers of a unit's test for its losses.

    losses : Health that counts, and figures that are left
    bonus : for a test that shooting has caused
    """
    entry, units = entry_of(moment.setup, unit), moment.state.units
    lost, left = losses
    alone, disordered = entry.is_one or bool(entry.crew), bool(units.value("disordered", unit))
    ranks = ranks_of(left, units.integer("files", unit), alone=alone)
    rows = casualty_rows(lost, ranks, entry.base, disordered=disordered, bonus=bonus)
    return rows_for(rows, unit_of_one=entry.is_one)


def lose(battle: Battle, unit: int, hits: int, because: str) -> Procedure[int]:
    """Apply hits to a unit; return the lost Health that counts in a test."""
    entry, state = entry_of(battle.setup, unit), battle.state
    if not hits:
        return 0
    found = casualties_of(battle, unit, hits)
    if entry.crew:
        gone = is_engine_removed(found.left, broken=False)
        changes = (
            *set_cells("unit", unit, crew=found.left),
            *((Leave(unit=unit),) if gone else ()),
        )
        points = entry.points if gone else 0.0
    else:
        wounds = set_cells("unit", unit, wounds=found.wounds)
        changes = (*wounds, *_fallen(state, unit, found.fallen))
        points = found.fallen * entry.points
    lost = () if not points else (_points(state, unit, points),)
    yield Event(
        facts=Hurt(hits=hits, fallen=found.fallen, left=found.left),
        unit=unit,
        gesture="suffer",
        because=(
            "oathmark.artillery.casualties" if entry.crew else "oathmark.combat.casualties",
            because,
        ),
        changes=(*changes, *lost),
        part_of_last=True,
    )
    return found.lost


def _points(state: State, unit: int, points: float) -> Change:
    side = state.units.integer("side", unit)
    return Add(table="side", row=side, column="lost", value=points)


def _fallen(state: State, unit: int, count: int) -> tuple[Change, ...]:
    """Return the changes for figures that fall, from the rear; the officer stays in front."""
    if not count:
        return ()
    figures, block = figures_by_slot(state, unit), block_at(state, unit)
    fall = Fall(unit=unit, figures=tuple(figures[-count:]))
    left = block.count - count
    if not left:
        return (fall,)
    after = Block(block.x, block.y, block.facing, left, block.files, block.width, block.depth)
    if left >= block.files:
        return (fall, *last_rank(unit, after, figures[:left]))
    (x, y), (u, v) = block.officer, after.officer
    return (fall, *put(unit, after.shifted(x - u, y - v), figures[:left]))


# Tests


def take_test(
    battle: Battle, unit: int, cause: str, rows: Rows, slug: str
) -> Procedure[tuple[bool, list[Fled]]]:
    """Test the morale of a unit; return whether it passed, and the unit if it broke.

    cause : in a word, for the event
    """
    entry = entry_of(battle.setup, unit)
    rows = rows_for(rows, unit_of_one=entry.is_one)
    faces = roll(battle.dice, slug, dice_for(battle, unit))
    disordered = bool(battle.state.units.value("disordered", unit))
    passed = passes(faces, total(rows), entry.activation)
    result = "passes" if passed else after_failure(disordered=disordered)
    changes = set_cells("unit", unit, disordered=1) if result == "is disordered" else ()
    yield Event(
        facts=MoraleTested(cause=cause, faces=faces, modifier=total(rows), result=result),
        unit=unit,
        gesture="none" if passed else "waver",
        because=(slug, *dict.fromkeys(slug for slug, _ in rows)),
        changes=changes,
    )
    if result != "breaks":
        return passed, []
    block, state = block_at(battle.state, unit), battle.state
    points = entry.points * state.units.integer("members", unit)
    yield Event(
        facts=Broken(),
        unit=unit,
        gesture="vanish",
        because=("oathmark.morale.broken",),
        changes=(_points(state, unit, points), Leave(unit=unit)),
    )
    return False, [(unit, block)]


def loss_tests(
    battle: Battle, losses: Sequence[tuple[int, int]], bonus: int
) -> Procedure[tuple[set[int], list[Fled]]]:
    """Test units for their losses in this order; return the failed and the broken units.

    losses : units, each with the figures or the Health that it lost
    bonus : for tests that shooting has caused
    """
    failed, fled = set[int](), list[Fled]()
    for unit, lost in losses:
        units = battle.state.units
        is_one = entry_of(battle.setup, unit).is_one
        per_point = is_one and house_of(battle.setup).unit_of_one_tests_per_point
        for _ in range(lost if per_point else 1):
            if not must_test_after_losses(lost, present=bool(units.value("present", unit))):
                break
            rows = rows_after(battle, unit, (lost, units.integer("members", unit)), bonus)
            passed, broken = yield from take_test(
                battle, unit, "casualties", rows, "oathmark.morale.test"
            )
            fled += broken
            if not passed:
                failed.add(unit)
    return failed, fled


def spread_panic(battle: Battle, fled: Sequence[Fled]) -> Procedure[None]:
    """Test friends of broken units, in the order in which these broke.

    A unit tests once for each broken unit in reach. A unit that breaks from panic also causes
    panic.
    """
    queue = chained((), fled)
    while queue:
        first, *rest = queue
        queue = tuple(rest)
        for unit in who_panics(battle, first):
            if battle.state.units.value("present", unit):
                _, broken = yield from take_test(battle, unit, "panic", (), "oathmark.morale.panic")
                queue = chained(queue, broken)
