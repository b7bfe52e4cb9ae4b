"""Units and weapons as they are printed, and what may be printed."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from emlia3d.field import Scale
from emlia3d.rules.emlia.tables.skills import dice_of
from emlia3d.rules.emlia.unit_sets.unit_set import Entry, footprint, is_printable_size
from emlia3d.rules.emlia.unit_sets.weapon import Weapon
from tests.rules.emlia.bundled_units import ENTRIES, entry

BARE = {"name": "Bare", "size": 1, "height": 1}


def bare(**attributes: Any) -> Entry:
    return Entry.model_validate({**BARE, **attributes})


def weapon(name: str) -> Weapon:
    """The weapon of this name, which must be the same whoever carries it."""
    found = {w.name: w for key in ENTRIES for w in entry(key).weapons if w.name == name}
    return found[name]


@pytest.mark.rule("emlia.unitset.entry")
@pytest.mark.parametrize("name", sorted(ENTRIES))
def test_every_entry_that_ships_can_be_read(name: str) -> None:
    assert entry(name).name


@pytest.mark.rule("emlia.equip.melee.examples")
@pytest.mark.rule("emlia.equip.melee.examples.warhammer")
@pytest.mark.rule("emlia.equip.melee.examples.sword-dagger")
@pytest.mark.rule("emlia.equip.melee.examples.spear")
@pytest.mark.parametrize(
    ("name", "base_damage", "ability", "number"),
    [
        ("Warhammer", 1, "armour piercing", 1),
        ("Sword and Dagger", 1, "parry", 1),
        ("Spear", 1, "reach", 1),
    ],
)
def test_melee_weapons_are_as_printed(
    name: str, base_damage: int, ability: str, number: int
) -> None:
    found = weapon(name)

    assert found.base_damage == base_damage
    assert found.ability(ability) == number
    assert len(found.abilities) == 1
    assert found.usable_for("melee")
    assert not found.is_ranged


@pytest.mark.rule("emlia.equip.ranged.examples")
@pytest.mark.rule("emlia.equip.ranged.examples.longbow")
@pytest.mark.rule("emlia.equip.ranged.examples.crossbow")
@pytest.mark.rule("emlia.equip.ranged.examples.shotgun")
@pytest.mark.rule("emlia.equip.ranged.examples.laser")
@pytest.mark.rule("emlia.equip.ranged.examples.mortar")
@pytest.mark.parametrize(
    ("name", "base_damage", "volley", "bands", "aimed", "area", "large_falloff"),
    [
        ("Longbow", 3, 1, (40, 80, 120), True, True, 1),
        ("Crossbow", 3, None, (30, 60, 120), True, False, 1),
        ("12-Gauge Shotgun", 5, None, (10, 30, 60), True, False, 2),
        ("Laser Rifle", 4, None, (40, 80, 120), True, False, None),
        ("Mortar", 5, 5, (20, 100, 250), False, True, None),
    ],
)
def test_ranged_weapons_are_as_printed(
    name: str,
    base_damage: int,
    volley: int | None,
    bands: tuple[int, int, int],
    aimed: bool,
    area: bool,
    large_falloff: int | None,
) -> None:
    found = weapon(name)

    assert (found.base_damage, found.volley_damage, found.range) == (base_damage, volley, bands)
    assert found.usable_for("aimed fire") is aimed
    assert found.usable_for("area volley") is area
    assert found.ability("large falloff") == large_falloff


@pytest.mark.rule("emlia.equip.ranged.examples.longbow")
@pytest.mark.rule("emlia.equip.ranged.examples.mortar")
@pytest.mark.parametrize(
    ("name", "start", "increment", "limit", "drift"),
    [("Longbow", 1, 1, 1, 10), ("Mortar", 6, 6, 6, 20)],
)
def test_volley_weapons_cover_an_area(
    name: str, start: int, increment: int, limit: int, drift: int
) -> None:
    area = weapon(name).coverage

    assert area is not None
    assert (area.start, area.increment, area.limit, area.drift) == (start, increment, limit, drift)
    assert area.per_weapon


@pytest.mark.parametrize(
    ("printed", "uses"),
    [
        ({}, ["melee"]),
        ({"range": [1, 2, 3]}, ["aimed fire"]),
        (
            {"range": [1, 2, 3], "coverage": {"start": 1, "increment": 1, "limit": 1, "drift": 1}},
            ["aimed fire", "area volley"],
        ),
    ],
)
def test_a_weapon_that_names_no_use_has_the_usual_ones(
    printed: dict[str, Any], uses: list[str]
) -> None:
    plain = Weapon.model_validate({"name": "Thing", "base_damage": 1, **printed})

    assert [u for u in ("melee", "aimed fire", "area volley") if plain.usable_for(u)] == uses  # type: ignore[arg-type]


@pytest.mark.rule("emlia.entity.footprint")
@pytest.mark.parametrize(
    ("size", "metres_per_gsu", "across"),
    [(1, 2.0, 1.0), (1, 1.0, 2.0), (8, 2.0, 2.0), (0.125, 2.0, 0.5), (27, 1.0, 6.0)],
)
def test_a_footprint_grows_with_the_cube_root_of_the_size(
    size: float, metres_per_gsu: float, across: float
) -> None:
    assert footprint(size, Scale(metres_per_gsu)) == across


@pytest.mark.rule("emlia.entity.footprint")
def test_a_base_goes_before_the_footprint() -> None:
    plain, based = bare(), bare(base=[0.8, 3])

    assert plain.troops(Scale(2.0)).width == plain.troops(Scale(2.0)).depth == 1.0
    assert based.troops(Scale(2.0)).width == 0.4
    assert based.troops(Scale(2.0)).depth == 1.5


@pytest.mark.rule("emlia.attr.size.domain")
@pytest.mark.parametrize(
    ("size", "printable"),
    [(1, True), (2, True), (3, True), (0.5, True), (0.125, True), (1 / 3, False), (1.5, False)],
)
def test_sizes_halve_or_multiply(size: float, printable: bool) -> None:
    assert is_printable_size(size) is printable


@pytest.mark.rule("emlia.attr.movement")
def test_a_unit_has_a_movement_for_each_mode_and_none_that_is_not_printed() -> None:
    entry = bare(movement="15G, 30F")

    assert [(one.mode, one.speed) for one in entry.movements] == [("G", 15), ("F", 30)]
    assert entry.by_mode("B") is None
    assert bare().movements == ()


@pytest.mark.rule("emlia.attr.sight-arcs")
@pytest.mark.parametrize("arcs", [(180, 45, 90), (90, 90, 90), (360, 0, 0), (270, 0, 90)])
def test_arcs_fill_the_circle(arcs: tuple[float, float, float]) -> None:
    assert bare(arcs=list(arcs)).arcs == arcs


@pytest.mark.rule("emlia.attr.sight-arcs")
@pytest.mark.parametrize("arcs", [(180, 90, 90), (180, 45, 89), (400, -20, 0)])
def test_arcs_that_do_not_are_refused(arcs: tuple[float, float, float]) -> None:
    with pytest.raises(ValidationError, match="= 360"):
        bare(arcs=list(arcs))


@pytest.mark.rule("emlia.entity.required-attributes")
@pytest.mark.rule("emlia.attr.damage-measure")
def test_damage_limit_is_1_where_no_damage_measure_is_printed() -> None:
    row = {"faces": [1, 12], "text": "It shudders"}

    assert bare().damage_limit == 1
    assert bare(damage_limit=20).damage_limit == 20
    assert bare(threshold=3, vital_table=[row]).damage_limit is None
    assert bare(threshold=3, vital_table=[row], damage_limit=9).damage_limit == 9


@pytest.mark.rule("emlia.attr.vital-table")
def test_a_vital_table_is_rolled_with_a_d12_unless_it_names_dice() -> None:
    assert entry("dragon").vital_dice == "d12"
    rows = [{"faces": [2, 7], "text": "a"}, {"faces": [8, 12], "text": "b", "destroyed": True}]
    assert bare(threshold=1, vital_table=rows, vital_dice="2d6").vital_dice == "2d6"


@pytest.mark.rule("emlia.attr.vital-table")
@pytest.mark.parametrize("faces", [[[1, 11]], [[1, 6], [6, 12]], [[0, 12]], [[12, 1]]])
def test_a_vital_table_names_every_face_once(faces: list[list[int]]) -> None:
    rows = [{"faces": pair, "text": "a"} for pair in faces]

    with pytest.raises(ValidationError, match="each of the faces 1 to 12 of d12 once"):
        bare(threshold=1, vital_table=rows)


@pytest.mark.parametrize(
    "attributes", [{"threshold": 3}, {"vital_table": [{"faces": [1, 12], "text": "a"}]}]
)
def test_a_threshold_and_a_vital_table_go_together(attributes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="expected both or neither"):
        bare(**attributes)


def test_a_dragon_has_the_books_skill_and_limit() -> None:
    dragon = entry("dragon")

    skill = dragon.skill("close combat")
    assert skill is not None
    assert dragon.damage_limit == 20
    assert dragon.threshold is not None
    assert dice_of(skill, able=1, lost=9) == 8


@pytest.mark.rule("emlia.attr.army-value")
@pytest.mark.rule("emlia.attr.optional")
def test_army_value_is_1_where_none_is_printed() -> None:
    assert bare().army_value == 1
    assert bare(army_value=3).army_value == 3


@pytest.mark.rule("emlia.attr.hire-value")
@pytest.mark.rule("emlia.attr.hits")
@pytest.mark.rule("emlia.attr.timing")
@pytest.mark.rule("emlia.attr.morale")
@pytest.mark.rule("emlia.attr.type")
def test_an_entry_keeps_what_is_printed() -> None:
    printed = bare(hire_value=20, hits=3, armour=1, timing=4, morale=-2, keywords=["Elf", "Scout"])

    assert (printed.hire_value, printed.hits, printed.armour) == (20, 3, 1)
    assert (printed.timing, printed.morale, printed.keywords) == (4, -2, ("Elf", "Scout"))


@pytest.mark.parametrize(
    "attributes",
    [{"size": "big"}, {"hits": 0}, {"hits": 1.5}, {"members": True}, {"wings": 2}, {"height": 0}],
)
def test_nothing_is_guessed(attributes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        bare(**attributes)


@pytest.mark.rule("emlia.attr.initiative-conditions")
def test_initiative_conditions_are_optional_and_keep_their_order() -> None:
    charge = {"when": {"within": 15}, "do": "charge"}
    strike = {"when": [{"attacked": "at all"}, {"within": 2}], "do": "attack"}

    assert bare().initiative == ()
    assert [condition.do for condition in bare(initiative=[charge, strike]).initiative] == [
        "charge",
        "attack",
    ]
    assert len(bare(initiative=[strike]).initiative[0].when) == 2


@pytest.mark.parametrize(
    ("condition", "wrong"),
    [
        ({"when": {"attacked": "at all", "shelter": "none"}, "do": "attack"}, "from afar"),
        ({"when": {"members": "fewer"}, "do": "charge", "fast": True}, "fast cannot be combined"),
        (
            {"when": {"members": "fewer"}, "do": "move to cover", "until": 3},
            "until cannot be combined",
        ),
        ({"when": [], "do": "charge"}, "at least 1"),
        ({"when": {"members": "fewer"}, "do": "dance"}, "charge"),
    ],
)
def test_conditions_that_say_nothing_clear_are_refused(
    condition: dict[str, Any], wrong: str
) -> None:
    with pytest.raises(ValidationError, match=wrong):
        bare(initiative=[condition])


@pytest.mark.parametrize(
    "printed",
    [
        pytest.param({"movement": "9" * 40 + "G"}, id="a speed of forty figures"),
        pytest.param({"skills": {"close combat": "99999999999/2"}}, id="more dice than memory"),
    ],
)
def test_figures_beyond_any_battle_are_refused(printed: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="expected"):
        Entry.model_validate({"name": "giant", "size": 1, "height": 1, **printed})
