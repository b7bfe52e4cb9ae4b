"""Pushes: who moves whom, how far, and what a unit may do instead."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.play.turn import phase
from tests.rules.emlia.outcome import markers, spot
from tests.rules.emlia.shoving import pushed, ranked, score, theirs, two_lines

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


@pytest.mark.rule("emlia.push.net", "emlia.melee.success")
@pytest.mark.parametrize(("mine", "their", "moved"), [(3, 1, 2), (11, 8, 3), (3, 3, 0), (0, 0, 0)])
def test_successes_cancel_and_the_loser_is_pushed_by_the_rest(
    field_of_battle: Build, play: Play, mine: int, their: int, moved: int
) -> None:
    battle = two_lines(field_of_battle)
    scores = [(0, 1, mine), (1, 0, their)] if mine else []

    pushed(battle, play, scores, ["give-way", "stand"] if moved else [])

    assert spot(battle, 1) == (100, 101 + moved)
    assert spot(battle, 0) == (100, 100)


def test_who_is_pushed_off_what_he_stands_on_comes_down(field_of_battle: Build, play: Play) -> None:
    battle = two_lines(field_of_battle, on_height=1)

    pushed(battle, play, [(0, 1, 2)], ["give-way", "stand"])

    assert spot(battle, 1) == (100, 103)
    assert battle.state.units.value("on_height", 1) == 0


@pytest.mark.rule("emlia.push.direction")
@pytest.mark.parametrize(
    ("front", "facing", "end"),
    [((100, 101), 180, (100, 98)), ((97, 99), 90, (102, 100)), ((100, 97), 0, (100, 102))],
)
def test_a_ranked_unit_is_pushed_straight_back_from_the_side_attacked(
    field_of_battle: Build,
    play: Play,
    front: tuple[float, float],
    facing: int,
    end: tuple[float, float],
) -> None:
    battle = field_of_battle(ranked(4, 2, (100, 100)), theirs(1, 1, front, facing))

    pushed(battle, play, [(1, 0, 2)], ["give-way", "stand"])

    assert spot(battle, 0) == end


@pytest.mark.rule("emlia.push.direction")
def test_a_unit_that_is_not_ranked_is_pushed_along_a_ranked_attacker_s_facing(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ranked(4, 1, (100, 100)), {"at": (101.5, 101.5), "side": "Bob"})

    pushed(battle, play, [(0, 1, 3)], ["stand"])

    assert spot(battle, 1)[0] == pytest.approx(101.5, abs=1e-3)
    assert spot(battle, 1)[1] == pytest.approx(102 + 3, abs=1e-3)


@pytest.mark.rule("emlia.push.sum", "emlia.forced.vector-sum")
def test_pushes_from_front_and_flank_are_one_move_aslant(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        ranked(4, 2, (100, 100)),
        theirs(1, 1, (100, 101)),
        theirs(1, 1, (97, 99), 90),
    )

    events = pushed(battle, play, [(1, 0, 3), (2, 0, 4)], ["give-way", "stand", "stand"])

    assert events[0].facts.wanted == 5
    assert spot(battle, 0) == pytest.approx((104, 97), abs=0.05)


@pytest.mark.rule("emlia.push.hold")
@pytest.mark.parametrize(
    ("front", "facing", "hits"),
    [((100, 101), 180, [(0, 1, 5, 0), (1, 0, 2, 0)]), ((97, 99), 90, [(0, 1, 5, 0)])],
)
def test_who_holds_takes_a_press_hit_for_each_gsu_and_gives_half_to_a_pusher_in_front(
    field_of_battle: Build,
    play: Play,
    front: tuple[float, float],
    facing: int,
    hits: list[tuple[int, ...]],
) -> None:
    battle = field_of_battle(ranked(4, 2, (100, 100)), theirs(2, 1, front, facing))

    pushed(battle, play, [(1, 0, 5)], ["hold"])

    assert markers(battle, "subject", "attacker", "hits", "base_damage") == hits
    assert spot(battle, 0) == (100, 100)


@pytest.mark.rule("emlia.push.hold", "emlia.resolve.order")
def test_the_hits_of_holding_become_damage_in_the_same_resolution(
    field_of_battle: Build, play: Play
) -> None:
    battle = two_lines(field_of_battle, hits=1)
    score(battle, [(0, 1, 3)])

    play(battle, phase.resolve(battle), answers=["hold"])

    assert battle.state.units.integer("members", 1) == 8 - 3


@pytest.mark.rule("emlia.push.straight-ahead")
def test_a_ranked_unit_does_not_push_an_enemy_at_its_flank(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ranked(4, 2, (100, 100)), {"at": (96.5, 99), "side": "Bob"})

    assert pushed(battle, play, [(0, 1, 3)], ["stand"]) == []


@pytest.mark.rule("emlia.melee.no-shift")
@pytest.mark.parametrize("fixed", [0, 1, 2])
def test_nothing_shifts_if_anything_in_the_combat_cannot_move_by_itself(
    field_of_battle: Build, play: Play, fixed: int
) -> None:
    units = [
        ranked(4, 2, (100, 100)), theirs(4, 2, (100, 101)), theirs(1, 1, (97, 99), 90),
    ]  # fmt: skip
    units[fixed]["movement"] = None
    battle = field_of_battle(*units)

    assert pushed(battle, play, [(0, 1, 3)]) == []


@pytest.mark.rule("emlia.melee.success", "emlia.freestrike.who")
def test_who_is_out_of_reach_by_now_is_pushed_no_more(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(ranked(4, 2, (100, 100)), theirs(4, 2, (100, 105)))

    assert pushed(battle, play, [(0, 1, 3)]) == []


@pytest.mark.rule("emlia.push.follow")
@pytest.mark.parametrize(("answer", "ahead"), [("follow-up", 2), ("stand", 0)])
def test_a_pusher_may_go_after_his_enemy_to_keep_contact(
    field_of_battle: Build, play: Play, answer: str, ahead: float
) -> None:
    battle = two_lines(field_of_battle)

    pushed(battle, play, [(0, 1, 2)], ["give-way", answer])

    assert spot(battle, 0) == (100, 100 + ahead)


@pytest.mark.rule("emlia.push.follow")
def test_a_ranked_pusher_whom_another_enemy_engages_stays(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        ranked(4, 2, (100, 100)), theirs(4, 2, (100, 101)), theirs(1, 1, (97, 99), 90)
    )

    pushed(battle, play, [(0, 1, 2)], ["give-way"])

    assert spot(battle, 0) == (100, 100)


@pytest.mark.rule("emlia.push.follow")
def test_a_pusher_that_was_moved_itself_does_not_follow(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(
        ranked(4, 2, (100, 100)), theirs(4, 2, (100, 101)), theirs(1, 1, (97, 99), 90)
    )

    events = pushed(battle, play, [(0, 1, 2), (2, 0, 1)], ["give-way", "give-way", "stand"])

    assert [event.name for event in events] == ["pressed", "pushed back", "pushed back"]
    assert spot(battle, 0) == (101, 100)


@pytest.mark.rule("emlia.forced.simultaneous", "emlia.push.sequence")
@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_the_order_in_which_pushes_are_noted_never_changes_the_outcome(
    field_of_battle: Build, play: Play, order: tuple[int, ...]
) -> None:
    battle = field_of_battle(
        ranked(4, 2, (100, 100)),
        theirs(4, 2, (100, 101)),
        theirs(1, 1, (97, 99), 90),
        theirs(1, 2, (100, 97), 0),
    )
    scores = [(1, 0, 3), (2, 0, 4), (3, 0, 2)]

    pushed(battle, play, [scores[row] for row in order], ["give-way", *["stand"] * 3])

    assert spot(battle, 0) == pytest.approx((104, 99), abs=0.01)
