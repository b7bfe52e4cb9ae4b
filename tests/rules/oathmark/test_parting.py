"""How a combat ends: panic, who moves back, how far, and what its events say."""

from __future__ import annotations

from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision
from emlia3d.rules.oathmark.blocks import Block
from emlia3d.rules.oathmark.combat import BlockAttack, attack_on
from emlia3d.rules.oathmark.core import SLACK, BlockSide
from emlia3d.rules.oathmark.melee import after_combat, charge, fight, placement, pushed, step_back
from tests.rules.carrying import carry
from tests.rules.oathmark.tables import INCH, SOLDIER, cell, officer, piece, put, table

FOE: dict[str, Any] = {**SOLDIER, "side": "Blue", "facing": 180, "officer": (0, 25)}
NORTH = (0.0, 1.0)
BEARINGS = [0, 40, 90, 180, 270]


def attack(*, over_works: bool = False) -> BlockAttack:
    """Return a frontal attack of the first unit on the second."""
    return BlockAttack(
        attacker=0, defender=1, struck=BlockSide.FRONT, moved=100.0, over_works=over_works
    )


def push(number: int) -> Any:
    """Return the answer to push an enemy back by a number of inches."""
    return lambda decision: next(o for o in decision.of("push back") if o.number == number)


def in_contact(bearing: int, *behind: float, **other: Any) -> tuple[Battle, Block]:
    """Return two units front to front, the first with a facing in degrees, and its frame.

    behind : officers of friends of the second, mm ahead of the first
    """
    frame = Block(0, 0, bearing * 64, 1, 1, 25, 25)
    units = [{**SOLDIER, "facing": bearing}]
    for ahead in (25, *behind):
        place = frame.at(0, ahead)
        units.append({**FOE, "facing": (bearing + 180) % 360, "officer": place})
    return table(*units, **other), frame


def moved(battle: Battle, frame: Block, unit: int, ahead: float) -> float:
    """Return how far ahead of a place in a frame an officer stands, mm; it has kept its line."""
    right, forward = frame.offset(officer(battle, unit))
    assert right == pytest.approx(0, abs=0.1)
    return forward - ahead


@pytest.mark.rule("oathmark.combat.pushback")
@pytest.mark.parametrize("bearing", BEARINGS)
@pytest.mark.parametrize(
    ("best", "answer", "ways"),
    [
        (0, push(6), (0, 6)), (0, push(1), (0, 1)), (0, "withdraw", (-1, 0)),
        (1, push(6), (-6, 0)), (1, push(1), (-1, 0)), (1, "withdraw", (0, 1)),
        (None, None, (-1, 1)),
    ],
)  # fmt: skip
def test_units_part_across_the_edge_that_they_share(
    best: int | None, answer: Any, ways: tuple[int, int], bearing: int
) -> None:
    battle, frame = in_contact(bearing)

    carry(battle, after_combat(battle, attack(), best, defender_failed=False),
          *([] if answer is None else [answer]))  # fmt: skip

    for unit, ahead in ((0, 0), (1, 25)):
        assert moved(battle, frame, unit, ahead) == pytest.approx(ways[unit] * INCH, abs=0.15)


@pytest.mark.rule("oathmark.combat.pushback-chain")
def test_events_of_a_push_say_how_and_how_far() -> None:
    # The friend is 50 mm behind: it moves 152.4 - 50 + 25.4 = 127.8 mm.
    battle, frame = in_contact(90, 25 + 50 + 50)

    done = carry(battle, after_combat(battle, attack(), 0, defender_failed=False), push(6))

    found = [(event.unit, *event.facts.values().values()) for event in done.events]
    assert found == [(1, "is pushed back", 6.0), (2, "makes room", 5.03)]
    assert [event.because for event in done.events] == [
        ("oathmark.combat.pushback",), ("oathmark.combat.pushback-chain",),
    ]  # fmt: skip
    assert moved(battle, frame, 2, 125) == pytest.approx(127.8, abs=0.15)


