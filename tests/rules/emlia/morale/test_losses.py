"""Chapter 21.4 in play: the controller of a unit chooses which of its members fall."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, advance
from emlia3d.battle.dice import FixedDice
from emlia3d.force import Formation
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.doctrine.plain_commander import Doctrine
from emlia3d.rules.emlia.play.morale import casualties, losses
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import phase
from tests.rules.emlia.hitting import hit

Build = Callable[..., Battle]

CHOICES = ["lose-rear", "lose-front", "lose-left", "lose-right", "lose-flanks"]
NEAR = {"at": (100, 112)}
FAR = {"at": (100, 180)}


def loose(members: int = 20, files: int = 10, **more: Any) -> dict[str, Any]:
    """Bob's men in open formation, the middle of their front line at (100, 100), facing north.

    Each takes up 1 GSU and stands 3 GSU from the next: 28 GSU wide, and two ranks 4 GSU deep.
    """
    return {"side": "Bob", "members": members, "files": files, "formation": "open",
            "front": (100, 100), "facing": 0, **more}  # fmt: skip


def asked(battle: Battle, hits: int, verb: str = "lose-rear", **more: int) -> list[list[str]]:
    """The verbs of each choice of casualties in a resolution, answered with *verb*."""
    seen: list[list[str]] = []
    battle.dice = FixedDice([])
    hit(battle, hits, **more)
    procedure, answer = phase.resolve(battle), None
    while True:
        try:
            said = advance(procedure, answer)
        except StopIteration:
            return seen
        answer = None
        if isinstance(said, Decision):
            assert said.asks == "emlia.damage.casualty-choice"
            seen.append([order.verb for order in said.options])
            answer = next(order for order in said.options if order.verb == verb)
        else:
            battle.happen(said)


def bounds(battle: Battle) -> tuple[float, ...]:
    """West, south, east and north edge of the loose unit, to 1/10 GSU."""
    return tuple(round(edge, 1) for edge in situation_of(battle).outline(1).bounds)


def test_the_unit_of_these_tests_stands_as_its_docstring_says(field_of_battle: Build) -> None:
    assert bounds(field_of_battle(FAR, loose())) == (86, 96, 114, 100)


@pytest.mark.rule("emlia.damage.casualty-choice")
@pytest.mark.parametrize(
    ("verb", "after"),
    [
        ("lose-rear", (86, 99, 114, 100)),
        ("lose-front", (86, 96, 114, 97)),
        ("lose-left", (101, 96, 114, 100)),
        ("lose-right", (86, 96, 99, 100)),
        ("lose-flanks", (93.5, 96, 106.5, 100)),
    ],
)
def test_a_loose_unit_loses_the_side_that_its_controller_chooses(
    field_of_battle: Build, verb: str, after: tuple[float, ...]
) -> None:
    battle = field_of_battle(NEAR, loose())

    assert asked(battle, 10, verb) == [CHOICES]

    assert bounds(battle) == after
    assert battle.state.units.integer("members", 1) == 10


@pytest.mark.rule("emlia.damage.casualty-choice")
@pytest.mark.parametrize(
    ("verb", "fallen"),
    [
        ("lose-front", [0, 1, 2, 3, 4, 5, 6, 7]),
        ("lose-left", [0, 1, 2, 3, 10, 11, 12, 13]),
        ("lose-right", [6, 7, 8, 9, 16, 17, 18, 19]),
        ("lose-flanks", [0, 1, 8, 9, 10, 11, 18, 19]),
    ],
)
def test_those_fall_who_stood_at_that_side(
    field_of_battle: Build, verb: str, fallen: list[int]
) -> None:
    battle = field_of_battle(NEAR, loose())

    found = casualties.fallen(battle, 1, 8, verb)

    assert [figure - 1 for figure in found] == fallen


@pytest.mark.rule("emlia.damage.casualty-choice")
@pytest.mark.parametrize(
    ("members", "files", "lost", "choices"),
    [
        # In one file there is a front and a rear alone, and in one rank a left and a right.
        (2, 1, 1, ["lose-rear", "lose-front"]),
        (3, 1, 2, ["lose-rear", "lose-front"]),
        (3, 3, 2, ["lose-rear", "lose-left", "lose-right"]),
    ],
)
def test_no_two_choices_leave_the_same_members_standing(
    field_of_battle: Build, members: int, files: int, lost: int, choices: list[str]
) -> None:
    battle = field_of_battle(NEAR, loose(members, files))

    assert asked(battle, lost) == [choices]


@pytest.mark.rule("emlia.damage.casualty-choice")
def test_ranks_lose_their_rear_rank_and_nobody_is_asked(field_of_battle: Build) -> None:
    battle = field_of_battle(NEAR, loose(formation="ranked"))
    west, _, east, north = bounds(battle)

    assert asked(battle, 10) == []

    assert bounds(battle) == (west, north - 1, east, north)


@pytest.mark.rule("emlia.damage.casualty-choice")
@pytest.mark.parametrize(
    ("enemy", "hits"),
    [
        pytest.param(FAR, 10, id="no enemy is near"),
        pytest.param(NEAR, 1, id="every choice leaves the same places"),
        pytest.param(NEAR, 20, id="all fall"),
    ],
)
def test_nobody_is_asked_if_it_makes_no_difference(
    field_of_battle: Build, enemy: dict[str, Any], hits: int
) -> None:
    battle = field_of_battle(enemy, loose())

    assert asked(battle, hits) == []

    assert battle.state.units.integer("members", 1) == 20 - hits


@pytest.mark.rule("emlia.damage.casualty-choice")
def test_only_choices_that_differ_are_put(field_of_battle: Build) -> None:
    one_rank = field_of_battle(NEAR, loose(8, files=8))
    few = field_of_battle(NEAR, loose())

    assert asked(one_rank, 3) == [["lose-rear", "lose-left", "lose-right"]]
    assert asked(few, 3) == [["lose-rear", "lose-left", "lose-right", "lose-flanks"]]


@pytest.mark.rule("emlia.damage.casualty-choice")
def test_members_do_not_close_up_to_where_others_stand(field_of_battle: Build) -> None:
    # Five of two files of five are left in one, at x 98.5, 100 or 101.5. An enemy stands at 100.
    men = loose(10, files=2)
    alone = field_of_battle(NEAR, men)
    between = field_of_battle({"at": (100, 93.5)}, men)

    assert asked(alone, 5) == [CHOICES]
    assert asked(between, 5) == [CHOICES[:-1]]


@pytest.mark.rule("emlia.damage.casualty-choice")
def test_the_subunits_of_a_mixed_unit_are_not_asked(field_of_battle: Build) -> None:
    officer = {"name": "officer", "side": "Bob", "at": (100, 90), "group": "men"}
    battle = field_of_battle(NEAR, loose(name="men"), officer)

    assert asked(battle, 10, focused=1) == []

    assert battle.state.units.integer("members", 1) == 10


@pytest.mark.rule("emlia.damage.casualty-choice")
@given(
    members=st.integers(2, 30),
    files=st.integers(1, 30),
    share=st.floats(0, 1),
    formation=st.sampled_from([Formation.OPEN, Formation.CLOSE]),
    facing=st.integers(0, 359),
)
def test_whatever_is_chosen_the_unit_stays_within_the_room_that_it_had(
    field_of_battle: Build, members: int, files: int, share: float, formation: Any, facing: int
) -> None:
    unit = loose(
        members, files=min(files, members), formation=formation.name.lower(), facing=facing
    )
    pose = pose_of(field_of_battle(FAR, unit), 1)
    lost = min(1 + int(share * (members - 1)), members - 1)
    room = pose.outline.envelope if facing % 90 == 0 else pose.outline.minimum_rotated_rectangle
    whole = room.union(pose.outline.convex_hull).convex_hull.buffer(0.6)

    for verb, after in losses.poses_after(pose, lost).items():
        assert after.drill.count == members - lost, verb
        assert after.drill.ranks <= pose.drill.ranks
        assert whole.covers(after.outline)


@pytest.mark.rule("emlia.damage.casualty-choice")
@pytest.mark.parametrize(("north", "asks"), [(120.5, True), (120.6, False), (122, False)])
def test_there_is_a_choice_only_if_an_enemy_is_within_twenty_units(
    field_of_battle: Build, north: float, asks: bool
) -> None:
    # An enemy of 1 GSU at 120.5 is 20 GSU from the front line at 100.
    battle = field_of_battle({"at": (100, north)}, loose())

    decision = next(losses.chosen(battle, 1, 10), None)

    assert (decision is not None) is asks


@pytest.mark.rule("emlia.damage.casualty-choice")
@pytest.mark.parametrize(("height", "asks"), [(0.25, True), (3, False)])
def test_there_is_no_choice_if_the_only_enemy_near_is_unknown(
    field_of_battle: Build, height: float, asks: bool
) -> None:
    wall = {"kind": "wall", "box": (60, 105, 140, 106), "height": height}
    battle = field_of_battle(NEAR, loose(), terrain=[wall])

    decision = next(losses.chosen(battle, 1, 10), None)

    assert (decision is not None) is asks


@pytest.mark.rule("emlia.damage.casualty-choice")
@pytest.mark.parametrize(
    ("at", "verb"),
    [
        ((100, 112), "lose-rear"),
        ((100, 84), "lose-front"),
        ((126, 98), "lose-left"),
        ((74, 98), "lose-right"),
    ],
)
def test_the_doctrine_loses_those_who_are_farthest_from_the_enemy(
    field_of_battle: Build, at: tuple[float, float], verb: str
) -> None:
    battle = field_of_battle({"at": at}, loose())
    decision = next(losses.chosen(battle, 1, 10))
    assert isinstance(decision, Decision)

    order = Doctrine().decide(decision, SYSTEM.picture(battle, 1), FixedDice([]))

    assert order.verb == verb


def test_the_choice_is_put_in_words_with_the_default_first(field_of_battle: Build) -> None:
    battle = field_of_battle(NEAR, loose(name="Levies"))
    decision = next(losses.chosen(battle, 1, 10))
    assert isinstance(decision, Decision)

    assert SYSTEM.question(battle, decision) == "Levies: where does it lose members?"
    assert [SYSTEM.phrase(battle, order) for order in decision.options] == [
        "10 at the rear",
        "10 at the front",
        "10 at the left end",
        "10 at the right end",
        "10 at both ends",
    ]
