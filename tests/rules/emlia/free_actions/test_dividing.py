"""Emlia, chapter 10.5 in play: a unit of like men is split in two."""

from __future__ import annotations

from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Fall, Set, Stand
from emlia3d.battle.commanders import RandomCommander
from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.dice import Dice
from emlia3d.battle.events import Event, Unread
from emlia3d.cli.outcome import outcome_of
from emlia3d.errors import IllegalOrderError
from emlia3d.rulekit.english import ReportNames
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.play.free_actions import joining
from emlia3d.rules.emlia.play.morale.allocation import markers_by_row
from emlia3d.rules.emlia.play.morale.leading import leader_of
from emlia3d.rules.emlia.play.sight.awareness import is_aware
from emlia3d.rules.emlia.play.situation.parts import on_field, parts_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import activation, objectives, timing
from emlia3d.rules.emlia.report.deployment import losses
from tests.rules.emlia.hitting import hit
from tests.rules.emlia.invariants import Watched
from tests.rules.emlia.random_play import folded, in_pieces

FOE: dict[str, Any] = {"name": "foe", "side": "Bob", "members": 4, "at": (60, 180)}
MEN: dict[str, Any] = {
    "name": "bandits", "members": 12, "files": 4, "formation": "close", "at": (60, 40),
    "skills": {"leadership": "3"}, "morale": 2, "timing": 2,
}  # fmt: skip
SPLIT = Order(verb="split-unit", unit=0, target=0)
PART = 2
"""The row of the first part: after those of the units that took the field."""


def behind(rank: int) -> Any:
    return lambda decision: _way(decision, rank - 1)


def right_of(file: int, ranks: int = 3) -> Any:
    return lambda decision: _way(decision, ranks - 1 + file - 1)


def _way(decision: Decision, number: int) -> Order:
    assert decision.asks == "emlia.lead.split"
    (order,) = [option for option in decision.options if option.number == number]
    return order


@pytest.fixture
def bandits(field_of_battle) -> Battle:
    return field_of_battle(MEN, FOE)


@pytest.fixture
def parted(bandits, play) -> Battle:
    play(bandits, joining.split(bandits, 0, SPLIT), dice=[12, 1, 1], answers=[behind(2)])
    return bandits


def spots(battle: Battle, *units: int) -> list[tuple[float, float]]:
    return sorted(
        tuple(spot) for unit in units for spot in situation_of(battle).places(unit).tolist()
    )


def rows_of(battle: Battle, column: str, *units: int) -> list[int]:
    return [battle.state.units.integer(column, unit) for unit in units]


@pytest.mark.rule("emlia.lead.split")
def test_a_leader_may_split_his_unit_of_like_men(bandits):
    assert joining.split_options(bandits, 0) == [SPLIT]


@pytest.mark.rule("emlia.lead.split")
def test_a_unit_is_split_between_two_ranks_and_nobody_moves(bandits, play):
    before = spots(bandits, 0)

    (event,) = play(bandits, joining.split(bandits, 0, SPLIT), dice=[12, 1, 1], answers=[behind(2)])

    assert event.name == "split"
    assert on_field(bandits) == [0, 1, PART]
    assert rows_of(bandits, "members", 0, PART) == [8, 4]
    assert spots(bandits, 0, PART) == before
    assert max(y for _, y in spots(bandits, PART)) < min(y for _, y in spots(bandits, 0))
    assert [leader_of(bandits, unit) for unit in (0, PART)] == [0, PART]


@pytest.mark.rule("emlia.lead.split")
def test_a_unit_is_split_between_two_files(bandits, play):
    before = spots(bandits, 0)

    play(bandits, joining.split(bandits, 0, SPLIT), dice=[12, 1, 1], answers=[right_of(3)])

    assert rows_of(bandits, "members", 0, PART) == [9, 3]
    assert rows_of(bandits, "files", 0, PART) == [3, 1]
    assert spots(bandits, 0, PART) == before
    assert min(x for x, _ in spots(bandits, PART)) > max(x for x, _ in spots(bandits, 0))


@pytest.mark.rule("emlia.lead.split")
def test_its_controller_divides_it_as_he_wishes(bandits, question):
    asked = question(bandits, joining.split(bandits, 0, SPLIT), dice=[12, 1, 1])

    # Three ranks of four: between any two ranks, and between any two files.
    assert [SYSTEM.phrase(bandits, option) for option in asked.options] == [
        "behind the 1st rank: 4 leave, 8 stay with the leader",
        "behind the 2nd rank: 4 leave, 8 stay with the leader",
        "right of the 1st file: 3 leave, 9 stay with the leader",
        "right of the 2nd file: 6 leave, 6 stay with the leader",
        "right of the 3rd file: 3 leave, 9 stay with the leader",
    ]
    assert SYSTEM.question(bandits, asked) == "bandits is split: where?"