def test_units_that_step_back_make_others_move_first() -> None:
    # A friend stands 10 mm behind the rear of the winner: it goes 25.4 - 10 + 25.4 = 40.8 mm.
    battle = table(SOLDIER, FOE, {**SOLDIER, "officer": (0, -60)})

    done = carry(battle, after_combat(battle, attack(), 0, defender_failed=False), "withdraw")

    found = [(event.unit, *event.facts.values().values()) for event in done.events]
    assert found == [(2, "makes room", 1.61), (0, "steps back", 1.0)]
    assert done.events[1].because == ("oathmark.combat.pushback",)


@pytest.mark.rule("oathmark.combat.tie")
def test_a_tie_has_its_rule() -> None:
    battle = table(SOLDIER, FOE)

    done = carry(battle, after_combat(battle, attack(), None, defender_failed=False))

    found = [(event.unit, *event.facts.values().values(), event.because) for event in done.events]
    slug = ("oathmark.combat.tie",)
    assert found == [(0, "steps back", 1.0, slug), (1, "steps back", 1.0, slug)]


def test_a_unit_that_cannot_step_back_stays() -> None:
    rock = piece("rock", -20, -57.5, 20, -37.5)
    battle = table(SOLDIER, FOE, terrain=[rock])

    done = carry(battle, step_back(battle, attack(), 0, "oathmark.combat.tie"))

    assert not done.events
    assert officer(battle, 0) == (0, 0)


def test_a_push_by_nothing_is_none() -> None:
    battle = table(SOLDIER, FOE)

    assert pushed(battle, 1, NORTH, SLACK, (0,)) == {1: 0.0}
    assert pushed(battle, 1, NORTH, 2 * SLACK, (0,)) == {1: pytest.approx(2 * SLACK)}


@pytest.mark.rule("oathmark.combat.pushback-chain")
def test_each_unit_of_a_crowd_goes_an_inch_farther() -> None:
    # Ranks 1 mm apart: each goes 25.4 - 1 = 24.4 mm farther than the one before it.
    rows = [25 + 51 * number for number in range(5)]
    behind = [{**FOE, "officer": (0, y)} for y in rows]
    beside = {**FOE, "officer": (130, 100)}
    battle = table(SOLDIER, *behind, beside)

    found = pushed(battle, 1, NORTH, 6 * INCH, (0,))

    expected = {row: 6 * INCH + (row - 1) * 24.4 for row in range(1, 6)}
    assert found == pytest.approx(expected, abs=0.05)


@pytest.mark.rule("oathmark.combat.pushback-chain")
@pytest.mark.parametrize("order", [(2, 3), (3, 2)])
def test_the_longest_way_of_two_counts_for_a_unit_behind_both(order: tuple[int, int]) -> None:
    # The pushed unit's rear is at 62.5. Behind it are a figure of 25 mm at 72.5 and one of 50 mm
    # at 122.5; behind both is the front of the last, at 212.5.
    near = {**FOE, "members": 1, "officer": (-40, 85)}
    far = {**FOE, "members": 1, "base": [25, 50], "officer": (40, 147.5)}
    middle = [near, far] if order == (2, 3) else [far, near]
    battle = table(SOLDIER, FOE, *middle, {**FOE, "officer": (0, 225)})

    found = pushed(battle, 1, NORTH, 6 * INCH, (0,))

    one, other = 6 * INCH - 10 + INCH, 6 * INCH - 60 + INCH
    assert found[1] == pytest.approx(6 * INCH)
    assert (found[order[0]], found[order[1]]) == pytest.approx((one, other), abs=0.05)
    assert one - 115 + INCH < other - 40 + INCH
    assert found[4] == pytest.approx(other - 40 + INCH, abs=0.05)


@pytest.mark.rule("oathmark.combat.pushback-works")
@pytest.mark.parametrize("over_works", [True, False])
def test_a_defender_in_works_that_wins_may_push_the_attacker(over_works: bool) -> None:
    battle = table(SOLDIER, FOE)

    done = carry(
        battle,
        after_combat(battle, attack(over_works=over_works), 1, defender_failed=False),
        "withdraw",
    )

    assert [(o.verb, o.unit, o.target, o.number) for o in done.asked[0].options] == [
        ("push back", 1, 0, 6), ("push back", 1, 0, 1), ("withdraw", 1, 0, None),
    ]  # fmt: skip


