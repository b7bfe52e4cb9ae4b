"""Shooting: which units shoot, at what value, and on which units hits fall; crossfire, Shock."""

from __future__ import annotations

import pytest

from emlia3d.rules.epic.crossfire import (
    crossfire_line,
    is_ally,
    is_crossfire,
    is_short_enough,
    save_modifier,
)
from emlia3d.rules.epic.damage import save_against, take_hits, unsaved
from emlia3d.rules.epic.formations import counted_units, kind_of, units_of
from emlia3d.rules.epic.shock import (
    breaks,
    check_broken,
    is_effective,
    shock_from,
    take_shock,
    units_lost_instead,
)
from emlia3d.rules.epic.shooting import (
    allocate,
    cover_modifier,
    exposed,
    fire_at,
    firing_guns,
    guns_at,
    guns_of,
    has_cover,
    hits_of,
    is_in_range,
    may_be_hit,
    may_ignore_cover,
    not_suppressed,
    shock_of_being_shot_at,
    shock_of_casualties,
    spread_evenly,
    targets_of,
    to_hit,
    values_of,
    volleys,
)
from emlia3d.rules.epic.unit_set import WeaponEntry
from tests.rules.epic.boards import board, carry_out, cell, put, weapon

GUN = {"weapons": [weapon(range=8, ap=3, at=2)]}
RED = {"side": "Red"}


@pytest.mark.rule("epic.shoot.who", "epic.shoot.allocate-valid")
def test_only_units_that_see_in_range_shoot() -> None:
    units = [
        {"tile": [4, 8], **GUN}, {"tile": [4, 10], "in": "unit 0", **GUN},
        {**RED, "tile": [9, 8]}, {**RED, "tile": [13, 8], "in": "unit 2"},
    ]  # fmt: skip
    battle = board(*units[:3], {**RED, "tile": [11, 8], "in": "unit 2"},
                   terrain=[("building", [(6, 8)])])  # fmt: skip
    guns = guns_at(battle, 0, 2)
    assert [(gun.unit, gun.targets) for gun in guns] == [(1, (2, 3))]


@pytest.mark.rule("epic.shoot.range")
def test_some_target_must_be_in_range() -> None:
    gun = WeaponEntry(name="gun", range=8, ap=3)
    assert (is_in_range(8, gun), is_in_range(9, gun)) == (True, False)


@pytest.mark.rule("epic.shoot.small-arms")
def test_small_arms_never_shoot() -> None:
    battle = board({"kind": "assault", "tile": [4, 8]}, {"kind": "line", "tile": [6, 8]})
    assert guns_of(kind_of(battle, 0)) == []
    assert [gun.name for gun in guns_of(kind_of(battle, 1))] == ["light gun"]


@pytest.mark.rule("epic.shoot.suppression")
def test_shock_stops_the_farthest_units() -> None:
    able = [(3, 0), (4, 1), (5, 2), (6, 3), (7, 4)]
    assert not_suppressed(able, 2) == [0, 1, 2]
    assert not_suppressed([(3, 0), (3, 1)], 1) == [0]
    assert not_suppressed(able, 9) == []


@pytest.mark.rule("epic.shoot.first-shock")
def test_being_shot_at_gives_one_shock() -> None:
    assert (shock_of_being_shot_at(4), shock_of_being_shot_at(0)) == (1, 0)


@pytest.mark.rule("epic.shoot.one-target")
def test_the_target_is_one_formation() -> None:
    battle = board(
        {"tile": [4, 8], **GUN}, {**RED, "tile": [9, 8]}, {**RED, "tile": [5, 17]},
        {**RED, "tile": [4, 12]},
    )  # fmt: skip
    assert targets_of(battle, 0) == [1, 3]


@pytest.mark.rule("epic.shoot.choose-value")
def test_the_value_is_chosen_before_the_roll() -> None:
    both = WeaponEntry(name="gun", range=8, ap=3, at=2)
    assert values_of(both, {"INF", "AV"}) == ["ap", "at"]
    assert values_of(both, {"INF"}) == ["ap"]
    assert values_of(WeaponEntry(name="gun", range=8, mw=3), {"INF"}) == ["mw"]


@pytest.mark.rule("epic.shoot.hit")
def test_dice_at_or_below_the_value_hit() -> None:
    assert hits_of((1, 3, 4, 6), 3) == 2


@pytest.mark.rule("epic.shoot.modifiers")
def test_modifiers_of_action_and_cover_add_up() -> None:
    assert (to_hit(3, -1, -1), to_hit(3, 1, 0), to_hit(3, 1, -1), to_hit(2, -1, -1)) == (1, 4, 3, 0)


@pytest.mark.rule("epic.shoot.allocate-even")
def test_hits_are_spread_evenly_from_the_closest_on() -> None:
    assert spread_evenly(4, [(7, 1), (8, 1), (9, 1)]) == {7: 2, 8: 1, 9: 1}
    assert spread_evenly(4, [(7, 3), (8, 1)]) == {7: 3, 8: 1}
    assert spread_evenly(2, []) == {}