@pytest.mark.rule("emlia.lead.split")
def test_the_men_about_the_leader_stay_the_unit_that_they_were(bandits, play):
    # He stands in the second of three ranks, so it is the first that leaves.
    play(bandits, joining.split(bandits, 0, SPLIT), dice=[12, 1, 1], answers=[behind(1)])

    assert rows_of(bandits, "members", 0, PART) == [8, 4]
    assert min(y for _, y in spots(bandits, PART)) > max(y for _, y in spots(bandits, 0))


@pytest.mark.rule("emlia.lead.split")
def test_a_failure_to_split_a_plain_unit_changes_nothing_but_costs_the_action(bandits, play):
    (event,) = play(bandits, joining.split(bandits, 0, SPLIT), dice=[1, 1, 1])

    assert event.name == "failed to split"
    assert on_field(bandits) == [0, 1]
    assert joining.split_options(bandits, 0) == []


@pytest.mark.rule("emlia.lead.split")
def test_a_leader_may_split_a_friend_within_twenty_of_himself(field_of_battle, play):
    officer = {"name": "officer", "at": (60, 60), "skills": {"leadership": "3"}, "army_value": 2}
    near = field_of_battle(officer, {**MEN, "at": (60, 40)}, FOE)
    far = field_of_battle(officer, {**MEN, "at": (60, 30)}, FOE)
    order = Order(verb="split-unit", unit=0, target=1)
    assert joining.split_options(near, 0) == [order]
    assert joining.split_options(far, 0) == []

    play(near, joining.split(near, 0, order), dice=[12, 1, 1], answers=[behind(2)])

    assert rows_of(near, "members", 1, 3) == [8, 4]


@pytest.mark.rule("emlia.lead.split")
def test_a_single_man_and_an_enemy_are_not_split(field_of_battle):
    battle = field_of_battle({**MEN, "members": 1, "files": 1}, {**FOE, "at": (60, 48)})

    assert joining.split_options(battle, 0) == []


@pytest.mark.rule("emlia.lead.split")
def test_the_new_unit_activates_as_normal_without_what_was_used(bandits, play, put):
    put(bandits, 0, activated=1, move_used=1)

    play(bandits, joining.split(bandits, 0, SPLIT), dice=[12, 1, 1], answers=[behind(2)])

    assert rows_of(bandits, "activated", 0, PART) == [1, 0]
    bandits.happen(activation.begun(bandits, PART))
    assert rows_of(bandits, "move_used", 0, PART) == [1, 1]
    assert joining.split_options(bandits, PART) == []


@pytest.mark.rule("emlia.lead.split")
def test_a_new_unit_has_its_turn_in_the_same_step(bandits, play):
    play(bandits, activation.activate(bandits, 0), dice=[12, 1, 1],
         answers=[SPLIT, behind(2), "done"])  # fmt: skip

    assert timing.waiting_units(bandits) == [1, PART]


@pytest.mark.rule("emlia.lead.split")
def test_both_have_what_the_whole_had(bandits, play, put):
    put(bandits, 0, morale=-3, disordered=0, posture=1, last_speed=4.0)
    put(bandits, 1, morale=1)
    assert is_aware(bandits, 1, 0) == is_aware(bandits, 0, 1)

    play(bandits, joining.split(bandits, 0, SPLIT), dice=[12, 1, 1], answers=[behind(2)])

    for column in ("morale", "posture", "timing", "formation", "facing"):
        one, other = rows_of(bandits, column, 0, PART)
        assert one == other
    assert is_aware(bandits, PART, 1) == is_aware(bandits, 0, 1)


@pytest.mark.rule("emlia.lead.split")
def test_hits_of_this_step_are_still_taken_by_all_who_were_hit(bandits, play):
    hit(bandits, 12, subject=0, attacker=1)

    play(bandits, joining.split(bandits, 0, SPLIT), dice=[12, 1, 1], answers=[behind(2)])

    taken: dict[int, Any] = {}

    def asked() -> Procedure[None]:
        taken.update((yield from markers_by_row(bandits)))

    play(bandits, asked())
    assert {row: sum(m.hits for m in found) for row, found in taken.items()} == {0: 8, PART: 4}


