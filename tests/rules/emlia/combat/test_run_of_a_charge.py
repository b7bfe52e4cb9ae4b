"""The run of a charge: whom it may be at, where it ends, and what it uses up."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
import shapely

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.rules.emlia.actions import ALL_FREE_ACTIONS
from emlia3d.rules.emlia.columns import MoraleNote
from emlia3d.rules.emlia.play.charges import charging
from emlia3d.rules.emlia.play.charges.charging import charge_pose, goals_of
from emlia3d.rules.emlia.play.situation.contact import boundary_of
from emlia3d.rules.emlia.play.situation.pose import gone, pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from tests.rules.emlia import troops
from tests.rules.emlia.combat.blows import man
from tests.rules.emlia.outcome import names, told

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

ranked = partial(troops.ranked, skills={"close combat": "1"})
PIKE = {"name": "Pike", "base_damage": 1, "abilities": ("reach 2",)}
SHORT = 1 / 16


def charge(
    battle: Battle, play: Play, dice: list[int] | None = None, answers: tuple[str, ...] = ()
) -> list[Any]:
    order = Order(verb="charge", unit=0, target=1)
    return play(battle, charging.charge(battle, 0, order), dice or [], list(answers))


def run(battle: Battle, play: Play) -> None:
    """Play the run alone, without the blows that follow it."""
    order = Order(verb="charge", unit=0, target=1)

    def first() -> Any:
        yield next(charging.charge(battle, 0, order))

    play(battle, first())


@pytest.mark.rule("emlia.charge.move")
@pytest.mark.parametrize(
    ("at", "weapons", "left"),
    [
        ((100, 110), (), 1 - SHORT),
        ((108, 110), (), 1 - SHORT),
        ((100, 110), (PIKE,), 3 - SHORT),
        ((89, 97), (), 1 - SHORT),
    ],
)
def test_a_charge_runs_straight_until_the_enemy_is_in_reach(
    field_of_battle: Build, at: tuple[float, float], weapons: Any, left: float
) -> None:
    battle = field_of_battle(man(100, 100, weapons=weapons), man(*at, "Bob"))

    end, reached = charge_pose(battle, 0, 1)

    assert reached
    assert end.outline.distance(situation_of(battle).outline(1)) == pytest.approx(left, abs=0.03)
    x, y = end.middle
    # On the line from one edge to the other; the two are of one size.
    assert abs((x - 100) * (at[1] - 100) - (y - 100) * (at[0] - 100)) / 10 < 0.6


@pytest.mark.rule("emlia.charge.move")
@pytest.mark.parametrize(
    ("unit", "gap", "reached"),
    [
        (man(100, 100), 16, True),
        (man(100, 100), 16.0625, False),
        (man(100, 100, weapons=(PIKE,)), 18, True),
        (man(100, 100, weapons=(PIKE,)), 18.0625, False),
        (man(100, 100, movement="8G"), 9, True),
        (man(100, 100, movement="8G"), 9.0625, False),
        (man(100, 100, put={"posture": 1}), 16, False),
    ],
    ids=["15 and 1", "farther", "15 and 3", "farther than 18", "8 and 1", "farther than 9",
         "prone"],
)  # fmt: skip
def test_a_charge_reaches_as_far_as_a_normal_move_and_an_arm(
    field_of_battle: Build, unit: dict[str, Any], gap: float, reached: bool
) -> None:
    battle = field_of_battle(unit, man(100, 101 + gap, "Bob"))

    _, there = charge_pose(battle, 0, 1)

    assert there is reached
    assert bool(charging.charge_options(battle, 0)) is reached


@pytest.mark.rule("emlia.charge.move")
@pytest.mark.parametrize(
    ("height", "reached"), [(0.0, True), (2.0, True), (2.0625, False), (-0.0, True)]
)
def test_a_charge_reaches_no_enemy_that_stands_too_high(
    field_of_battle: Build, height: float, reached: bool
) -> None:
    battle = field_of_battle(man(100, 100), man(100, 110, "Bob", on_height=height))

    assert charge_pose(battle, 0, 1)[1] is reached


@pytest.mark.rule("emlia.charge.move", "emlia.move.blocked-by-object")
@pytest.mark.parametrize("through", [(), (2,)])
def test_a_charge_stops_at_a_unit_in_its_way_unless_that_is_left_out(
    field_of_battle: Build, through: tuple[int, ...]
) -> None:
    battle = field_of_battle(man(100, 100), man(100, 112, "Bob"), ranked(3, 1, (100, 106)))

    end, reached = charge_pose(battle, 0, 1, through)

    assert reached is bool(through)
    assert end.middle == pytest.approx((100, 110.06 if through else 104.5), abs=0.07)


@pytest.mark.rule("emlia.charge.skirmish", "emlia.skirmish.boundary")
def test_a_charge_runs_at_the_enemy_and_at_the_skirmish_round_it(field_of_battle: Build) -> None:
    alone = field_of_battle(man(100, 100), man(100, 112, "Bob"))
    fighting = field_of_battle(man(100, 100), man(100, 112, "Bob"), man(101.5, 112))
    within = field_of_battle(man(100, 110.5), man(100, 112, "Bob"), man(101.5, 112))

    (only,) = goals_of(alone, 0, 1)
    enemy, hull = goals_of(fighting, 0, 1)

    assert only.equals(situation_of(alone).outline(1))
    assert enemy.equals(situation_of(fighting).outline(1))
    assert hull.equals(boundary_of(fighting, (1, 2)))
    assert len(goals_of(within, 0, 1)) == 1


@pytest.mark.rule("emlia.charge", "emlia.charge.move", "emlia.charge.attack")
def test_a_charge_that_reaches_its_enemy_uses_the_primary_action(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(man(100, 100), man(100, 110, "Bob"))

    run, blow = charge(battle, play, [5])

    units = battle.state.units
    columns = ("charged", "moved", "primary_used", "move_used", "free_used", "double_paced")
    assert [units.value(name, 0) for name in columns] == [1, 1, 1, 0, 0, 0]
    assert [units.value(name, 1) for name in columns] == [0] * 6
    assert (run.name, run.unit, run.target, run.facts.values()) == (
        "charged",
        0,
        1,
        {"reached": True},
    )
    assert run.because == ("emlia.charge", "emlia.action.basic-list.charge", "emlia.charge.move")
    assert (blow.name, blow.target) == ("struck", 1)
    assert len(battle.state.lists["note"]) == 0
    assert (0, 1) in battle.state.pairs["acted_on"]


@pytest.mark.rule("emlia.charge.fail", "emlia.morale.neg.charge-failed")
def test_a_charge_that_falls_short_uses_up_all_that_is_left(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(man(100, 100), man(100, 120, "Bob"))

    (run,) = charge(battle, play)

    units, rows = battle.state.units, battle.state.lists["note"]
    columns = ("charged", "moved", "primary_used", "move_used")
    assert [units.value(name, 0) for name in columns] == [1, 1, 1, 1]
    assert units.integer("free_used", 0) == ALL_FREE_ACTIONS
    assert (rows.integer("unit", 0), rows.integer("what", 0)) == (0, MoraleNote.CHARGE_FAILED)
    assert (run.name, run.facts.values()) == ("charge fell short", {"reached": False})
    assert run.because[-1] == "emlia.charge.fail"
    assert situation_of(battle).centre(0) == pytest.approx((100, 115), abs=0.01)


@pytest.mark.rule("emlia.charge.skirmish", "emlia.skirmish.join-by-contact")
@pytest.mark.parametrize(("fighting", "joined"), [(True, True), (False, False)])
def test_who_charges_into_a_skirmish_joins_it(
    field_of_battle: Build, play: Play, fighting: bool, joined: bool
) -> None:
    friend = [man(101.5, 110)] if fighting else []
    battle = field_of_battle(man(100, 100), man(100, 110, "Bob"), *friend)

    run, _ = charge(battle, play, [5])

    assert ((0, 1) in battle.state.pairs["joined"]) is joined
    assert ("emlia.charge.skirmish" in run.because) is joined


@pytest.mark.rule("emlia.charge", "emlia.freestrike.trigger", "emlia.damage.unit-destroyed")
def test_a_charge_past_an_enemy_is_struck_at_before_it_goes(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(man(100, 100), man(100, 112, "Bob"), man(101.75, 105, "Bob"))

    events = charge(battle, play, [5, 5], ("close-combat",))

    assert names(events) == ["free strike", "struck free", "charged", "struck"]


@pytest.mark.rule("emlia.align.envelop", "emlia.align")
@pytest.mark.parametrize(
    ("answers", "enveloped"), [(("align",), False), (("stand", "envelop"), True)]
)
def test_ranks_that_turn_to_a_charge_are_not_enveloped(
    field_of_battle: Build, play: Play, answers: tuple[str, ...], enveloped: bool
) -> None:
    crowd = man(90, 99, members=8, files=4, formation="close")
    battle = field_of_battle(crowd, ranked(4, 4, (100, 101), side="Bob"))

    events = charge(battle, play, [5], answers)

    assert ("enveloped" in names(events)) is enveloped
    assert bool(told(events, "aligned")) is not enveloped


@pytest.mark.rule("emlia.align.envelop")
def test_a_crowd_in_no_ranks_is_not_enveloped(field_of_battle: Build, play: Play) -> None:
    crowd = man(90, 99, members=8, files=4, formation="close")
    others = man(100, 99, "Bob", members=16, files=4, formation="close", skills={})

    events = charge(field_of_battle(crowd, others), play, [5])

    assert "charged" in names(events)
    assert "enveloped" not in names(events)


@pytest.mark.rule("emlia.charge.move")
@pytest.mark.parametrize(("count", "size"), [(2, 1), (3, 1), (2, 2), (4, 2)])
def test_all_members_of_an_open_line_run_at_a_wide_enemy(
    field_of_battle: Build, play: Play, count: int, size: int
) -> None:
    apart = 3.0 * size
    line = {
        "at": (100, 50), "members": count, "files": count, "formation": "open", "size": size,
        "height": size, "base": (2.0 * size, 2.0 * size), "skills": {"close combat": "1"},
    }  # fmt: skip
    # The base is in metres, two of which are a GSU.
    block = troops.ranked(30, 2, (100, 62), 150, side="Bob")
    battle = field_of_battle(line, block)

    run(battle, play)

    spots, outline = situation_of(battle).places(0), situation_of(battle).outline(1)
    gaps = shapely.distance(shapely.points(spots), outline) - size / 2
    assert (gaps <= size + 0.05).all()
    assert gaps == pytest.approx(np.full(count, size - SHORT), abs=0.2)
    assert np.hypot(*np.diff(spots, axis=0).T).min() >= apart / 3 - 0.02


@pytest.mark.rule("emlia.charge.move")
def test_a_run_that_has_no_room_at_all_ends_where_it_starts(field_of_battle: Build) -> None:
    friends = troops.ranked(2, 16, (100, 74))
    battle = field_of_battle(
        man(100, 50, formation="close"), man(100, 75, "Bob", formation="close"), friends
    )
    outline, start = situation_of(battle).outline(1), gone(pose_of(battle, 0), 0, 10)

    assert charging.run_at(battle, 0, outline, (0.0, 1.0), (), start) == (start, False)
