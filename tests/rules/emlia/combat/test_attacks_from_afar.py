"""Attacks from afar: whom they count against, what each event records, and what features take."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, radians, sin
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.columns import Acted, Armour
from emlia3d.rules.emlia.events.combat import Fired
from emlia3d.rules.emlia.events.movement import Moved
from emlia3d.rules.emlia.play.charges import structures
from emlia3d.rules.emlia.play.combat import scenery, volley
from emlia3d.rules.emlia.play.combat.bands import enemies_within
from emlia3d.rules.emlia.play.combat.targets import (
    Subject,
    bears_on,
    focus_on,
    hits_on,
    ranging,
    shares_of,
    singles_of,
)
from emlia3d.rules.emlia.play.situation import blast
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import phase
from emlia3d.rules.emlia.tables.equipment import Band
from emlia3d.rules.emlia.tables.primary import Focus
from emlia3d.rules.emlia.unit_sets.weapon import Weapon
from tests.made_up import made_up
from tests.rules.emlia.combat.blows import man
from tests.rules.emlia.combat.volleys import archers, foes
from tests.rules.emlia.outcome import markers, told
from tests.rules.emlia.riflemen import RIFLE, enemy, shooter

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

GATE = {"kind": "gate", "name": "gate", "hits": 6, "height": 2, "box": (97, 60, 103, 62)}
STONES = {
    "name": "Stones", "base_damage": 5, "range": (10, 50, 90), "use": ("area volley",),
    "coverage": {"start": 4, "increment": 1, "limit": 4, "drift": 0},
}  # fmt: skip
FAR_FOE = {"side": "Bob", "at": (100, 195), "facing": 180}


def thrower(at: tuple[float, float] = (100, 40), **more: Any) -> dict[str, Any]:
    """One of Alice's with stones and two dice to throw them with."""
    return {
        "at": at, "weapons": (STONES,), "formation": "close", "skills": {"volley fire": "2"},
        **more,
    }  # fmt: skip


def order(verb: str, number: int | None = 0) -> Order:
    return Order(verb=verb, unit=0, number=number, words="gate")


# At features


