"""Fire at models that move: which shots count, along which paths, and jumpers in flight."""

from __future__ import annotations

from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order
from emlia3d.rules.runolfsson.columns import Phase
from emlia3d.rules.runolfsson.opportunity import (
    chances_to_fire,
    fired_at_while_moving,
    in_flight,
    points_of,
    values_along,
)
from tests.rules.carrying import carry
from tests.rules.runolfsson.tables import cell, feature, put, set_phase, table

BLUE = {"side": "Blue"}
SOUTH, NORTH = (20.0, 10.0), (20.0, 16.0)
HEDGE = feature("tree", at=(24, 14, 25, 15.5))
CRAG = feature("rock", at=(24, 14, 25, 15.5))


def moving(*terrain: Any, others: tuple[Any, ...] = (), **firer: Any) -> Battle:
    """A model of Red at (20, 10), which a model of Blue at (30, 13) sees."""
    models = ({"at": SOUTH}, {"at": [30, 13], **BLUE, **firer})
    battle = table(*models, *others, terrain=terrain)
    set_phase(battle, Phase.FIRST_MOVE)
    return battle


def best(battle: Battle, *path: tuple[float, float], flight: int | None = None) -> dict[int, float]:
    """Return the value of the best shot of each model that may fire."""
    found = chances_to_fire(battle, 0, points_of(path or (SOUTH, NORTH)), flight)
    return {row: round(shots[0][1], 2) for row, shots in found.items()}


@pytest.mark.rule("runolfsson.op.trigger")
@pytest.mark.parametrize("attack", [1, 2, 4])
@pytest.mark.parametrize("terrain", [HEDGE, CRAG])
def test_a_target_that_ends_in_cover_is_worth_more_before(attack: int, terrain: Any) -> None:
    """However few dice there are: one die behind a tree is none."""
    assert best(moving(terrain, attack=attack)) == {1: round(attack * 0.6, 2)}
    assert best(moving(terrain, attack=0)) == {}


@pytest.mark.rule("runolfsson.op.trigger")
def test_a_target_that_starts_in_cover_and_ends_in_the_open_is_worth_most_at_its_end() -> None:
    assert best(moving(HEDGE), NORTH, SOUTH) == {}


@pytest.mark.rule("runolfsson.op.trigger", "runolfsson.stream.double")
@pytest.mark.parametrize(("end", "value"), [((20.0, 16.0), 4.8), ((20.0, 12.5), None)])
def test_a_target_that_leaves_a_stream_was_worth_twice_its_value(
    end: tuple[float, float], value: float | None
) -> None:
    stream = feature("stream", at=(18, 11, 22, 14))
    expected = {} if value is None else {1: value}

    assert best(moving(stream), SOUTH, end) == expected


@pytest.mark.rule("runolfsson.op.trigger", "runolfsson.contour.minus-one")
def test_a_target_that_ends_on_the_edge_of_a_hill_is_worth_less() -> None:
    """The cloak of another model, the first after the target, has no part in it."""
    battle = table(
        {"at": SOUTH}, {"at": [4, 40]}, {"at": [30, 13], **BLUE},
        terrain=[feature("hill", at=(10, 15, 20.5, 30))],
    )  # fmt: skip
    set_phase(battle, Phase.FIRST_MOVE)
    put(battle, 1, cloaked=1)

    assert best(battle) == {2: 2.4}


@pytest.mark.rule("runolfsson.op.own-model-exception", "runolfsson.through.friendly")
def test_a_comrade_all_along_the_path_hides_it() -> None:
    comrade = {"at": [28, 13], "base": 1.5, **BLUE}
    battle = moving(others=(comrade,), base=0.5)
    path = points_of((SOUTH, (20.0, 11.0)))

    assert values_along(battle, 0, [1], path, None) == {}
    assert [*values_along(battle, 0, [1], path, None, own_models=False)] == [1]


@pytest.mark.rule("runolfsson.op.immediate", "runolfsson.op.point")
@pytest.mark.parametrize(("points", "rolls"), [((4, 4), 2), ((4, 8), 1), ((8, 4), 1)])
def test_shots_at_one_point_are_resolved_together(points: tuple[int, int], rolls: int) -> None:
    """The target falls at the first point; a shot at a later one is not made, nor is it lost."""
    battle = moving(CRAG, others=({"at": [30, 12], **BLUE},))

    def at(number: int) -> Any:
        def answer(decision: Decision) -> Order:
            return next(order for order in decision.options if order.number == number)

        return answer

    done = carry(
        battle, fired_at_while_moving(battle, 0, [SOUTH, NORTH], None, "moves"),
        at(points[0]), at(points[1]), dice=(9, 9, 9, 9) * rolls,
    )  # fmt: skip

    fired = [event.unit for event in done.named("attack made")]
    assert fired == ([1, 2] if rolls == 2 else [1] if points[0] < points[1] else [2])
    assert [cell(battle, row, "attacked") for row in (1, 2)] == [
        2 if row in fired else 0 for row in (1, 2)
    ]
    (moved,) = done.named("moved")
    assert moved.facts.values()["inches"] == min(points) / 4
    assert moved.because == ("runolfsson.op.point",)
    assert done.value is False


@pytest.mark.rule("runolfsson.op.trigger")
@pytest.mark.parametrize(
    ("how", "points"), [("moves", [None, *range(25)]), ("teleports", [None, 0])]
)
def test_a_teleporter_is_on_no_place_between(how: str, points: list[int | None]) -> None:
    """It is seen all the way but at its end."""
    rock = feature("rock", at=(24, 14.35, 25, 15.5))
    battle = moving(rock)

    done = carry(battle, fired_at_while_moving(battle, 0, [SOUTH, NORTH], None, how), "hold fire")

    numbers = [order.number for order in done.asked[0].options]
    assert {*numbers} <= {*points}
    assert numbers[0] is None
    assert 0 in numbers
    assert (len(numbers) == 2) is (how == "teleports")


# Flights


@pytest.mark.rule("runolfsson.op.jump-height", "runolfsson.los.line")
@pytest.mark.parametrize(
    ("at", "level"),
    [
        ((14, 10.5), 1),  # its base only touches the line
        ((14, 10.49), 2),
        ((14, 9.5), 1),
        ((14, 9.51), 2),
        ((11, 10), 2),  # in contact at the start
        ((17, 10), 2),
        ((19, 10), 1),  # in contact at the end
        ((9, 10), 1),
    ],
)
def test_a_jump_clears_the_bases_that_its_line_crosses(at: tuple[float, float], level: int) -> None:
    battle = table({"at": [10, 10], "specials": ["jump"]}, {"at": [*at]}, {"at": [40, 40], **BLUE})

    assert in_flight(battle, 0, (18.0, 10.0)) == level


@pytest.mark.rule("runolfsson.op.jump-los", "runolfsson.op.jump-height")
def test_no_edge_of_a_hill_hides_a_jumper_in_flight() -> None:
    """The firer stands below a hill; the jumper stays 3.5 inches back from its edge."""
    battle = table(
        {"at": [20, 10], "specials": ["jump"]}, {"at": [30, 13], **BLUE},
        terrain=[feature("hill", at=(10, 5, 24, 30))],
    )  # fmt: skip
    set_phase(battle, Phase.FIRST_MOVE)
    path = points_of((SOUTH, NORTH))
    flight = in_flight(battle, 0, NORTH)

    assert flight == 2
    assert values_along(battle, 0, [1], path, None) == {}
    assert [p for p, _, _ in values_along(battle, 0, [1], path, flight)[1]] == [*range(1, 24)]
    assert best(battle, flight=flight) == {1: 2.4}
