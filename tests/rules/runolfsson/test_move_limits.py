"""Limits of moves: who moves and runs, how far, and what is left; at places off the diagonal."""

from __future__ import annotations

from math import atan2, degrees, hypot, inf
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Place
from emlia3d.battle.decisions import Decision, Order
from emlia3d.force.facing import degrees_of
from emlia3d.rules.runolfsson.base_paths import centre, leg_to, moved, place, start_walk, waded
from emlia3d.rules.runolfsson.columns import Phase, Turn
from emlia3d.rules.runolfsson.contacts import entry_of
from emlia3d.rules.runolfsson.movement import (
    ModelMoves,
    allowance,
    carry_out,
    leads_to_leader,
    make_move,
    may_move,
    moves,
)
from emlia3d.rules.runolfsson.running import may_run
from tests.rules.carrying import carry
from tests.rules.runolfsson.tables import cell, feature, put, set_phase, table
from tests.rules.runolfsson.walking import FAR, spot, to

BLUE = {"side": "Blue"}
HERE = (12.0, 30.0)
"""A place whose coordinates differ."""

FINE = 1 / 64
"""The grid of places, inches."""


def alone(*terrain: Any, **other: Any) -> Battle:
    """A model, its enemy far away."""
    return table({"at": HERE, **other}, FAR, terrain=terrain)


# Who

ABLE: dict[str, tuple[dict[str, Any], dict[str, float], Turn, bool, bool]] = {
    "usual": ({}, {}, Turn.NORMAL, True, True),
    "slow": ({"move": 0.5}, {}, Turn.NORMAL, True, True),
    "fixed": ({"move": 0}, {}, Turn.NORMAL, False, False),
    "ran": ({}, {"ran": 1}, Turn.NORMAL, False, False),
    "pinned": ({}, {"marker": 1}, Turn.NORMAL, False, False),
    "routed": ({}, {"marker": 2}, Turn.NORMAL, False, True),
    "critical": ({}, {"no_move": 1}, Turn.NORMAL, False, False),
    "critical teleporter": ({"specials": ["teleport"]}, {"no_move": 1}, Turn.NORMAL, True, False),
    "critical jumper": ({"specials": ["jump"]}, {"no_move": 1}, Turn.NORMAL, False, False),
    "fearless": ({"grade": "fearless"}, {}, Turn.NORMAL, True, False),
    "cowardly": ({"grade": "cowardly"}, {}, Turn.NORMAL, True, True),
    "machine": ({"grade": "fearless", "specials": ["machine"]}, {}, Turn.NORMAL, True, True),
    "mindless": ({}, {}, Turn.SENSELESS_SLAUGHTER, True, False),
    "free": ({}, {"free": 1}, Turn.SENSELESS_SLAUGHTER, True, True),
    "out of command": ({}, {"in_command": 0}, Turn.NORMAL, True, True),
}
"""The model, its state, the turn, and whether it may move, and may run away."""


@pytest.mark.rule(
    "runolfsson.move.who", "runolfsson.run.all-types", "runolfsson.run.pinned",
    "runolfsson.run.once", "runolfsson.crit.table", "runolfsson.special.mindless",
)  # fmt: skip
@pytest.mark.parametrize("name", ABLE)
def test_who_may_move_and_who_may_run_away(name: str) -> None:
    model, cells, kind, moves_on, runs = ABLE[name]
    battle = alone(**model)
    set_phase(battle, Phase.FIRST_MOVE, kind)
    if cells:
        put(battle, 0, **cells)

    assert may_move(battle, 0) is moves_on
    assert may_run(battle, 0) is runs


# How far


def legal(battle: Battle, order: Order, left: float = inf) -> bool:
    return ModelMoves(battle, 0, left).refusal(order) is None


def order_of(battle: Battle, verb: str, end: tuple[float, float]) -> Order:
    if verb == "teleport":
        return Order(verb=verb, unit=0, point=end)
    return to(battle, end, verb=verb)