@pytest.mark.rule("emlia.conc", "emlia.conc.success")
def test_a_volley_at_a_gate_records_all_that_a_shot_does(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(thrower(), FAR_FOE, terrain=[GATE])
    (offered,) = structures.volley_options(battle, 0)

    (event,) = play(battle, structures.volley_at(battle, 0, offered), [5, 4])

    assert (offered.verb, offered.unit, offered.number, offered.words) == (
        "volley-feature", 0, 0, "gate",
    )  # fmt: skip
    assert (event.name, event.unit, event.gesture) == ("volley concentrated", 0, "shoot")
    assert event.because[0] == "emlia.conc"
    facts = ("feature", "weapon", "distance", "band", "base_damage", "dice", "successes")
    assert [event.facts.values()[name] for name in facts] == [
        "gate",
        "Stones",
        19.5,
        "medium",
        5,
        2,
        1,
    ]
    rows = battle.state.lists["battering"]
    assert [rows.integer(name, 0) for name in ("feature", "base_damage", "hits")] == [0, 5, 1]
    units = battle.state.units
    assert (units.value("move_used", 0), units.value("primary_used", 0)) == (1, 1)


@pytest.mark.rule("emlia.skill.mixed-source", "emlia.conc")
@pytest.mark.parametrize("verb", ["volley", "fire"])
def test_each_subunit_attacks_a_gate_and_the_first_pays_for_the_action(
    field_of_battle: Build, play: Play, verb: str
) -> None:
    gun = {**RIFLE, "range": (5, 50, 60)}
    more = {"weapons": (gun,), "skills": {"aimed fire": "1"}} if verb == "fire" else {}
    battle = field_of_battle(
        thrower(name="first", **more), thrower((102, 40), group="first", **more), FAR_FOE,
        terrain=[GATE],
    )  # fmt: skip
    attack = {"volley": structures.volley_at, "fire": structures.fire_at}[verb]
    dice = [12] * (4 if verb == "volley" else 2)

    first, second = play(battle, attack(battle, 0, order(f"{verb}-feature")), dice)

    assert (first.unit, second.unit) == (0, 1)
    used = [
        [change for change in event.changes if getattr(change, "table", "") == "unit"]
        for event in (first, second)
    ]
    assert (bool(used[0]), used[1]) == (True, [])
    rows = battle.state.lists["battering"]
    assert rows.ints("hits").tolist() == ([2, 2] if verb == "volley" else [1, 1])


@pytest.mark.rule("emlia.conc", "emlia.volley.overhead-cover")
@pytest.mark.parametrize(
    ("unit", "terrain", "count"),
    [
        (thrower(), [GATE], 1),
        (thrower(weapons=(STONES, {**STONES, "name": "More"})), [GATE], 2),
        (thrower(), [GATE, {**GATE, "name": "second", "box": (110, 60, 114, 62)}], 2),
        (thrower(), [{**GATE, "kind": "rock", "hits": None}], 0),
        (thrower(), [{**GATE, "kind": "hedge"}], 0),
        (thrower(put={"move_used": 1}), [GATE], 0),
        (thrower(skills={"aimed fire": "2"}), [GATE], 0),
        (thrower((100, 140)), [{**GATE, "box": (97, 10, 103, 12)}], 0),
    ],
    ids=["one", "two weapons", "two gates", "no hits", "not solid", "has moved", "no skill",
         "out of range"],
)  # fmt: skip
def test_each_solid_feature_in_range_is_offered_for_each_weapon(
    field_of_battle: Build, unit: dict[str, Any], terrain: list[Any], count: int
) -> None:
    battle = field_of_battle(unit, FAR_FOE, terrain=terrain)

    assert len(list(structures.volley_options(battle, 0))) == count


@pytest.mark.rule("emlia.charge", "emlia.freestrike.trigger")
def test_a_charge_at_a_gate_is_struck_at_before_it_goes(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(man(100, 50), man(100, 48, "Bob"), terrain=[GATE])

    events = play(battle, structures.charge_at(battle, 0, order("charge-feature")), [5, 5],
                  ["close-combat"])  # fmt: skip

    assert [event.name for event in events] == ["free strike", "struck free", "charged", "hewed"]
    assert events[2].facts.values() == {"reached": True, "feature": "gate"}


@pytest.mark.rule("emlia.terrain.entities", "emlia.damage.points", "emlia.attr.damage-limit")
@pytest.mark.parametrize(
    ("limit", "hits", "name", "facts"),
    [
        (3, [(0, 1)], "scenery damaged", {"points": 1, "damage": 1}),
        (3, [(0, 1), (0, 2)], "scenery destroyed", {"points": 3, "damage": 3}),
        (3, [(0, 4)], "scenery destroyed", {"points": 4, "damage": 4}),
    ],
)
def test_hits_on_a_feature_are_told_with_its_damage(
    field_of_battle: Build, play: Play, limit: int, hits: list[Any], name: str, facts: Any
) -> None:
    gates = [{**GATE, "hits": 1, "damage_limit": limit}, {**GATE, "name": "other", "hits": 1}]
    battle = field_of_battle(man(100, 50), FAR_FOE, terrain=gates)
    laid = tuple(scenery.battered(row, 0, count) for row, count in hits)
    battle.happen(Event(facts=Unread(event="hit"), changes=laid))

    events = play(battle, phase.resolve(battle))

    (event,) = told(events, name)
    assert event.facts.values() == {"feature": "gate", **facts}
    assert event.because == (
        "emlia.terrain.entities", "emlia.damage.points", "emlia.attr.damage-limit",
    )  # fmt: skip
    stands = battle.state.features.ints("present").tolist()
    assert stands == [int(name == "scenery damaged"), 1]
    assert len(battle.state.lists["battering"]) == 0


@pytest.mark.rule("emlia.melee", "emlia.melee.no-shift")
@pytest.mark.parametrize(("charged", "modifier"), [(False, 0), (True, 1)])
def test_a_blow_at_a_gate_records_the_weapon_and_its_hits(
    field_of_battle: Build, play: Play, charged: bool, modifier: int
) -> None:
    ram = {"name": "Ram", "base_damage": 2}
    unit = man(100, 59, weapons=({"name": "Dirk", "base_damage": 1}, ram))
    battle = field_of_battle(unit, FAR_FOE, terrain=[GATE])

    (event,) = play(battle, scenery.strike(battle, 0, 0, charged=charged), [5])

    assert (event.name, event.unit, event.because[:2]) == (
        "hewed", 0, ("emlia.melee", "emlia.melee.no-shift"),
    )  # fmt: skip
    hewed = event.facts
    assert (hewed.feature, hewed.weapon) == ("gate", "Ram")
    assert (hewed.base_damage, hewed.modifier) == (2, modifier)
    assert ("emlia.melee.mod.charged" in event.because) is charged
    assert battle.state.units.value("primary_used", 0) == 1


# At units


@pytest.mark.rule("emlia.fire.at-skirmish", "emlia.primary.attack-set")
def test_a_shot_into_a_fight_lays_its_hits_on_all_and_attacks_the_enemies_in_it(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(
        shooter(), enemy(18), man(101.5, 69), man(103, 69, "Bob"), man(50, 150, "Bob")
    )
    subject = Subject(1, fight=(1, 2, 3))

    changes = hits_on(battle, 0, subject, 3, 2, armour=Armour.PIERCED)
    battle.happen(Event(facts=made_up(Fired), changes=changes))

    rows, pairs = battle.state.lists["party"], battle.state.pairs
    assert rows.ints("unit").tolist() == [1, 2, 3]
    assert markers(battle, "attacker", "subject", "base_damage", "hits", "armour", "focused") == [
        (0, 1, 3, 2, Armour.PIERCED, 0)
    ]
    assert sorted(pairs["attacked"]) == [(0, 1), (0, 3)]
    assert {pair: pairs["acted_on"][pair] for pair in sorted(pairs["acted_on"])} == {
        (0, 1): Acted.SHOT, (0, 3): Acted.SHOT,
    }  # fmt: skip


@pytest.mark.rule("emlia.primary.focus", "emlia.fire.at-skirmish")
@pytest.mark.parametrize(
    ("target", "focus", "of_fight"),
    [(1, (4, 4), False), (2, (2, 3), True), (3, (1, 3), True), (4, (5, 8), False),
     (5, (3, 8), False)],
)  # fmt: skip
def test_a_focus_is_one_unit_among_its_fight_or_one_subunit_among_its_unit(
    field_of_battle: Build, target: int, focus: tuple[int, int], of_fight: bool
) -> None:
    battle = field_of_battle(
        man(100, 20),
        man(100, 100, "Bob", members=4, files=4, formation="close"),
        man(150, 100, "Bob", members=2, files=2, formation="close"),
        man(150, 101.5),
        man(50, 100, "Bob", members=5, files=5, formation="close", name="first"),
        man(54.5, 100, "Bob", members=3, files=3, formation="close", group="first"),
    )

    assert focus_on(battle, 0, target) == (Focus(*focus), of_fight)
    whole = 4 if target == 5 else target
    singles = {1: (), 2: (2,), 3: (3,), 4: (4, 5)}[whole]
    assert singles_of(battle, 0, whole) == singles


@pytest.mark.rule("emlia.mixed.check-against.scope")
def test_a_shot_may_hit_each_subunit_of_each_unit_of_a_fight(field_of_battle: Build) -> None:
    battle = field_of_battle(
        man(100, 20), man(100, 100, "Bob", name="first"), man(101, 100, "Bob", group="first"),
        man(100, 101.5),
    )  # fmt: skip

    assert shares_of(battle, Subject(3)) == [Subject(3)]
    assert shares_of(battle, Subject(1)) == [Subject(1, alone=True), Subject(2, alone=True)]
    assert shares_of(battle, Subject(2, alone=True)) == [Subject(2, alone=True)]
    assert shares_of(battle, Subject(1, fight=(1, 3))) == [
        Subject(1, alone=True), Subject(2, alone=True), Subject(3),
    ]  # fmt: skip


@pytest.mark.rule("emlia.attr.facing.use")
@pytest.mark.parametrize("arc", [60.0, 180.0, 360.0])
@pytest.mark.parametrize("facing", [0, 90, 300])
def test_a_weapon_bears_on_what_any_part_of_lies_in_its_arc(
    field_of_battle: Build, arc: float, facing: int
) -> None:
    weapon = Weapon.model_validate({**RIFLE, "arc": arc})
    for off in (0, 20, 40, 80, 100, 170, -20, -40, -80, -100):
        way = radians(facing + off)
        at = (100 + 30 * sin(way), 100 + 30 * cos(way))
        battle = field_of_battle(man(100, 100, facing=facing), man(*at, "Bob"))

        assert bears_on(battle, 0, situation_of(battle).outline(1), weapon) is (abs(off) <= arc / 2)


@pytest.mark.rule("emlia.equip.ranged", "emlia.fire.at-skirmish")
@pytest.mark.parametrize(
    ("gap", "band"),
    [(20, Band.SHORT), (20.125, Band.MEDIUM), (40, Band.MEDIUM), (40.125, Band.LONG),
     (60, Band.LONG), (60.125, None)],
)  # fmt: skip
def test_a_band_ends_exactly_at_its_limit(
    field_of_battle: Build, gap: float, band: Band | None
) -> None:
    battle = field_of_battle(shooter(), enemy(gap), man(100, 195, "Bob"))
    weapon = Weapon.model_validate(RIFLE)

    assert ranging(battle, 0, Subject(1), weapon) == (gap, band)
    for limit in Band:
        near = band is not None and band <= limit
        assert enemies_within(battle, 0, weapon, limit) == ([1] if near else [])


@pytest.mark.rule("emlia.equip.ranged")
def test_bands_follow_those_who_move(field_of_battle: Build) -> None:
    battle = field_of_battle(shooter(), enemy(30), enemy(70))
    weapon = Weapon.model_validate(RIFLE)
    found = [enemies_within(battle, 0, weapon, Band.MEDIUM)]

    for unit, y in ((2, 90.0), (1, 150.0), (0, 120.0)):
        pose = pose_of(battle, unit)
        changes = pose.at(pose.x, y, pose.facing).changes(unit)
        battle.happen(Event(facts=made_up(Moved), changes=changes))
        found.append(enemies_within(battle, 0, weapon, Band.MEDIUM))

    assert found == [[1], [1, 2], [2], [1, 2]]


# From above


@pytest.mark.rule("emlia.volley.area")
@pytest.mark.parametrize(
    ("radius", "struck"),
    [(0.4, {}), (0.5, {1: 1, 2: 1}), (1.0, {1: 1, 2: 1}), (1.5, {1: 2, 2: 2}), (9, {1: 5, 2: 3})],
)
def test_members_whose_footprint_the_circle_meets_are_struck(
    field_of_battle: Build, radius: float, struck: dict[int, int]
) -> None:
    # Lines of men 1 GSU apart that begin 0.5 GSU to the east and to the west of the point.
    battle = field_of_battle(
        thrower(),
        foes((103, 100), members=5, files=5, formation="ranked"),
        {"at": (98, 100), "members": 3, "files": 3, "formation": "ranked", "name": "own"},
    )

    assert blast.struck_within(battle, (100, 99.999), radius) == struck


@pytest.mark.rule("emlia.volley.overhead-cover")
@pytest.mark.parametrize(
    ("roof", "point", "cover"),
    [
        ({"kind": "building"}, (100, 61), Level.TOTAL),
        ({"kind": "building"}, (100, 64), Level.NONE),
        ({"kind": "building", "hits": 5}, (100, 61), Level.NONE),
        ({"kind": "building", "hits": 6}, (100, 61), Level.TOTAL),
        ({"kind": "tree"}, (100, 61), Level.NONE),
        ({"kind": "tree", "hits": 9}, (100, 61), Level.PARTIAL),
        ({"kind": "hill"}, (100, 61), Level.NONE),
    ],
)
def test_a_point_has_the_cover_of_what_is_over_it_and_stops_the_attack(
    field_of_battle: Build, roof: dict[str, Any], point: tuple[float, float], cover: Level
) -> None:
    box = {"name": "roof", "height": 3, "box": (97, 60, 103, 62)}
    battle = field_of_battle(thrower(), FAR_FOE, terrain=[{**box, **roof}])

    assert blast.overhead_at(battle, point, 5) is cover


@pytest.mark.rule("emlia.volley.point")
@pytest.mark.parametrize(
    ("foe", "points"),
    [
        (foes((100, 60)), {(100.0, 60.0), (100.0, 59.25)}),
        (foes((100, 60), members=4, files=2, formation="ranked"), {(100.0, 60.0), (100.0, 58.75)}),
        (foes((140, 20), facing=270), {(140.0, 20.0), (139.25, 20.0)}),
    ],
)
def test_a_volley_is_offered_at_the_middle_of_an_enemy_and_at_the_ground_before_it(
    field_of_battle: Build, foe: dict[str, Any], points: set[tuple[float, float]]
) -> None:
    battle = field_of_battle(archers(), foe)

    options = volley.area_options(battle, 0)

    assert {one.point for one in options} == points
    assert {(one.verb, one.unit, one.number) for one in options} == {("area-volley", 0, 0)}
