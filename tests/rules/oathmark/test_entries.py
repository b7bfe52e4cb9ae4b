"""Values that an entry of a unit set may have, what follows from them, and constants."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from emlia3d.battle.entries import Hired
from emlia3d.field import Scale
from emlia3d.rules.oathmark import core
from emlia3d.rules.oathmark.artillery import artillery_dice, crew_dice
from emlia3d.rules.oathmark.brigades import role_of
from emlia3d.rules.oathmark.columns import Phase
from emlia3d.rules.oathmark.core import (
    BlockSide,
    Ranks,
    counts_full_ranks,
    facing_places,
    figure_places,
    files_of_last,
    is_within,
    majority,
    rank_width,
    reaches,
)
from emlia3d.rules.oathmark.morale import casualty_rows
from emlia3d.rules.oathmark.shooting import shoot, volley_of
from emlia3d.rules.oathmark.sight import aims_in_sight
from emlia3d.rules.oathmark.unit_set import Entry, HouseRules, cost, force_cost
from tests.rules.carrying import carry
from tests.rules.oathmark.tables import SOLDIER, put, table

LEAST: dict[str, Any] = {"name": "a", "activation": 5, "move": 6, "fight": 2, "defence": 9}
FOE: dict[str, Any] = {**SOLDIER, "side": "Blue", "facing": 180, "officer": (0, 250)}
ARCHERS: dict[str, Any] = {**SOLDIER, "weapon": "bow", "shoot": 2, "fight": 0}
ENGINE: dict[str, Any] = {
    **SOLDIER, "members": 1, "base": [50, 50], "weapon": "light catapult", "shoot": 3,
    "abilities": {"artillery": 1, "crew": 3},
}  # fmt: skip


# Entries


@pytest.mark.parametrize(
    ("key", "least", "most"),
    [
        ("members", 1, 20), ("activation", 1, 10), ("move", 0, 24), ("fight", 0, 20),
        ("shoot", 0, 20), ("defence", 0, 30), ("combat_dice", 1, 10), ("health", 1, 60),
        ("points", 0, None), ("maximum", 1, 20),
    ],
)  # fmt: skip
def test_values_of_an_entry_have_bounds(key: str, least: int, most: int | None) -> None:
    for value in (least, 7, 10**6 if most is None else most):
        assert getattr(Entry.model_validate({**LEAST, key: value}), key) == value
    for value in (least - 1, *(() if most is None else (most + 1,))):
        with pytest.raises(ValidationError):
            Entry.model_validate({**LEAST, key: value})


@pytest.mark.parametrize(
    ("side", "allowed"), [(0, False), (0.5, True), (4096, True), (4097, False)]
)
def test_bases_have_a_size(side: float, allowed: bool) -> None:
    for base in ([side, 25], [25, side]):
        if allowed:
            assert Entry.model_validate({**LEAST, "base": base}).base == tuple(base)
        else:
            with pytest.raises(ValidationError):
                Entry.model_validate({**LEAST, "base": base})


def test_an_entry_has_a_name() -> None:
    assert Entry.model_validate({**LEAST, "name": "x"}).name == "x"
    with pytest.raises(ValidationError):
        Entry.model_validate({**LEAST, "name": ""})


def test_what_an_entry_leaves_out_is_usual() -> None:
    entry = Entry.model_validate(LEAST)

    assert (entry.members, entry.shoot, entry.combat_dice, entry.health) == (1, 0, 1, 1)
    assert (entry.points, entry.maximum, entry.base) == (0, 20, (25, 25))
    assert (entry.weapon, entry.abilities, entry.tags) == (None, {}, ())
    assert not HouseRules().unit_of_one_tests_per_point


@pytest.mark.rule("oathmark.ability.core-set")
def test_what_follows_from_abilities_and_tags() -> None:
    def entry(**other: Any) -> Entry:
        return Entry.model_validate({**LEAST, **other})

    assert entry().level("charge") == 0
    assert entry(abilities={"charge": 3}).level("charge") == 3
    assert [entry(abilities=a).crew for a in ({}, {"crew": 3}, {"artillery": 1, "crew": 3})] == [
        0, 0, 3,
    ]  # fmt: skip
    heights = [entry(abilities=a).height for a in ({}, {"large": 1}, {"enormous": 1})]
    assert heights == [1.0, 2.0, 3.0]
    assert [entry(tags=tags).is_one for tags in ((), ("unit-of-one",), ("cavalry",))] == [
        False, True, False,
    ]  # fmt: skip


def test_a_crew_stands_beside_its_engine() -> None:
    scale = Scale(1.0, 1.0)
    engine = Entry.model_validate(
        {**LEAST, "base": (50, 40), "abilities": {"artillery": 1, "crew": 3}}
    )

    # Three figures of 25 mm beside an engine of 50 mm.
    assert [engine.troops(scale).width, engine.troops(scale).depth] == [125, 40]
    plain = Entry.model_validate({**LEAST, "base": (25, 50)}).troops(scale)
    assert [plain.width, plain.depth] == [25, 50]


@pytest.mark.rule("oathmark.units.sample")
def test_a_unit_costs_the_points_of_its_figures() -> None:
    entry = Entry.model_validate({**LEAST, "points": 13, "members": 15})

    assert cost(entry) == 195
    assert force_cost([Hired(name="a", entry=entry, kind="b")] * 2) == 390


@pytest.mark.parametrize(
    ("unit", "role"),
    [
        ({}, "line"), ({"abilities": {"command": 1}}, "leader"), (ENGINE, "guns"),
        ({"tags": ["cavalry"]}, "cavalry"), (ARCHERS, "skirmish"),
        ({**ARCHERS, "fight": 1}, "skirmish"), ({**ARCHERS, "fight": 2}, "line"),
        ({**ARCHERS, "fight": 3}, "line"), ({"shoot": 3}, "line"),
        ({**ARCHERS, "tags": ["cavalry"]}, "cavalry"),
    ],
)  # fmt: skip
def test_a_role_follows_from_an_entry(unit: dict[str, Any], role: str) -> None:
    assert role_of(table({**SOLDIER, **unit}, FOE), 0) == role


# Constants


def test_tolerances_and_tables_have_their_values() -> None:
    assert (core.INCH, core.TOUCH, core.SLACK) == (25.4, 0.1, 0.001)
    assert is_within(152.4 + 0.0005, 6)
    assert not is_within(152.4 + 0.0015, 6)
    # Battle files hold these numbers.
    assert (Phase.BEFORE, Phase.LOOP, Phase.DEPLOYMENT) == (0, 1, 2)
    assert [int(side) for side in BlockSide] == [0, 1, 2, 3]
    assert [side.name for side in BlockSide] == ["FRONT", "LEFT", "RIGHT", "REAR"]
    assert [side.is_flank for side in BlockSide] == [False, True, True, False]


@pytest.mark.parametrize(
    ("seen", "of", "found"),
    [
        (0, 0, False), (0, 1, False), (1, 1, True), (1, 2, True), (1, 3, False), (2, 3, True),
        (2, 4, True), (1, 4, False), (2, 5, False), (3, 5, True), (5, 10, True), (4, 10, False),
    ],
)  # fmt: skip
def test_half_of_some_figures_is_rounded_up(seen: int, of: int, found: bool) -> None:
    assert majority(seen, of) is found


@pytest.mark.parametrize(
    ("face", "modifier", "need", "found"),
    [
        (5, 0, 5, True), (4, 0, 5, False), (4, 1, 5, True), (6, -1, 5, True), (5, -1, 5, False),
        (10, -9, 8, True), (9, -2, 8, False),
    ],
)  # fmt: skip
def test_a_die_reaches_a_value(face: int, modifier: int, need: int, found: bool) -> None:
    assert reaches(face, modifier, need) is found


@pytest.mark.rule("oathmark.core.rank-width")
def test_other_bases_stand_one_to_a_rank() -> None:
    usual = {(25.0, 25.0): 5, (25.0, 50.0): 5, (50.0, 50.0): 3}
    for width in (24, 25, 26, 49, 50, 51, 75):
        for depth in (24, 25, 26, 49, 50, 51, 75):
            base = float(width), float(depth)
            assert rank_width(base) == usual.get(base, 1)


@pytest.mark.rule("oathmark.core.facings")
@pytest.mark.parametrize("width", [1, 3, 5])
def test_facings_are_the_outermost_figures(width: int) -> None:
    for count in range(1, 4 * width + 1):
        places = figure_places(count, width)
        ranks, front = -(-count // width), min(count, width)
        assert len({*places}) == count
        assert [file for rank, file in places if rank == ranks - 1] == [
            *files_of_last(count, width)
        ]
        found = facing_places(count, width)
        assert found[BlockSide.FRONT] == tuple((0, file) for file in range(front))
        assert found[BlockSide.REAR] == tuple(
            max(place for place in places if place[1] == file) for file in range(front)
        )
        for side, file in ((BlockSide.LEFT, 0), (BlockSide.RIGHT, front - 1)):
            assert found[side] == tuple(place for place in places if place[1] == file)


@pytest.mark.rule("oathmark.core.unit-of-one")
def test_ranks_after_the_first_are_never_fewer_than_none() -> None:
    assert [counts_full_ranks(unit_of_one=False, full=full) for full in range(4)] == [0, 0, 1, 2]
    assert [counts_full_ranks(unit_of_one=True, full=full) for full in range(4)] == [0] * 4


@pytest.mark.rule("oathmark.morale.modifier-table")
@pytest.mark.parametrize(
    ("base", "full", "rows"),
    [
        ((25, 25), 0, [-2, -1]), ((25, 25), 1, [-2]), ((25, 25), 2, [-2, 1]),
        ((25, 50), 0, [-2, -1]), ((25, 50), 1, [-2, 1]), ((50, 50), 1, [-2, 1]),
        ((50, 25), 1, [-2, 1]),
    ],
)  # fmt: skip
def test_ranks_that_steady_a_unit_depend_on_its_bases(
    base: tuple[float, float], full: int, rows: list[int]
) -> None:
    found = casualty_rows(2, Ranks(full, full + 1), base, disordered=False, bonus=0)

    assert [value for _, value in found] == rows
    more = casualty_rows(2, Ranks(full, full + 1), base, disordered=True, bonus=1)
    assert dict(more)["oathmark.morale.disordered-minus"] == -1
    assert more[-1] == ("oathmark.shoot.casualties-morale", 1)
    assert len(more) == len(found) + 2


# Shots


@pytest.mark.rule("oathmark.artillery.unit-of-one")
@pytest.mark.parametrize(
    ("abilities", "tags", "plus", "dice"),
    [
        ({}, ["unit-of-one"], 5, 2), ({"large": 1}, ["unit-of-one"], 0, 3),
        ({"enormous": 1}, ["unit-of-one"], 0, 4), ({}, [], 0, 2), ({"large": 1}, [], 0, 3),
    ],
)  # fmt: skip
def test_artillery_hits_small_units_of_one_rarely(
    abilities: dict[str, int], tags: list[str], plus: int, dice: int
) -> None:
    lone = {**FOE, "members": 1, "base": [75, 75], "abilities": abilities, "tags": tags}
    battle = table(ENGINE, lone)
    (aim,) = aims_in_sight(battle, 0)

    volley = volley_of(battle, 0, aim, 0)

    assert volley.target == 9 - 3 + plus
    assert volley.dice == dice
    slug = "oathmark.artillery.unit-of-one"
    assert volley.rows == (((slug, 5),) if plus else ())


@pytest.mark.rule("oathmark.artillery.melee-crew")
def test_a_crew_has_five_dice_at_most() -> None:
    assert [crew_dice(2, crew) for crew in (0, 1, 2, 3)] == [0, 2, 4, 5]
    sides = [artillery_dice(Ranks(1, 2), side) for side in BlockSide]
    assert sides == [3, 5, 5, 5]


@pytest.mark.rule("oathmark.shoot.sequence")
@pytest.mark.parametrize(
    ("unit", "weapon", "slug", "dice"),
    [
        (ARCHERS, "bow", "oathmark.shoot.sequence", 5),
        (ENGINE, "light catapult", "oathmark.artillery.process", 3),
    ],
)  # fmt: skip
def test_a_shot_tells_its_weapon_and_its_rules(
    unit: dict[str, Any], weapon: str, slug: str, dice: int
) -> None:
    battle = table(unit, FOE)
    put(battle, 0, disordered=1)
    (aim,) = aims_in_sight(battle, 0)

    done = carry(battle, shoot(battle, 0, aim, 1), dice=[1] * dice)

    (event,) = done.events
    told = done.facts("shot")
    assert (told.weapon, told.facing, told.successes) == (weapon, "front", 0)
    # Disorder and an action before; of the archers a second rank.
    values = (-1, 1, 1) if unit is ARCHERS else (1, 1)
    assert (told.modifier, told.figures) == (sum(values), values)
    assert event.because[:2] == (slug, "oathmark.shoot.target-number")
    assert len(event.because) == 2 + len(values)


@pytest.mark.rule("oathmark.morale.panic")
def test_a_unit_that_breaks_under_fire_spreads_panic() -> None:
    friend = {**FOE, "officer": (0, 250 + 150)}
    battle = table(ARCHERS, FOE, friend)
    put(battle, 1, disordered=1)
    aim = aims_in_sight(battle, 0)[0]

    done = carry(battle, shoot(battle, 0, aim, 0), dice=[10, 1, 1, 1, 1, 1, 1, 9, 1])

    assert [event.unit for event in done.named("morale tested")] == [1, 2]
