"""Emlia, chapter 10.5 in play: as many members as the controller wishes part from the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import shapely

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice
from emlia3d.battle.questions.options import choices
from emlia3d.errors import IllegalOrderError
from emlia3d.force import Formation
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.play.free_actions import joining
from emlia3d.rules.emlia.play.morale.leading import leader_of
from emlia3d.rules.emlia.play.situation.parts import parts_of
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import activation
from tests.rules.emlia.invariants import Watched, body_of
from tests.rules.emlia.random_boards import board_of
from tests.rules.emlia.random_play import Wanderer, folded

MEN: dict[str, Any] = {
    "name": "bandits", "members": 11, "files": 4, "formation": "close", "at": (60, 40),
    "skills": {"leadership": "3"}, "morale": 2, "timing": 2,
}  # fmt: skip
FOE: dict[str, Any] = {"name": "foe", "side": "Bob", "members": 4, "at": (60, 180)}
SPLIT = Order(verb="split-unit", unit=0, target=0)
PART = 2
SIDES = ("front", "rear", "left", "right")


def apart(number: int | None, side: str) -> Order:
    return Order(verb="divide", unit=0, number=number, words=side)


def asked_of(battle: Battle, question: Callable[..., Decision]) -> Decision:
    return question(battle, joining.split(battle, 0, SPLIT), dice=[12, 1, 1])


def divide(battle: Battle, play: Callable[..., Any], number: int, side: str) -> None:
    play(battle, joining.split(battle, 0, SPLIT), dice=[12, 1, 1], answers=[apart(number, side)])


@pytest.mark.parametrize("formation", ["open", "close", "ranked"])
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.rule("emlia.lead.split")
def test_any_number_of_members_parts_from_the_others_on_any_side(
    field_of_battle, play, side, formation
):
    for number in range(1, 11):
        battle = field_of_battle({**MEN, "formation": formation}, FOE)
        before = body_of(battle, 0)

        divide(battle, play, number, side)

        members = battle.state.units.ints("members")
        assert sorted(members[[0, PART]].tolist()) == sorted([number, 11 - number])
        assert [leader_of(battle, unit) for unit in (0, PART)] == [0, PART]
        places = [situation_of(battle).places(unit) for unit in (0, PART)]
        for unit, spots in zip((0, PART), places, strict=True):
            pose = pose_of(battle, unit)
            assert sorted(spots.tolist()) == sorted(pose.places.tolist())
            assert pose.drill.files <= 4
        axis, first = {"front": (1, 1), "rear": (1, -1), "left": (0, -1), "right": (0, 1)}[side]
        middles = sorted((each.mean(axis=0)[axis] * first, len(each)) for each in places)
        assert middles[-1][1] == number
        assert not body_of(battle, 0).intersects(body_of(battle, PART))
        assert shapely.area(before & body_of(battle, 0)) > 0


@pytest.mark.parametrize("number", [None, 0, 11, 12, -1])
@pytest.mark.rule("emlia.lead.split")
def test_no_member_and_all_members_are_no_division(field_of_battle, question, number):
    asked = asked_of(field_of_battle(MEN, FOE), question)

    with pytest.raises(IllegalOrderError, match=r"1 to 10 can leave .*emlia\.lead\.split"):
        asked.check(apart(number, "rear"))


@pytest.mark.rule("emlia.lead.split")
def test_members_part_on_one_of_four_sides(field_of_battle, question):
    asked = asked_of(field_of_battle(MEN, FOE), question)

    with pytest.raises(IllegalOrderError, match="front, rear, left, right"):
        asked.check(apart(3, "middle"))


@pytest.mark.parametrize("number", [None, -1, 5])
@pytest.mark.rule("emlia.lead.split")
def test_a_number_without_a_side_is_one_of_the_lines(field_of_battle, question, number):
    # Three ranks and four files have five lines between them, numbered from 0.
    asked = asked_of(field_of_battle(MEN, FOE), question)

    with pytest.raises(IllegalOrderError, match="name a number of members and a side"):
        asked.check(apart(number, ""))


@pytest.mark.parametrize(
    ("line", "number", "side"),
    [(0, 4, "front"), (1, 3, "rear"), (2, 3, "left"), (3, 6, "left"), (4, 2, "right")],
)
@pytest.mark.rule("emlia.lead.split")
def test_a_line_divides_as_the_members_on_one_side_of_it_do(
    field_of_battle, play, line, number, side
):
    # Ranks of 4, 4 and 3. Each of the three in the rear stands between two files; it counts to the
    # left one.
    by_line, by_number = (field_of_battle(MEN, FOE) for _ in range(2))

    divide(by_line, play, line, "")
    divide(by_number, play, number, side)

    assert by_line.digest.hexdigest() == by_number.digest.hexdigest()


@pytest.mark.rule("emlia.lead.split")
def test_a_half_and_a_third_are_offered_to_people(field_of_battle, question):
    battle = field_of_battle({**MEN, "members": 12}, FOE)
    asked = asked_of(battle, question)

    # A third is a rank at the rear, and a half two files on the right: those are lines already.
    offered = [SYSTEM.phrase(battle, order) for order in choices(battle, asked)]
    assert offered[len(asked.options) :] == [
        "6 at the rear: 6 leave, 6 stay with the leader",
        "4 at the right: 4 leave, 8 stay with the leader",
    ]


@pytest.mark.rule("emlia.lead.split")
def test_members_who_would_step_into_others_do_not_part(field_of_battle, question):
    # A wall stands 0.5 GSU behind the last rank. The five would need two ranks, and the first of
    # them is that of the leader.
    wall = {"kind": "wall", "box": (40, 36.5, 80, 37.5), "height": 4}
    battle = field_of_battle(MEN, FOE, terrain=[wall])
    asked = asked_of(battle, question)

    with pytest.raises(IllegalOrderError, match="no room for the two parts"):
        asked.check(apart(5, "rear"))

    asked.check(apart(3, "rear"))
    asked.check(apart(4, "right"))


@pytest.mark.rule("emlia.lead.split")
def test_a_part_of_any_number_forfeits_what_was_used(field_of_battle, play, put):
    battle = field_of_battle(MEN, FOE)
    put(battle, 0, activated=1, move_used=1)

    divide(battle, play, 2, "right")

    battle.happen(activation.begun(battle, PART))
    units = battle.state.units
    assert [units.integer("move_used", unit) for unit in (0, PART)] == [1, 1]
    assert [units.integer("members", unit) for unit in (0, PART)] == [9, 2]


@pytest.mark.rule("emlia.lead.split")
def test_one_who_leaves_ranks_in_two_is_in_close_formation(field_of_battle, play):
    battle = field_of_battle({**MEN, "formation": "ranked"}, FOE)

    divide(battle, play, 1, "left")

    formations = [battle.state.units.integer("formation", unit) for unit in (0, PART)]
    assert formations == [Formation.RANKED, Formation.CLOSE]


@pytest.mark.rule("emlia.lead.split")
def test_members_who_part_come_down_from_what_they_stood_on(field_of_battle, play, put):
    battle = field_of_battle(MEN, FOE)
    put(battle, 0, on_height=3.0)

    divide(battle, play, 5, "rear")

    assert battle.state.units["on_height"][[0, PART]].tolist() == [3.0, 0.0]


@pytest.fixture
def company(field_of_battle) -> Battle:
    """Six sections of one unit, side by side."""
    section = {"members": 2, "formation": "close", "skills": {"leadership": "3"}}
    rows = [{**section, "name": f"section {row}", "at": (40 + 4 * row, 40)} for row in range(6)]
    return field_of_battle(rows[0], *({**row, "group": "section 0"} for row in rows[1:]), FOE)


@pytest.mark.rule("emlia.lead.split")
def test_a_unit_of_many_subunits_is_divided_between_them_in_any_way(company, play):
    # The second and the fourth subunit leave: one bit each.
    order = Order(verb="split-unit", unit=0, target=0, number=0b001010)
    assert order not in joining.split_options(company, 0)
    assert joining.SplitValidator(company, 0).refusal(order) is None

    play(company, joining.split(company, 0, order), dice=[12, 1, 1])

    assert [parts_of(company, unit) for unit in (0, 1)] == [(0, 2, 4, 5), (1, 3)]


@pytest.mark.parametrize("number", [None, 0, 1, 0b000011, 64, -2])
@pytest.mark.rule("emlia.lead.split")
def test_the_first_subunit_stays_and_some_other_leaves(company, number):
    order = Order(verb="split-unit", unit=0, target=0, number=number)

    refusal = joining.SplitValidator(company, 0).refusal(order)

    assert refusal is not None
    assert refusal.reason == "some subunits leave and the first one stays"


@pytest.mark.parametrize(("number", "may"), [(None, False), (1, False), (2, True), (4, False)])
@pytest.mark.rule("emlia.lead.split")
def test_of_two_subunits_the_second_leaves(field_of_battle, number, may):
    section = {"members": 2, "formation": "close", "skills": {"leadership": "3"}}
    rows = [{**section, "name": f"section {row}", "at": (40 + 4 * row, 40)} for row in range(2)]
    battle = field_of_battle(rows[0], {**rows[1], "group": "section 0"}, FOE)
    order = Order(verb="split-unit", unit=0, target=0, number=number)

    assert (joining.SplitValidator(battle, 0).refusal(order) is None) is may


@pytest.mark.rule("emlia.lead.split")
def test_a_unit_of_like_members_has_no_subunits_to_split_off(field_of_battle):
    battle = field_of_battle(MEN, FOE)
    reach = joining.SplitValidator(battle, 0)

    assert reach.refusal(SPLIT) is None
    with_bits = reach.refusal(Order(verb="split-unit", unit=0, target=0, number=2))
    enemy = reach.refusal(Order(verb="split-unit", unit=0, target=1))

    assert with_bits is not None
    assert with_bits.reason == "it has no subunits"
    assert enemy is not None
    assert enemy.reason == "it cannot split that unit"


class Divider(Wanderer):
    """Splits any unit that it can, by any number on any side that there is room for."""

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        reach = decision.validator
        if decision.of("divide") and reach is not None:
            side, *numbers = dice.roll("divide", 4, 12)
            for number in numbers:
                wish = Order(
                    verb="divide", unit=decision.unit, number=number, words=SIDES[side % 4]
                )
                if reach.refusal(wish) is None:
                    assert SYSTEM.phrase(picture.battle, wish)
                    return wish
        if splits := decision.of("split-unit"):
            return splits[0]
        return super().decide(decision, picture, dice)


def check_board(board: int, built: Callable[..., Battle]) -> int:
    """Play a board with splits by chance; return how many units were split."""
    setup = board_of(board, built)
    battle = Watched.play(
        Battle(setup, SYSTEM, board), lambda b: b.run([Divider() for _ in setup.sides])
    )
    state = folded(setup, battle.told)
    state.stretch = battle.state.stretch
    assert state.key_frame() == battle.state.key_frame()
    return sum(event.name == "split" for event in battle.told)


@pytest.mark.long
def test_boards_of_chance_divisions_stay_possible(field_of_battle):
    assert sum(check_board(board, field_of_battle) for board in (0, 1, 2, 3)) > 0


@pytest.mark.slow
@pytest.mark.parametrize("first", [*range(4000, 4160, 20), 91180, 91200, 91240])
def test_many_boards_of_chance_divisions_stay_possible(field_of_battle, first):
    assert sum(check_board(board, field_of_battle) for board in range(first, first + 20)) > 0
