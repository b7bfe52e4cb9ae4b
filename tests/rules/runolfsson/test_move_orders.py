"""Orders to move: those that are offered, and those that are refused."""

from __future__ import annotations

from dataclasses import replace
from math import atan2, degrees, hypot, inf
from typing import Any

import pytest
from shapely import LineString, Point, box

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Leg, Order
from emlia3d.rules.runolfsson.base_paths import centre, may_end, way_round
from emlia3d.rules.runolfsson.columns import Phase
from emlia3d.rules.runolfsson.contacts import models_of
from emlia3d.rules.runolfsson.movement import (
    ModelMoves,
    allowance,
    carry_out,
    leads_to_leader,
    moves,
)
from emlia3d.rules.runolfsson.unit_set import Entry
from tests.rules.carrying import carry
from tests.rules.runolfsson.tables import cell, feature, put, set_phase, table
from tests.rules.runolfsson.walking import FAR, alone, spot, to

EVERY = ["jump", "teleport"]

# What is refused


def refused(battle: Battle, order: Order, left: float = inf) -> str | None:
    found = ModelMoves(battle, 0, left).refusal(order)
    return found.slug if found else None


def orders(battle: Battle) -> dict[str, Order]:
    """An order of each verb that is allowed."""
    return {
        "move": to(battle, (23, 20)),
        "jump": to(battle, (23, 20), verb="jump"),
        "teleport": Order(verb="teleport", unit=0, point=(23.0, 20.0)),
    }


@pytest.mark.rule("runolfsson.move.who")
@pytest.mark.parametrize("verb", ["move", "jump", "teleport"])
@pytest.mark.parametrize(
    "surplus", [{"unit": 1}, {"unit": None}, {"target": 0}, {"target": 1}, {"number": 0}]
)
def test_an_order_with_another_unit_or_a_surplus_field_is_refused(
    verb: str, surplus: dict[str, Any]
) -> None:
    battle = alone(specials=EVERY)
    order = orders(battle)[verb]

    assert refused(battle, order) is None
    assert refused(battle, replace(order, **surplus)) == "runolfsson.move.who"


@pytest.mark.rule("runolfsson.move.who", "runolfsson.special.core-set")
@pytest.mark.parametrize(
    ("specials", "allowed"),
    [
        ([], ["move"]), (["jump"], ["move", "jump"]), (["teleport"], ["move", "teleport"]),
        (["fly"], ["move"]),
    ],
)  # fmt: skip
def test_a_model_has_the_moves_of_its_specials(specials: list[str], allowed: list[str]) -> None:
    battle = alone(specials=specials)

    legal = [verb for verb, order in orders(battle).items() if refused(battle, order) is None]

    assert legal == allowed


@pytest.mark.rule("runolfsson.move.who")
def test_an_order_without_its_place_is_refused() -> None:
    battle = alone(specials=EVERY)
    known = orders(battle)

    assert refused(battle, replace(known["move"], legs=())) == "runolfsson.move.who"
    assert refused(battle, replace(known["move"], point=(23.0, 20.0))) == "runolfsson.move.who"
    assert refused(battle, replace(known["teleport"], point=None)) == "runolfsson.move.who"
    assert refused(battle, replace(known["jump"], legs=())) == "runolfsson.jump.straight"
    assert refused(battle, Order(verb="attack", unit=0)) == "runolfsson.move.who"


@pytest.mark.rule("runolfsson.move.free-path", "runolfsson.jump.straight")
@pytest.mark.parametrize(
    ("verb", "slug"), [("move", "runolfsson.move.free-path"), ("jump", "runolfsson.jump.straight")]
)
def test_a_leg_that_is_no_straight_march_is_refused(verb: str, slug: str) -> None:
    battle = alone(specials=EVERY)
    (leg,) = orders(battle)[verb].legs
    wheel = Leg(step="wheel", x=leg.x, y=leg.y, facing=leg.facing)

    assert refused(battle, Order(verb=verb, unit=0, legs=(wheel,))) == slug
    if verb == "move":
        assert refused(battle, Order(verb=verb, unit=0, legs=(leg, wheel))) == slug


@pytest.mark.rule("runolfsson.move.free-path", "runolfsson.jump.straight")
@pytest.mark.parametrize("verb", ["move", "jump", "teleport"])
@pytest.mark.parametrize(
    ("left", "x", "legal"),
    [(inf, 26.0, True), (inf, 26.1, False), (2.0, 22.0, True), (2.0, 22.1, False)],
)
def test_no_move_is_longer_than_the_move_or_what_is_left_of_it(
    verb: str, left: float, x: float, legal: bool
) -> None:
    battle = alone(specials=EVERY)
    order = to(battle, (x, 20), verb=verb)
    if verb == "teleport":
        order = Order(verb=verb, unit=0, point=(x, 20.0))

    assert (refused(battle, order, left) is None) is legal


