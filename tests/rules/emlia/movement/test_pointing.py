"""Chapters 11 to 13 as play: orders that a player gives by pointing at a place on the field."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import cos, hypot, pi, radians, sin
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order, Refusal
from emlia3d.force.facing import facing_of_degrees
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.play.movement.legs import MovePlan, plan
from emlia3d.rules.emlia.play.questions.pointing import grounds, more, order_to, pointed, reach_of
from emlia3d.rules.emlia.play.turn.activation import ask

Build = Callable[..., Battle]
Asked = Callable[..., Decision]

MAN: dict[str, Any] = {"at": (50, 50), "morale": 4, "movement": "20G"}
BLOCK: dict[str, Any] = {**MAN, "members": 8, "files": 4, "formation": "ranked"}
BOB: dict[str, Any] = {"at": (150, 190), "side": "Bob", "facing": 180}
BOW: dict[str, Any] = {
    "name": "Bow",
    "base_damage": 1,
    "range": (10, 20, 60),
    "coverage": {"start": 2, "increment": 2, "limit": 2, "per_weapon": True, "drift": 4},
}
ARCHER: dict[str, Any] = {**MAN, "weapons": [BOW], "skills": {"volley fire": "5"}}


class Wall:
    """A validator that refuses some orders."""

    def __init__(self, refused: Callable[[Order], bool]) -> None:
        self.refused = refused

    def for_moment(self, battle: Battle) -> Wall:
        return self

    def refusal(self, order: Order) -> Refusal | None:
        return Refusal("emlia.move", "no") if self.refused(order) else None


def other_question(*verbs: str, validator: Wall | None = None, unit: int | None = 0) -> Decision:
    options = tuple(Order(verb=verb, unit=0) for verb in verbs)
    return Decision(side=0, asks="emlia.move", unit=unit, options=options, validator=validator)


def told(order: Order) -> list[tuple[str, float, float, float]]:
    """The legs of an order: step, how far east and north it ends of (50, 50), facing in degrees."""
    return [
        (leg.step, round(leg.x - 50, 2), round(leg.y - 50, 2), leg.facing / 64)
        for leg in order.legs
    ]


def end_of(battle: Battle, order: Order | None, paces: int = 1) -> tuple[float, float]:
    """Where the middle of the unit is after an order, east and north of (50, 50)."""
    assert order is not None
    planned = plan(battle, 0, order, paces)
    assert isinstance(planned, MovePlan), planned
    x, y = planned.end.middle
    return x - 50, y - 50


@pytest.mark.parametrize(
    ("unit", "verbs"),
    [
        (MAN, ("move", "double-pace")),
        ({**MAN, "put": {"moved": 1}}, ()),
        ({**MAN, "put": {"move_used": 1}}, ()),
        ({**MAN, "put": {"primary_used": 1}}, ("move",)),
        ({**MAN, "put": {"speed_share": 0.0}}, ()),
        ({**MAN, "movement": "1G"}, ("move", "double-pace")),
        (ARCHER, ("move", "double-pace", "area-volley")),
        ({**ARCHER, "put": {"moved": 1}}, ("area-volley",)),
        ({**ARCHER, "put": {"primary_used": 1}}, ("move",)),
    ],
)
def test_a_place_completes_the_moves_that_are_left_and_a_volley(
    field_of_battle: Build, question: Asked, unit: dict[str, Any], verbs: tuple[str, ...]
) -> None:
    battle = field_of_battle(MAN, BOB)
    asked = question(battle, ask(battle, 0))

    assert pointed(field_of_battle(unit, BOB), asked) == verbs


def test_elsewhere_a_place_completes_what_is_offered_and_no_more(field_of_battle: Build) -> None:
    battle, free = field_of_battle(ARCHER, BOB), Wall(lambda order: False)
    verbs = "shift", "done", "area-volley", "double-pace"

    found = pointed(battle, other_question(*verbs, validator=free))

    assert found == ("double-pace", "area-volley", "shift")
    assert pointed(battle, other_question("done", validator=free)) == ()
    assert pointed(battle, other_question(*verbs)) == (), "no reach"
    assert pointed(battle, other_question(*verbs, validator=free, unit=None)) == ()


def test_a_volley_goes_to_the_place_itself(field_of_battle: Build) -> None:
    battle = field_of_battle(ARCHER, BOB)

    order = order_to(battle, other_question(), "area-volley", (80.0001, 60.5), None)

    assert order == Order(verb="area-volley", unit=0, number=0, point=(80.0, 60.5))


@pytest.mark.parametrize(
    ("east", "north", "degrees"),
    [(0, 40, 0), (40, 0, 90), (0, -30, 180), (-40, 0, 270), (-10, 10, 315), (10, 10, 45),
     (-0.1, 40, 0), (-1, 40, 359)],
)  # fmt: skip
def test_a_fight_is_driven_the_way_of_the_place_in_whole_degrees(
    field_of_battle: Build, east: float, north: float, degrees: int
) -> None:
    battle = field_of_battle({**MAN, "at": (80, 35)}, BOB)

    order = order_to(battle, other_question(), "shift", (80 + east, 35 + north), None)

    assert order == Order(verb="shift", unit=0, number=degrees)


@pytest.mark.parametrize(
    ("unit", "aside", "legs"),
    [
        # A block ends where it stands in one leg if that leads there to half a GSU.
        (BLOCK, (0, 12), [("march", 0, 13, 0)]),
        (BLOCK, (0, 30), [("march", 0, 21, 0)]),
        (BLOCK, (6, 0), [("march", 6, 1, 0)]),
        (BLOCK, (-6, 0), [("march", -6, 1, 0)]),
        (BLOCK, (0, -6), [("march", 0, -5, 0)]),
        (BLOCK, (6, 0.2), [("march", 6, 1, 0)]),
        # It goes ahead and then aside where that leads nearer, at half speed where it must.
        (BLOCK, (6, 0.3), [("march", 0, 1.3, 0), ("march", 6, 1.3, 0)]),
        (BLOCK, (4, 4), [("march", 0, 5, 0), ("march", 4, 5, 0)]),
        (BLOCK, (-4, 4), [("march", 0, 5, 0), ("march", -4, 5, 0)]),
        (BLOCK, (-5, -1), [("march", 0, 0, 0), ("march", -5, 0, 0)]),
        # Where the half speed does not last it turns: men in ranks where they stand.
        (BLOCK, (12, 0), [("turn", 2, 0, 90), ("march", 14, 0, 90)]),
        (BLOCK, (8, 8), [("turn", 0.71, 0.71, 45), ("march", 8.71, 8.71, 45)]),
        # Open men turn for nothing, and do not turn for a march.
        (MAN, (5, 5), [("march", 5, 5.5, 0)]),
        (MAN, (0, 0.25), [("march", 0, 0.75, 0)]),
    ],
)
def test_a_unit_goes_to_the_place_in_the_fewest_legs(
    field_of_battle: Build,
    question: Asked,
    unit: dict[str, Any],
    aside: tuple[float, float],
    legs: list[Any],
) -> None:
    battle = field_of_battle(unit, BOB)
    asked = question(battle, ask(battle, 0))

    order = order_to(battle, asked, "move", (50 + aside[0], 50 + aside[1]), None)

    assert order is not None
    assert (order.verb, order.unit) == ("move", 0)
    assert told(order) == legs


@pytest.mark.parametrize(("verb", "far"), [("move", 20), ("double-pace", 40)])
def test_a_man_gets_as_far_that_way_as_he_has_movement(
    field_of_battle: Build, question: Asked, verb: str, far: float
) -> None:
    battle = field_of_battle({**MAN, "at": (90, 45)}, BOB)
    asked = question(battle, ask(battle, 0))

    order = order_to(battle, asked, verb, (90 + 80 * sin(0.5), 45 + 80 * cos(0.5)), None)

    east, north = end_of(battle, order, 2 if verb == "double-pace" else 1)
    assert (east - 40, north + 5) == pytest.approx((far * sin(0.5), far * cos(0.5)), abs=0.02)


def test_who_is_pointed_at_stays(field_of_battle: Build, question: Asked) -> None:
    battle = field_of_battle(MAN, BOB)
    asked = question(battle, ask(battle, 0))

    assert order_to(battle, asked, "move", (50.0, 50.24), None) is None


@pytest.mark.parametrize("whole_turns", [0, 1])
def test_a_facing_is_taken_at_the_end(
    field_of_battle: Build, question: Asked, whole_turns: int
) -> None:
    battle = field_of_battle(BLOCK, BOB)
    asked = question(battle, ask(battle, 0))
    east = facing_of_degrees(90) + whole_turns * 360 * 64
    north = whole_turns * 360 * 64

    order = order_to(battle, asked, "move", (50, 60), east)
    straight = order_to(battle, asked, "move", (50, 60), north)
    in_place = order_to(battle, asked, "move", (50, 50), east)
    not_at_all = order_to(battle, asked, "move", (50, 50), north)

    assert order is not None
    assert straight is not None
    assert in_place is not None
    assert told(order) == [("march", 0, 11, 0), ("turn", 2, 10, 90)]
    assert told(straight) == [("march", 0, 11, 0)]
    assert told(in_place) == [("turn", 2, 0, 90)]
    assert (in_place.verb, in_place.unit) == ("move", 0)
    assert not_at_all is None


def test_a_way_that_may_be_ordered_goes_before_a_nearer_one_that_may_not(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(BLOCK, BOB)

    def legs(refused: Callable[[Order], bool] | None) -> list[str]:
        reach = None if refused is None else Wall(refused)
        order = order_to(battle, other_question(validator=reach), "move", (54, 54), None)
        assert order is not None
        return [leg.step for leg in order.legs]

    assert legs(lambda order: False) == ["march", "march"]
    assert legs(lambda order: [leg.step for leg in order.legs] == ["march"] * 2) == [
        "turn", "march",
    ]  # fmt: skip
    assert legs(lambda order: len(order.legs) == 2) == ["march"]
    assert legs(lambda order: True) == ["march", "march"], "refused, and told why"
    assert legs(None) == ["march", "march"]


def test_a_way_leads_round_what_stands_between(field_of_battle: Build, question: Asked) -> None:
    rock = {"kind": "rock", "box": (44, 64, 53, 68)}
    battle = field_of_battle({**MAN, "at": (50, 60)}, BOB, terrain=[rock])
    asked = question(battle, ask(battle, 0))

    for verb, paces in (("move", 1), ("double-pace", 2)):
        order = order_to(battle, asked, verb, (50, 73), None)

        assert order is not None
        assert len(order.legs) > 1
        assert end_of(battle, order, paces) == pytest.approx((0, 23), abs=0.3)
    order = order_to(battle, asked, "double-pace", (50, 85), None)
    assert end_of(battle, order, 2) == pytest.approx((0, 35), abs=0.3)


@pytest.mark.parametrize(
    ("unit", "mode", "altitude"),
    [
        ({"movement": "20G, 10F"}, "", 0),
        ({"movement": "20G, 10F", "put": {"on_height": 3.0}}, "F", 3),
        ({"movement": "10G, 20F"}, "F", 0),
        ({"movement": "20G", "put": {"on_height": 3.0}}, "", 0),
    ],
)
def test_who_is_in_the_air_or_flies_faster_than_he_walks_flies(
    field_of_battle: Build, question: Asked, unit: dict[str, Any], mode: str, altitude: float
) -> None:
    battle = field_of_battle({**MAN, **unit}, BOB)
    asked = question(battle, ask(battle, 0))

    order = order_to(battle, asked, "move", (55, 50), None)

    assert order is not None
    assert {leg.mode for leg in order.legs} == {mode}
    if mode:
        assert order.legs[-1].altitude == altitude


@pytest.mark.parametrize("formation", ["open", "close", "ranked"])
@pytest.mark.parametrize("aside", [(0, 6), (6, 0), (4, -3), (-2, -5)])
def test_the_middle_of_a_flyer_comes_to_the_place(
    field_of_battle: Build, question: Asked, formation: str, aside: tuple[float, float]
) -> None:
    flock = {**BLOCK, "files": 2, "formation": formation, "movement": "20F"}
    battle = field_of_battle({**flock, "put": {"on_height": 4.0}}, BOB)
    asked = question(battle, ask(battle, 0))

    order = order_to(battle, asked, "move", (50 + aside[0], 50 + aside[1]), None)

    assert end_of(battle, order) == pytest.approx(aside, abs=0.01)


def reaches(corners: Sequence[tuple[float, float]], x: float = 50, y: float = 50) -> list[float]:
    return [hypot(east - x, north - y) for east, north in corners]


@pytest.mark.parametrize(("verb", "far"), [("move", 20), ("double-pace", 40)])
def test_a_move_reaches_as_far_as_the_speed(
    field_of_battle: Build, question: Asked, verb: str, far: float
) -> None:
    battle = field_of_battle(MAN, BOB)
    asked = question(battle, ask(battle, 0))

    corners = reach_of(battle, asked, verb)

    assert len(set(corners)) == len(corners) >= 36
    assert reaches(corners) == pytest.approx([far] * len(corners), abs=0.01)


def test_a_volley_reaches_as_far_as_its_longest_range_within_the_field(
    field_of_battle: Build, question: Asked
) -> None:
    sling = {**BOW, "name": "Sling", "range": (10, 20, 30)}
    archer = {**ARCHER, "weapons": [BOW, sling], "at": (50, 80)}
    battle = field_of_battle(archer, BOB)
    asked = question(battle, ask(battle, 0))

    corners = reach_of(battle, asked, "area-volley")

    assert len(set(corners)) == len(corners) > 20
    assert min(x for x, _ in corners) == 0, "the edge of the field"
    assert max(x for x, _ in corners) == pytest.approx(110)
    assert max(y for _, y in corners) == pytest.approx(140)
    assert min(y for _, y in corners) == pytest.approx(20)
    for corner, far in zip(corners, reaches(corners, 50, 80), strict=True):
        assert far == pytest.approx(60) or corner[0] == 0
    assert reach_of(battle, asked, "shift") == ()


def test_a_flyer_reaches_all_round_to_the_edge_of_the_field(field_of_battle: Build) -> None:
    battle = field_of_battle({**MAN, "at": (50, 10), "movement": "20F"}, BOB)

    (ground,) = grounds(battle, 0, "move")

    west, south, east, north = ground.bounds
    assert (west, east, north) == pytest.approx((30, 70, 30), abs=0.05)
    assert south == pytest.approx(0.5, abs=0.05), "the man takes up 1 GSU"
    within = 200 * 2 * sin(radians(15)) * 3
    assert 0.5 * within < ground.area < pi * 400


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (4, [("open", 4), ("close", 4), ("ranked", 2), ("ranked", 8)]),
        (3, [("open", 4), ("close", 4), ("ranked", 4), ("ranked", 1), ("ranked", 6),
             ("ranked", 8)]),
        (2, [("open", 4), ("close", 4), ("ranked", 4), ("ranked", 1), ("ranked", 8)]),
        (1, [("open", 4), ("close", 4), ("ranked", 4), ("ranked", 2), ("ranked", 8)]),
    ],
)  # fmt: skip
def test_beside_the_shortlist_a_block_wheels_and_forms_anew(
    field_of_battle: Build, question: Asked, files: int, expected: list[tuple[str, int]]
) -> None:
    battle = field_of_battle({**BLOCK, "files": files}, BOB)
    asked = question(battle, ask(battle, 0))

    orders = more(battle, asked)

    wheels = [order for order in orders if order.legs and order.legs[0].step == "wheel"]
    forms = [order.legs[0] for order in orders if order.legs and order.legs[0].step == "form"]
    assert len(orders) == len(wheels) + len(forms)
    assert {(order.verb, order.unit) for order in orders} == {("move", 0)}
    assert [order.legs[0].facing // 64 for order in wheels] == [30, 60, 90, 330, 300, 270]
    assert all(order.legs[1].step == "march" for order in wheels)
    depth = -(-8 // files)
    for order in wheels:
        wheel, after = order.legs
        assert hypot(after.x - wheel.x, after.y - wheel.y) == pytest.approx(depth, abs=0.01)
        assert after.facing == wheel.facing
    assert [(Formation(leg.formation).name.lower(), leg.files) for leg in forms] == expected


@pytest.mark.parametrize(
    ("at", "edges"),
    [((100, 100), []), ((100, 190), [0]), ((190, 100), [1]), ((100, 10), [2]), ((10, 10), [2, 3])],
)
def test_beside_the_shortlist_a_unit_leaves_over_the_edges_that_it_comes_to(
    field_of_battle: Build, question: Asked, at: tuple[float, float], edges: list[int]
) -> None:
    battle = field_of_battle({**MAN, "at": at}, {**BOB, "at": (40, 150)})
    asked = question(battle, ask(battle, 0))

    orders = [order for order in more(battle, asked) if not order.legs]

    assert [(order.verb, order.unit, order.number) for order in orders] == [
        ("leave-field", 0, edge) for edge in edges
    ]


def test_who_drives_or_has_no_move_left_has_nothing_beside_the_shortlist(
    field_of_battle: Build, question: Asked
) -> None:
    battle = field_of_battle({**BLOCK, "at": (100, 10)}, BOB)
    asked = question(battle, ask(battle, 0))

    assert more(battle, asked)
    assert more(battle, other_question("move")) == []
    assert (
        more(battle, other_question("move", validator=Wall(lambda order: False), unit=None)) == []
    )
    for change in ({"put": {"moved": 1}}, {"movement": "20G 10/20A"}):
        assert more(field_of_battle({**BLOCK, "at": (100, 10), **change}, BOB), asked) == []