@pytest.mark.rule("epic.shoot.allocate-type", "epic.shoot.allocate-valid")
def test_hits_without_an_eligible_unit_are_lost() -> None:
    battle = board(
        {"tile": [4, 8], **GUN}, {**RED, "tile": [6, 8]},
        {**RED, "tile": [7, 8], "in": "unit 1", "unit_type": "AV"},
    )  # fmt: skip
    assert not may_be_hit(kind_of(battle, 1), "at")
    assert allocate(battle, 2, "at", [1, 2], [0]) == {2: 2}
    assert allocate(battle, 2, "at", [1], [0]) == {}
    assert guns_at(battle, 0, 1)


@pytest.mark.rule("epic.shoot.macro-last")
def test_macro_hits_come_last() -> None:
    assert volleys({"mw": 1, "at": 2, "ap": 3}) == [("ap", 3), ("at", 2), ("mw", 1)]


@pytest.mark.rule("epic.shoot.casualty-shock", "epic.shock.gain")
def test_shock_of_casualties() -> None:
    assert shock_of_casualties(2) == 2
    assert shock_from(2, shot_at=True) == 3
    assert shock_from(0, failed=True) == 1


@pytest.mark.rule("epic.shoot.macro-last", "epic.save.macro")
def test_a_macro_weapon_destroys_without_a_save_after_all_saves() -> None:
    both = {"weapons": [weapon(range=8, ap=4), weapon(name="big", range=8, mw=4)]}
    battle = board(
        {"tile": [4, 8], **both}, {**RED, "tile": [6, 8], "save": 3},
        {**RED, "tile": [7, 8], "in": "unit 1", "save": 3},
        {**RED, "tile": [8, 8], "in": "unit 1", "save": 3},
        {**RED, "tile": [9, 8], "in": "unit 1", "save": 3},
        faces=(1, 1, 6),
    )  # fmt: skip
    carry_out(battle, fire_at(battle, 0, 1, 0))
    assert [cell(battle, row, "present") for row in (1, 2, 3, 4)] == [0, 0, 1, 1]
    assert save_against(3, macro=True) == 0
    assert volleys({"ap": 1}) == [("ap", 1)]


@pytest.mark.rule("epic.save.roll")
def test_saves_are_rolled_at_or_below() -> None:
    assert unsaved(2, (3, 4), 3) == 1
    assert unsaved(2, (), 0) == 2


@pytest.mark.rule("epic.cover.minus")
def test_units_in_cover_are_harder_to_hit() -> None:
    battle = board({"tile": [4, 8]}, {"kind": "tank", "tile": [6, 8]},
                   terrain=[("forest", [(4, 8), (5, 8), (6, 8)])])  # fmt: skip
    assert [has_cover(battle, row) for row in (0, 1)] == [True, False]
    assert cover_modifier([True, True]) == -1
    assert cover_modifier([False, False]) == 0


@pytest.mark.rule("epic.cover.partial", "epic.cover.partial-exposed", "epic.cover.minus")
def test_partial_cover_may_be_ignored() -> None:
    covered = [True, True, False, False, False]
    assert may_ignore_cover(covered)
    assert not may_ignore_cover([True, True])
    assert cover_modifier(covered, ignored=True) == 0
    assert cover_modifier(covered) == -1
    assert exposed(range(5), covered) == [2, 3, 4]


@pytest.mark.rule("epic.warengine.damage", "epic.shoot.allocate-even")
def test_a_war_engine_loses_damage_capacity() -> None:
    battle = board({"kind": "engine", "tile": [4, 8]}, {**RED, "tile": [4, 17]}, faces=(5, 5, 1))
    lost = carry_out(battle, take_hits(battle, {0: 3}, cause="a test"))
    assert (lost, cell(battle, 0, "damage"), cell(battle, 0, "present")) == (2, 2, 1)
    assert counted_units(kind_of(battle, 0)) == 3
    assert spread_evenly(3, [(0, 1)]) == {0: 3}


@pytest.mark.rule("epic.broken.when", "epic.shoot.casualty-shock", "epic.shoot.first-shock")
@pytest.mark.parametrize(("saved", "broken", "shock"), [(0, 1, 4), (1, 0, 3)])
def test_a_formation_breaks_by_the_shock_of_fire(saved: int, broken: int, shock: int) -> None:
    guns = {"weapons": [weapon(range=20, ap=6, shots=2)]}
    reds = [{**RED, "tile": [4 + n, 17], "save": 3} for n in range(6)]
    for red in reds[1:]:
        red["in"] = "unit 1"
    battle = board({"tile": [4, 5], **guns}, *reds,
                   faces=(1, 1, 1 if saved else 6, 6))  # fmt: skip
    put(battle, "unit", 1, shock=1)
    carry_out(battle, fire_at(battle, 0, 1, 0))
    assert (cell(battle, 1, "morale"), cell(battle, 1, "shock")) == (broken, shock)
    assert breaks(4, 4)
    assert not breaks(3, 5)
    assert (shock_of_casualties(1), shock_of_being_shot_at(1)) == (1, 1)


