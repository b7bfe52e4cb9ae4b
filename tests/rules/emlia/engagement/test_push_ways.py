"""Which way pushes go, what is made of an enemy that is not ahead, and who follows how far."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.events.combat import Struck
from emlia3d.rules.emlia.play.engagement.pushes import direction, may_shift
from emlia3d.rules.emlia.play.morale.morale_update import MoraleInputs
from emlia3d.rules.emlia.play.retreat import forced
from emlia3d.rules.emlia.play.situation.fights import fight_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from tests.made_up import made_up
from tests.rules.emlia import troops
from tests.rules.emlia.combat.blows import man
from tests.rules.emlia.outcome import names, spot, told
from tests.rules.emlia.shoving import hits, pushed

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

ranked = partial(troops.ranked, hits=99)
theirs = partial(troops.theirs, hits=99)
tough = partial(man, hits=99)

BESIDE = {
    "left flank": ((97, 99), 90),
    "right flank": ((103, 99), 270),
    "rear": ((100, 97), 0),
}
"""Fronts of an enemy block 1 GSU from each side of ranks of 4 x 2 at (100, 100) that face north."""
OUTWARD = {"left flank": (-1, 0), "right flank": (1, 0), "rear": (0, -1)}
FACING = {"left flank": 270, "right flank": 90, "rear": 180}


def beside(field_of_battle: Build, side: str, *more: dict[str, Any]) -> Battle:
    front, facing = BESIDE[side]
    return field_of_battle(ranked(4, 2, (100, 100)), theirs(2, 2, front, facing), *more)


@pytest.mark.rule("emlia.push.not-facing")
@pytest.mark.parametrize("side", BESIDE)
def test_a_block_turns_to_an_enemy_at_any_side_and_pushes_it_half_as_far(
    field_of_battle: Build, play: Play, side: str
) -> None:
    battle = beside(field_of_battle, side)
    (x, y), _ = BESIDE[side]
    east, north = OUTWARD[side]

    events = pushed(battle, play, [(0, 1, 5)], ["face-and-push", "give-way", "stand"])

    (turn,) = told(events, "turned to push")
    assert (turn.unit, turn.target, turn.facts.values(), turn.part_of_last) == (
        0,
        1,
        {"side": side},
        True,
    )
    assert turn.because == ("emlia.push.not-facing",)
    assert battle.state.units.integer("facing", 0) == FACING[side] * 64
    assert spot(battle, 1) == pytest.approx((x + 2.5 * east, y + 2.5 * north), abs=0.01)


@pytest.mark.rule("emlia.push.not-facing")
@pytest.mark.parametrize("side", BESIDE)
@pytest.mark.parametrize("net", [1, 7])
def test_an_enemy_at_any_side_is_put_one_gsu_out_of_reach_whatever_the_net(
    field_of_battle: Build, play: Play, side: str, net: int
) -> None:
    battle = beside(field_of_battle, side)
    (x, y), _ = BESIDE[side]
    east, north = OUTWARD[side]

    events = pushed(battle, play, [(0, 1, net)], ["thrust-out", "give-way"])

    # From a gap of 1 to one of 2, which is 1 beyond the reach of 1; and nobody follows.
    assert spot(battle, 1) == pytest.approx((x + east, y + north), abs=0.01)
    assert situation_of(battle).distance(0, 1) == pytest.approx(2, abs=0.01)
    assert (hits(battle), battle.state.units.integer("facing", 0)) == ([], 0)
    assert names(events) == ["pushed back"]


@pytest.mark.rule("emlia.push.not-facing")
@pytest.mark.parametrize(
    ("more", "verbs"),
    [
        ((), ["face-and-push", "thrust-out", "stand"]),
        ((man(100, 101.4, "Bob"),), ["thrust-out", "stand"]),
        ((man(100, 101.4),), ["face-and-push", "thrust-out", "stand"]),
        ((man(100, 102.75, "Bob", weapons=({"name": "Pike", "base_damage": 1,
                                            "abilities": ("reach 2",)},)),),
         ["thrust-out", "stand"]),
    ],
    ids=["alone", "an enemy ahead", "a friend ahead", "an enemy that reaches it"],
)  # fmt: skip
def test_a_block_that_another_enemy_is_engaged_with_may_not_turn(
    field_of_battle: Build, question: Any, more: tuple[Any, ...], verbs: list[str]
) -> None:
    battle = beside(field_of_battle, "right flank", *more)
    change = Append(table="push", row={"attacker": 0, "subject": 1, "successes": 1})
    battle.happen(Event(facts=made_up(Struck), changes=(change,)))

    asked = question(battle, forced.push(battle, MoraleInputs(battle)))

    assert [order.verb for order in asked.options] == verbs
    assert (asked.unit, asked.side, {order.target for order in asked.options[:-1]}) == (0, 0, {1})


# Which way


@pytest.mark.rule("emlia.push.direction")
@pytest.mark.parametrize(
    ("at", "way"), [((100, 102), (0, 1)), ((102, 100), (1, 0)), ((98.8, 98.4), (-0.6, -0.8))]
)
def test_a_unit_in_no_ranks_pushes_another_straight_away_from_it(
    field_of_battle: Build, at: tuple[float, float], way: tuple[float, float]
) -> None:
    battle = field_of_battle(man(100, 100), man(*at, "Bob"))

    assert direction(battle, (1,), {0: 2}) == pytest.approx(way, abs=0.01)


@pytest.mark.rule("emlia.push.direction", "emlia.mixedeng.move-ranked")
@pytest.mark.parametrize(
    ("scored", "way"),
    [
        ({1: 2}, (0, -1)),
        ({2: 2}, (1, 0)),
        ({3: 2}, (-1, 0)),
        ({4: 1}, (0, 1)),
        ({1: 3, 2: 1}, (0.25, -0.75)),
        ({1: 1, 2: 1, 3: 2}, (-0.25, -0.25)),
    ],
)
def test_a_ranked_unit_is_pushed_back_from_each_side_by_the_share_of_its_successes(
    field_of_battle: Build, scored: dict[int, int], way: tuple[float, float]
) -> None:
    battle = field_of_battle(
        ranked(4, 2, (100, 100)), man(100, 101.4, "Bob"), man(97, 99, "Bob"), man(103, 99, "Bob"),
        man(100, 96.6, "Bob"),
    )  # fmt: skip

    assert direction(battle, (0,), scored) == pytest.approx(way, abs=0.01)


@pytest.mark.rule("emlia.push.direction")
@pytest.mark.parametrize("facing", [0, 30, 330])
def test_a_ranked_unit_pushes_as_it_faces(field_of_battle: Build, facing: int) -> None:
    battle = field_of_battle(ranked(1, 1, (100, 100), facing), man(100, 101.4, "Bob"))
    expected = {0: (0, 1), 30: (0.5, 0.866), 330: (-0.5, 0.866)}[facing]

    assert direction(battle, (1,), {0: 1}) == pytest.approx(expected, abs=0.001)


# Which pushes count


@pytest.mark.rule("emlia.push.sum", "emlia.push.choices")
def test_pushes_from_opposite_sides_that_cancel_move_nobody_and_ask_nothing(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        ranked(4, 2, (100, 100)), theirs(1, 1, (100, 101)), theirs(1, 1, (100, 97), 0)
    )

    events = pushed(battle, play, [(1, 0, 2), (2, 0, 2)])

    assert [name for name in names(events) if name != "pressed"] == []
    assert spot(battle, 0) == (100, 100)


@pytest.mark.rule("emlia.push.net")
@pytest.mark.parametrize(
    ("scores", "target", "wanted"),
    [
        ([(1, 0, 1), (3, 0, 2)], 3, 3),
        ([(1, 0, 2), (3, 0, 1)], 1, 3),
        ([(3, 0, 2), (1, 0, 2)], 1, 4),
        ([(3, 0, 1), (1, 0, 1), (3, 0, 1), (0, 1, 1)], 3, 2),
    ],
)
def test_successes_of_a_skirmish_add_up_and_the_one_that_scored_most_is_named(
    field_of_battle: Build, play: Play, scores: list[Any], target: int, wanted: int
) -> None:
    battle = field_of_battle(
        ranked(4, 3, (100, 100)),
        tough(99, 101.5, "Bob"), tough(101, 101.5), tough(103, 101.5, "Bob"),
    )  # fmt: skip

    events = pushed(battle, play, scores, ["give-way", "stand"])

    (back,) = told(events, "pushed back")
    assert (back.unit, back.target, back.facts.wanted) == (0, target, wanted)
    assert spot(battle, 0) == pytest.approx((100, 100 - wanted), abs=0.01)


@pytest.mark.rule("emlia.skirmish.shift")
def test_successes_that_shift_a_skirmish_push_nobody_out_of_it(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ranked(4, 2, (100, 100)), theirs(4, 2, (100, 101)))
    row = {"attacker": 0, "subject": 1, "successes": 3, "shift": 1}
    battle.happen(Event(facts=made_up(Struck), changes=(Append(table="push", row=row),)))

    assert play(battle, forced.push(battle, MoraleInputs(battle))) == []


# Going after


@pytest.mark.rule("emlia.push.follow")
@pytest.mark.parametrize(
    ("start", "net", "gone"),
    [(101.0, 2, 2.0), (100.5, 3, 3.0), (100.25, 2, 2.0), (101.0, 1, 1.0)],
)
def test_a_pusher_goes_as_far_as_it_pushed(
    field_of_battle: Build, play: Play, start: float, net: int, gone: float
) -> None:
    battle = field_of_battle(ranked(4, 2, (100, 100)), theirs(4, 2, (100, start)))

    events = pushed(battle, play, [(0, 1, net)], ["give-way", "follow-up"])

    (after,) = told(events, "followed up")
    assert spot(battle, 0) == pytest.approx((100, 100 + gone), abs=0.01)
    assert after.facts.values() == {"distance": gone}
    assert (after.unit, after.target, after.part_of_last) == (0, 1, True)
    assert situation_of(battle).distance(0, 1) >= 1 / 4 - 0.01


@pytest.mark.rule("emlia.push.follow", "emlia.push.direction")
def test_a_pusher_in_no_ranks_goes_the_way_of_its_push(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(tough(97, 99), theirs(4, 2, (100, 100), 0))

    pushed(battle, play, [(0, 1, 2)], ["give-way", "follow-up"])

    # It stands at the left flank, and so pushes due east.
    assert spot(battle, 1) == pytest.approx((102, 100), abs=0.01)
    assert situation_of(battle).centre(0) == pytest.approx((99, 99), abs=0.05)


@pytest.mark.rule("emlia.push.follow")
def test_a_pusher_in_no_ranks_follows_though_another_enemy_engages_it(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        tough(100, 101.4), theirs(4, 2, (100, 100), 0), theirs(1, 1, (98.6, 101.9), 90)
    )

    events = pushed(battle, play, [(0, 1, 2)], ["give-way", "follow-up"])

    assert "followed up" in names(events)


@pytest.mark.rule("emlia.push.follow")
@pytest.mark.parametrize(("beside", "follows"), [((97, 99), False), ((94, 99), True)])
def test_a_ranked_pusher_stays_where_another_enemy_engages_it(
    field_of_battle: Build, play: Play, beside: tuple[float, float], follows: bool
) -> None:
    battle = field_of_battle(
        ranked(4, 2, (100, 100)), theirs(4, 2, (100, 101)), theirs(1, 1, beside, 90)
    )

    events = pushed(battle, play, [(0, 1, 2)], ["give-way", *(["follow-up"] * follows)])

    assert ("followed up" in names(events)) is follows


@pytest.mark.rule("emlia.mixedeng.other")
@pytest.mark.parametrize(
    ("unit", "but", "fight"),
    [
        (0, -1, (0, 1, 2, 3, 4)),
        (2, -1, (0, 1, 2, 3, 4)),
        (5, -1, ()),
        (0, 2, (0, 1)),
        (3, 2, (3, 4)),
        (0, 5, (0, 1, 2, 3, 4)),
        (4, 3, ()),
        (0, 4, (0, 1, 2, 3)),
    ],
)
def test_from_outside_a_fight_is_those_who_hang_together_without_the_onlooker(
    field_of_battle: Build, unit: int, but: int, fight: tuple[int, ...]
) -> None:
    """A chain of five men 1.5 GSU apart, of both sides in turn, and one by himself."""
    battle = field_of_battle(
        *(man(100 + 1.5 * row, 100, ("Alice", "Bob")[row % 2]) for row in range(5)),
        man(150, 100, "Bob"),
    )

    assert fight_of(battle, unit, but) == fight


@pytest.mark.rule("emlia.melee.no-shift")
@pytest.mark.parametrize(("gap", "may"), [(1.0, True), (2.9, True), (3.1, False)])
def test_units_shift_if_either_of_them_still_engages_the_other(
    field_of_battle: Build, gap: float, may: bool
) -> None:
    pike = {"name": "Pike", "base_damage": 1, "abilities": ("reach 2",)}
    battle = field_of_battle(man(100, 100, weapons=(pike,)), man(100, 101 + gap, "Bob"))

    assert may_shift(battle, (0,), (1,)) is may
    assert may_shift(battle, (1,), (0,)) is may
