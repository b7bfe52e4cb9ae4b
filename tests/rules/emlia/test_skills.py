"""Emlia, chapter 5: skills and checks."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.battle.dice import FixedDice, SeededDice, odds
from emlia3d.errors import FileError
from emlia3d.rules.emlia.basics.tables import Modified, Row, amended, joined, total
from emlia3d.rules.emlia.tables.skills import (
    Skill,
    SkillPenalties,
    attempt,
    automatic_check,
    dice_notation,
    dice_of,
    expected_successes,
    general_modifier,
    roll_check,
    roll_checks,
    skill_of,
    success_chance,
)

rule = pytest.mark.rule


@rule("emlia.skill.level-plain")
def test_a_plain_level_is_so_many_dice_whatever_is_lost():
    assert skill_of("3") == Skill(dice=3)
    assert dice_of(skill_of("3"), able=0, lost=20) == 3


@rule("emlia.skill.level-diminish")
@rule("emlia.meta.rounding")
@pytest.mark.parametrize(
    ("code", "lost", "dice"), [("10/1", 3, 7), ("5/2", 3, 4), ("5/2", 9, 1), ("3/1", 4, 0)]
)
def test_a_diminishing_level_loses_a_die_for_each_full_loss(code, lost, dice):
    assert dice_of(skill_of(code), able=1, lost=lost) == dice


@rule("emlia.skill.level-star")
@pytest.mark.parametrize(("able", "dice"), [(5, 10), (3, 6), (0, 0)])
def test_a_starred_level_counts_for_each_member_able_to_take_part(able, dice):
    assert dice_of(skill_of("2*"), able=able, lost=9) == dice


@rule("emlia.skill.able-members")
@pytest.mark.parametrize(
    ("code", "members", "engaged", "dice"),
    [("5/2", 10, 5, 3), ("10/2", 25, 5, 0), ("2*", 10, 5, 10)],
)
def test_members_that_are_not_engaged_count_as_lost_in_ranked_combat(code, members, engaged, dice):
    assert dice_of(skill_of(code), able=engaged, lost=members - engaged) == dice


@pytest.mark.parametrize("code", ["", "3/", "3/0", "*", "2*/3", "-1", "three", "3 / 1"])
def test_what_is_no_skill_level_is_refused_in_one_line(code):
    with pytest.raises(
        FileError, match=r"^a skill level: expected the form 3, 10/1 or 2\*"
    ) as diagnostic:
        skill_of(code)
    assert "\n" not in str(diagnostic.value)


@rule("emlia.dice.notation")
def test_dice_are_written_without_a_space_and_one_die_without_its_number():
    assert dice_notation("d12") == (1, 12)
    assert dice_notation("2d6") == (2, 6)
    with pytest.raises(FileError, match="expected a form such as d12 or 2d6"):
        dice_notation("2 d6")


class AskedDice:
    """Notes what is asked for, and shows ones."""

    def __init__(self):
        self.asked = []

    def roll(self, why, count, sides):
        self.asked.append((why, count, sides))
        return (1,) * count


@rule("emlia.dice.d12")
def test_a_check_rolls_twelve_sided_dice_and_says_why():
    dice = AskedDice()
    roll_check("emlia.melee", 3, 0, dice)
    assert dice.asked == [("emlia.melee", 3, 12)]


@rule("emlia.skill.check.example-bog")
@rule("emlia.skill.check")
def test_three_dice_at_minus_two_in_the_bog_hit_once():
    dice = FixedDice([6, 2, 11])
    check = roll_check("emlia.melee", 3, -2, dice)
    dice.assert_spent()
    assert (check.faces, check.modifier, check.successes) == ((6, 2, 11), -2, 1)
    assert check.succeeded


@rule("emlia.skill.check")
@rule("emlia.skill.outcome")
def test_a_die_that_reaches_exactly_five_succeeds_and_a_check_without_successes_fails():
    assert roll_check("x", 1, 0, FixedDice([5])).succeeded
    assert not roll_check("x", 2, 0, FixedDice([4, 4])).succeeded
    assert not roll_check("x", 0, 4, FixedDice([])).succeeded


@rule("emlia.skill.check")
def test_a_check_of_very_many_dice_succeeds_by_the_faces_that_few_at_a_time_show():
    few, many = SeededDice(4, 2), SeededDice(4, 2)
    rolled = [roll_check("x", 20, -1, few) for _ in range(25)]

    check = roll_check("x", 500, -1, many)

    assert check.successes == sum(part.successes for part in rolled)
    assert check.faces == ()
    faces = [face for part in rolled for face in part.faces]
    assert check.counts == tuple(faces.count(face) for face in range(1, 13))


@rule("emlia.skill.check")
@given(st.lists(st.tuples(st.integers(0, 60), st.integers(-9, 5)), max_size=40))
def test_checks_at_once_succeed_as_one_after_another(checks):
    one_by_one, at_once = SeededDice(4, 2), SeededDice(4, 2)
    counts, modifiers = [n for n, _ in checks], [m for _, m in checks]

    successes = roll_checks("x", counts, modifiers, at_once)

    assert successes.tolist() == [roll_check("x", n, m, one_by_one).successes for n, m in checks]
    assert at_once.roll("x", 3, 12) == one_by_one.roll("x", 3, 12)


@rule("emlia.skill.check")
@pytest.mark.parametrize("modifier", [-20, -8, -7, -2, 0, 4])
def test_checks_about_as_large_as_are_kept_face_by_face_succeed_alike(modifier):
    counts = [0, 1, 24, 25, 0, 1000]
    one_by_one, at_once, in_dice = SeededDice(6, 1), SeededDice(6, 1), SeededDice(6, 1)

    successes = roll_checks("x", counts, modifier, at_once).tolist()

    assert successes == [roll_check("x", n, modifier, one_by_one).successes for n in counts]
    faces = [[in_dice.roll("x", 1, 12)[0] for _ in range(n)] for n in counts]
    assert successes == [sum(face + modifier >= 5 for face in some) for some in faces]


@rule("emlia.meta.probability")
@pytest.mark.parametrize("modifier", [-7, -2, 0, 3])
def test_a_great_many_checks_succeed_as_often_as_their_chance_says(modifier):
    successes = roll_checks("x", [10] * 20_000, modifier, SeededDice(11, 0))

    # Pearson's chi-squared over how many of ten dice succeed; as great once in a thousand times.
    chance, ways = float(success_chance(modifier)), range(11)
    expected = [20_000 * comb(10, k) * chance**k * (1 - chance) ** (10 - k) for k in ways]
    kept = [k for k in ways if expected[k] >= 5]
    found = [int((successes == k).sum()) for k in ways]
    rest = (
        sum(expected) - sum(expected[k] for k in kept),
        len(successes) - sum(found[k] for k in kept),
    )
    cells = [*((expected[k], found[k]) for k in kept), *([rest] if rest[0] >= 1 else [])]
    assert sum((seen - meant) ** 2 / meant for meant, seen in cells) < 29.6


@rule("emlia.meta.probability")
@pytest.mark.parametrize(
    ("modifier", "chance"),
    [
        (0, Fraction(8, 12)),
        (-2, Fraction(6, 12)),
        (4, Fraction(1)),
        (9, Fraction(1)),
        (-7, Fraction(1, 12)),
        (-8, Fraction(0)),
        (-20, Fraction(0)),
    ],
)
def test_the_chance_of_a_die_is_what_rolling_it_gives(modifier, chance):
    assert success_chance(modifier) == chance
    rolled = odds(lambda dice: roll_check("x", 1, modifier, dice).successes)
    assert rolled.get(1, Fraction(0)) == chance


@rule("emlia.meta.probability")
def test_two_dice_at_nothing_miss_both_in_one_case_of_nine():
    rolled = odds(lambda dice: roll_check("x", 2, 0, dice).successes)
    assert rolled == {0: Fraction(1, 9), 1: Fraction(4, 9), 2: Fraction(4, 9)}
    assert sum(count * chance for count, chance in rolled.items()) == expected_successes(2, 0)


def test_of_many_dice_only_the_counts_of_the_faces_are_kept():
    few = roll_check("x", 24, 0, FixedDice([5] * 24))
    many = roll_check("x", 25, 0, FixedDice([1] * 5 + [12] * 20))
    assert (len(few.faces), few.counts) == (24, None)
    assert (many.faces, many.counts) == ((), (5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20))
    assert many.successes == 20


@rule("emlia.skill.improvise")
def test_who_lacks_the_skill_improvises_with_one_die_at_minus_four():
    tried = attempt(None, may_improvise=True)
    modifier, because, _ = general_modifier(SkillPenalties(improvised=tried.improvised))
    assert (tried.dice, modifier) == (1, -4)
    assert because == ("emlia.skill.total-modifier.improvised",)
    assert success_chance(modifier) == Fraction(4, 12)
    assert not roll_check("x", 1, modifier, FixedDice([8])).succeeded
    assert roll_check("x", 1, modifier, FixedDice([9])).succeeded


@rule("emlia.skill.improvise.diminished")
def test_who_has_lost_all_dice_of_a_skill_may_improvise_where_the_action_allows():
    assert attempt(0, may_improvise=True).dice == 1
    assert attempt(0, may_improvise=True).because == ("emlia.skill.improvise.diminished",)
    assert attempt(0, may_improvise=False).dice == 0
    assert attempt(None, may_improvise=False).dice == 0
    assert not attempt(3, may_improvise=True).improvised


@rule("emlia.skill.automatic-success")
def test_every_die_succeeds_unrolled_where_success_is_automatic():
    check = automatic_check(7, -9)
    assert (check.successes, check.faces, check.automatic) == (7, (), True)


@rule("emlia.skill.total-modifier")
@pytest.mark.parametrize(
    ("row", "modifier"),
    [
        pytest.param(row, modifier, marks=rule(f"emlia.skill.total-modifier.{key}"), id=key)
        for key, row, modifier in [
            ("double-paced", SkillPenalties(double_paced=True), -4),
            ("aligned-flank", SkillPenalties(aligned_flank=True), -1),
            ("aligned-rear", SkillPenalties(aligned_rear=True), -2),
            ("improvised", SkillPenalties(improvised=True), -4),
        ]
    ],
)
def test_a_general_modifier_weighs_on_every_check(row, modifier, request):
    key = request.node.callspec.id
    slug = f"emlia.skill.total-modifier.{key}"
    assert general_modifier(row) == (modifier, (slug,), (modifier,))


@rule("emlia.meta.cumulative")
def test_every_row_that_holds_is_added_and_named_once():
    rows = (
        Row("two", -2, lambda count: count > 1),
        Row("each", 3, lambda count: count),
        Row("never", 9, lambda count: False),
        Row("nothing", 0, lambda count: True),
    )
    assert total(rows, 2) == (4, ("two", "each", "nothing"), (-2, 6, 0))
    assert joined(total(rows, 2), Modified(-1, ("other",), (-1,))) == (
        3,
        ("two", "each", "nothing", "other"),
        (-2, 6, 0, -1),
    )


def test_a_house_rule_replaces_the_modifier_of_one_row():
    rows = (Row("a", 1, lambda _: True), Row("b", 2, lambda _: True))
    assert total(amended(rows, {"b": -5}), 0).total == -4
    assert total(rows, 0).total == 3
