"""What a pushed unit does about it, and what its pushers make of that."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import RandomCommander
from emlia3d.battle.dice import SeededDice
from emlia3d.battle.events import Event
from emlia3d.force import Formation
from emlia3d.rules.emlia.doctrine import Doctrine
from emlia3d.rules.emlia.play.morale.morale_update import MoraleInputs
from emlia3d.rules.emlia.play.retreat import forced
from emlia3d.rules.emlia.play.sight.side_picture import SidePicture
from emlia3d.rules.emlia.play.situation.contact import fronts_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import phase
from tests.rules.emlia import troops
from tests.rules.emlia.outcome import spot
from tests.rules.emlia.shoving import hits, pushed, score

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

ranked = partial(troops.ranked, hits=99)
theirs = partial(troops.theirs, hits=99)


# Choices


@pytest.mark.rule("emlia.push.choices")
def test_a_ranked_unit_gives_way_holds_or_breaks_its_ranks(
    field_of_battle: Build, question: Any
) -> None:
    battle = field_of_battle(ranked(4, 2, (100, 100)), theirs(4, 2, (100, 101)))
    score(battle, [(0, 1, 2)])

    asked = question(battle, forced.push(battle, MoraleInputs(battle)))

    assert (asked.side, asked.unit) == (1, 1)
    assert [order.verb for order in asked.options] == ["give-way", "hold", "break-ranks"]


@pytest.mark.rule("emlia.push.choices")
def test_a_unit_in_no_ranks_has_no_choice(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(ranked(4, 1, (100, 100)), {"at": (100, 101.5), "side": "Bob"})

    events = pushed(battle, play, [(0, 1, 2)], ["stand"])

    assert [event.name for event in events] == ["pushed back"]


@pytest.mark.rule("emlia.push.hold")
def test_who_holds_takes_the_hits_of_holding_alone(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(ranked(4, 4, (100, 100)), theirs(4, 4, (100, 101)))

    pushed(battle, play, [(0, 1, 5)], ["hold"])

    assert hits(battle) == [(0, 1, 0, 5), (1, 0, 0, 2)]


@pytest.mark.rule("emlia.push.hold", "emlia.damage.credit")
def test_the_hits_of_holding_against_two_are_laid_to_each_by_his_push(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        ranked(4, 1, (98, 100)), ranked(4, 1, (102, 100)), theirs(8, 2, (100, 101))
    )

    pushed(battle, play, [(0, 2, 5), (1, 2, 2)], ["hold"])

    # Seven in all; each pusher takes half of its own push back, at most three together.
    assert hits(battle) == [(0, 2, 0, 5), (1, 2, 0, 2), (2, 0, 0, 2), (2, 1, 0, 1)]


@pytest.mark.rule("emlia.push.sequence")
def test_the_player_who_activated_longest_ago_chooses_first(
    field_of_battle: Build, play: Play
) -> None:
    first: dict[tuple[int, int], int] = {}
    for order in ((12, 1), (1, 12)):
        battle = field_of_battle(
            ranked(4, 2, (60, 100)), theirs(4, 2, (60, 101)),
            ranked(4, 2, (140, 100)), theirs(4, 2, (140, 101)), order=order,
        )  # fmt: skip
        score(battle, [(0, 1, 2), (3, 2, 2)])
        asked = next(
            said
            for said in forced.push(battle, MoraleInputs(battle))
            if not isinstance(said, Event)
        )
        first[order] = asked.side

    assert first == {(12, 1): 0, (1, 12): 1}


@pytest.mark.rule("emlia.push.sequence", "emlia.push.not-facing")
@pytest.mark.parametrize(("order", "first"), [((12, 1), 0), ((1, 12), 2)])
def test_of_two_who_push_to_their_flanks_the_one_who_activated_longest_ago_chooses_first(
    field_of_battle: Build, order: tuple[int, int], first: int
) -> None:
    battle = field_of_battle(
        ranked(4, 2, (60, 100)), theirs(2, 2, (63, 99), 270),
        theirs(4, 2, (140, 100)), ranked(2, 2, (143, 101), 270), order=order,
    )  # fmt: skip
    score(battle, [(0, 1, 2), (2, 3, 2)])

    asked = next(
        said for said in forced.push(battle, MoraleInputs(battle)) if not isinstance(said, Event)
    )

    assert (asked.asks, asked.unit) == ("emlia.push.not-facing", first)
    assert asked.options[0].target == first + 1


# Breaking ranks under a push


@pytest.mark.rule("emlia.push.break-ranks")
@pytest.mark.parametrize(
    ("answer", "formation", "press"),
    [("keep-ranks", Formation.RANKED, []), ("press", Formation.CLOSE, [(0, 1, 0, 8)])],
)
def test_who_breaks_ranks_is_pressed_only_by_those_who_break_theirs_too(
    field_of_battle: Build,
    play: Play,
    answer: str,
    formation: Formation,
    press: list[tuple[int, ...]],
) -> None:
    battle = field_of_battle(ranked(4, 3, (100, 100)), theirs(4, 2, (100, 101)))

    pushed(battle, play, [(0, 1, 3)], ["break-ranks", answer, "stand", "stand"])

    assert battle.state.units.ints("formation")[:2].tolist() == [formation, Formation.CLOSE]
    assert hits(battle) == press
    assert spot(battle, 1) == pytest.approx((100, 104), abs=0.05)


@pytest.mark.rule("emlia.push.break-ranks", "emlia.push.sequence")
def test_who_has_broken_ranks_comes_back_round_the_enemy_as_far_as_he_was_pushed(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ranked(2, 3, (100, 100)), theirs(4, 2, (100, 101)))

    events = pushed(
        battle, play, [(0, 1, 4)], ["break-ranks", "keep-ranks", "follow-up", "envelop"]
    )

    assert events[-1].name == "enveloped"
    assert events[-1].because == ("emlia.push.break-ranks",)
    assert len(fronts_of(battle, 0, 1)) > 1
    assert battle.state.units.integer("formation", 0) == Formation.RANKED


@pytest.mark.rule("emlia.push.break-ranks")
def test_where_the_pusher_stays_behind_he_comes_back_to_him(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ranked(4, 3, (100, 100)), theirs(4, 2, (100, 101)))

    pushed(battle, play, [(0, 1, 3)], ["break-ranks", "keep-ranks", "stand", "envelop"])

    assert situation_of(battle).distance(0, 1) <= 1


# Enemies at the flank or rear of who scored


def beside(field_of_battle: Build, *more: dict[str, Any]) -> Battle:
    """Alice's block faces north; an enemy block faces its left flank."""
    return field_of_battle(ranked(4, 2, (100, 100)), theirs(2, 2, (97, 99), 90), *more)


