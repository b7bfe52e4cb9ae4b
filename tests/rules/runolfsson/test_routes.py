"""Runs and routs: what ends them, what bends them, and how they leave the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.runolfsson.contacts import models_of
from emlia3d.rules.runolfsson.running import leaves_table, rout, rout_path, run_to
from tests.rules.carrying import carry
from tests.rules.runolfsson.tables import cell, feature, table
from tests.rules.runolfsson.walking import FAR, spot

BLUE = {"side": "Blue"}
GOAL = (20.0, -0.5)
"""Beyond the south edge, below (20, y)."""


def alone(*terrain: Any, at: tuple[float, float] = (20, 20), **other: Any) -> Battle:
    return table({"at": at, **other}, FAR, terrain=terrain)


# Runs


@pytest.mark.rule("runolfsson.run.move", "runolfsson.move.free-path")
@pytest.mark.parametrize(("friend", "end"), [(14.0, 15.0), (14.5, 15.5), (12.0, 14.0)])
@pytest.mark.parametrize("how", ["run", "rout"])
def test_no_run_or_rout_ends_on_a_friend(how: str, friend: float, end: float) -> None:
    """It would end on one at y = 14; it may go through one farther off than that."""
    battle = table({"at": [20, 20], "specials": ["machine"]}, FAR, {"at": [20, friend]})
    procedure = run_to(battle, 0, "south", 6.0) if how == "run" else rout(battle, 0, 6.0)

    carry(battle, procedure)

    assert spot(battle) == (20.0, pytest.approx(end, abs=0.07))
    assert models_of(battle).gap(0, 2) >= -1 / 64


@pytest.mark.rule("runolfsson.run.move")
@pytest.mark.parametrize(
    ("kind", "specials", "end"),
    [
        ("rock", [], 17.5), ("rock", ["fly"], 14.0), ("rock", ["jump"], 14.0),
        ("wall", [], 14.0), ("marsh", [], 15.5), ("marsh", ["hover"], 14.0),
    ],
)  # fmt: skip
def test_a_run_is_shortened_by_terrain_on_the_ground(
    kind: str, specials: list[str], end: float
) -> None:
    battle = alone(feature(kind, at=(10, 15, 30, 17)), specials=["machine", *specials])

    carry(battle, run_to(battle, 0, "south", 6.0))

    assert spot(battle) == (20.0, pytest.approx(end, abs=0.07))
    assert cell(battle, 0, "ran") == cell(battle, 0, "moved") == 1


@pytest.mark.rule("runolfsson.run.move", "runolfsson.rout.off-table")
@pytest.mark.parametrize("how", ["run", "rout"])
def test_a_friend_at_the_edge_holds_no_model_that_leaves_the_table(how: str) -> None:
    battle = table({"at": [20, 4]}, FAR, {"at": [20, 0.6]})
    procedure = run_to(battle, 0, "south", 6.0) if how == "run" else rout(battle, 0, 6.0)

    done = carry(battle, procedure)

    assert [event.name for event in done.events] == ["left table"]
    assert cell(battle, 0, "present") == 0


# Routs


@pytest.mark.rule("runolfsson.rout.deviate")
@pytest.mark.parametrize(("off", "straight"), [(1.07, True), (0.98, False), (0.0, False)])
def test_a_rout_is_straight_where_it_touches_nothing(off: float, straight: bool) -> None:
    """An enemy that is passed at 0.07 inches, beyond contact, bends nothing."""
    battle = table({"at": [20, 20]}, {"at": [20 + off, 17], **BLUE})

    path = rout_path(battle, 0, GOAL, 6.0)

    assert (path == [GOAL]) is straight
    assert path[-1] == GOAL


@pytest.mark.rule("runolfsson.rout.deviate")
def test_what_a_rout_does_not_reach_does_not_bend_it() -> None:
    """A second rock is 14 inches away, more than twice as far as the rout goes."""
    near = feature("rock", at=(18, 36, 22.5, 37))
    far = feature("rock", at=(14, 25, 30, 26))
    one, both = alone(near, at=(20, 40)), alone(near, far, at=(20, 40))

    path = rout_path(one, 0, GOAL, 6.0)

    assert len(path) > 1
    assert rout_path(both, 0, GOAL, 6.0) == path
    assert rout_path(both, 0, GOAL, 8.0) != path


@pytest.mark.rule("runolfsson.rout.move", "runolfsson.special.core-set")
@pytest.mark.parametrize(
    ("specials", "straight"), [([], False), (["fly"], True), (["hover"], True), (["jump"], True)]
)
def test_only_models_on_the_ground_go_round_rocks(specials: list[str], straight: bool) -> None:
    battle = alone(feature("rock", at=(18, 15, 22.5, 17)), specials=specials)

    done = carry(battle, rout(battle, 0, 6.0))

    x, y = spot(battle)
    assert ((x, y) == (20.0, 14.0)) is straight
    assert y < 18
    assert done.named("moved")[0].facts.values()["how"] == "routs"


@pytest.mark.rule("runolfsson.rout.deviate")
def test_a_rout_leaves_contact_first() -> None:
    """The enemy in contact stands right in its way."""
    battle = table({"at": [20, 20]}, {"at": [20, 19], **BLUE})

    carry(battle, rout(battle, 0, 6.0))

    x, y = spot(battle)
    assert y < 17
    assert abs(x - 20) < 3
    assert models_of(battle).gap(0, 1) > 0.05


@pytest.mark.rule("runolfsson.rout.deviate")
def test_a_rout_without_a_way_stops() -> None:
    walls = [(18, 18, 22, 19), (18, 21, 22, 22), (18, 18, 19, 22), (21, 18, 22, 22)]
    battle = alone(*(feature("rock", at=at) for at in walls))

    done = carry(battle, rout(battle, 0, 6.0))

    assert spot(battle) == (20.0, pytest.approx(19.5, abs=0.02))
    assert [event.name for event in done.events] == ["moved"]
    again = carry(battle, rout(battle, 0, 6.0))
    assert again.events == [], "it does not move at all"


@dataclass
class Ended:
    """A walk of which only the end is known."""

    end: tuple[float, float]


@pytest.mark.rule("runolfsson.rout.off-table")
@pytest.mark.parametrize(
    ("x", "y", "leaves"),
    [
        (20.0, -0.5, True), (20 + 1.5e-6, -0.5, True), (20 - 1.5e-6, -0.5, True),
        (20.0, -0.5 + 1.5e-6, True), (20 + 2.5e-6, -0.5, False), (20.0, -0.5 - 2.5e-6, False),
        (20 + 1.5e-6, -0.5 + 1.5e-6, False), (20 - 1.5e-6, -0.5 - 1.5e-6, False),
        (-0.5, 20.0, False), (20.0, 0.5, False), (-20.0, -0.5, False),
    ],
)  # fmt: skip
def test_a_rout_leaves_the_table_if_it_ends_at_its_goal(x: float, y: float, leaves: bool) -> None:
    walk: Any = Ended((x, y))

    assert leaves_table(walk, GOAL) is leaves
