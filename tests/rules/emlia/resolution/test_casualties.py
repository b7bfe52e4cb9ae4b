"""Hits become damage and damage losses, in a resolution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append
from emlia3d.battle.events import Event
from emlia3d.force import FORMATIONS
from emlia3d.rules.emlia.columns import Armour
from emlia3d.rules.emlia.play.resolution import casualties, phase
from emlia3d.rules.emlia.play.resolution.allocation import Marker, markers_by_row, shares
from emlia3d.rules.emlia.play.turn import checks
from emlia3d.rules.emlia.unit_set import Entry

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

SHAKEN_UP = {"faces": (1, 6), "text": "it is shaken up"}
COLLAPSED = {"faces": (7, 12), "text": "it collapses", "destroyed": True}
WALL = (SHAKEN_UP, COLLAPSED)


def crowd(members: int, x: float = 100, **more: Any) -> dict[str, Any]:
    return {"at": (x, 120), "side": "Bob", "members": members, "files": min(members, 5), **more}


ATTACKER = {"at": (100, 50)}


def hit(
    battle: Battle,
    hits: int,
    base_damage: int = 0,
    subject: int = 1,
    attacker: int = 0,
    **more: int,
) -> None:
    """Hit markers, as an attack would lay them."""
    row = {
        "subject": subject, "attacker": attacker, "hits": hits, "base_damage": base_damage,
        "party": -1, "armour": Armour.COUNTS, **more,
    }  # fmt: skip
    battle.happen(Event(name="hit", changes=(Append(table="marker", row=row),)))


def hit_party(battle: Battle, subjects: tuple[int, ...], groups: list[tuple[int, int]]) -> None:
    """Hits on several units as on one: (hits, base damage) of each group."""
    for unit in subjects:
        row = {"party": 0, "unit": unit}
        battle.happen(Event(name="party", changes=(Append(table="party", row=row),)))
    for hits, base_damage in groups:
        hit(battle, hits, base_damage, subjects[0], party=0)


def resolve(battle: Battle, play: Play, dice: list[int] | None = None) -> list[Any]:
    return play(battle, phase.resolve(battle), dice or [])


def decided(procedure: Any) -> Any:
    """What a procedure comes to where every question is answered with the first that is offered."""
    answer = None
    while True:
        try:
            answer = procedure.send(answer).options[0]
        except StopIteration as end:
            return end.value


def members(battle: Battle, unit: int = 1) -> int:
    return battle.state.units.integer("members", unit)


def damage(battle: Battle, unit: int = 1) -> int:
    return battle.state.units.integer("damage", unit)


@pytest.mark.rule("emlia.damage.step", "emlia.damage.examples", "emlia.attr.damage-limit")
def test_four_points_kill_four_militiamen(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(ATTACKER, crowd(10, hits=1))
    hit(battle, 4, base_damage=1)

    resolve(battle, play)

    assert members(battle) == 6


@pytest.mark.rule("emlia.form.all")
@pytest.mark.parametrize(("hits", "formation"), [(8, "ranked"), (9, "close")])
def test_one_man_left_alone_stands_in_ranks_no_more(
    hits: int, formation: str, field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ATTACKER, crowd(10, formation="ranked"))
    hit(battle, hits)

    resolve(battle, play)

    assert members(battle) == 10 - hits
    assert FORMATIONS[battle.state.units.integer("formation", 1)] == formation


@pytest.mark.rule("emlia.damage.step", "emlia.damage.per-group")
def test_remainders_of_a_group_are_lost(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(ATTACKER, crowd(10, hits=3))
    hit(battle, 7, base_damage=1)
    hit(battle, 2, base_damage=0)
    hit(battle, 1, base_damage=2, attacker=0)

    resolve(battle, play)

    assert members(battle) == 10 - 3 - 0 - 1


@pytest.mark.rule("emlia.damage.per-group")
def test_hits_of_equal_base_damage_are_one_group_whoever_dealt_them(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ATTACKER, crowd(10, hits=2), {"at": (110, 50)})
    hit(battle, 1, attacker=0)
    hit(battle, 1, attacker=2)

    resolve(battle, play)

    assert members(battle) == 9


@pytest.mark.rule("emlia.damage.per-group", "emlia.equip.armour-piercing")
def test_hits_that_pierce_armour_are_a_group_of_their_own(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ATTACKER, crowd(10, hits=1, armour=2))
    hit(battle, 2, armour=Armour.COUNTS)
    hit(battle, 2, armour=Armour.PIERCED)
    hit(battle, 2, armour=Armour.IGNORED)

    resolve(battle, play)

    assert members(battle) == 10 - 0 - 1 - 2


@pytest.mark.rule("emlia.damage.carry")
def test_damage_short_of_a_limit_counts_later(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(ATTACKER, crowd(10, hits=1, damage_limit=3))

    hit(battle, 5, base_damage=0)
    resolve(battle, play)
    assert (members(battle), damage(battle)) == (9, 2)

    hit(battle, 1, base_damage=0)
    resolve(battle, play)
    assert (members(battle), damage(battle)) == (8, 0)


@pytest.mark.rule("emlia.damage.examples", "emlia.skill.level-diminish")
def test_a_dragon_with_nine_wounds_has_eight_dice_and_with_twenty_none(
    field_of_battle: Build, play: Play
) -> None:
    skills = {"close combat": "10/4"}
    dragon = {"at": (100, 120), "side": "Bob", "damage_limit": 20, "skills": skills}
    battle = field_of_battle(ATTACKER, dragon)

    hit(battle, 9)
    resolve(battle, play)
    assert checks.attempt_of(battle, 1, "close combat").dice == 8

    hit(battle, 11)
    resolve(battle, play)
    assert battle.state.units.value("present", 1) == 0


@pytest.mark.rule("emlia.attr.threshold", "emlia.damage.order", "emlia.damage.examples")
def test_a_castle_wall_rolls_at_each_threshold_until_it_collapses(
    field_of_battle: Build, play: Play
) -> None:
    wall = {"at": (100, 120), "side": "Bob", "threshold": 3, "vital_table": WALL, "movement": None}
    battle = field_of_battle(ATTACKER, wall)

    hit(battle, 2)
    resolve(battle, play)
    hit(battle, 5)
    resolve(battle, play, [1, 6])
    assert (damage(battle), battle.state.units.value("present", 1)) == (7, 1)

    hit(battle, 2)
    resolve(battle, play, [7])
    assert battle.state.units.value("present", 1) == 0


@pytest.mark.rule("emlia.damage.order")
def test_each_result_is_applied_at_once_so_a_fallen_wall_is_not_rolled_for_again(
    field_of_battle: Build, play: Play
) -> None:
    wall = {"at": (100, 120), "side": "Bob", "threshold": 1, "vital_table": WALL}
    battle = field_of_battle(ATTACKER, wall)
    hit(battle, 5)

    events = resolve(battle, play, [2, 8])

    assert events[0].facts["faces"] == (2, 8)


@pytest.mark.rule("emlia.damage.order", "emlia.attr.vital-table")
def test_damage_from_the_vital_table_may_bring_on_a_further_roll(
    field_of_battle: Build, play: Play
) -> None:
    table = ({"faces": (1, 1), "text": "a wound", "damage": 2}, {"faces": (2, 12), "text": "no"})
    ogre = {"at": (100, 120), "side": "Bob", "threshold": 2, "vital_table": table}
    battle = field_of_battle(ATTACKER, ogre)
    hit(battle, 2)

    resolve(battle, play, [1, 5])

    assert damage(battle) == 4


@pytest.mark.rule("emlia.damage.order", "emlia.attr.threshold")
def test_a_unit_with_a_limit_and_a_threshold_rolls_by_all_the_damage_it_ever_took(
    field_of_battle: Build, play: Play
) -> None:
    table = ({"faces": (1, 12), "text": "a horn sounds"},)
    battle = field_of_battle(
        ATTACKER, crowd(5, hits=1, damage_limit=3, threshold=5, vital_table=table)
    )

    hit(battle, 4)
    resolve(battle, play)
    hit(battle, 2)
    resolve(battle, play, [1])

    assert (members(battle), damage(battle)) == (3, 0)


@pytest.mark.rule("emlia.damage.order")
def test_whom_the_limit_has_removed_rolls_no_more(field_of_battle: Build, play: Play) -> None:
    table = ({"faces": (1, 12), "text": "a roar"},)
    troll = {"at": (100, 120), "side": "Bob", "damage_limit": 6, "threshold": 3}
    battle = field_of_battle(ATTACKER, {**troll, "vital_table": table})
    hit(battle, 6)

    resolve(battle, play)

    assert battle.state.units.value("present", 1) == 0


@pytest.mark.rule("emlia.attr.vital-table")
def test_wounds_last(field_of_battle: Build, play: Play) -> None:
    limp = {"faces": (1, 12), "text": "it limps", "speed_share": 0.5, "check_modifier": -1}
    ogre = {"at": (100, 120), "side": "Bob", "threshold": 2, "vital_table": (limp,)}
    battle = field_of_battle(ATTACKER, ogre)
    hit(battle, 4)

    resolve(battle, play, [1, 1])

    units = battle.state.units
    assert (units.value("speed_share", 1), units.value("check_modifier", 1)) == (0.25, -2)


@pytest.mark.rule("emlia.damage.unit-destroyed", "emlia.morale.pos.wipes-out")
def test_a_unit_without_members_is_removed_and_counts_as_wiped_out(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ATTACKER, crowd(3))
    hit(battle, 3)

    events = resolve(battle, play)

    assert events[0].name == "destroyed"
    assert battle.state.units.value("present", 1) == 0
    swayed = next(event for event in events if event.unit == 0)
    assert "emlia.morale.pos.wipes-out" in swayed.because


@pytest.mark.rule("emlia.damage.casualty-choice")
def test_ranks_close_up_from_the_rear_when_men_fall(field_of_battle: Build, play: Play) -> None:
    ranked = {"formation": "ranked", "members": 10, "files": 5, "front": (100, 100), "facing": 180}
    battle = field_of_battle(ATTACKER, {**ranked, "side": "Bob"})
    hit(battle, 3)

    resolve(battle, play)

    slots = battle.state.figures.ints("slot")[1:]
    assert sorted(slots[slots >= 0].tolist()) == list(range(7))
    assert battle.state.units.integer("files", 1) == 5


@pytest.mark.rule("emlia.hits.skirmish", "emlia.hits.example-three")
def test_hits_on_a_side_of_a_skirmish_are_shared_as_on_a_mixed_unit(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(ATTACKER, crowd(8), crowd(2, x=110), crowd(1, x=120))
    hit_party(battle, (1, 2, 3), [(10, 1), (4, 5), (1, 4)])

    taken = {
        unit: {marker.base_damage: marker.hits for marker in markers}
        for unit, markers in decided(markers_by_row(battle)).items()
    }

    assert taken == {1: {1: 8, 5: 3, 4: 1}, 2: {1: 2}, 3: {5: 1}}


@pytest.mark.rule("emlia.hits.skirmish", "emlia.hits.example-two")
def test_equal_units_of_a_skirmish_take_hits_in_turn(field_of_battle: Build) -> None:
    battle = field_of_battle(ATTACKER, crowd(4), crowd(4, x=110))
    hit_party(battle, (1, 2), [(5, 0), (3, 1), (3, 4)])

    taken = {
        unit: {marker.base_damage: marker.hits for marker in markers}
        for unit, markers in decided(markers_by_row(battle)).items()
    }

    assert taken == {1: {0: 3, 1: 1, 4: 2}, 2: {0: 2, 1: 2, 4: 1}}


@pytest.mark.rule("emlia.hits.skirmish")
def test_who_struck_first_makes_no_difference_to_whose_hits_a_skirmish_takes(
    field_of_battle: Build,
) -> None:
    def taken(strikes: tuple[tuple[int, int], ...]) -> dict[int, list[tuple[int, int]]]:
        battle = field_of_battle(ATTACKER, {"at": (110, 50)}, crowd(5), crowd(1, x=120))
        hit_party(battle, (2, 3), [])
        for attacker, hits in strikes:
            hit(battle, hits, attacker=attacker, subject=2, party=0)
        shared = decided(markers_by_row(battle))
        return {unit: [(m.attacker, m.hits) for m in markers] for unit, markers in shared.items()}

    assert taken(((0, 5), (1, 7))) == taken(((1, 7), (0, 5)))


@pytest.mark.rule("emlia.hits.skirmish")
def test_who_has_left_the_skirmish_since_still_takes_his_share(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ATTACKER, crowd(5), crowd(5, x=180))
    hit_party(battle, (1, 2), [(4, 0)])

    resolve(battle, play)

    assert (members(battle, 1), members(battle, 2)) == (3, 3)


MARKERS = st.lists(
    st.builds(
        Marker,
        attacker=st.integers(0, 3),
        base_damage=st.integers(0, 3),
        hits=st.integers(1, 40),
        armour=st.sampled_from(Armour),
        unseen=st.booleans(),
    ),
    min_size=1,
    max_size=6,
)


@pytest.mark.rule("emlia.hits.skirmish")
@given(sizes=st.lists(st.integers(1, 30), min_size=1, max_size=5), markers=MARKERS)
def test_no_hit_is_lost_or_made_when_hits_are_shared(
    field_of_battle: Build, sizes: list[int], markers: list[Marker]
) -> None:
    battle = field_of_battle(
        ATTACKER, *(crowd(size, x=20 + 35 * n) for n, size in enumerate(sizes))
    )

    shared = decided(shares(battle, tuple(range(1, len(sizes) + 1)), markers))

    def counted(some: list[Marker]) -> Counter[tuple[int, int]]:
        total: Counter[tuple[int, int]] = Counter()
        for marker in some:
            total[marker.attacker, marker.base_damage] += marker.hits
        return total

    assert [unit for unit, _ in shared] == list(range(1, len(sizes) + 1))
    assert counted([marker for _, share in shared for marker in share]) == counted(markers)


@pytest.mark.rule("emlia.hits.skirmish")
@given(sizes=st.lists(st.integers(1, 30), min_size=2, max_size=5), hits=st.integers(1, 200))
def test_units_take_hits_round_by_round_by_their_size(
    field_of_battle: Build, sizes: list[int], hits: int
) -> None:
    battle = field_of_battle(
        ATTACKER, *(crowd(size, x=20 + 35 * n) for n, size in enumerate(sizes))
    )
    marker = Marker(0, 1, hits, Armour.COUNTS, unseen=False)
    units = tuple(range(1, len(sizes) + 1))

    shared = decided(shares(battle, units, [marker]))

    taken, left = [0] * len(sizes), hits
    order = sorted(range(len(sizes)), key=lambda row: -sizes[row])
    while left:
        for row in order:
            take = min(-(-sizes[row] // min(sizes)), left)
            taken[row] += take
            left -= take
    assert [sum(m.hits for m in share) for _, share in shared] == taken


@pytest.mark.rule("emlia.damage.casualty-choice")
@given(losses=st.lists(st.integers(0, 6), min_size=1, max_size=6), stretch=st.integers(0, 99))
def test_those_who_fall_are_so_many_standing_men_of_the_unit(
    field_of_battle: Build, losses: list[int], stretch: int
) -> None:
    battle = field_of_battle(ATTACKER, crowd(24), crowd(7, x=150))
    battle.state.stretch = stretch
    standing = set(range(1, 25))
    for loss in losses:
        count = min(loss, len(standing))
        if not count:
            continue

        fallen = casualties.fallen(battle, 1, count)

        assert len(fallen) == len(set(fallen)) == count
        assert set(fallen) <= standing
        standing -= set(fallen)
        changes = (casualties.Fall(unit=1, figures=fallen),)
        battle.happen(Event(name="fell", changes=changes))


TANK: dict[str, Any] = {
    "at": (100, 120), "side": "Bob", "threshold": 2,
    "vital_table": ({"faces": (1, 12), "text": "the plates hold"},),
    "arc_vital_tables": {
        "side": ({"faces": (1, 12), "text": "a track is thrown", "speed_share": 0.5},),
        "rear": ({"faces": (1, 12), "text": "the engine burns", "destroyed": True},),
    },
}  # fmt: skip


@pytest.mark.rule("emlia.attr.hits.by-arc", "emlia.attr.vital-table")
@pytest.mark.parametrize(
    ("struck", "text"),
    [
        ([(0, 2)], "the plates hold"),
        ([(1, 2)], "a track is thrown"),
        ([(2, 2)], "the engine burns"),
        ([(0, 1), (2, 3)], "the engine burns"),
        ([(1, 2), (2, 2)], "a track is thrown"),
    ],
    ids=["in front", "on a side", "behind", "most of it behind", "as much on a side as behind"],
)
def test_the_vital_table_is_that_of_the_arc_in_which_a_unit_is_struck_most(
    struck: list[tuple[int, int]], text: str, field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ATTACKER, {**TANK, "hits": 1, "threshold": sum(n for _, n in struck)})
    for arc, hits in struck:
        hit(battle, hits, arc=arc)

    (event,) = [event for event in resolve(battle, play, [1]) if "vital" in event.facts]

    assert event.facts["vital"] == (text,)


@pytest.mark.rule("emlia.attr.hits.by-arc")
@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"threshold": None, "vital_table": ()}, "in place of a vital_table"),
        ({"arc_vital_tables": {"rear": ({"faces": (1, 6), "text": "x"},)}}, "each of the faces"),
    ],
    ids=["without one", "with gaps"],
)
def test_a_table_for_an_arc_is_as_whole_as_the_one_that_it_stands_for(
    change: dict[str, Any], told: str
) -> None:
    printed = {"name": "Tank", "size": 8, "height": 2} | {
        key: value for key, value in TANK.items() if key not in {"at", "side"}
    }

    with pytest.raises(ValidationError, match=told):
        Entry.model_validate({**printed, **change})