@pytest.mark.rule("emlia.push.not-facing")
def test_an_enemy_at_the_flank_may_be_put_out_of_reach_without_press(
    field_of_battle: Build, play: Play
) -> None:
    battle = beside(field_of_battle)

    pushed(battle, play, [(0, 1, 1)], ["thrust-out", "give-way"])

    assert situation_of(battle).distance(0, 1) == pytest.approx(2, abs=0.01)
    assert hits(battle) == []
    assert battle.state.units.integer("facing", 0) == 0


@pytest.mark.rule("emlia.push.not-facing")
def test_the_block_may_turn_to_face_him_and_pushes_half_as_far_with_half_the_press(
    field_of_battle: Build, play: Play
) -> None:
    battle = beside(field_of_battle)

    pushed(battle, play, [(0, 1, 3)], ["face-and-push", "give-way", "stand"])

    assert battle.state.units.integer("facing", 0) == 270 * 64
    assert spot(battle, 1) == pytest.approx((95.5, 99), abs=0.01)
    # Two abreast and four deep now, against two engaged two deep: 4, of which half.
    assert hits(battle) == [(0, 1, 0, 2)]


@pytest.mark.rule("emlia.push.not-facing")
def test_who_is_engaged_with_another_too_may_not_turn(
    field_of_battle: Build, question: Any
) -> None:
    battle = beside(field_of_battle, theirs(4, 2, (100, 101)))
    score(battle, [(0, 1, 1)])

    asked = question(battle, forced.push(battle, MoraleInputs(battle)))

    assert [order.verb for order in asked.options] == ["thrust-out", "stand"]


