"""Chapter 23: unit sets with armies, what units cost, and how options change them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from emlia3d.battle.entries import Hired
from emlia3d.rules.emlia.unit_sets.army import ArmyList, army_faults, cost
from emlia3d.rules.emlia.unit_sets.hire import with_options
from emlia3d.rules.emlia.unit_sets.unit_set import Entry
from emlia3d.scenario import check, load

CAVEMAN: dict[str, Any] = {"name": "Caveman", "size": 1, "height": 1, "hire_value": 20}


def hired(kind: str, section: str = "", **more: Any) -> Hired:
    entry = Entry.model_validate({**CAVEMAN, **more})
    path = tuple(part for part in section.split("/") if part)
    return Hired(name=kind, entry=entry, kind=kind, section=path)


def told(army: dict[str, Any], *force: Hired) -> list[str]:
    return [message for _, message in army_faults(ArmyList.model_validate(army), force)]


@pytest.mark.rule("emlia.unitset.points")
def test_five_cavemen_units_cost_a_hundred() -> None:
    assert cost([hired("cavemen")] * 5, "") == 100


@pytest.mark.rule("emlia.unitset.points")
def test_a_force_may_cost_as_much_as_its_points_and_no_more(write: Callable[..., Path]) -> None:
    exact, more = write(5, points=100), write(6, points=100)

    assert check(exact) == ()
    (diagnostic,) = check(more)
    assert diagnostic.message == "the units of Clan cost 120 of 100 points"
    assert diagnostic.line == line_of(more, "points =")


@pytest.mark.rule("emlia.attr.hire-value")
def test_a_unit_may_have_several_hire_values_each_under_a_condition() -> None:
    values = [{"value": 15, "army": "clan"}, {"value": 12, "with_entry": "mammoth"}]
    man, mammoth = hired("man", hire_values=values), hired("mammoth", hire_value=50)

    assert cost([man], "clan") == 15
    assert cost([man, mammoth], "horde") == 62
    assert cost([man], "horde") == 20


@pytest.mark.rule("emlia.unitset.options")
def test_an_option_changes_a_unit_and_its_hire_value_up_or_down() -> None:
    options = {
        "furs": {"hire_value": 5, "sets": {"armour": 1}},
        "hungry": {"hire_value": -8, "sets": {"morale": -1}},
    }

    both = Entry.model_validate(with_options({**CAVEMAN, "options": options}, ["furs", "hungry"]))

    assert (both.armour, both.morale, both.hire_value) == (1, -1, 17)
    free = {name: value for name, value in CAVEMAN.items() if name != "hire_value"}
    assert with_options({**free, "options": options}, ["furs"])["hire_value"] == 5


@pytest.mark.rule("emlia.unitset.options", "emlia.attr.hire-value")
def test_an_option_adds_to_the_hire_value_of_every_condition() -> None:
    values = [{"value": 15, "army": "clan"}, {"value": 12, "with_entry": "mammoth"}]
    options = {"furs": {"hire_value": 5, "sets": {"armour": 1}}}

    entry = with_options({**CAVEMAN, "hire_values": values, "options": options}, ["furs"])

    assert [each["value"] for each in entry["hire_values"]] == [20, 17]


@pytest.mark.rule("emlia.unitset.options")
@pytest.mark.parametrize(("name", "why"), [("fur", "no option fur"), ("starving", "below 0")])
def test_an_option_that_there_is_not_or_that_would_pay_is_refused(name: str, why: str) -> None:
    entry = {**CAVEMAN, "options": {"starving": {"hire_value": -21}}}

    with pytest.raises(ValueError, match=why):
        with_options(entry, [name])


@pytest.mark.rule("emlia.unitset.definition")
def test_an_army_may_hold_all_the_units_of_its_set_freely() -> None:
    assert told({}, hired("anything"), hired("whatever")) == []


@pytest.mark.rule("emlia.unitset.restrictions")
def test_only_units_of_the_army_may_serve_in_it() -> None:
    assert told({"entries": ["hoplites"]}, hired("hoplites"), hired("peltasts")) == [
        "peltasts may not serve in the army: hoplites may"
    ]


COMPANIES = {
    "sections": {
        "infantry company": {
            "entries": ["infantry", "machine guns"],
            "least": 3,
            "limits": [{"entries": ["infantry"], "least_share": 0.6}],
        },
        "mechanised company": {
            "sections": {
                "trucks": {"entries": ["truck infantry", "jeeps"]},
                "armour": {"entries": ["tanks", "armoured cars"], "most": 2},
            }
        },
    }
}


@pytest.mark.rule("emlia.unitset.restrictions")
def test_one_infantry_and_one_mechanised_company_make_a_force() -> None:
    foot = [hired(kind, "infantry company") for kind in ("infantry", "infantry", "machine guns")]
    trucks = [hired(kind, "mechanised company/trucks") for kind in ("truck infantry", "jeeps")]
    tanks = [hired("tanks", "mechanised company/armour")]

    assert told(COMPANIES, *foot, *trucks, *tanks) == []


@pytest.mark.rule("emlia.unitset.restrictions")
@pytest.mark.parametrize(
    ("force", "why"),
    [
        ([("tanks", "")], "tanks is in no section of the army"),
        ([("tanks", "infantry company")], "tanks may not serve in infantry company"),
        ([("tanks", "air")], "the army has no section air"),
        ([("tanks", "mechanised company/armour")] * 3, "armour: expected at most 2 units, got 3"),
        ([("infantry", "infantry company")], "infantry company: expected at least 3 units, got 1"),
        (
            [("infantry", "infantry company"), *[("machine guns", "infantry company")] * 2],
            "60% to 100% of the units of infantry company, got 33.3%",
        ),
    ],
)
def test_a_force_that_breaks_its_armys_restrictions_is_told(
    force: list[tuple[str, str]], why: str
) -> None:
    found = told(COMPANIES, *(hired(kind, section) for kind, section in force))

    assert any(why in message for message in found)


def test_an_army_wants_no_more_at_least_than_at_most() -> None:
    with pytest.raises(ValidationError, match="least: expected at most 2, got 3"):
        ArmyList.model_validate({"least": 3, "most": 2})


def test_a_unit_set_tells_an_option_and_an_army_that_are_not_right(tmp_path: Path) -> None:
    path = tmp_path / "clan.toml"
    path.write_text(
        f"{SET}[entry.cavemen.options.furs]\nsets = {{ armuor = 1 }}\n"
        '[army.clan]\nentries = ["cavemne"]\n'
    )

    first, second = check(path)

    assert (first.line, second.line) == (line_of(path, "armuor"), line_of(path, "[army.clan]"))
    assert "did you mean armour?" in first.message
    assert "did you mean cavemen?" in second.message


SET = (
    'format = 1\nrules = "emlia"\ntitle = "A clan"\n'
    '[entry.cavemen]\nname = "Cavemen"\nsize = 1\nheight = 1\nhire_value = 20\n'
)


def line_of(path: Path, text: str) -> int:
    rows = path.read_text(encoding="utf-8").split("\n")
    return next(number for number, row in enumerate(rows, start=1) if text in row)


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """A scenario with so many units of a set beside it, and what is said of their side."""

    def written(count: int, unit: str = "", **side: Any) -> Path:
        (tmp_path / "clan.toml").write_text(
            f"{SET}[entry.cavemen.options.furs]\nhire_value = 5\nsets = {{ armour = 1 }}\n"
            '[army.clan]\nentries = ["cavemen"]\nmost = 5\n[army.others]\nentries = []\n'
        )
        keys = "".join(f"{key} = {value!r}\n" for key, value in side.items())
        text = (
            'format = 1\nrules = "emlia"\ntitle = "Clans"\nturns = 3\n[field]\nsize = [90, 90]\n'
            f'[[side]]\nname = "Clan"\n{keys}'
        )
        for number in range(count):
            text += f'[[unit]]\nname = "u{number}"\nside = "Clan"\ntype = "clan/cavemen"\n'
            text += f"at = [{9 * number + 9}, 9]\n{unit}"
        path = tmp_path / f"clans {count}.toml"
        path.write_text(text)
        return path

    return written


@pytest.mark.parametrize(
    ("army", "told"),
    [
        ("clan/others", "u0 may not serve in the army"),
        ("clan/clna", "did you mean clan?"),
        ("emlia/clan", "has no [army.name]"),
    ],
)
def test_a_side_that_is_no_such_army_is_told(
    army: str, told: str, write: Callable[..., Path]
) -> None:
    (diagnostic,) = check(write(1, army=army))

    assert told in diagnostic.message


def test_a_scenarios_units_take_options_of_their_entry(write: Callable[..., Path]) -> None:
    path = write(4, unit='options = ["furs"]\n', army="clan/clan", points=100)

    entry = load(path).setup.units[0].entry

    assert isinstance(entry, Entry)
    assert (entry.armour, entry.hire_value) == (1, 25)
    (diagnostic,) = check(write(1, unit='options = ["fur"]\n'))
    assert "Cavemen has no option fur; there is furs" in diagnostic.message