@pytest.mark.rule("epic.broken.more-shock")
@pytest.mark.parametrize(("extra", "left"), [("", 2), ("[house]\nbroken_extra_shock = false", 3)])
def test_a_broken_formation_loses_units_in_place_of_shock(extra: str, left: int) -> None:
    reds = [{**RED, "tile": [4 + n, 12]} for n in range(3)]
    reds[1]["in"] = reds[2]["in"] = "unit 1"
    battle = board({"tile": [4, 5], **GUN}, *reds, extra=extra)
    put(battle, "unit", 1, morale=1, shock=3)
    carry_out(battle, take_shock(battle, 1, 1, [0]))
    assert len(units_of(battle).of_formation(1)) == left
    assert cell(battle, 1, "shock") == 3
    assert units_lost_instead(2, option=True) == 2


@pytest.mark.rule("epic.broken.effects")
def test_a_broken_formation_is_no_ally() -> None:
    assert is_effective(broken=False)
    assert not is_effective(broken=True)
    assert not is_ally(sees_target=True, broken=True)


def crossfire(target: tuple[int, int], ally: tuple[int, int], **other: object) -> bool:
    battle = board(
        {"tile": [4, 8], **GUN}, {**RED, "tile": [4 + target[0], 8 + target[1]]},
        {"tile": [4 + ally[0], 8 + ally[1]]}, **other,
    )  # fmt: skip
    return is_crossfire(battle, 0, 1, [0])


@pytest.mark.rule("epic.crossfire.line")
def test_a_crossfire_leads_through_the_target() -> None:
    assert crossfire((3, 0), (6, 0))
    assert crossfire((3, -1), (6, -2))
    assert not crossfire((3, -1), (6, 0))


def test_the_line_of_a_crossfire_leads_from_the_shooter_to_the_nearest_ally() -> None:
    battle = board(
        {"tile": [4, 8], **GUN}, {**RED, "tile": [7, 8]}, {"tile": [12, 8]}, {"tile": [10, 8]},
    )  # fmt: skip
    grid = units_of(battle).board.grid
    ends = tuple(tuple(grid.centres(tile).tolist()) for tile in ((4, 8), (10, 8)))
    assert crossfire_line(battle, 0, 1, [0]) == ends
    assert crossfire_line(battle, 0, 1, []) is None
    alone = board({"tile": [4, 8], **GUN}, {**RED, "tile": [7, 8]}, {"tile": [5, 10]})
    assert crossfire_line(alone, 0, 1, [0]) is None


@pytest.mark.rule("epic.crossfire.line")
def test_a_gap_of_two_tiles_belongs_to_the_formation() -> None:
    battle = board(
        {"tile": [4, 8], **GUN}, {**RED, "tile": [8, 7]}, {**RED, "tile": [6, 9], "in": "unit 1"},
        {"tile": [10, 8]},
    )  # fmt: skip
    assert is_crossfire(battle, 0, 1, [0])


@pytest.mark.rule("epic.crossfire.length")
def test_the_line_has_twelve_tiles_at_most() -> None:
    assert (is_short_enough(12), is_short_enough(13)) == (True, False)
    assert crossfire((3, 0), (12, 0))
    assert not crossfire((3, 0), (13, 0))


@pytest.mark.rule("epic.crossfire.ally")
def test_the_ally_must_see_the_target() -> None:
    assert not is_ally(sees_target=False, broken=False)
    assert not crossfire((3, 0), (6, 0), terrain=[("building", [(8, 8)])])


@pytest.mark.rule("epic.crossfire.effect")
def test_a_crossfire_makes_saves_harder() -> None:
    assert (save_modifier(crossfire=True), save_modifier(crossfire=False)) == (-1, 0)
    for ally, there in (((6, 8), 1), ((12, 8), 0)):
        battle = board(
            {"tile": [4, 8], **GUN}, {**RED, "tile": [9, 8], "save": 3},
            {**RED, "tile": [9, 9], "save": 3, "in": "unit 1"},
            {**RED, "tile": [9, 10], "save": 3, "in": "unit 1"}, {"tile": [*ally]},
            faces=(1, 3),
        )  # fmt: skip
        carry_out(battle, fire_at(battle, 0, 1, 0))
        assert cell(battle, 1, "present") == there
        assert save_modifier(crossfire=False) == 0


@pytest.mark.rule("epic.shoot.suppression", "epic.shoot.who")
def test_units_without_sight_are_not_counted_among_the_suppressed() -> None:
    units = [{"tile": [4, r], **GUN, **({"in": "unit 0"} if r > 8 else {})} for r in (8, 9, 10)]
    battle = board(*units, {**RED, "tile": [8, 8]}, terrain=[("building", [(6, 8)])])
    able = {gun.unit for gun in guns_at(battle, 0, 3)}
    put(battle, "unit", 0, shock=1)
    assert len({gun.unit for gun in firing_guns(battle, 0, 3)}) == len(able) - 1
    assert carry_out(battle, check_broken(battle, 0)) is False
