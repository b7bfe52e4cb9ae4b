"""Chapter 23: restrictions of armies and sections just within and just beyond their numbers."""

from __future__ import annotations

from typing import Any

import pytest

from emlia3d.battle.entries import Hired
from emlia3d.rules.emlia.unit_sets.army import ArmyList, Limit, army_faults, cost
from emlia3d.rules.emlia.unit_sets.unit_set import Entry


def hired(kind: str, *section: str, **more: Any) -> Hired:
    entry = Entry.model_validate({"name": kind, "size": 1, "height": 1, **more})
    return Hired(name=f"the {kind}", entry=entry, kind=kind, section=section)


def faults(army: dict[str, Any], *force: Hired) -> list[tuple[int | None, str]]:
    return army_faults(ArmyList.model_validate(army), force)


@pytest.mark.rule("emlia.unitset.restrictions")
@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (1, ["the army: expected at least 2 units, got 1"]),
        (2, []),
        (3, []),
        (4, ["the army: expected at most 3 units, got 4"]),
    ],
)
def test_an_army_has_so_many_units_with_those_of_its_sections(
    count: int, expected: list[str]
) -> None:
    army = {"least": 2, "most": 3, "sections": {"van": {}}}

    found = faults(army, *[hired("foot", "van")] * count)

    assert found == [(None, told) for told in expected]


@pytest.mark.rule("emlia.unitset.restrictions")
@pytest.mark.parametrize(
    ("limit", "foot", "horse", "expected"),
    [
        ({"least": 2}, 1, 3, "foot in the army: expected at least 2 units, got 1"),
        ({"least": 2}, 2, 0, None),
        ({"most": 2}, 2, 3, None),
        ({"most": 2}, 3, 0, "foot in the army: expected at most 2 units, got 3"),
        ({"most": 0}, 0, 1, None),
        ({"least_share": 0.5}, 1, 1, None),
        (
            {"least_share": 0.5},
            1,
            2,
            "foot: expected 50% to 100% of the units of the army, got 33.3%",
        ),
        ({"most_share": 0.5}, 1, 1, None),
        ({"most_share": 0.5}, 2, 1, "foot: expected 0% to 50% of the units of the army, got 66.7%"),
        ({"most_share": 0.0}, 0, 0, None),
        ({"most_share": 0.0}, 0, 1, None),
        ({"least_share": 0.5}, 0, 0, "foot: expected 50% to 100% of the units of the army, got 0%"),
        ({}, 0, 0, None),
    ],
)
def test_a_limit_counts_the_units_of_its_entries(
    limit: dict[str, Any], foot: int, horse: int, expected: str | None
) -> None:
    army = {"limits": [{"entries": ["foot"], **limit}]}

    found = faults(army, *[hired("foot")] * foot, *[hired("horse")] * horse)

    assert found == ([] if expected is None else [(None, expected)])


@pytest.mark.rule("emlia.unitset.restrictions")
def test_a_limit_counts_entries_or_keywords_each_unit_once() -> None:
    limit = Limit.model_validate({"entries": ["foot"], "keywords": ["Elf"]})
    units = (
        hired("foot"), hired("foot", keywords=["elf"]), hired("horse", keywords=["Elf", "Scout"]),
        hired("horse", keywords=["Scout"]), hired("horse"),
    )  # fmt: skip

    assert [limit.counts(unit) for unit in units] == [True, True, True, False, False]
    army = {"limits": [{"entries": ["foot"], "keywords": ["Elf"], "most": 2}]}
    assert faults(army, *units) == [
        (None, "foot and Elf in the army: expected at most 2 units, got 3"),
    ]  # fmt: skip


@pytest.mark.rule("emlia.unitset.restrictions", "emlia.unitset.definition")
def test_units_are_told_by_number_where_they_may_not_serve() -> None:
    plain = {"entries": ["foot"]}
    split = {"sections": {"van": {"entries": ["foot"]}, "rear": {}}}
    both = {"entries": ["foot"], "sections": {"van": {"entries": ["horse"]}}}

    assert faults(plain, hired("foot"), hired("horse", "van")) == [
        (1, "the army has no section van; it has none"),
    ]  # fmt: skip
    assert faults(split, hired("foot", "van"), hired("foot", "mid"), hired("foot")) == [
        (1, "the army has no section mid; there is van, rear"),
        (2, "the foot is in no section of the army: van, rear"),
    ]
    assert faults(split, hired("foot", "rear"), hired("horse", "van")) == [
        (1, "the horse may not serve in van: foot may"),
    ]  # fmt: skip
    assert faults(both, hired("foot"), hired("horse", "van")) == []
    assert faults(both, hired("horse"), hired("foot", "van")) == [
        (0, "the horse may not serve in the army: foot may"),
        (1, "the foot may not serve in van: horse may"),
    ]
    assert faults({}, hired("anything")) == []


@pytest.mark.rule("emlia.unitset.restrictions")
def test_a_section_of_a_section_has_restrictions_of_its_own() -> None:
    army = {"sections": {"van": {"sections": {"left": {"most": 1}, "right": {"least": 1}}}}}

    assert faults(army, hired("foot", "van", "left"), hired("foot", "van", "right")) == []
    assert faults(army, *[hired("foot", "van", "left")] * 2) == [
        (None, "left: expected at most 1 units, got 2"),
        (None, "right: expected at least 1 units, got 0"),
    ]
    assert faults(army, hired("foot", "van"), hired("foot", "van", "right")) == [
        (0, "the foot is in no section of van: left, right"),
    ]  # fmt: skip


def test_an_army_names_the_entries_of_its_limits_and_sections() -> None:
    army = ArmyList.model_validate(
        {
            "entries": ["foot"],
            "limits": [{"entries": ["horse"]}, {"keywords": ["Elf"]}],
            "sections": {
                "van": {"entries": ["guns"], "sections": {"left": {"entries": ["pikes"]}}}
            },
        }
    )

    assert army.named() == {"foot", "horse", "guns", "pikes"}
    assert ArmyList.model_validate({}).named() == set()
    assert ArmyList.model_validate({"sections": {"van": {}}}).named() == set()


@pytest.mark.rule("emlia.unitset.points", "emlia.attr.hire-value")
@pytest.mark.parametrize(
    ("army", "others", "value"),
    [
        ("clan", [], 15),
        ("clan", ["mammoth"], 15),
        ("horde", ["mammoth"], 12),
        ("horde", ["wolf"], 20),
        ("", [], 20),
        ("feast", ["mammoth"], 12),
        ("feast", ["wolf"], 9),
        ("horde", ["wolf", "mammoth"], 12),
        ("clan", ["wolf"], 15),
    ],
)
def test_the_first_hire_value_whose_conditions_all_hold_counts(
    army: str, others: list[str], value: float
) -> None:
    values = [
        {"value": 15, "army": "clan"},
        {"value": 12, "with_entry": "mammoth"},
        {"value": 9, "army": "feast", "with_entry": "wolf"},
    ]
    man = hired("man", hire_value=20, hire_values=values)

    assert cost([man, *map(hired, others)], army) == value
