"""Chapter 20 as play: units hide, are spotted, and are known to some and not to others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Leg, Order
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.combat import shooting
from emlia3d.rules.emlia.play.free_actions import hiding
from emlia3d.rules.emlia.play.movement.manoeuvre import MoveValidator
from emlia3d.rules.emlia.play.sight.awareness import is_aware, watched
from emlia3d.rules.emlia.play.sight.sight_cache import level_on
from emlia3d.rules.emlia.play.situation.pose import gone, pose_of
from emlia3d.rules.emlia.play.turn import timing
from emlia3d.rules.emlia.play.turn.activation import activate, options_of
from tests.rules.emlia.free_actions.sneaking import (
    BOW,
    HEDGE,
    HOUSE,
    SCOUT,
    SNEAK,
    hide,
    let_hide,
    verbs,
)

Build = Callable[..., Battle]
Play = Callable[..., list[Event]]

ARCHER: dict[str, Any] = {"at": (100, 70), "skills": {"aimed fire": "1"}, "weapons": [BOW]}


def hidden(battle: Battle, enemy: int = 1) -> list[int]:
    return sorted(observer for observer, unit in battle.state.pairs["hidden"] if unit == enemy)


def walk(battle: Battle, play: Play, unit: int, facing: int, distance: float) -> list[Event]:
    """A stretch of play in which a unit comes to stand elsewhere."""
    end = gone(pose_of(battle, unit), facing * 64, distance)

    def stretch() -> Any:
        yield Event(facts=Unread(event="walked"), unit=unit, changes=end.changes(unit))

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
    assert events[-1].because == (
        "emlia.aware.conceal-self", "emlia.action.basic-list.conceal-self",
        "emlia.skill.level-plain", "emlia.skill.check", "emlia.aware.conceal-self.count",
        "emlia.aware.state",
    )  # fmt: skip


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

    assert events[-1].facts.modifier == modifier
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
    assert events[-1].facts.by == ("unit 0",)
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
        MoveValidator(field_of_battle(walker, {**SNEAK, "at": (10, 190)}, terrain=terrain), 0)
        for terrain in ([rock], [rock, behind])
    )

    assert seen.refusal(order) is None
    assert unseen.refusal(order) is not None
