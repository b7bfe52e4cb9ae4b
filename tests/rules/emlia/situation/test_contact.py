"""Engagement as it follows from where units stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Pair
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.actions import ActionType
from emlia3d.rules.emlia.basics.unit_edges import UnitEdge
from emlia3d.rules.emlia.play.acting.actions import may_take
from emlia3d.rules.emlia.play.situation.contact import (
    able_against,
    contacts,
    engaged_by,
    engagement_of,
    in_reach_of,
    joined_pairs,
    melee_of,
    side_towards,
)
from emlia3d.rules.emlia.play.turn.timing import waiting_units

Build = Callable[..., Battle]

PIKE = {"name": "Pike", "base_damage": 1, "abilities": ("reach 1",)}


def man(x: float, side: str = "Alice", **more: Any) -> dict[str, Any]:
    """A man in a row of men from west to east; his footprint is 1 GSU across."""
    return {"at": (x, 100), "side": side, **more}


@pytest.mark.rule("emlia.engage.combat-range", "emlia.measure.closest-edges")
@pytest.mark.parametrize(("gap", "engaged"), [(1.0, True), (1.125, False)])
def test_a_unit_is_engaged_by_an_enemy_whose_range_it_lies_in(
    field_of_battle: Build, gap: float, engaged: bool
) -> None:
    battle = field_of_battle(man(100), man(101 + gap, "Bob"))

    assert (engaged_by(battle, 0) == [1]) is engaged
    assert (in_reach_of(battle, 0) == [1]) is engaged


@pytest.mark.rule("emlia.engage.asymmetric")
@pytest.mark.parametrize(("gap", "both"), [(1.5, False), (1.0, True)])
def test_the_longer_reach_engages_alone(field_of_battle: Build, gap: float, both: bool) -> None:
    battle = field_of_battle(man(100, weapons=(PIKE,)), man(101 + gap, "Bob"))

    assert engaged_by(battle, 1) == [0]
    assert (engaged_by(battle, 0) == [1]) is both
    assert set(contacts(battle)) == ({(0, 1), (1, 0)} if both else {(0, 1)})


@pytest.mark.rule("emlia.engage.combat-range")
def test_friends_do_not_engage_each_other(field_of_battle: Build) -> None:
    battle = field_of_battle(man(100), man(101.5))

    assert engagement_of(battle, 0) == (0,)


@pytest.mark.rule("emlia.engage.vertical")
@pytest.mark.parametrize(("cliff", "engaged"), [(2, True), (2.5, False)])
def test_troops_do_not_fight_up_a_cliff(
    field_of_battle: Build, cliff: float, engaged: bool
) -> None:
    battle = field_of_battle(man(100), man(101.5, "Bob", on_height=cliff))

    assert (engaged_by(battle, 0) == [1]) is engaged


@pytest.mark.rule("emlia.engage.combat-range", "emlia.move.prone-effects")
def test_the_prone_reach_half_as_far(field_of_battle: Build) -> None:
    battle = field_of_battle(man(100, states=("prone",)), man(101.75, "Bob"))

    assert (engaged_by(battle, 0), engaged_by(battle, 1)) == ([1], [])


@pytest.mark.rule("emlia.engage.group")
def test_units_that_are_linked_by_engagement_are_one_fight(field_of_battle: Build) -> None:
    battle = field_of_battle(
        man(100), man(101.5, "Bob"), man(103), man(104.5, "Bob"), man(110, "Bob")
    )

    assert engagement_of(battle, 0) == (0, 1, 2, 3)
    assert melee_of(battle, 0).enemies == (1, 3)


@pytest.mark.rule("emlia.engage.type")
def test_one_ranked_unit_makes_it_ranked_combat(field_of_battle: Build) -> None:
    ranked = {"formation": "ranked", "side": "Bob", "front": (101, 100), "facing": 270}

    assert not melee_of(field_of_battle(man(99.5), man(101.5, "Bob")), 0).ranked
    assert melee_of(field_of_battle(man(99.5), ranked), 0).ranked


@pytest.mark.rule("emlia.ranked.engaged-members")
def test_men_of_open_order_who_have_a_ranked_enemy_in_reach_are_counted_too(
    field_of_battle: Build,
) -> None:
    ranked = {
        "formation": "ranked", "members": 20, "files": 20, "front": (100, 101), "side": "Bob",
        "facing": 180,
    }  # fmt: skip
    open_order = {"members": 4, "files": 2, "front": (100, 100)}
    battle = field_of_battle(open_order, ranked)

    assert int(able_against(battle, 0, 1).sum()) == 2


@pytest.mark.rule("emlia.ranked.front-of-contact")
@pytest.mark.parametrize(
    ("at", "side"),
    [
        ((100, 102), UnitEdge.FRONT),
        ((98, 99), UnitEdge.LEFT),
        ((102, 99), UnitEdge.RIGHT),
        ((100, 96), UnitEdge.REAR),
    ],
)
def test_an_enemy_is_on_the_side_that_is_nearest_to_him(
    field_of_battle: Build, at: tuple[float, float], side: UnitEdge
) -> None:
    ranked = {"formation": "ranked", "members": 4, "files": 2, "front": (100, 100)}
    battle = field_of_battle(ranked, {"at": at, "side": "Bob"})

    assert side_towards(battle, 0, 1) is side
    assert side_towards(battle, 1, 0) is None


@pytest.mark.rule("emlia.engage.definition", "emlia.engage.restrictions")
def test_engaged_units_hamper_each_other(field_of_battle: Build) -> None:
    bow = {"name": "Bow", "range": (20, 40, 60), "base_damage": 1}
    archer = man(100, skills={"aimed fire": "3"}, weapons=(bow,))
    alone, engaged = field_of_battle(archer), field_of_battle(archer, man(101.5, "Bob"))

    assert may_take(alone, 0, "aimed fire", ActionType.PRIMARY) is None
    refusal = may_take(engaged, 0, "aimed fire", ActionType.PRIMARY)
    assert refusal is not None
    assert refusal.slug == "emlia.engage.restrictions"


@pytest.mark.rule("emlia.engage.separate-activation", "emlia.engage.group")
def test_units_of_one_engagement_keep_their_own_timing_and_morale(
    field_of_battle: Build, put: Any
) -> None:
    battle = field_of_battle(man(100, timing=4), man(101.5, "Bob"), man(103, timing=1))
    put(battle, 0, activated=1, morale=-4)

    assert engagement_of(battle, 0) == (0, 1, 2)
    assert waiting_units(battle) == [1, 2]
    units = battle.state.units
    assert units.ints("timing").tolist() == [4, 2, 1]
    assert units.ints("morale").tolist() == [-4, 2, 2]


@pytest.mark.rule("emlia.attr.combat-range")
@pytest.mark.parametrize(
    ("reach", "states", "furthest"),
    [((), (), 1.0), ((PIKE,), (), 2.0), ((), ("prone",), 0.5), ((PIKE,), ("prone",), 1.5)],
)
def test_a_man_reaches_as_far_as_he_is_tall_and_half_as_far_when_he_lies_down(
    field_of_battle: Build, reach: Any, states: Any, furthest: float
) -> None:
    own = man(100, weapons=reach, states=states)

    for gap in (furthest, furthest + 0.0625):
        battle = field_of_battle(own, man(101 + gap, "Bob"))
        assert (engaged_by(battle, 1) == [0]) is (gap == furthest)


@pytest.mark.rule("emlia.skirmish.join-by-contact")
@pytest.mark.parametrize("gone", [0, 2])
def test_a_pair_at_the_boundary_stands_only_while_both_units_are_on_the_field(
    field_of_battle: Build, put: Any, gone: int
) -> None:
    """The third touches the hull of the two fighters, who are a wide line and one man."""
    wide = {"at": (100, 100), "members": 11, "files": 11}
    battle = field_of_battle(
        wide, {"at": (100, 102), "side": "Bob"}, {"at": (107, 98.5), "name": "third"}
    )
    joined = Pair(column="joined", a=2, b=0, value=1)
    battle.happen(Event(facts=Unread(event="put"), changes=(joined,)))
    before = joined_pairs(battle)

    put(battle, gone, present=0)

    assert (before, joined_pairs(battle)) == (((2, 0),), ())