@pytest.mark.rule("runolfsson.move.free-path", "runolfsson.jump.straight")
@pytest.mark.parametrize("verb", ["move", "jump"])
@pytest.mark.parametrize(("over", "allowed"), [(0.0, True), (FINE, True), (2 * FINE, False)])
def test_a_move_is_as_long_as_it_may_be_but_for_the_rounding_of_places(
    verb: str, over: float, allowed: bool
) -> None:
    battle = alone(specials=["jump"])

    for end in ((18 + over, 30.0), (6 - over, 30.0), (12.0, 36 + over), (12.0, 24 - over)):
        assert legal(battle, order_of(battle, verb, end)) is allowed, end


@pytest.mark.rule("runolfsson.special.core-set")
@pytest.mark.parametrize(("over", "allowed"), [(0.0, True), (FINE, False)])
def test_a_teleport_is_no_longer_than_the_move(over: float, allowed: bool) -> None:
    battle = alone(specials=["teleport"])

    for end in ((18 + over, 30.0), (6 - over, 30.0), (12.0, 36 + over), (12.0, 24 - over)):
        assert legal(battle, order_of(battle, "teleport", end)) is allowed, end


def offered(battle: Battle, left: float = inf) -> list[tuple[str, int, float]]:
    """The verb, the direction in degrees, and the length of each move on offer."""
    found = []
    for order in moves(battle, 0, left):
        if order.verb != "stay":
            x, y = order.point or centre(battle, 0, order.legs[-1])
            way = x - HERE[0], y - HERE[1]
            found.append((order.verb, round(degrees(atan2(way[1], way[0]))) % 360, hypot(*way)))
    return found


TWELVE = {30 * step for step in range(12)}


@pytest.mark.rule("runolfsson.move.who", "runolfsson.jump.straight")
@pytest.mark.parametrize(
    ("specials", "verbs"),
    [([], ["move"]), (["jump"], ["move", "jump"]), (["teleport"], ["teleport"]),
     (["hover"], ["move"])],
)  # fmt: skip
@pytest.mark.parametrize(("left", "whole"), [(inf, 6.0), (4.0, 4.0)])
def test_moves_lead_whole_and_half_in_twelve_directions(
    specials: list[str], verbs: list[str], left: float, whole: float
) -> None:
    """The enemy stands to the south-east, at 18 degrees."""
    battle = table({"at": HERE, "specials": specials}, {"at": [42, 20], **BLUE})
    toward = round(degrees(atan2(-10, 30))) % 360

    found = offered(battle, left)

    assert {verb for verb, _, _ in found} == {*verbs}
    for verb in verbs:
        ways = [(way, length) for name, way, length in found if name == verb]
        assert {way for way, _ in ways} == TWELVE | {toward}
        assert sorted(round(length, 1) for _, length in ways) == [whole / 2] * 12 + [whole] * 13


@pytest.mark.parametrize(("left", "count"), [(0.25, 0), (0.3, 12), (0.6, 24)])
def test_a_walk_of_a_quarter_inch_is_not_offered(left: float, count: int) -> None:
    assert len([each for each in offered(alone(), left) if each[1] in TWELVE]) == count


@pytest.mark.rule("runolfsson.jump.straight", "runolfsson.special.core-set")
@pytest.mark.parametrize("verb", ["jump", "teleport"])
def test_a_short_jump_goes_to_its_goal(verb: str) -> None:
    """The enemy is 3 inches away; no place nearer to it is free."""
    battle = table({"at": HERE, "specials": [verb]}, {"at": [12, 33], **BLUE})

    lengths = {(way, round(length, 1)) for name, way, length in offered(battle) if name == verb}

    assert (90, 3.0) not in lengths, "the enemy stands there"
    assert (90, 6.0) in lengths, "behind the enemy"
    assert {(way, 3.0) for way in TWELVE - {90}} <= lengths


# The leader


def followers(leader: int, **other: Any) -> Battle:
    """A leader in row 0 or 1, a member of its unit 12 inches west of it, and one of no unit."""
    head = {"at": [32, 30], "name": "head"}
    member = {"at": [20, 30], "group": "head", **other}
    rest = ({"at": [20, 40], "character": True}, {"at": [44, 4], **BLUE})
    return table(*((head, member) if leader == 0 else (member, head)), *rest)


