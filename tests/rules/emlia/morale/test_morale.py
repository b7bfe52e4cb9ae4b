"""Emlia, chapters 21.5 and 21.6: morale."""

from __future__ import annotations

import pytest

from emlia3d.rules.emlia.basics.tables import amended
from emlia3d.rules.emlia.tables.morale import (
    NEGATIVE,
    TURN_ROWS,
    Mark,
    MoraleFacts,
    army_value_of,
    bounded,
    is_fall,
    morale_change,
    percent_base,
    reaches,
    second_pass,
    state_of,
    weighed,
)

rule = pytest.mark.rule


def of(key):
    return f"emlia.morale.{key}"


# Each row with facts in which it and the rows it is nested in hold, and their sum.
ROWS = [
    ("neg.charge-failed", MoraleFacts(charge_failed=True), -1),
    ("neg.uphill", MoraleFacts(uphill=True), -1),
    ("neg.casualties", MoraleFacts(suffered=True), -1),
    ("neg.threshold", MoraleFacts(threshold=True), -1),
    ("neg.casualties-10", MoraleFacts(lost=1, strength=10), -1),
    ("neg.casualties-25", MoraleFacts(lost=5, strength=20), -3),
    ("neg.casualties-50", MoraleFacts(lost=5, strength=10), -5),
    ("neg.casualties-75", MoraleFacts(lost=15, strength=20), -7),
    ("neg.unseen-enemy", MoraleFacts(unseen_enemy=True), -1),
    ("neg.outnumbered", MoraleFacts(outnumbered=True), -1),
    ("neg.nearest-friend-retreating", MoraleFacts(nearest_friend_retreating=(1,)), -1),
    ("neg.all-friends-retreating", MoraleFacts(all_friends_retreating=(1, 1)), -2),
    ("neg.friend-casualties", MoraleFacts(friends_casualties=(1, 1)), -2),
    ("neg.friend-wiped-out", MoraleFacts(friends_wiped_out=(1, 1)), -4),
    ("neg.friend-runs-through", MoraleFacts(friend_runs_through=(1,)), -2),
    ("neg.leader-killed", MoraleFacts(leader_killed=True), -2),
    ("neg.general-killed", MoraleFacts(general_killed=True), -2),
    ("neg.forced-into-friend", MoraleFacts(forced_into_friend=True), -1),
    ("neg.friend-forced-into", MoraleFacts(friend_forced_into=True), -1),
    ("neg.terrain-stopped", MoraleFacts(terrain_stopped=True), -1),
    ("neg.forced-into-enemy", MoraleFacts(forced_into_enemy=True), -4),
    ("pos.unharmed", MoraleFacts(unharmed=True), 1),
    ("pos.inflicts", MoraleFacts(inflicts=True), 1),
    ("pos.inflicts-10", MoraleFacts(inflicts_10=True), 1),
    ("pos.outnumbers", MoraleFacts(outnumbers=True), 1),
    ("pos.wipes-out", MoraleFacts(wipes_out=True), 2),
    ("pos.enemy-destroyed-near", MoraleFacts(enemy_destroyed_near=True), 1),
    ("pos.forced-enemy-into-enemy", MoraleFacts(forced_enemy_into_enemy=True), 1),
    ("pos.forced-enemy-into-friend", MoraleFacts(forced_enemy_into_friend=True), 1),
    ("pos.enemy-forced-into", MoraleFacts(enemy_forced_into=True), 1),
]


@pytest.mark.parametrize(
    ("facts", "modifier"),
    [pytest.param(facts, modifier, marks=rule(of(key)), id=key) for key, facts, modifier in ROWS],
)
def test_a_row_of_the_morale_tables_holds_in_its_case(facts, modifier, request):
    change = morale_change(facts)
    assert change.total == modifier
    assert of(request.node.callspec.id) in change.because


@rule("emlia.morale.pos.enemy-forced-into")
def test_an_enemy_forced_into_a_disordered_unit_does_not_cheer_it():
    assert morale_change(MoraleFacts(enemy_forced_into=True, ordered=False)).total == 0


@rule("emlia.morale.update")
def test_a_unit_to_which_nothing_happened_keeps_its_morale():
    assert (morale_change(MoraleFacts()).total, morale_change(MoraleFacts()).because) == (0, ())


@rule("emlia.morale.casualty-sums")
@pytest.mark.parametrize(
    ("lost", "modifier"), [(1, -1), (9, -1), (10, -2), (24, -2), (25, -4), (50, -6), (75, -8)]
)
def test_losses_of_one_resolution_add_up_row_on_row(lost, modifier):
    assert morale_change(MoraleFacts(suffered=True, lost=lost, strength=100)).total == modifier