@pytest.mark.rule("emlia.push.not-facing")
@pytest.mark.parametrize("scores", [[(0, 1, 1), (1, 0, 1)], [(0, 1, 2), (1, 0, 2)]])
def test_without_a_net_there_is_nothing_to_make_of_it(
    field_of_battle: Build, play: Play, scores: list[tuple[int, int, int]]
) -> None:
    assert pushed(beside(field_of_battle), play, scores) == []


@pytest.mark.rule("emlia.push.not-facing")
def test_who_chooses_neither_leaves_him_where_he_is(field_of_battle: Build, play: Play) -> None:
    battle = beside(field_of_battle)

    pushed(battle, play, [(0, 1, 3)], ["stand"])

    assert spot(battle, 1) == (97, 99)


# The commanders


def test_the_doctrine_weighs_what_it_has_inflicted_against_what_it_has_taken(
    field_of_battle: Build, question: Any
) -> None:
    answers = {}
    for inflicted in (0, 5):
        battle = field_of_battle(ranked(4, 2, (100, 100)), theirs(4, 2, (100, 101)))
        score(battle, [(0, 1, 7), (1, 0, inflicted)])
        asked = question(battle, forced.push(battle, MoraleInputs(battle)))
        answers[inflicted] = Doctrine().decide(asked, SidePicture(battle, 1), battle.dice).verb

    assert answers == {0: "give-way", 5: "hold"}


@pytest.mark.parametrize("seed", range(8))
def test_any_answers_lead_through_a_resolution(field_of_battle: Build, seed: int) -> None:
    battle = field_of_battle(
        ranked(4, 3, (100, 100)), theirs(4, 3, (100, 101)), theirs(2, 2, (97, 99), 90),
        theirs(2, 2, (100, 96), 0),
    )  # fmt: skip
    score(battle, [(0, 1, 4), (1, 0, 1), (0, 2, 3), (3, 0, 5)])
    flow, answer = phase.resolve(battle), None
    asked, dice = 0, SeededDice(seed, 0)
    while True:
        try:
            said = flow.send(answer)
        except StopIteration:
            break
        answer = None
        if isinstance(said, Event):
            battle.happen(said)
        else:
            asked += 1
            answer = RandomCommander().decide(said, SidePicture(battle, said.side), dice)

    assert asked >= 2


@pytest.mark.rule("emlia.push.example-ridiculous", "emlia.push.direction", "emlia.push.sum")
def test_who_is_pushed_from_three_sides_and_wins_in_front_hardly_moves(
    field_of_battle: Build, play: Play
) -> None:
    """The book lists "3 back" as well, from the front that was won, and so comes to one GSU.

    It calls that south-south-west; its own list adds up to 3.1 due south. Without it, it is 0.17.
    """
    battle = field_of_battle(
        {"at": (100, 100)},
        theirs(1, 1, (100, 101.4)),
        theirs(1, 1, (101, 101), 225),
        theirs(1, 1, (98.6, 100), 90),
        theirs(1, 1, (100, 98.6), 0),
    )
    successes = [(0, 1, 11), (1, 0, 8), (2, 0, 3), (0, 3, 1), (3, 0, 3), (4, 0, 2)]

    events = pushed(battle, play, successes, ["give-way", "stand", "stand", "stand"])

    moves = {each.unit: each.facts.distance for each in events if each.name == "pushed back"}
    assert moves == {0: 0.17, 1: 3}
    east, north = situation_of(battle).centre(0)
    assert (east - 100, north - 100) == pytest.approx((-0.12, -0.12), abs=0.005)