@pytest.mark.rule("runolfsson.command.half-speed")
@pytest.mark.parametrize("leader", [0, 1])
@pytest.mark.parametrize("verb", ["move", "jump"])
@pytest.mark.parametrize(
    ("end", "allowed"), [((26, 30), True), ((20, 33), True), ((20, 33.5), False), ((26, 31), False)]
)
def test_out_of_command_only_the_line_to_the_leader_is_a_whole_move(
    leader: int, verb: str, end: tuple[float, float], allowed: bool
) -> None:
    battle, unit = followers(leader, specials=["jump"]), 1 - leader
    put(battle, unit, in_command=0)

    refusal = ModelMoves(battle, unit).refusal(to(battle, end, verb=verb, unit=unit))

    assert (refusal is None) is allowed


@pytest.mark.rule("runolfsson.command.half-speed")
def test_only_a_member_goes_towards_its_leader() -> None:
    battle = followers(0)

    assert leads_to_leader(battle, 1, [(26.0, 30.0)])
    assert not leads_to_leader(battle, 1, [(26.0, 30.0), (26.0, 31.0)])
    assert not leads_to_leader(battle, 0, [(26.0, 30.0)]), "the leader goes nowhere"
    assert not leads_to_leader(battle, 2, [(32.0, 22.0)]), "on the line to the last model"


@pytest.mark.rule("runolfsson.command.half-speed", "runolfsson.run.contactor-continues")
@pytest.mark.parametrize(("verb", "rest"), [("move", 3.0), ("jump", 3.0), ("teleport", 0.0)])
def test_what_is_left_of_a_move_to_the_leader_is_of_a_whole_move(verb: str, rest: float) -> None:
    """Out of command it goes 3 inches, to an enemy that runs away; a teleport has no path."""
    battle = table(
        {"at": [20, 30], "group": "head", "specials": ["jump", "teleport"]},
        {"at": [23, 31], **BLUE}, {"at": [40, 30], "name": "head"},
    )  # fmt: skip
    put(battle, 0, in_command=0, attacked=2)
    put(battle, 1, attacked=2)
    assert allowance(battle, 0) == 3

    order = Order(verb=verb, unit=0, point=(23.0, 30.0))
    order = order if verb == "teleport" else to(battle, (23, 30), verb=verb)
    done = carry(battle, carry_out(battle, 0, order, inf), "run away", dice=(9,))

    assert done.value == pytest.approx(rest, abs=0.02)


# What is left


@pytest.mark.rule("runolfsson.run.contactor-continues")
@pytest.mark.parametrize("verb", ["move", "jump", "teleport"])
@pytest.mark.parametrize(
    ("off", "left"), [(3.0, 3.0), (5.75, 0.25), (5.875, None), (6.0, None)]
)  # fmt: skip
def test_a_mover_goes_on_if_a_quarter_inch_is_left(
    verb: str, off: float, left: float | None
) -> None:
    battle = table({"at": HERE, "specials": ["jump", "teleport"]}, {"at": [13 + off, 30], **BLUE})
    put(battle, 1, attacked=2)
    order = order_of(battle, verb, (12 + off, 30.0))
    answers = ["run away"] if left is None else ["run away", "stay"]

    done = carry(battle, make_move(battle, 0), order, *answers, dice=(9,))

    assert spot(battle)[0] == pytest.approx(12 + off, abs=0.01)
    asked = [decision.asks for decision in done.asked]
    assert asked == [
        "runolfsson.move.free-path", "runolfsson.run.when",
        *(["runolfsson.run.contactor-continues"] if left else []),
    ]  # fmt: skip
    assert cell(battle, 0, "done") == cell(battle, 0, "moved") == 1


@pytest.mark.rule("runolfsson.run.contactor-continues")
@pytest.mark.parametrize(("left", "end"), [(inf, 18.0), (2.0, 14.0), (9.0, 18.0)])
def test_a_walk_ends_where_the_rest_of_the_move_does(left: float, end: float) -> None:
    battle = alone()

    carry(battle, carry_out(battle, 0, to(battle, (22, 30)), left))

    assert spot(battle) == (end, 30.0)


@pytest.mark.rule("runolfsson.command.half-speed")
@pytest.mark.parametrize(("in_command", "end"), [(1, 36.0), (0, 33.0)])
def test_out_of_command_a_walk_is_half_as_long(in_command: int, end: float) -> None:
    battle = alone()
    put(battle, 0, in_command=in_command)

    carry(battle, carry_out(battle, 0, to(battle, (12, 40)), inf))

    assert spot(battle) == (12.0, end)