@pytest.mark.rule("emlia.lead.split")
def test_wounds_and_losses_of_before_are_of_those_who_stay(field_of_battle, play, put):
    battle = field_of_battle({**MEN, "hits": 2, "damage_limit": 2}, FOE)
    battle.happen(Event(facts=Unread(event="put"), changes=(Fall(unit=0, figures=(0, 1)),)))
    put(battle, 0, damage=1)

    play(battle, joining.split(battle, 0, SPLIT), dice=[12, 1, 1], answers=[behind(2)])

    assert rows_of(battle, "strength", 0, PART) == [10, 2]
    assert rows_of(battle, "members", 0, PART) == [8, 2]
    assert rows_of(battle, "damage", 0, PART) == [1, 0]


@pytest.mark.rule("emlia.lead.split")
def test_the_men_of_an_incomplete_last_rank_close_up_to_the_middle(field_of_battle, play):
    # Five in front and three behind; the line passes beside the middle file.
    battle = field_of_battle({**MEN, "members": 8, "files": 5}, FOE)

    play(battle, joining.split(battle, 0, SPLIT), dice=[12, 1, 1], answers=[right_of(3, ranks=2)])

    assert rows_of(battle, "members", 0, PART) == [5, 3]
    front, rear = spots(battle, PART)[0][0], spots(battle, PART)[1][0]
    assert sorted(x for x, _ in spots(battle, PART))[1] == pytest.approx((front + rear) / 2 + 0.375)


@pytest.mark.rule("emlia.form.ranked", "emlia.lead.split")
def test_one_man_who_leaves_the_ranks_is_in_close_formation(field_of_battle, play):
    battle = field_of_battle({**MEN, "members": 3, "files": 3, "formation": "ranked"}, FOE)

    play(battle, joining.split(battle, 0, SPLIT), dice=[12, 1, 1], answers=[right_of(2, ranks=1)])

    assert rows_of(battle, "members", 0, PART) == [2, 1]
    assert rows_of(battle, "formation", 0, PART) == [2, 1]


@pytest.mark.rule("emlia.lead.split")
def test_men_who_stand_round_an_enemy_are_not_split(bandits):
    stand = Stand(unit=0, figures=(0,), east=(50 * 1024,), north=(40 * 1024,))
    bandits.happen(Event(facts=Unread(event="put"), changes=(stand,)))

    assert joining.split_options(bandits, 0) == []


@pytest.mark.rule("emlia.lead.split")
def test_riders_knee_to_knee_are_split_between_ranks_alone(field_of_battle, question):
    # Their footprints are 1.5 GSU across, and they stand 1.125 from each other in a rank.
    riders = {**MEN, "members": 6, "files": 3, "base": (0.75, 1.5)}
    battle = field_of_battle(riders, FOE)
    asked = question(battle, joining.split(battle, 0, SPLIT), dice=[12, 1, 1])
    assert list(asked.options) == [Order(verb="divide", unit=0, number=0)]

    asked.check(Order(verb="divide", unit=0, number=2, words="rear"))

    with pytest.raises(IllegalOrderError, match=r"no room for the two parts .*emlia\.lead\.split"):
        asked.check(Order(verb="divide", unit=0, number=2, words="right"))


@pytest.mark.rule("emlia.lead.split")
def test_riders_in_one_rank_are_split_by_one_that_stands_behind(field_of_battle, question):
    riders = {**MEN, "members": 3, "files": 3, "base": (0.75, 1.5)}
    line = field_of_battle(riders, FOE)

    asked = question(line, joining.split(line, 0, SPLIT), dice=[12, 1, 1])

    assert [(option.words, option.number) for option in asked.options] == [("front", 1)]


@pytest.mark.rule("emlia.lead.split")
def test_the_parts_of_a_unit_are_split_again_as_long_as_rows_are_kept(parted, play, put):
    for unit in (0, PART):
        put(parted, unit, free_used=0)
    again = Order(verb="split-unit", unit=PART, target=PART)
    assert again in joining.split_options(parted, PART)

    play(parted, joining.split(parted, PART, again), dice=[12, 1, 1],
         answers=[right_of(2, ranks=1)])  # fmt: skip

    assert on_field(parted) == [0, 1, PART, PART + 1]
    assert rows_of(parted, "members", 0, PART, PART + 1) == [8, 2, 2]
    put(parted, 0, free_used=0)
    assert joining.split_options(parted, 0) == []


def test_a_house_rule_says_in_how_many_bodies_a_unit_may_stand(field_of_battle):
    one = field_of_battle(MEN, FOE, house={"bodies": 1})
    two = field_of_battle(MEN, FOE, house={"bodies": 2})

    assert joining.split_options(one, 0) == []
    assert len(one.state.units) == 2
    assert joining.split_options(two, 0) == [SPLIT]