@pytest.mark.rule("runolfsson.command.half-speed")
@pytest.mark.parametrize("verb", ["move", "jump"])
@pytest.mark.parametrize(
    ("place", "legal"),
    [
        ((26, 20), True),
        ((20, 23), True),
        ((20, 24), False),
        ((25, 22), False),
    ],
)
def test_out_of_command_a_model_goes_half_but_on_the_line_to_its_leader(
    verb: str, place: tuple[float, float], legal: bool
) -> None:
    battle = table(
        {"at": [20, 20], "group": "head", "specials": EVERY}, FAR, {"at": [40, 20], "name": "head"}
    )
    put(battle, 0, in_command=0)
    reach = ModelMoves(battle, 0)

    assert allowance(battle, 0) == 3
    assert (reach.refusal(to(battle, place, verb=verb)) is None) is legal
    assert leads_to_leader(battle, 0, [(22.0, 20.0), (25.0, 20 + 1 / 64)])
    assert not leads_to_leader(battle, 0, [(22.0, 20.0), (25.0, 20 + 1 / 32)])
    put(battle, 2, present=0)
    assert reach.refusal(to(battle, (26, 20), verb=verb)) is not None, "the leader is gone"


# What is offered


def ends(battle: Battle, unit: int = 0, left: float = inf) -> list[tuple[str, float, float]]:
    """The verb and the end of each offered move."""
    found = []
    for order in moves(battle, unit, left):
        if order.verb != "stay":
            x, y = order.point or centre(battle, unit, order.legs[-1])
            found.append((order.verb, round(x, 3), round(y, 3)))
    return found


def headings(battle: Battle, unit: int = 0) -> set[int]:
    """The directions of the offered moves, in degrees."""
    x, y = models_of(battle).spot(unit)
    return {round(degrees(atan2(v - y, u - x))) % 360 for _, u, v in ends(battle, unit)}


TWELVE = {30 * step for step in range(12)}


@pytest.mark.rule("runolfsson.move.who")
def test_moves_lead_in_twelve_directions_whole_and_half_and_to_the_nearest_enemies() -> None:
    foes = [(35, 23), (33, 24), (32, 25), (46, 29)]
    battle = table({"at": [20, 20]}, *({"at": [*at], "side": "Blue"} for at in foes))
    toward = {round(degrees(atan2(y - 20, x - 20))) for x, y in foes[:3]}

    assert headings(battle) == TWELVE | toward
    lengths = [hypot(x - 20, y - 20) for _, x, y in ends(battle)]
    assert sorted(round(length, 1) for length in lengths) == [3.0] * 12 + [6.0] * 15


@pytest.mark.rule("runolfsson.command.half-speed")
@pytest.mark.parametrize("leader", [1, 2])
def test_a_move_leads_to_the_leader_and_for_it_alone(leader: int) -> None:
    places = [(27, 29), (13, 28)]
    models = [
        {"at": [*at], **({"name": "head"} if row == leader else {"group": "head"})}
        for row, at in enumerate(places, 1)
    ]
    battle = table({"at": [20, 20], "group": "head"}, *models, {"at": [20, 46], "side": "Blue"})
    x, y = places[leader - 1]
    toward = round(degrees(atan2(y - 20, x - 20)))

    assert headings(battle) == TWELVE | {toward}
    assert headings(battle, leader) >= TWELVE
    put(battle, 0, leader=-1)
    assert headings(battle) == TWELVE, "a character has no leader"


@pytest.mark.parametrize("specials", [[], ["jump"], ["teleport"], ["fly"]])
def test_each_move_is_offered_once_and_allowed(specials: list[str]) -> None:
    """A leader and an enemy in the same direction lead to the same place."""
    battle = table(
        {"at": [20, 20], "group": "head", "specials": specials},
        {"at": [20, 40], "side": "Blue"}, {"at": [20, 30], "name": "head"},
    )  # fmt: skip
    offered = list(moves(battle, 0))

    assert len(ends(battle)) == len(set(ends(battle))) == len(offered) - 1
    assert offered[0] == Order(verb="stay", unit=0)
    assert all(ModelMoves(battle, 0).refusal(order) is None for order in offered[1:])
    assert {verb for verb, *_ in ends(battle)} == (
        {"teleport"} if "teleport" in specials else {"move", *specials} - {"fly"}
    )


@pytest.mark.parametrize(("left", "count"), [(0.2, 0), (0.4, 12), (1.0, 24)])
def test_a_move_of_a_quarter_inch_or_less_is_not_offered(left: float, count: int) -> None:
    battle = table({"at": [20, 20]}, {"at": [40, 20], "side": "Blue"})

    assert len(ends(battle, left=left)) == count


# Teleporters, and those that fly