@pytest.mark.rule("oathmark.combat.pushback-works")
def test_an_attacker_in_front_of_a_rock_cannot_push_even_if_it_may() -> None:
    battle = table(SOLDIER, FOE, terrain=[piece("rock", -20, 70, 20, 120)])

    for failed in (True, False):
        parting = after_combat(battle, attack(over_works=True), 0, defender_failed=failed)
        asked = next(parting)
        assert isinstance(asked, Decision)
        assert [order.verb for order in asked.options] == ["withdraw"]


# The fight as a whole


def test_a_charge_tells_the_facing_and_the_way() -> None:
    # The move is 70 mm: 2.76 inches. One die a side, and nothing is hit.
    battle = table({**SOLDIER, "members": 1}, {**FOE, "members": 1, "officer": (0, 95)})
    met = attack_on(battle, 0, 1, 70.0)
    met_at = Block(600, 612.5, 0, 1, 5, 25, 25).shifted(0, 70)
    block = placement(battle, 0, 1, met_at, BlockSide.FRONT)
    assert block is not None

    done = carry(battle, charge(battle, met, block), dice=[1, 1])

    told = done.facts("charged")
    assert (told.facing, told.inches) == ("front", 2.76)
    assert [(event.unit, event.target) for event in done.named("charged")] == [(0, 1)]
    assert [(event.unit, event.target) for event in done.named("fought")] == [(0, 1), (1, 0)]
    assert [event.name for event in done.events] == [
        "charged", "fought", "fought", "pushed back", "pushed back", "combat ended",
    ]  # fmt: skip


def test_losses_and_the_end_belong_to_the_event_before_them() -> None:
    battle = table(SOLDIER, FOE)

    done = carry(battle, fight(battle, attack()), push(1), dice=[10, 1, 1, 1, 1, *[1] * 5, 9, 9])

    assert [(event.name, event.part_of_last) for event in done.events] == [
        ("fought", False), ("fought", False), ("hurt", True), ("morale tested", False),
        ("pushed back", False), ("combat ended", True),
    ]  # fmt: skip
    assert done.facts("combat ended").winner == "unit 0"
    assert [cell(battle, unit, "activated") for unit in (0, 1)] == [1, 1]


@pytest.mark.rule("oathmark.morale.panic")
@pytest.mark.parametrize("broken", [0, 1])
def test_a_unit_that_breaks_in_combat_spreads_panic(broken: int) -> None:
    friends = [{**FOE, "officer": (0, 200)}, {**SOLDIER, "officer": (0, -150)}]
    battle = table(SOLDIER, FOE, *friends)
    put(battle, broken, disordered=1)
    # One figure falls; the target numbers are 6 to 8.
    own, foe = [10, 1, 1, 1, 1], [1] * 5
    faces = [*own, *foe] if broken == 1 else [*foe, *own]

    done = carry(battle, fight(battle, attack()), dice=[*faces, 1, 1, 9, 9])

    assert [event.unit for event in done.named("morale tested")] == [broken, 3 - broken]
    assert [event.unit for event in done.named("broken")] == [broken]
    assert not done.named("pushed back")
    assert done.facts("combat ended").winner == f"unit {1 - broken}"


@pytest.mark.rule("oathmark.combat.winner")
def test_a_winner_that_breaks_moves_nobody() -> None:
    battle = table(SOLDIER, FOE)
    put(battle, 0, disordered=1)

    # Two hits to one; both lose figures, the winner tests first and breaks.
    done = carry(
        battle, fight(battle, attack()), dice=[10, 10, 1, 1, 1, 10, 1, 1, 1, 1, 1, 1, 9, 9]
    )

    assert [event.unit for event in done.named("morale tested")] == [0, 1]
    assert not done.named("pushed back")
    assert done.facts("combat ended").winner == "unit 0"
