"""Chapter 20 as play: units hide, are searched for, found, pointed out and spotted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Belong, Pair
from emlia3d.battle.decisions import Leg, Order
from emlia3d.battle.events import Event
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.arcs import Arc
from emlia3d.rules.emlia.levels import Level
from emlia3d.rules.emlia.play.combat import shooting
from emlia3d.rules.emlia.play.movement.manoeuvre import MoveReach
from emlia3d.rules.emlia.play.movement.pose import gone, pose_of
from emlia3d.rules.emlia.play.sight import hiding
from emlia3d.rules.emlia.play.sight.awareness import is_aware, watched
from emlia3d.rules.emlia.play.sight.watch import level_on
from emlia3d.rules.emlia.play.turn import timing
from emlia3d.rules.emlia.play.turn.activation import activate, options_of

Build = Callable[..., Battle]
Play = Callable[..., list[Event]]
BOW = {"name": "Bow", "base_damage": 1, "range": (30, 60, 120), "use": ["aimed fire"]}
HEDGE = {"kind": "hedge", "box": (60, 78, 140, 80)}
HOUSE = {"kind": "building", "box": (60, 78, 140, 80)}
SCOUT: dict[str, Any] = {"at": (100, 70), "skills": {"alertness": "4"}}
ARCHER: dict[str, Any] = {"at": (100, 70), "skills": {"aimed fire": "1"}, "weapons": [BOW]}
SNEAK: dict[str, Any] = {
    "at": (100, 100), "side": "Bob", "facing": 180, "skills": {"stealth": "3", "aimed fire": "1"},
    "weapons": [BOW],
}  # fmt: skip


def verbs(battle: Battle, unit: int) -> list[str]:
    return list(dict.fromkeys(order.verb for order in options_of(battle, unit)))


def hide(unit: int = 1, verb: str = "conceal-self") -> Order:
    return Order(verb=verb, unit=unit)


def detect(target: int | None = 1) -> Order:
    return Order(verb="detect-hidden", unit=0, target=target)


def hidden(battle: Battle, enemy: int = 1) -> list[int]:
    return sorted(observer for observer, unit in battle.state.pairs["hidden"] if unit == enemy)


def let_hide(battle: Battle, play: Play, unit: int = 1, faces: tuple[int, ...] = (5, 1, 1)) -> None:
    play(battle, hiding.conceal_self(battle, unit, hide(unit)), dice=faces)


def walk(battle: Battle, play: Play, unit: int, facing: int, distance: float) -> list[Event]:
    """A stretch of play in which a unit comes to stand elsewhere."""
    end = gone(pose_of(battle, unit), facing * 64, distance)

    def stretch() -> Any:
        yield Event(name="walked", unit=unit, changes=end.changes(unit))

    return play(battle, watched(battle, stretch()))


@pytest.mark.rule("emlia.aware.conceal-self", "emlia.aware.state", "emlia.sight.not-awareness")
def test_one_success_takes_a_unit_behind_a_hedge_from_its_enemies_knowledge(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(SCOUT, SNEAK, terrain=[HEDGE])
    before = is_aware(battle, 0, 1)

    events = play(battle, hiding.conceal_self(battle, 1, hide()), dice=[1, 5, 1])

    assert level_on(battle, 0, 1) is Level.PARTIAL
    assert (before, is_aware(battle, 0, 1)) == (True, False)
    assert events[-1].name == "hid"
    assert events[-1].because == ("emlia.aware.conceal-self",)


@pytest.mark.rule("emlia.aware.conceal-self")
def test_who_fails_to_hide_is_known_as_before(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(SCOUT, SNEAK, terrain=[HEDGE])

    events = play(battle, hiding.conceal_self(battle, 1, hide()), dice=[1, 4, 4])

    assert is_aware(battle, 0, 1)
    assert events[-1].name == "failed to hide"
    assert battle.state.units.value("move_used", 1)


@pytest.mark.rule("emlia.aware.conceal-self", "emlia.aware.auto-spot")
def test_who_sees_it_plainly_never_loses_it(field_of_battle: Build, play: Play) -> None:
    beside = {"at": (130, 100)}
    battle = field_of_battle(SCOUT, SNEAK, beside, terrain=[HEDGE])

    let_hide(battle, play)

    assert [is_aware(battle, unit, 1) for unit in (0, 2)] == [False, True]
    assert hidden(battle) == [0]


@pytest.mark.rule("emlia.aware.friends")
def test_friends_know_where_it_hides_unless_it_is_wholly_concealed_from_them(
    field_of_battle: Build, play: Play
) -> None:
    friend = {"at": (100, 70), "side": "Bob"}
    near = field_of_battle({"at": (100, 60)}, SNEAK, friend, terrain=[HEDGE])
    beyond = field_of_battle({"at": (100, 60)}, SNEAK, friend, terrain=[HOUSE])

    let_hide(near, play)

    assert is_aware(near, 2, 1)
    assert not is_aware(beyond, 2, 1)


@pytest.mark.rule("emlia.aware.conceal-self")
def test_only_who_is_concealed_from_some_unit_may_hide(field_of_battle: Build) -> None:
    in_the_open = field_of_battle(SCOUT, SNEAK)
    from_a_friend = field_of_battle(
        {"at": (100, 190)}, SNEAK, {"at": (100, 70), "side": "Bob"}, terrain=[HEDGE]
    )

    assert "conceal-self" not in verbs(in_the_open, 1)
    assert "conceal-self" in verbs(from_a_friend, 1)


@pytest.mark.rule("emlia.aware.skills", "emlia.action.improvised-flag")
def test_nobody_hides_searches_or_points_out_without_the_skill(field_of_battle: Build) -> None:
    plain = {"at": (100, 70), "skills": {}}
    battle = field_of_battle(plain, {**SNEAK, "skills": {}}, {"at": (90, 40)}, terrain=[HOUSE])

    offered = {*verbs(battle, 0), *verbs(battle, 1)}

    assert not [verb for verb in offered if verb.startswith(("conceal", "detect", "pass"))]


@pytest.mark.rule(
    "emlia.aware.conceal-self.mod.nothing-else", "emlia.aware.conceal-self.mod.both-actions"
)
@pytest.mark.parametrize(
    ("verb", "modifier", "left"),
    [
        ("conceal-self-only", 2, []),
        ("conceal-self", 0, ["detect-hidden"]),
        ("conceal-self-move", -2, ["aim", "fire", "detect-hidden", "conceal-self-primary"]),
        ("conceal-self-primary", -2, ["move", "detect-hidden", "conceal-self-move"]),
    ],
)
def test_what_else_it_means_to_do_is_declared_and_binding(
    field_of_battle: Build, play: Play, verb: str, modifier: int, left: list[str]
) -> None:
    sneak = {**SNEAK, "skills": {**SNEAK["skills"], "alertness": "1"}}
    battle = field_of_battle(SCOUT, sneak, terrain=[HEDGE])

    events = play(battle, hiding.conceal_self(battle, 1, hide(verb=verb)), dice=[1, 1, 1])

    assert events[-1].facts["modifier"] == modifier
    if not left:
        assert verbs(battle, 1) == []
    if "move" in left:
        assert "fire" not in verbs(battle, 1)
    assert set(left) - {"aim"} <= set(verbs(battle, 1))


@pytest.mark.rule("emlia.aware.conceal-self.mod.nothing-else")
@pytest.mark.parametrize("done", [{"free_used": 1}, {"delayed": 1}])
def test_who_has_done_anything_this_turn_cannot_do_nothing_else(
    field_of_battle: Build, done: dict[str, int]
) -> None:
    battle = field_of_battle(SCOUT, {**SNEAK, "put": done}, terrain=[HEDGE])

    assert "conceal-self-only" not in verbs(battle, 1)
    assert "conceal-self" in verbs(battle, 1)


@pytest.mark.rule("emlia.aware.conceal-self.count")
def test_the_successes_are_kept_until_it_activates_again(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(SCOUT, SNEAK, terrain=[HEDGE])
    play(battle, activate(battle, 1), dice=[5, 5, 1], answers=["conceal-self-only"])
    kept = battle.state.units.integer("hid", 1)

    play(battle, activate(battle, 1), answers=["done"])

    assert (kept, battle.state.units.integer("hid", 1)) == (2, 0)
    assert not is_aware(battle, 0, 1)


@pytest.mark.rule("emlia.aware.detect", "emlia.aware.conceal-self.count")
@pytest.mark.parametrize(
    ("kept", "terrain", "faces", "found"),
    [
        (2, HEDGE, (4, 4, 1, 1), False),
        (2, HEDGE, (4, 4, 4, 1), True),
        (2, HOUSE, (6, 6, 6, 1), False),
        (2, HOUSE, (6, 6, 6, 6), True),
        (0, HOUSE, (6, 1, 1, 1), False),
        (0, HOUSE, (6, 6, 1, 1), True),
        (0, HEDGE, (3, 3, 3, 3), False),
        (0, HEDGE, (4, 1, 1, 1), True),
    ],
)
def test_a_search_finds_with_more_successes_than_it_hid_with(
    field_of_battle: Build, play: Play, kept: int, terrain: Any, faces: Any, found: bool
) -> None:
    """At 19 GSU +1, and -2 where it is wholly concealed; it is unaware behind a house: +1 more."""
    sneak = {**SNEAK, "at": (100, 90), "put": {"hid": kept}, "states": ["concealed"]}
    battle = field_of_battle({**SCOUT, "at": (100, 71)}, sneak, terrain=[terrain])

    events = play(battle, hiding.detect(battle, 0, detect()), dice=faces)

    assert is_aware(battle, 0, 1) is found
    assert events[-1].name == ("detected" if found else "searched")
    assert events[-1].facts["needed"] == kept + 1 + (terrain is HOUSE)


@pytest.mark.rule("emlia.aware.detect", "emlia.activate.free-actions")
def test_searching_is_free_and_done_once(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(SCOUT, {**SNEAK, "states": ["concealed"]}, terrain=[HEDGE])

    play(battle, hiding.detect(battle, 0, detect(None)), dice=[1, 1, 1, 1])

    units = battle.state.units
    assert (units.value("move_used", 0), units.value("primary_used", 0)) == (0, 0)
    assert "detect-hidden" not in verbs(battle, 0)


@pytest.mark.rule("emlia.aware.picture", "emlia.aware.detect")
def test_a_search_is_on_offer_whether_or_not_anyone_hides(
    field_of_battle: Build, play: Play
) -> None:
    there = field_of_battle(SCOUT, {**SNEAK, "states": ["concealed"]}, terrain=[HEDGE])
    nobody = field_of_battle(SCOUT, {**SNEAK, "at": (10, 10)}, terrain=[HEDGE])

    searches = [
        [order for order in options_of(battle, 0) if order.verb == "detect-hidden"]
        for battle in (there, nobody)
    ]
    events = play(nobody, hiding.detect(nobody, 0, detect(None)))

    assert searches[0] == searches[1] == [detect(None)]
    assert events[-1].target is None


@pytest.mark.rule("emlia.aware.detect", "emlia.aware.detect.impossible")
def test_one_whom_others_know_can_be_searched_for_by_name_where_he_can_be_found(
    field_of_battle: Build,
) -> None:
    other = {"at": (150, 100)}
    near, far = (
        field_of_battle({**SCOUT, "at": (100, y)}, {**SNEAK, "at": (100, 85)}, other,
                        terrain=[HOUSE])
        for y in (70, 60)
    )  # fmt: skip

    assert detect() in options_of(near, 0)
    assert detect() not in options_of(far, 0)
    assert detect(None) in options_of(far, 0)


@pytest.mark.rule("emlia.aware.state")
def test_what_was_found_is_known_to_the_end_of_the_next_activation(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(SCOUT, {**SNEAK, "at": (100, 85)}, terrain=[HOUSE])
    play(battle, activate(battle, 0), dice=[12, 12, 1, 1], answers=[detect(None), ...])
    after_finding = is_aware(battle, 0, 1)
    play(battle, activate(battle, 0), answers=["done"])
    after_the_next = is_aware(battle, 0, 1)

    assert (after_finding, after_the_next) == (True, False)
    assert hiding.search_of(battle, 0, 1).was_aware


@pytest.mark.rule("emlia.aware.state", "emlia.aware.conceal-self")
def test_hiding_anew_undoes_what_was_found(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(SCOUT, {**SNEAK, "at": (100, 85)}, terrain=[HOUSE])
    play(battle, hiding.detect(battle, 0, detect()), dice=[12, 12, 1, 1])
    found = is_aware(battle, 0, 1)

    let_hide(battle, play)

    assert (found, is_aware(battle, 0, 1)) == (True, False)


@pytest.mark.rule("emlia.aware.auto-spot")
def test_who_comes_into_the_open_is_spotted_by_exactly_those_who_see_it_so(
    field_of_battle: Build, play: Play
) -> None:
    screened = {"at": (60, 70)}
    hedge = {"kind": "hedge", "box": (90, 78, 110, 80)}
    other = {"kind": "hedge", "box": (50, 72, 90, 74)}
    battle = field_of_battle(
        SCOUT, {**SNEAK, "states": ["concealed"]}, screened, terrain=[hedge, other]
    )

    events = walk(battle, play, 1, facing=90, distance=60)

    assert events[-1].name == "spotted"
    assert events[-1].part_of_last, "moves that are made at once stay one step"
    assert events[-1].facts["by"] == ("unit 0",)
    assert [is_aware(battle, unit, 1) for unit in (0, 2)] == [True, False]
    walk(battle, play, 1, facing=270, distance=60)
    assert [is_aware(battle, unit, 1) for unit in (0, 2)] == [True, False]


@pytest.mark.rule("emlia.aware.auto-spot")
def test_one_who_starts_concealed_in_the_open_is_spotted_as_the_first_turn_begins(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(SCOUT, {**SNEAK, "states": ["concealed"]}, turn=0)
    step = timing.next_step(battle)
    assert step is not None

    events = play(battle, step, dice=[12, 1])

    assert [event.name for event in events].count("spotted") == 1
    assert hidden(battle) == []


@pytest.mark.rule("emlia.aware.firing-reveals")
def test_a_shot_from_hiding_gives_nothing_away_but_where_to_look(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(SCOUT, {**SNEAK, "states": ["concealed"]}, terrain=[HEDGE])

    shot = Order(verb="fire", unit=1, target=0, number=0)
    play(battle, shooting.aim_and_fire(battle, 1, shot), dice=[1])

    assert not is_aware(battle, 0, 1)
    search = hiding.search_of(battle, 0, 1)
    assert search.attacked_source
    assert search.acted_on_known


@pytest.mark.rule("emlia.aware.subject-rule", "emlia.aware.conceal-self")
def test_a_hidden_enemy_in_full_range_is_no_target(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(ARCHER, SNEAK, terrain=[HEDGE])
    before = "fire" in verbs(battle, 0)

    let_hide(battle, play)

    assert (before, "fire" in verbs(battle, 0)) == (True, False)


@pytest.mark.rule("emlia.aware.picture")
def test_a_hidden_enemy_is_in_nobodys_picture_but_is_missed(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(SCOUT, SNEAK, terrain=[HEDGE])
    before = SYSTEM.picture(battle, 0)
    known, missing = before.known, before.missing

    let_hide(battle, play)

    after = SYSTEM.picture(battle, 0)
    assert (known, missing) == ([1], False)
    assert (after.known, after.missing) == ([], True)


@pytest.mark.rule("emlia.aware.picture", "emlia.charge.fail")
def test_a_hidden_enemy_in_the_lane_bars_no_charge_but_stops_it(
    field_of_battle: Build, play: Play
) -> None:
    lurkers = {
        "side": "Bob", "facing": 180, "front": (105.25, 74), "members": 20, "files": 10,
        "formation": "ranked", "states": ["concealed"],
    }  # fmt: skip
    hedge = {"kind": "hedge", "box": (98, 72, 112, 73)}
    runner = {"at": (100, 65), "movement": "20G"}
    battle = field_of_battle(runner, lurkers, {"at": (100, 80.5), "side": "Bob"}, terrain=[hedge])
    charge = Order(verb="charge", unit=0, target=2)

    unaware, offered = not is_aware(battle, 0, 1), charge in options_of(battle, 0)
    events = play(battle, activate(battle, 0), answers=[charge, ...])

    assert unaware
    assert offered
    assert "charge fell short" in [event.name for event in events]


@pytest.mark.rule("emlia.aware.shared-in-unit")
def test_what_one_member_sees_the_whole_unit_knows(field_of_battle: Build) -> None:
    line = {**ARCHER, "front": (100, 70), "members": 20, "files": 20, "formation": "ranked"}
    del line["at"]
    line["skills"] = {"aimed fire": "1*"}
    house = {"kind": "building", "box": (60, 78, 98, 80)}
    battle = field_of_battle(line, {"at": (106, 110), "side": "Bob"}, terrain=[house])

    assert is_aware(battle, 0, 1)
    (aim,) = shooting.aims_of(battle, Order(verb="fire", unit=0, target=1, number=0))
    assert aim.tried.dice == 20


@pytest.mark.rule("emlia.aware.scenery")
def test_a_way_into_a_house_that_nobody_has_seen_is_refused(field_of_battle: Build) -> None:
    rock = {"kind": "rock", "height": 20, "box": (90, 60, 110, 62)}
    behind = {"kind": "building", "box": (98, 70, 102, 80)}
    legs = tuple(
        Leg(step="march", x=x, y=y, facing=0) for x, y in [(120, 50), (120, 75), (100, 75)]
    )
    order = Order(verb="move", unit=0, legs=legs)
    walker = {"front": (100, 50), "movement": "100G"}

    seen, unseen = (
        MoveReach(field_of_battle(walker, {**SNEAK, "at": (10, 190)}, terrain=terrain), 0)
        for terrain in ([rock], [rock, behind])
    )

    assert seen.refusal(order) is None
    assert unseen.refusal(order) is not None


LEADER: dict[str, Any] = {
    "at": (100, 40), "skills": {"leadership": "2", "aimed fire": "1"}, "weapons": [BOW],
}  # fmt: skip
BLIND: dict[str, Any] = {"at": (80, 40)}
SCREEN = {"kind": "building", "box": (60, 48, 92, 50)}


def pointed_at(battle: Battle, verb: str = "pass-awareness-primary") -> Order:
    return Order(verb=verb, unit=0, target=2)


def band(field_of_battle: Build, **more: Any) -> Battle:
    """A leader who sees an enemy, two friends behind a house who do not, one of them far off."""
    return field_of_battle(
        {**LEADER, **more}, BLIND, {"at": (100, 100), "side": "Bob"}, {"at": (70, 40)},
        terrain=[SCREEN],
    )  # fmt: skip


@pytest.mark.rule("emlia.aware.pass", "emlia.aware.state")
def test_one_success_makes_all_friends_within_20_gsu_aware_of_the_enemy(
    field_of_battle: Build, play: Play
) -> None:
    battle = band(field_of_battle)
    before = [is_aware(battle, unit, 2) for unit in (0, 1, 3)]

    events = play(battle, hiding.pass_awareness(battle, 0, pointed_at(battle)), dice=[5, 1])

    assert before == [True, False, False]
    assert [is_aware(battle, unit, 2) for unit in (0, 1, 3)] == [True, True, False]
    assert events[-1].facts["modifier"] == 0
    play(battle, activate(battle, 1), answers=["done"])
    assert not is_aware(battle, 1, 2)


@pytest.mark.rule("emlia.aware.pass")
def test_who_fails_to_point_out_an_enemy_tells_nobody(field_of_battle: Build, play: Play) -> None:
    battle = band(field_of_battle)

    play(battle, hiding.pass_awareness(battle, 0, pointed_at(battle)), dice=[4, 4])

    assert not is_aware(battle, 1, 2)


@pytest.mark.rule("emlia.aware.pass")
@pytest.mark.parametrize(
    ("verb", "used"), [("pass-awareness", "move_used"), ("pass-awareness-primary", "primary_used")]
)
def test_pointing_out_is_a_move_or_a_primary_action(
    field_of_battle: Build, play: Play, verb: str, used: str
) -> None:
    battle = band(field_of_battle)

    play(battle, activate(battle, 0), dice=[1, 1], answers=[pointed_at(battle, verb), ...])

    units = battle.state.units
    spent = {name for name in ("move_used", "primary_used", "free_used") if units.value(name, 0)}
    assert spent == {used}


@pytest.mark.rule("emlia.aware.pass.free")
def test_pointing_out_is_free_after_a_shot_at_the_same_enemy(
    field_of_battle: Build, play: Play
) -> None:
    battle = band(field_of_battle)
    before = "pass-awareness-free" in verbs(battle, 0)
    shot = Order(verb="aim", unit=0, target=2, number=0)

    answers = [shot, pointed_at(battle, "pass-awareness-free"), ...]
    play(battle, activate(battle, 0), dice=[1, 5, 1], answers=answers)

    assert not before
    assert is_aware(battle, 1, 2)
    assert "pass-awareness-free" not in verbs(battle, 0)


@pytest.mark.rule("emlia.aware.pass", "emlia.aware.subject-rule")
def test_only_a_known_enemy_is_pointed_out_and_only_to_those_who_do_not_know_it(
    field_of_battle: Build,
) -> None:
    unknown = field_of_battle(
        {**LEADER, "at": (76, 40)}, BLIND, {"at": (76, 100), "side": "Bob"}, terrain=[SCREEN]
    )
    all_know = field_of_battle(LEADER, {"at": (110, 40)}, {"at": (100, 100), "side": "Bob"})

    assert "pass-awareness" not in verbs(unknown, 0)
    assert "pass-awareness" not in verbs(all_know, 0)


@pytest.mark.rule("emlia.aware.pass", "emlia.aware.pass.free")
@pytest.mark.parametrize("shoots_first", [False, True])
def test_whom_of_some_a_unit_may_point_out_is_told_as_in_the_list(
    field_of_battle: Build, play: Play, *, shoots_first: bool
) -> None:
    battle = field_of_battle(
        LEADER, BLIND, {"at": (100, 100), "side": "Bob"}, {"at": (70, 40)},
        {"at": (76, 100), "side": "Bob"}, {"at": (60, 44), "side": "Bob"}, terrain=[SCREEN],
    )  # fmt: skip
    if shoots_first:
        shot = Order(verb="fire", unit=0, target=2, number=0)
        play(battle, shooting.aim_and_fire(battle, 0, shot), dice=[1])

    listed = [*hiding.pass_options(battle, 0)]

    asked = [
        Order(verb=verb, unit=unit, target=target)
        for verb in hiding.PASS_AWARENESS.verbs
        for unit in (0, 1)
        for target in (None, 1, 2, 4, 5)
    ]
    assert listed
    assert hiding.among_pass_options(battle, 0, asked) == listed
    assert [one for one in asked if hiding.among_pass_options(battle, 0, [one])] == listed
    assert hiding.among_pass_options(battle, 0, [replace(listed[0], number=1)]) == []


@pytest.mark.rule("emlia.aware.detect.mod.moved")
def test_a_march_is_remembered_until_the_next_activation(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(SCOUT, SNEAK, terrain=[HEDGE])

    play(battle, activate(battle, 1), answers=["move", ...])
    after_marching = hiding.search_of(battle, 0, 1).moved
    play(battle, activate(battle, 1), answers=["done"])

    assert (after_marching, hiding.search_of(battle, 0, 1).moved) == (True, False)


@pytest.mark.rule("emlia.aware.detect.mod.was-aware")
def test_whom_a_unit_knew_when_its_last_activation_ended_it_finds_more_easily(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(SCOUT, SNEAK, terrain=[HEDGE])
    play(battle, activate(battle, 0), answers=["done"])
    let_hide(battle, play)

    found = hiding.search_of(battle, 0, 1).was_aware
    play(battle, activate(battle, 0), answers=["done"])

    assert (found, hiding.search_of(battle, 0, 1).was_aware) == (True, False)


@pytest.mark.rule("emlia.aware.detect.mod.acted-upon", "emlia.aware.detect.mod.acted-on-known")
@pytest.mark.parametrize(
    ("source", "subject", "row"),
    [(2, 1, "acted_upon"), (3, 1, ""), (1, 2, "acted_on_known"), (1, 3, ""), (0, 1, "acted_upon")],
)
def test_deeds_tell_of_a_hidden_enemy_only_if_the_other_party_is_known(
    field_of_battle: Build, source: int, subject: int, row: str
) -> None:
    wall = {"kind": "building", "box": (150, 20, 152, 120)}
    battle = field_of_battle(
        SCOUT, {**SNEAK, "states": ["concealed"]}, {"at": (80, 70)}, {"at": (170, 70)},
        terrain=[HEDGE, wall],
    )  # fmt: skip
    deed = Pair(column="acted_on", a=source, b=subject, value=1)
    battle.happen(Event(name="put", changes=(deed,)))

    search = hiding.search_of(battle, 0, 1)

    held = [name for name in ("acted_upon", "acted_on_known") if getattr(search, name)]
    assert held == ([row] if row else [])


@pytest.mark.rule("emlia.aware.detect.mod.acted-upon")
def test_who_acted_on_a_hidden_enemy_is_known_as_the_unit_that_he_has_joined(
    field_of_battle: Build,
) -> None:
    sneak = {**SNEAK, "states": ["concealed"]}
    battle = field_of_battle(SCOUT, sneak, {"at": (80, 70)}, {"at": (84, 70)}, terrain=[HEDGE])
    battle.happen(
        Event(
            name="put",
            changes=(
                Pair(column="acted_on", a=3, b=1, value=1),
                Belong(unit=3, parent=2),
            ),
        )
    )

    assert hiding.search_of(battle, 0, 1).acted_upon


@pytest.mark.rule("emlia.aware.detect.arcs", "emlia.aware.detect.mod.side-arc")
@pytest.mark.rule("emlia.aware.detect.mod.rear-arc")
@pytest.mark.parametrize(
    ("facing", "arcs", "arc"),
    [
        (0, (180, 45, 90), Arc.FRONT),
        (90, (180, 45, 90), Arc.FRONT),
        (225, (180, 45, 90), Arc.SIDE),
        (180, (180, 45, 90), Arc.REAR),
        (180, (360, 0, 0), Arc.FRONT),
    ],
)
def test_the_arcs_are_those_of_who_searches(
    field_of_battle: Build, facing: int, arcs: tuple[int, int, int], arc: Arc
) -> None:
    battle = field_of_battle({**SCOUT, "facing": facing, "arcs": arcs}, SNEAK, terrain=[HEDGE])

    assert hiding.search_of(battle, 0, 1).arc is arc


@pytest.mark.rule("emlia.aware.detect.mod.smaller", "emlia.aware.detect.mod.taking-cover")
def test_who_lies_down_behind_cover_is_smaller_and_taking_cover(field_of_battle: Build) -> None:
    sneak = {**SNEAK, "at": (100, 83), "states": ["prone", "taking cover"]}
    battle = field_of_battle(SCOUT, sneak, terrain=[HEDGE])

    search = hiding.search_of(battle, 0, 1)

    assert (search.subject_size, search.taking_cover) == (0.5, True)


@pytest.mark.rule("emlia.aware.detect", "emlia.aware.detect.mod.larger")
@pytest.mark.parametrize(
    ("south", "size", "modifier"),
    [
        (20, 4, +2), (20, 3, +1), (20, 0.25, -2),
        (20, 1, 0), (19.75, 1, +1), (60, 1, 0), (60.25, 1, -2),
    ],
)  # fmt: skip
def test_size_counts_by_whole_doublings_and_range_below_20_and_over_60(
    field_of_battle: Build, play: Play, south: float, size: float, modifier: int
) -> None:
    sneak = {**SNEAK, "size": size, "base": (2, 2), "states": ["concealed"]}
    battle = field_of_battle({**SCOUT, "at": (100, 100 - 1 - south)}, sneak, terrain=[HEDGE])

    *_, event = play(battle, hiding.detect(battle, 0, detect()), dice=[1, 1, 1, 1])

    assert event.facts["modifier"] == modifier