@pytest.mark.rule("runolfsson.op.trigger", "runolfsson.special.core-set")
def test_a_teleporter_may_be_fired_at_where_it_starts() -> None:
    """It vanishes behind a tree, and is seen at no place between."""
    battle = table(
        {"at": [20, 10], "specials": ["teleport"]}, {"at": [30, 13], "side": "Blue"},
        terrain=[feature("tree", at=(24, 14, 25, 15.5))],
    )  # fmt: skip
    set_phase(battle, Phase.FIRST_MOVE)
    order = Order(verb="teleport", unit=0, point=(20.0, 16.0))

    done = carry(battle, carry_out(battle, 0, order, inf), "fire", dice=(1, 1, 1, 1))

    assert [each.number for each in done.asked[0].options] == [None, 0]
    assert done.named("moved")[-1].facts.values() == {"how": "teleports", "inches": 6.0}
    assert spot(battle) == (20.0, 16.0)
    assert cell(battle, 0, "moved") == 1


@pytest.mark.rule("runolfsson.special.core-set")
@pytest.mark.parametrize(
    ("specials", "flight"),
    [
        ((), "ground"), (("fly",), "air"), (("hover",), "air"), (("jump",), "jump"),
        (("fly", "hover"), "air"), (("jump", "fly"), "jump"), (("teleport",), "ground"),
    ],
)  # fmt: skip
def test_a_model_runs_as_its_specials_let_it(specials: tuple[Any, ...], flight: str) -> None:
    assert Entry(name="x", move=6, attack=1, save=1, specials=specials).flight == flight


def test_a_model_of_which_little_is_said_is_usual() -> None:
    entry = Entry(name="x", move=6, attack=1, save=1)

    assert (entry.base, entry.hits, entry.range, entry.command_radius) == (1.0, 1, 0.0, 6.0)
    assert (entry.members, entry.files, entry.formation) == (1, 1, "open")
    assert (entry.grade, entry.character, entry.specials) == ("average", False, ())


# Ways round


@pytest.mark.rule("runolfsson.rout.deviate")
@pytest.mark.parametrize(("reach", "bends"), [(2.0, True), (2.5, True), (1.99, False)])
def test_obstacles_beyond_the_reach_of_a_way_are_left_out(reach: float, bends: bool) -> None:
    """Both the rock's edge and the enemy's base are 2 inches off the base."""
    rock = table({"at": [20, 10]}, FAR, terrain=[feature("rock", at=(18, 6, 22.5, 7.5))])
    foe = table({"at": [20, 10]}, {"at": [20, 7], "side": "Blue"})

    for battle in (rock, foe):
        path = way_round(battle, 0, (20.0, 2.0), reach)
        assert (len(path) > 1) is bends
        assert path[-1] == (20.0, 2.0)


@pytest.mark.rule("runolfsson.rout.deviate")
def test_a_way_keeps_clear_of_enemies_and_rocks() -> None:
    terrain = [feature("rock", at=(16, 5, 20, 6))]
    battle = table({"at": [20, 10]}, {"at": [22, 6], "side": "Blue"}, FAR, terrain=terrain)

    path = way_round(battle, 0, (20.0, 2.0), 12.0)

    line = LineString([(20, 10), *path])
    assert line.distance(Point(22, 6)) > 1.0
    assert line.distance(box(16, 5, 20, 6)) > 0.5
    assert line.length < 12


@pytest.mark.rule("runolfsson.rout.deviate")
@pytest.mark.parametrize(("off", "bends"), [(1.13, False), (1.07, True)])
def test_a_way_leads_between_enemies_that_leave_a_tenth_of_an_inch(off: float, bends: bool) -> None:
    foes = [{"at": [20 + side * off, 7], "side": "Blue"} for side in (1, -1)]
    battle = table({"at": [20, 10]}, *foes)

    assert (len(way_round(battle, 0, (20.0, 2.0), 12.0)) > 1) is bends


@pytest.mark.rule("runolfsson.move.free-path")
@pytest.mark.parametrize(("overlap", "legal"), [(0.0, True), (1 / 64, True), (1 / 32, False)])
def test_a_move_may_end_over_an_edge_by_the_rounding_of_places_alone(
    overlap: float, legal: bool
) -> None:
    battle = table({"at": [20, 20]}, FAR, terrain=[feature("rock", at=(30, 10, 34, 30))])
    friend = table({"at": [20, 20]}, FAR, {"at": [30, 20]})

    assert may_end(battle, 0, (29.5 + overlap, 20.0)) is legal
    assert may_end(friend, 0, (29.0 + overlap, 20.0)) is legal
    assert may_end(battle, 0, (0.5 - overlap, 20.0)) is legal
    assert may_end(battle, 0, (20.0, 47.5 + overlap)) is legal