@rule("emlia.morale.this-turn")
def test_losses_accumulate_over_the_turn_and_each_share_is_paid_for_once():
    first = morale_change(MoraleFacts(suffered=True, lost=2, strength=20))
    second = morale_change(MoraleFacts(suffered=True, lost=5, strength=20), first.given)
    third = morale_change(MoraleFacts(suffered=True, lost=5, strength=20), second.given)
    assert (first.total, second.total, third.total) == (-2, -2, 0)
    assert second.because == (of("neg.casualties-25"),)


@rule("emlia.morale.this-turn")
def test_eight_rows_are_given_once_a_turn():
    assert set(TURN_ROWS) == {
        of("neg.casualties"),
        of("neg.casualties-10"),
        of("neg.casualties-25"),
        of("neg.casualties-50"),
        of("neg.casualties-75"),
        of("neg.unseen-enemy"),
        of("neg.terrain-stopped"),
        of("pos.unharmed"),
    }


@rule("emlia.morale.per-resolution")
def test_a_row_without_a_mark_is_given_in_every_resolution_of_its_event():
    facts = MoraleFacts(uphill=True, inflicts=True, wipes_out=True)
    first = morale_change(facts)
    assert (first.total, first.given) == (2, frozenset())
    assert morale_change(facts, first.given).total == 2


@rule("emlia.morale.example-kay")
def test_kays_regulars_lose_a_quarter_and_hold():
    change = morale_change(MoraleFacts(suffered=True, lost=5, strength=20, inflicts=True))
    assert change.total == -3
    assert state_of(4 + change.total).name == "Normal"


@rule("emlia.morale.percent-base")
@pytest.mark.parametrize(
    ("base", "strength"),
    [
        ({"members": 8, "single": False}, 8),
        ({"members": 8, "single": False, "limit": 3, "damage": 2}, 8),
        ({"members": 1, "single": True, "limit": 20, "damage": 5}, 15),
        ({"members": 1, "single": True}, None),
    ],
)
def test_percentages_are_of_the_strength_at_the_beginning_of_the_turn(base, strength):
    assert percent_base(**base) == strength


@rule("emlia.morale.percent-base")
def test_what_has_no_limit_pays_for_damage_but_for_no_percentage():
    change = morale_change(MoraleFacts(suffered=True, lost=99, strength=None))
    assert change.because == (of("neg.casualties"),)


@rule("emlia.morale.notes")
@pytest.mark.parametrize(
    ("mark", "modifier", "friends", "own", "change"),
    [
        (Mark.HALVED_IF_LOWER, -2, (2,), 1, -4),
        (Mark.HALVED_IF_LOWER, -2, (1,), 2, -1),
        (Mark.HALVED_IF_LOWER, -2, (1,), 1, -2),
        (Mark.IGNORED_IF_LOWER, -1, (1,), 2, 0),
        (Mark.IGNORED_IF_LOWER, -1, (3,), 2, -1),
        (Mark.IGNORED_IF_LOWER, -1, (4, 2, 1), 2, -3),
        (Mark.IGNORED_IF_ALL_LOWER, -2, (1, 1), 2, 0),
        (Mark.IGNORED_IF_ALL_LOWER, -2, (1, 2), 2, -2),
        (Mark.IGNORED_IF_ALL_LOWER, -2, (1, 4), 2, -4),
        (Mark.IGNORED_IF_LOWER, -1, (4,), 2, -2),
    ],
)
def test_the_loss_of_conscripts_does_not_shake_guards(mark, modifier, friends, own, change):
    assert weighed(modifier, mark, friends, own) == change


@rule("emlia.morale.notes")
@pytest.mark.parametrize(
    ("mark", "modifier", "friends", "change"),
    [
        (Mark.IGNORED_IF_LOWER, -1, (0,), -1),
        (Mark.HALVED_IF_LOWER, -2, (0,), -2),
        (Mark.IGNORED_IF_ALL_LOWER, -2, (0,), -2),
        (Mark.IGNORED_IF_LOWER, -1, (1, 0), -3),
        (Mark.HALVED_IF_LOWER, -2, (1,), -4),
        (Mark.IGNORED_IF_ALL_LOWER, -2, (0, 1), -4),
    ],
)
def test_to_a_unit_of_army_value_0_an_equal_friend_counts_once_and_a_better_one_twice(
    mark, modifier, friends, change
):
    assert weighed(modifier, mark, friends, 0) == change