@pytest.mark.rule("emlia.lead.join", "emlia.mixed.definition")
def test_those_who_were_split_may_join_again_and_stay_subunits(parted, play, put):
    put(parted, 0, free_used=0)
    order = Order(verb="join-units", unit=0, target=PART)
    assert order in joining.join_options(parted, 0)

    play(parted, joining.join(parted, 0, order), dice=[12, 1, 1], answers=["choose-leader"])

    assert on_field(parted) == [0, 1]
    assert parts_of(parted, 0) == (0, PART)


def test_a_part_is_called_after_the_unit_that_it_came_of(parted):
    assert parted.setup.units[PART].name == "bandits, 2nd part"
    assert ReportNames(parted.setup).unit(PART) == "the 2nd part of the bandits"
    assert ReportNames(parted.setup).agreed(PART, "<fires>") == "fires"


def test_rows_that_are_kept_are_nothing_until_they_are_filled(bandits):
    opening = SYSTEM.opening(bandits.setup)

    assert {change.row for change in opening if isinstance(change, Set)} == {0, 1}
    assert on_field(bandits) == [0, 1]
    assert list(losses(bandits)) == [
        "The Alice: bandits 12 of 12.", "The Bob: foe 4 of 4."
    ]  # fmt: skip


def test_what_is_left_is_told_of_each_part(parted):
    assert next(losses(parted)) == "The Alice: bandits 8 of 8; bandits, 2nd part 4 of 4."


def test_a_side_has_as_many_units_and_men_as_it_took_the_field_with(parted):
    alice = outcome_of(parted, 0.0)["sides"]["Alice"]

    assert alice == {"units": 1, "units_left": 1, "figures": 12, "figures_left": 12}


@pytest.mark.rule("emlia.scenario.end-conditions.entity-gone")
def test_a_unit_is_gone_and_destroyed_with_the_last_of_its_parts(parted):
    men = parted.state.roster
    fallen = Fall(unit=0, figures=tuple(men.standing(0).tolist()))
    parted.happen(Event(facts=Unread(event="put"), changes=(fallen,)))
    assert not objectives.is_gone(parted, "bandits")
    assert not objectives.is_destroyed(parted, "bandits")

    rest = Fall(unit=PART, figures=tuple(men.standing(PART).tolist()))
    parted.happen(Event(facts=Unread(event="put"), changes=(rest,)))

    assert objectives.is_gone(parted, "bandits")
    assert objectives.is_destroyed(parted, "bandits")


def test_an_enemy_who_sees_nobody_learns_of_no_split(field_of_battle, play):
    rock = {"kind": "rock", "box": (20, 90, 100, 110), "height": 20}
    battle = field_of_battle(MEN, FOE, terrain=[rock])
    play(battle, joining.split(battle, 0, SPLIT), dice=[12, 1, 1], answers=[behind(2)])

    bob, alice = (SYSTEM.picture(battle, side) for side in (1, 0))

    assert bob.known == []
    assert rows_of(bob.battle, "strength", 0, PART) == [12, 0]
    assert rows_of(bob.battle, "present", 0, PART) == [0, 0]
    assert rows_of(alice.battle, "strength", 0, PART) == [8, 4]


def test_an_enemy_who_sees_them_sees_two_bodies(bandits, play):
    assert SYSTEM.picture(bandits, 1).known == [0]

    play(bandits, joining.split(bandits, 0, SPLIT), dice=[12, 1, 1], answers=[right_of(3)])

    bob = SYSTEM.picture(bandits, 1)
    assert bob.known == [0, PART]
    assert rows_of(bob.battle, "members", 0, PART) == [9, 3]
    assert spots(bob.battle, PART) == spots(bandits, PART)


class Splitter(RandomCommander):
    """Splits whatever can be split, and does nothing else."""

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        for verb in ("split-unit", "divide", "activate", "done"):
            if orders := decision.of(verb):
                return orders[0]
        return decision.options[0]


def test_a_battle_of_splits_is_folded_from_its_log_and_taken_up_anywhere(field_of_battle):
    bob = {**MEN, "name": "guards", "side": "Bob", "at": (60, 80), "facing": 180}
    setup = field_of_battle(MEN, bob, turns=2, turn=0).setup
    battle = Watched.play(Battle(setup, SYSTEM, 3), lambda b: b.run([Splitter(), Splitter()]))

    assert sum(event.name == "split" for event in battle.told) == 4
    state = folded(setup, battle.told)
    state.stretch = battle.state.stretch
    assert state.key_frame() == battle.state.key_frame()
    pieces = in_pieces(setup, 3, lambda: [Splitter(), Splitter()])
    assert pieces == battle.digest.hexdigest()
    assert int(battle.state.units.ints("members").sum()) == 24
