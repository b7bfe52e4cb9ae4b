"""Charges: whom they reach, what they bring, what follows when they fall short; and aligning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.rules.emlia.play.charges import charging
from emlia3d.rules.emlia.play.combat import close_combat
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import activation, phase
from tests.rules.emlia import troops
from tests.rules.emlia.combat.blows import man

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

ranked = partial(troops.ranked, skills={"close combat": "1"})


def targets(battle: Battle, unit: int = 0) -> list[int | None]:
    return [order.target for order in charging.charge_options(battle, unit)]


def charge(
    battle: Battle,
    play: Play,
    dice: list[int],
    answers: Sequence[Any] = (),
    unit: int = 0,
) -> list[Any]:
    (order,) = charging.charge_options(battle, unit)
    return play(battle, charging.charge(battle, unit, order), dice, answers)


@pytest.mark.rule("emlia.charge", "emlia.charge.move")
@pytest.mark.parametrize(("gap", "target"), [(16, [1]), (16.125, [])])
def test_a_charge_goes_a_normal_move_and_then_reaches_as_far_as_an_arm(
    field_of_battle: Build, gap: float, target: list[int]
) -> None:
    battle = field_of_battle(man(100, 50), man(100, 51 + gap, "Bob"))

    assert targets(battle) == target
    assert (charging.brought_home(battle, 0, 1) is not None) == bool(target)


@pytest.mark.rule("emlia.charge.move")
def test_a_charge_ends_with_the_enemy_in_combat_range(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(man(100, 50), man(104, 60, "Bob"))

    (run, _) = charge(battle, play, [5])

    assert run.name == "charged"
    assert 0.9 <= situation_of(battle).distance(0, 1) <= 1


@pytest.mark.rule("emlia.charge.move")
def test_a_broad_charger_stays_on_the_field(field_of_battle: Build) -> None:
    dragon = man(196, 50, base=(14, 14))
    battle = field_of_battle(dragon, man(199.5, 62, "Bob"))

    end, _ = charging.charge_pose(battle, 0, 1)

    assert 199.9 < end.outline.bounds[2] <= 200


@pytest.mark.rule("emlia.charge.move", "emlia.activate.two-actions")
def test_a_move_before_the_charge_doubles_its_reach(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(man(100, 50), man(100, 81, "Bob", members=1))
    straight_on = next(
        order for order in activation.options_of(battle, 0) if order.verb == "move" and order.legs
    )

    events = play(battle, activation.activate(battle, 0), [5], [straight_on, "charge", ...])

    assert {"moved", "charged", "struck"} <= {event.name for event in events}


@pytest.mark.rule("emlia.charge")
def test_nobody_charges_after_double_pace(field_of_battle: Build, put: Any) -> None:
    battle = field_of_battle(man(100, 50), man(100, 60, "Bob"))

    assert targets(battle) == [1]
    put(battle, 0, double_paced=1, move_used=1)
    assert targets(battle) == []


@pytest.mark.rule("emlia.charge")
def test_nobody_charges_an_enemy_whom_he_engages_already(field_of_battle: Build) -> None:
    assert targets(field_of_battle(man(100, 50), man(100, 52, "Bob"))) == []


@pytest.mark.rule("emlia.charge", "emlia.action.subject-awareness")
def test_nobody_charges_at_those_he_does_not_know_of(field_of_battle: Build) -> None:
    wood = {"kind": "building", "box": (80, 53, 120, 55)}

    assert targets(field_of_battle(man(100, 50), man(100, 60, "Bob"), terrain=[wood])) == []


@pytest.mark.rule("emlia.charge.attack", "emlia.melee.mod.charged")
def test_on_reaching_the_enemy_the_charger_strikes_at_plus_one(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(man(100, 50), man(100, 60, "Bob"))

    (_, blow) = charge(battle, play, [4])

    assert (blow.target, blow.facts.modifier, blow.facts.successes) == (1, 1, 1)
    assert battle.state.units.value("primary_used", 0) == 1


@pytest.mark.rule("emlia.charge.move", "emlia.move.blocked-by-object")
@pytest.mark.parametrize(
    "charger",
    [
        pytest.param(ranked(2, 6, (100, 50)), id="a block that cannot turn stays"),
        pytest.param(
            man(100.4, 47, members=4, files=1, formation="close"),
            id="others run as they face",
        ),
    ],
)
def test_nobody_turns_into_his_neighbour_to_charge(
    field_of_battle: Build, charger: dict[str, Any]
) -> None:
    battle = field_of_battle(charger, ranked(2, 6, (102, 50)), man(97.2, 52.6, "Bob"))
    before, neighbour = situation_of(battle).outline(0), situation_of(battle).outline(1)
    assert not before.buffer(-1 / 32).intersects(neighbour)

    end, reached = charging.charge_pose(battle, 0, 2)

    assert not end.outline.buffer(-1 / 32).intersects(neighbour)
    assert reached == (charger["formation"] == "close")


@pytest.mark.rule("emlia.charge.move", "emlia.move.leave")
def test_a_row_does_not_turn_over_the_edge_to_charge(field_of_battle: Build) -> None:
    row = man(1.4, 100, members=4, files=1, formation="close")
    battle = field_of_battle(row, man(0.6, 106, "Bob"), man(9, 100, "Bob"))

    end, _ = charging.charge_pose(battle, 0, 2)

    assert end.outline.bounds[0] > -1 / 32


@pytest.mark.rule("emlia.charge.attack")
def test_who_has_been_charged_is_struck_though_he_cannot_be_seen_from_there(
    field_of_battle: Build, play: Play
) -> None:
    corner = {"kind": "building", "box": (98, 50.8, 102, 51)}
    battle = field_of_battle(man(100, 50), man(100, 51.8, "Bob"), terrain=[corner])
    order = Order(verb="close-combat", unit=0, target=1)
    occasion = close_combat.Occasion(charged=True)

    (blow,) = play(battle, close_combat.close_combat(battle, 0, order, occasion))

    # Who does not see it coming is struck without a check.
    assert (blow.target, blow.facts.successes) == (1, 1)


@pytest.mark.rule("emlia.charge.attack", "emlia.skirmish.side-as-mixed")
def test_a_charge_into_a_skirmish_strikes_at_the_whole_other_side(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(man(100, 50), man(100, 60, "Bob"), man(101.5, 60), man(103, 60, "Bob"))
    order = next(order for order in charging.charge_options(battle, 0) if order.target == 1)

    events = play(battle, charging.charge(battle, 0, order), [5])

    assert events[-1].facts.enemies == (1, 3)


@pytest.mark.rule("emlia.charge.move", "emlia.charge.fail", "emlia.morale.neg.charge-failed")
def test_bad_ground_makes_a_charge_fall_short_which_costs_heart_and_ends_the_activation(
    field_of_battle: Build, play: Play
) -> None:
    scrub = {"kind": "scrub", "height": 0.25, "box": (80, 40, 120, 70)}
    leader = man(100, 50, skills={"leadership": "3", "close combat": "1"})
    friend = man(104, 50, put={"disordered": 1})
    battle = field_of_battle(leader, man(100, 62, "Bob"), friend, terrain=[scrub])

    events = play(battle, activation.activate(battle, 0), [], ["charge"])
    play(battle, phase.resolve(battle))

    assert [event.name for event in events] == [
        "activated", "charge fell short", "activation ended",
    ]  # fmt: skip
    assert situation_of(battle).distance(0, 1) == pytest.approx(11 - 7.5, abs=0.01)
    assert battle.state.units.integer("morale", 0) == 1


@pytest.mark.rule("emlia.charge.move")
def test_a_ranked_unit_charges_as_one_block_and_pays_for_its_turn(
    field_of_battle: Build, play: Play
) -> None:
    north, east = man(100, 114, "Bob"), man(114, 99.5, "Bob")

    ahead = field_of_battle(ranked(1, 1, (100, 100)), north)
    aside = field_of_battle(ranked(1, 1, (100, 100)), east)

    assert charging.charge_pose(ahead, 0, 1)[1]
    assert not charging.charge_pose(aside, 0, 1)[1]


@given(
    formation=st.sampled_from(["ranked", "close", "open"]),
    spot=st.tuples(st.integers(82, 118), st.integers(82, 118)),
    facing=st.sampled_from([0, 37, 90, 170, 250]),
)
@settings(
    deadline=None, max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_charge_is_brought_home_wherever_it_is_foreseen_to_reach_its_enemy(
    field_of_battle: Build, formation: str, spot: tuple[int, int], facing: int
) -> None:
    wall = {"kind": "wall", "box": (92, 110, 99, 111)}
    charger = man(*spot, members=6, files=3, formation=formation, facing=facing)
    fighters = [ranked(3, 2, (100, 100)), man(100, 102, "Bob", members=3)]
    battle = field_of_battle(charger, *fighters, terrain=[wall])

    end, reached = charging.foreseen(battle, 0, 2)

    assert charging.brought_home(battle, 0, 2) == (end if reached else None)


@pytest.mark.rule("emlia.align", "emlia.align.cost.flank")
def test_a_ranked_unit_that_is_charged_in_the_flank_may_turn_to_face_at_a_price(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(man(90, 98), ranked(4, 4, (100, 100), side="Bob"))

    events = charge(battle, play, [5], ["align"])

    assert [event.name for event in events] == ["charged", "aligned", "struck"]
    assert battle.state.units.integer("facing", 1) == 270 * 64
    assert situation_of(battle).distance(0, 1) == pytest.approx(15 / 16, abs=1 / 32)
    assert "emlia.melee.mod.from-flank" not in events[-1].because
    back = Order(verb="close-combat", unit=1)
    (answer,) = play(battle, close_combat.close_combat(battle, 1, back), [5])
    assert "emlia.skill.total-modifier.aligned-flank" in answer.because


@pytest.mark.rule("emlia.align")
@pytest.mark.parametrize(("answer", "height"), [("align", 0.0), ("stand", 0.5)])
def test_who_goes_over_to_face_a_charge_comes_down_from_what_he_stood_on(
    field_of_battle: Build, play: Play, answer: str, height: float
) -> None:
    on_a_bank = ranked(4, 2, (100, 100), side="Bob", on_height=0.5)
    battle = field_of_battle(man(90, 99), on_a_bank)

    charge(battle, play, [5], [answer])

    assert battle.state.units.value("on_height", 1) == height


@pytest.mark.rule("emlia.align")
def test_who_does_not_align_is_struck_in_the_flank(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(man(90, 98), ranked(4, 4, (100, 100), side="Bob"))

    events = charge(battle, play, [5], ["stand"])

    assert "emlia.melee.mod.from-flank" in events[-1].because
    assert battle.state.units.integer("facing", 1) == 0


@pytest.mark.rule("emlia.align.cost.rear")
def test_aligning_to_the_rear_costs_two(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(man(100, 86), ranked(4, 4, (100, 100), side="Bob"))

    charge(battle, play, [5], ["align"])

    assert battle.state.units.integer("aligned", 1) == -2


@pytest.mark.rule("emlia.align.cost.front")
def test_who_is_met_squarely_in_front_has_nothing_to_align(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        ranked(4, 1, (100, 90)), ranked(4, 4, (100, 100), facing=180, side="Bob")
    )

    events = charge(battle, play, [5])

    assert [event.name for event in events] == ["charged", "struck"]


@pytest.mark.rule("emlia.align.not-if-engaged")
def test_a_unit_that_is_engaged_already_does_not_align(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(man(90, 98), ranked(4, 4, (100, 100), side="Bob"), man(100, 101.5))

    events = charge(battle, play, [5])

    assert "aligned" not in [event.name for event in events]
    assert "emlia.melee.mod.from-flank" in events[-1].because


@pytest.mark.rule("emlia.align")
def test_where_there_is_no_room_to_turn_nobody_aligns(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(
        man(90, 98),
        ranked(2, 8, (100, 100), side="Bob"),
        ranked(2, 8, (102, 100), side="Bob"),
    )
    order = next(order for order in charging.charge_options(battle, 0) if order.target == 1)

    events = play(battle, charging.charge(battle, 0, order), [5])

    assert "aligned" not in [event.name for event in events]


@pytest.mark.rule("emlia.align.cost.flank", "emlia.skill.total-modifier.aligned-flank")
def test_the_price_of_aligning_ends_with_the_next_activation(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(man(90, 98), ranked(4, 4, (100, 100), side="Bob"))
    charge(battle, play, [5], ["align"])

    play(battle, activation.activate(battle, 1), answers=["done"])

    assert battle.state.units.integer("aligned", 1) == 0


def test_a_charge_of_a_steady_unit_is_offered_without_its_run(
    field_of_battle: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[int] = []

    def counted(battle: Battle, unit: int, target: int, *more: Any) -> Any:
        runs.append(target)
        return charging.charge_pose(battle, unit, target, *more)

    steady = field_of_battle(man(100, 50), man(104, 60, "Bob"))
    shaken = field_of_battle({**man(100, 50), "put": {"morale": 0}}, man(104, 60, "Bob"))
    monkeypatch.setattr(charging, "foreseen", counted)

    assert (targets(steady), runs) == ([1], [])
    assert (targets(shaken), runs) == ([], [1])