@rule("emlia.morale.notes")
def test_a_friend_of_no_weight_is_not_given_as_a_reason():
    change = morale_change(MoraleFacts(army_value=2, friends_casualties=(1,)))
    assert (change.total, change.because) == (0, ())


@rule("emlia.morale.second-pass")
@rule("emlia.morale.reaches")
@pytest.mark.parametrize(
    ("attacked", "keys"),
    [
        pytest.param([(-3, -7)], ("enemy-retreats", "enemy-routs"), id="both at once"),
        pytest.param(
            [(-3, -4)], ("enemy-retreats",), id="retreats", marks=rule(of("pos.enemy-retreats"))
        ),
        pytest.param([(-6, -7)], ("enemy-routs",), id="routs", marks=rule(of("pos.enemy-routs"))),
        pytest.param([(-4, -6)], (), id="was retreating already"),
        pytest.param([(-7, -4)], (), id="rises"),
        pytest.param([(0, -5), (1, -4)], ("enemy-retreats",), id="two of them count once"),
    ],
)
def test_an_enemy_who_falls_far_enough_cheers_those_who_attacked_him(attacked, keys):
    because = tuple(of(f"pos.{key}") for key in keys)
    assert second_pass(attacked)[:2] == (len(keys), because)


@rule("emlia.morale.reaches")
def test_reaching_a_morale_means_crossing_it_in_this_resolution():
    assert reaches(-3, -4, -4)
    assert not reaches(-4, -4, -4)
    assert not reaches(-5, -3, -4)


@rule("emlia.morale.bounds")
def test_morale_stays_between_the_ends_of_the_table():
    assert [bounded(morale) for morale in (-9, -7, 0, 7, 12)] == [-7, -7, 0, 7, 7]


@rule("emlia.morale.state")
@rule("emlia.morale.army-value")
@pytest.mark.parametrize(
    ("morales", "name", "army_value"),
    [
        pytest.param(morales, name, value, marks=rule(of(f"state.{key}")), id=key)
        for key, morales, name, value in [
            ("victorious", (7,), "Victorious", 5),
            ("eager", (4, 5, 6), "Eager", 4),
            ("normal", (1, 2, 3), "Normal", 3),
            ("shaken", (0,), "Shaken", 3),
            ("falling-back", (-1, -2, -3), "Falling Back", 3),
            ("retreating", (-4, -5, -6), "Retreating", 3),
            ("routed", (-7,), "Routed", 3),
        ]
    ],
)
def test_every_morale_has_its_state_and_army_value(morales, name, army_value):
    assert {state_of(morale).name for morale in morales} == {name}
    assert {army_value_of(3, morale) for morale in morales} == {army_value}


@rule("emlia.morale.entering")
@pytest.mark.parametrize(
    ("before", "after", "falls"),
    [(1, 0, True), (0, -1, True), (-3, -4, True), (3, -7, True), (-1, 0, False), (-1, -3, False),
     (7, 4, False), (0, 0, False)],
)  # fmt: skip
def test_only_a_fall_into_a_low_state_disorders(before, after, falls):
    assert is_fall(before, after) is falls


def test_a_house_rule_replaces_one_row_of_morale():
    rows = amended(NEGATIVE, {of("neg.uphill"): -3})
    assert morale_change(MoraleFacts(uphill=True, threshold=True), rows=rows).total == -4


@rule("emlia.morale.notes")
@pytest.mark.parametrize(
    ("friends", "total", "weighs"),
    [
        # All friends count once together; twice if any has double the value, none if all have less.
        ((3, 3), -2, False),
        ((3, 2), -2, False),
        ((6, 3), -4, True),
        ((2, 1), 0, True),
    ],
)
def test_army_values_are_a_reason_where_they_change_what_a_row_brings(friends, total, weighs):
    change = morale_change(MoraleFacts(all_friends_retreating=friends, army_value=3))

    assert change.total == total
    assert change.reasons == (("emlia.morale.notes",) if weighs else ())


@rule("emlia.morale.notes")
@pytest.mark.parametrize(
    ("friends", "total", "weighs"), [((3, 3), -2, False), ((6, 3), -3, True), ((2, 3), -1, True)]
)
def test_of_friends_that_count_one_by_one_each_has_its_own_weight(friends, total, weighs):
    change = morale_change(MoraleFacts(friends_casualties=friends, army_value=3))

    assert change.total == total
    assert change.reasons == (("emlia.morale.notes",) if weighs else ())
