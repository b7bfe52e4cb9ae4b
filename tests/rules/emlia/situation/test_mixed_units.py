"""Emlia, chapter 6 in play: a mixed unit stands, sees and moves as one."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.changes import Belong, Fall, Leave, Set
from emlia3d.battle.decisions import Leg, Order
from emlia3d.battle.events import Event, Unread
from emlia3d.force import Formation
from emlia3d.force.facing import facing_of_degrees
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.events.losses import Split
from emlia3d.rules.emlia.play.acting.checks import attempt_of
from emlia3d.rules.emlia.play.combat import close_combat, shooting
from emlia3d.rules.emlia.play.movement import manoeuvre
from emlia3d.rules.emlia.play.sight.sight_cache import level_on
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.contact import enemies_of, engaged_by, friends_of
from emlia3d.rules.emlia.play.situation.parts import (
    head_of,
    heads_of,
    is_mixed,
    members_of_all,
    members_of_each,
    on_field,
    parts_of,
)
from emlia3d.rules.emlia.play.situation.pose import (
    pose_of,
    reformed,
    turned,
    turned_on_centre,
    wheeled,
)
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import timing
from tests.made_up import made_up
from tests.rules.emlia.recomputed import recomputed
from tests.rules.emlia.shoving import pushed

SPEARS: dict[str, Any] = {
    "name": "spears",
    "members": 12,
    "files": 6,
    "formation": "ranked",
    "front": (60, 40),
}
OGRE: dict[str, Any] = {
    "name": "ogre",
    "group": "spears",
    "size": 2,
    "height": 2,
    "movement": "9G",
    "timing": 4,
    "formation": "close",
    "front": (66, 40),
}
FOE: dict[str, Any] = {
    "name": "foe", "side": "Bob", "members": 10, "formation": "close", "at": (60, 90),
    "facing": 180,
}  # fmt: skip


@pytest.fixture
def mixed(field_of_battle):
    """Twelve ranked spears with an ogre at their right, and a foe before them."""
    return field_of_battle(SPEARS, OGRE, FOE)


@pytest.mark.rule("emlia.mixed.definition")
def test_a_mixed_unit_is_made_of_subunits_that_stay_rows_of_their_own(mixed):
    assert [head_of(mixed, unit) for unit in range(3)] == [0, 0, 2]
    assert heads_of(mixed, np.arange(3)).tolist() == [0, 0, 2]
    assert parts_of(mixed, 0) == (0, 1)
    assert is_mixed(mixed, 0)
    assert not is_mixed(mixed, 2)
    assert members_of_all(mixed, 0) == 13
    assert members_of_each(mixed, [2, 0]).tolist() == [10, 13]
    assert members_of_each(mixed, (2, 0)).tolist() == [10, 13]
    assert members_of_each(mixed, ()).tolist() == []


@pytest.mark.rule("emlia.mixed.acts-as-one", "emlia.mixed.origins", "emlia.entity.unit")
def test_only_the_head_activates_and_is_an_enemy_or_a_friend(mixed):
    assert on_field(mixed) == [0, 2]
    assert enemies_of(mixed, 2) == [0]
    assert friends_of(mixed, 0) == []
    assert timing.waiting_units(mixed) == [0, 2]


def test_who_is_on_the_field_and_part_of_whom_follows_each_change(mixed):
    def told(battle):
        return on_field(battle), enemies_of(battle, 2), [parts_of(battle, row) for row in range(3)]

    seen = [told(mixed)]
    for change in (
        Set(table="unit", row=0, column="morale", value=-3),
        Belong(unit=1, parent=-1),
        Belong(unit=1, parent=0),
        Fall(unit=0, figures=tuple(range(12))),
        Leave(unit=1),
        Set(table="unit", row=2, column="present", value=0),
    ):
        mixed.happen(Event(facts=Unread(event="changed"), changes=(change,)))
        seen.append(told(mixed))
        assert seen[-1] == told(recomputed(mixed))

    assert seen[0] == seen[1] == seen[3]
    assert len({str(one) for one in seen}) == 5


@pytest.mark.rule("emlia.mixed.timing")
def test_a_mixed_unit_has_the_highest_timing_of_its_subunits(mixed):
    assert mixed.state.units.integer("timing", 0) == 4


@pytest.mark.rule("emlia.mixed.speed")
def test_a_mixed_unit_goes_as_fast_as_its_slowest_subunit(mixed):
    assert speed_of(mixed, 0) == 9


@pytest.mark.rule("emlia.mixed.speed")
def test_flyers_with_walkers_walk_and_those_with_no_common_mode_stay(field_of_battle):
    walk = {"name": "walkers", "at": (60, 40), "movement": "15G"}
    winged = {"name": "winged", "group": "walkers", "at": (62, 40), "movement": "10G, 30F"}
    birds = {**winged, "movement": "30F"}

    assert speed_of(field_of_battle(walk, winged), 0) == 10
    assert speed_of(field_of_battle(walk, birds), 0) == 0


@pytest.mark.rule("emlia.mixed.size-height")
def test_a_mixed_unit_is_as_high_as_its_tallest_and_as_large_as_its_largest(mixed):
    situation = situation_of(mixed)
    assert (situation.height(0), situation.size(0)) == (2, 2)
    assert situation.entry(0).height == 1


@pytest.mark.rule("emlia.mixed.acts-as-one")
def test_its_boundary_holds_all_its_members(mixed):
    situation = situation_of(mixed)
    assert len(situation.places(0)) == 13
    assert situation.outline(0).buffer(1 / 64).covers(situation.outline(1))
    assert situation.outline(0).geom_type == "Polygon"


@pytest.mark.rule("emlia.mixed.sight")
def test_subunits_never_stand_in_the_way_of_each_other(field_of_battle):
    screen = {
        "name": "screen", "members": 12, "files": 12, "formation": "ranked", "front": (60, 42),
        "size": 8, "height": 4, "base": (2, 2),
    }  # fmt: skip
    archers = {"name": "archers", "members": 8, "files": 8, "formation": "ranked",
               "front": (60, 39)}  # fmt: skip
    apart = field_of_battle(screen, archers, FOE)
    together = field_of_battle(screen, {**archers, "group": "screen"}, FOE)

    assert level_on(apart, 2, 1) is Level.TOTAL
    assert level_on(together, 2, 0) is Level.NONE
    assert level_on(together, 0, 2) is Level.NONE


@pytest.mark.rule("emlia.mixed.acts-as-one")
def test_all_parts_march_together_each_in_its_place(mixed, play):
    before = [pose_of(mixed, unit) for unit in (0, 1)]
    leg = Leg(step="march", x=60, y=49, facing=0, formation=-1, files=-1)

    play(mixed, manoeuvre.move(mixed, 0, Order(verb="move", unit=0, legs=(leg,))))

    after = [pose_of(mixed, unit) for unit in (0, 1)]
    assert [(b.x - a.x, b.y - a.y) for a, b in zip(before, after, strict=True)] == [(0, 9)] * 2


@pytest.mark.rule("emlia.mixed.acts-as-one")
@pytest.mark.parametrize("degrees", [30, 90, 180, 200])
def test_a_turn_keeps_the_parts_as_far_apart_as_they_were(mixed, degrees):
    start = pose_of(mixed, 0)

    for end in (turned(start, facing_of_degrees(degrees)),
                wheeled(start, facing_of_degrees(degrees))):  # fmt: skip
        gaps = [
            np.linalg.norm(pose.places[:12].mean(axis=0) - pose.places[12]) for pose in (start, end)
        ]
        assert gaps[1] == pytest.approx(gaps[0], abs=1 / 64)


@pytest.mark.rule("emlia.entity.overlap", "emlia.mixed.acts-as-one")
@pytest.mark.parametrize(
    ("files", "formation"),
    [(12, Formation.RANKED), (3, Formation.RANKED), (12, Formation.CLOSE), (1, Formation.OPEN)],
)
@pytest.mark.parametrize("degrees", [0, 90, 200])
def test_a_body_that_forms_anew_moves_its_parts_off_the_places_of_its_men(
    field_of_battle, files, formation, degrees
):
    at_the_left, behind = {**OGRE, "front": (54, 40)}, {**OGRE, "front": (60, 37)}
    mixed = field_of_battle(
        SPEARS, OGRE, {**at_the_left, "name": "giant"}, {**behind, "name": "troll"}, FOE
    )
    pose = turned_on_centre(pose_of(mixed, 0), facing_of_degrees(degrees))

    formed = reformed(pose, formation, files)

    bodies = [replace(formed, parts=()).outline, *(part.outline for _, part in formed.parts)]
    assert [row for row, _ in formed.parts] == [1, 2, 3]
    for one, other in combinations(bodies, 2):
        assert one.intersection(other).area < 0.01


def test_a_body_that_forms_anew_leaves_those_parts_where_they_are_that_it_does_not_grow_over(mixed):
    narrow = reformed(pose_of(mixed, 0), Formation.RANKED, 4)
    wide = reformed(pose_of(mixed, 0), Formation.RANKED, 12)

    assert [(part.x, part.y) for _, part in narrow.parts] == [(66, 40)]
    ((_, ogre),) = wide.parts
    assert ogre.outline.bounds[0] == pytest.approx(66, abs=0.01)


@pytest.mark.rule("emlia.mixed.acts-as-one", "emlia.mixed.size-height")
def test_each_subunit_reaches_as_far_as_it_does_by_itself(field_of_battle):
    beside = field_of_battle(SPEARS, OGRE, {**FOE, "members": 1, "at": (69, 39)})
    before = field_of_battle(SPEARS, OGRE, {**FOE, "members": 1, "at": (58, 42.25)})

    assert engaged_by(beside, 2) == [0]
    assert engaged_by(before, 2) == []
    assert engaged_by(before, 0) == []


BLADE: dict[str, Any] = {"name": "Blade", "base_damage": 2}


@pytest.mark.rule("emlia.skill.mixed-source")
def test_each_subunit_strikes_with_its_own_skill_and_weapon_and_ignores_the_others(
    field_of_battle, play
):
    battle = field_of_battle(
        {**SPEARS, "skills": {"close combat": "6/2"}, "formation": "close", "weapons": [BLADE]},
        {**OGRE, "skills": {"close combat": "3"}},
        {**FOE, "at": (63, 42), "members": 4, "hits": 20},
    )
    order = Order(verb="close-combat", unit=0)

    blows = play(battle, close_combat.close_combat(battle, 0, order), dice=[5] * 6 + [6] * 3)

    assert [(blow.unit, blow.facts.dice, blow.facts.base_damage) for blow in blows] == [
        (0, 6, 2), (1, 3, 0),
    ]  # fmt: skip


@pytest.mark.rule("emlia.skill.mixed-source")
def test_a_subunit_without_the_skill_improvises_beside_those_who_have_it(field_of_battle, play):
    bow = {"name": "Bow", "base_damage": 1, "range": (40, 80, 120), "use": ["aimed fire"]}
    battle = field_of_battle(
        {**SPEARS, "skills": {"aimed fire": "4"}, "weapons": [bow]},
        {**OGRE, "weapons": [bow]},
        FOE,
    )
    order = Order(verb="fire", unit=0, target=2, number=0)

    shots = play(battle, shooting.aim_and_fire(battle, 0, order), dice=[1] * 5)

    assert [(shot.unit, shot.facts.dice) for shot in shots] == [(0, 4), (1, 1)]
    assert shots[1].facts.modifier == shots[0].facts.modifier - 4


@pytest.mark.rule("emlia.skill.mixed-source.non-combat")
def test_the_most_watchful_looks_out_and_the_clumsiest_hides_for_all(field_of_battle):
    watchful = {**SPEARS, "skills": {"alertness": "2", "stealth": "4"}}
    clumsy = {**OGRE, "skills": {"alertness": "5", "stealth": "1"}}
    battle = field_of_battle(watchful, clumsy, FOE)

    assert attempt_of(battle, 0, "detect hidden").dice == 5
    assert attempt_of(battle, 0, "conceal self").dice == 1


@pytest.mark.rule("emlia.skill.mixed-source.non-combat")
def test_where_one_subunit_has_no_stealth_nobody_hides_and_the_leader_speaks_for_all(
    field_of_battle,
):
    captain = {"name": "captain", "group": "spears", "front": (66, 40),
               "skills": {"leadership": "3", "stealth": "2"}}  # fmt: skip
    battle = field_of_battle({**SPEARS, "skills": {"leadership": "1"}}, captain, FOE)

    assert attempt_of(battle, 0, "conceal self").dice == 0
    assert attempt_of(battle, 0, "ignore initiative").dice == 3


@pytest.mark.rule("emlia.press.number", "emlia.mixed.acts-as-one")
def test_the_rear_ranks_of_each_subunit_of_a_mixed_block_press(field_of_battle, play):
    half = {"members": 6, "files": 2, "formation": "ranked", "hits": 99}
    battle = field_of_battle(
        {**half, "name": "left", "front": (99, 100)},
        {**half, "group": "left", "front": (101, 100)},
        {
            **half, "side": "Bob", "members": 8, "files": 4, "front": (100, 101), "facing": 180,
        },
    )  # fmt: skip

    pushed(battle, play, [(0, 2, 1)], ["give-way", "stand"])

    markers = battle.state.lists["marker"]
    assert [markers.integer("hits", row) for row in range(len(markers))] == [8]


@pytest.mark.rule("emlia.lead.split")
def test_a_subunit_that_comes_to_stand_for_itself_sees_and_is_seen_like_any_unit(field_of_battle):
    men, part = {"members": 3, "name": "men", "at": (100, 100)}, {"at": (110, 100)}
    foe, wall = {"side": "Bob", "at": (105, 130)}, {"kind": "wall", "box": (80, 114, 130, 115)}
    battle = field_of_battle(men, {**part, "group": "men"}, foe, terrain=[wall])
    apart = field_of_battle(men, part, foe, terrain=[wall])
    assert level_on(battle, 2, 0) is not Level.TOTAL

    battle.happen(Event(facts=made_up(Split), changes=(Belong(unit=1, parent=-1),)))

    for pair in ((2, 1), (1, 2), (0, 1)):
        assert level_on(battle, *pair) is level_on(apart, *pair)