@pytest.mark.rule("runolfsson.op.immediate")
def test_a_mover_that_falls_is_asked_no_more() -> None:
    tree = feature("tree", at=(16, 34, 17, 35.5))
    battle = table({"at": (12, 30)}, {"at": [22, 33], **BLUE}, terrain=[tree])
    set_phase(battle, Phase.FIRST_MOVE)

    def fire(decision: Decision) -> Order:
        return decision.of("fire")[0]

    done = carry(battle, make_move(battle, 0), to(battle, (12, 36)), fire, dice=(9, 9, 9, 9))

    assert cell(battle, 0, "present") == 0
    assert len(done.asked) == 2


# Places of bases


@pytest.mark.parametrize(
    ("goal", "bearing"),
    [((12, 36), 0), ((18, 30), 90), ((12, 24), 180), ((6, 30), 270), ((15, 33), 45)],
)
def test_a_model_faces_the_way_that_it_goes(goal: tuple[float, float], bearing: float) -> None:
    """A facing is a bearing clockwise from north; the centre of the base comes to the goal."""
    battle = alone()
    leg, put_there = leg_to(battle, 0, goal), place(battle, 0, goal)

    assert degrees_of(leg.facing) == degrees_of(put_there.facing) == bearing
    assert centre(battle, 0, leg) == pytest.approx(goal, abs=0.01)
    assert (leg.x, leg.y) == (put_there.x, put_there.y)
    assert (put_there.formation, put_there.files, put_there.unit) == (0, 1, 0)


@pytest.mark.rule("runolfsson.move.free-path")
@pytest.mark.parametrize(
    ("path", "bearing", "inches"),
    [
        ([(12, 33), (15, 33)], 90, 6.0),
        ([(12, 33), (15, 33), (15, 32)], 180, 7.0),
        ([(13, 32)], None, 2.24),
        ([(12, 30)], 0, 0.0),
        ([], 0, 0.0),
    ],
)
def test_a_model_faces_the_last_part_of_its_path(
    path: list[tuple[float, float]], bearing: float | None, inches: float
) -> None:
    battle = alone()
    done = start_walk(battle, 0, 8.0).along(path)

    told = moved(battle, 0, done, "moves", "runolfsson.move.who")

    (there,) = [change for change in told.changes if isinstance(change, Place)]
    assert bearing is None or degrees_of(there.facing) == bearing
    assert told.facts.values() == {"how": "moves", "inches": inches}
    battle.happen(told)
    assert spot(battle) == (path[-1] if path else HERE)


@pytest.mark.rule("runolfsson.special.core-set", "runolfsson.stream.when")
@pytest.mark.parametrize(
    ("specials", "dice", "end"),
    [([], (7,), 18.0), ([], (4,), 16.0), (["fly"], (), 18.0), (["hover"], (), 18.0),
     (["jump"], (), 18.0)],
)  # fmt: skip
def test_only_models_on_the_ground_roll_for_streams(
    specials: list[str], dice: tuple[int, ...], end: float
) -> None:
    battle = alone(feature("stream", at=(14, 20, 30, 40)), specials=specials)
    gait = entry_of(battle.setup, 0).flight

    done = carry(battle, waded(battle, 0, [(18, 30)], 6.0, gait), dice=dice)

    assert done.value.end == pytest.approx((end, 30.0), abs=0.01)


@pytest.mark.rule("runolfsson.jump.over", "runolfsson.terrain.hostile-block")
@pytest.mark.parametrize(("gait", "over"), [("ground", [0]), ("air", [0, 2]), ("jump", [0, 1, 2])])
def test_what_a_model_goes_over(gait: Any, over: list[int]) -> None:
    """A friend, an enemy, and a rock, one in each direction."""
    rock = feature("rock", at=(6, 28, 7, 32))
    battle = table({"at": [12, 30]}, {"at": [16, 30]}, {"at": [12, 34], **BLUE}, terrain=[rock])
    ends = [(18.0, 30.0), (12.0, 36.0), (4.0, 30.0)]

    reached = [start_walk(battle, 0, 9.0, by=gait).along([end]).end == end for end in ends]

    assert [number for number, there in enumerate(reached) if there] == over
