"""Dice: general rules, hits, modifiers, multipliers and joined dice."""

from __future__ import annotations

import pytest

from emlia3d.rules.runolfsson.core import (
    chance,
    divided_fire,
    has_a_shot,
    hits,
    is_close_attack,
    is_within,
    joined,
    marker_modifier,
    may_by_specials,
    multiplier,
    shares_of,
    succeeds,
    total,
    unsaved,
    whole,
)


@pytest.mark.rule("runolfsson.core.d10")
def test_five_or_more_succeeds_when_modified() -> None:
    assert succeeds(5)
    assert not succeeds(5, -1)
    assert succeeds(4, +1)
    assert not succeeds(4)


@pytest.mark.rule("runolfsson.core.natural-one")
def test_a_one_fails_with_any_bonus() -> None:
    assert not any(succeeds(1, bonus) for bonus in (0, 2, 9))


@pytest.mark.rule("runolfsson.core.natural-ten")
def test_a_ten_succeeds_at_minus_seven() -> None:
    assert succeeds(10, -7)
    assert not succeeds(9, -7)


@pytest.mark.parametrize(
    ("modifier", "tenths"), [(0, 6), (-1, 5), (-2, 4), (2, 8), (9, 9), (-9, 1)]
)
def test_the_chance_counts_the_faces_that_succeed(modifier: int, tenths: int) -> None:
    assert chance(modifier) * 10 == tenths


@pytest.mark.rule("runolfsson.core.round-down")
def test_half_of_five_is_two() -> None:
    assert whole(5 * 0.5) == 2
    assert whole(6 * 0.5) == 3


@pytest.mark.rule("runolfsson.core.special-attributes")
def test_a_special_beats_a_rule_and_a_prohibition_a_permission() -> None:
    assert may_by_specials(False, [True], [])
    assert not may_by_specials(True, [], [True])
    assert not may_by_specials(True, [True], [True])
    assert not may_by_specials(False, [], [])
    assert may_by_specials(True, [False], [False])


@pytest.mark.rule("runolfsson.core.measure")
def test_within_six_includes_six() -> None:
    assert is_within(6.0, 6.0)
    assert not is_within(6.1, 6.0)


@pytest.mark.rule("runolfsson.core.terms-fire", "runolfsson.core.terms-close")
def test_only_an_attack_in_contact_is_close() -> None:
    assert not is_close_attack(0.2)
    assert not is_close_attack(8.0)
    assert is_close_attack(0.05)
    assert not is_close_attack(0.06)


@pytest.mark.rule("runolfsson.hit.roll")
def test_each_die_of_five_or_more_hits() -> None:
    assert hits([5, 4, 10, 1], 0) == 2
    assert hits([5, 6, 10, 1], -1) == 2


@pytest.mark.rule("runolfsson.hit.save")
def test_each_saving_die_of_five_or_more_cancels_a_hit() -> None:
    assert unsaved(3, [7, 3]) == 2
    assert unsaved(1, [7, 8]) == 0


@pytest.mark.rule("runolfsson.mod.positive-cap", "runolfsson.mod.negative")
def test_positive_modifiers_come_to_two_at_most_and_negative_ones_have_no_limit() -> None:
    assert total([1, 1, 2, -1]) == 1
    assert total([1, 1, 2]) == 2
    assert total([-2, -1, -1, -1]) == -5
    assert chance(total([-2, -1, -1, -1])) * 10 == 1


@pytest.mark.rule("runolfsson.mod.marker")
def test_a_marker_gives_minus_two() -> None:
    assert marker_modifier(0) == 0
    assert marker_modifier(1) == -2
    assert marker_modifier(2) == -2
    assert [face for face in range(1, 10) if succeeds(face, -2)] == [7, 8, 9]


@pytest.mark.rule("runolfsson.dice.multipliers")
def test_multipliers_keep_between_a_quarter_and_twice() -> None:
    assert 4 * multiplier([0.5, 0.5, 0.5]) == 1
    assert 3 * multiplier([2, 2]) == 6
    assert multiplier([0.5, 0.5]) == 0.25
    assert multiplier([]) == 1


@pytest.mark.rule("runolfsson.dice.fractions")
def test_fractions_of_several_models_are_joined_at_the_worst_modifier() -> None:
    assert joined([(1.5, 0), (1.5, -1)]) == (1, -1)
    assert joined([(1.5, 0)]) == (0, 0)
    assert joined([(1.5, 0), (2.0, -3), (0.5, -1)]) == (1, -1)
    assert joined([(0.25, 0)] * 4) == (1, 0)


@pytest.mark.rule("runolfsson.dice.no-shot")
def test_half_a_die_that_nobody_joins_is_none() -> None:
    assert not has_a_shot([(0.5, 0)])
    assert has_a_shot([(0.5, 0), (0.5, -2)])
    assert has_a_shot([(1.0, 0)])
    assert not has_a_shot([])


@pytest.mark.rule("runolfsson.close.divide")
def test_dice_are_divided_as_the_player_likes() -> None:
    assert [*shares_of(5)] == [1, 2, 3, 4, 5]
    assert [*shares_of(2.5)] == [1, 2]


@pytest.mark.rule("runolfsson.contact.fire-divided")
@pytest.mark.parametrize(
    ("dice", "others", "shares"),
    [(5, 1, (3, 2)), (7, 2, (3, 2, 2)), (8, 2, (4, 2, 2)), (4, 0, (4,))],
)
def test_fire_into_a_melee_is_divided_evenly(
    dice: int, others: int, shares: tuple[int, ...]
) -> None:
    assert divided_fire(dice, others) == shares
