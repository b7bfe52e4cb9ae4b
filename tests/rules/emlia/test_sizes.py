"""Chapter 3.1: sizes and heights, by number or by whose they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.rules.emlia.play.combat import shooting
from emlia3d.rules.emlia.play.situation.reach import reach_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.unit_sets.unit_set import Entry

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

EXAMPLES = [
    ("human adult", 1, 1),
    ("human child", 1 / 2, 1 / 2),
    ("average tree", 1, 2),
    ("large tree", 2, 3),
    ("wolf", 1, 1 / 2),
    ("coyote", 1 / 2, 1 / 4),
    ("fox", 1 / 4, 1 / 8),
    ("ogre", 2, 2),
    ("mountain", 2000, 2000),
]


def marked(attribute: str) -> list[Any]:
    return [
        pytest.param(
            name,
            {"size": size, "height": height}[attribute],
            marks=pytest.mark.rule(f"emlia.attr.{attribute}.examples.{name.replace(' ', '-')}"),
        )
        for name, size, height in EXAMPLES
    ]


@pytest.mark.rule("emlia.attr.size", "emlia.attr.size.examples")
@pytest.mark.parametrize(("name", "size"), marked("size"))
def test_a_size_may_be_given_by_whose_it_is(name: str, size: float) -> None:
    assert Entry.model_validate({"name": "X", "size": name, "height": 1}).size == size


@pytest.mark.rule("emlia.attr.height", "emlia.attr.height.examples")
@pytest.mark.parametrize(("name", "height"), marked("height"))
def test_a_height_may_be_given_by_whose_it_is(name: str, height: float) -> None:
    assert Entry.model_validate({"name": "X", "size": 1, "height": name}).height == height


def test_a_size_of_whom_the_book_does_not_know_is_refused_with_those_it_knows() -> None:
    with pytest.raises(ValidationError, match="unknown size troll; there are human adult"):
        Entry.model_validate({"name": "X", "size": "troll", "height": 1})


@pytest.mark.rule("emlia.attr.size.use")
def test_a_large_target_is_no_easier_to_hit(field_of_battle: Build, play: Play) -> None:
    rifle = {"name": "Rifle", "base_damage": 3, "range": (20, 40, 60)}
    shooter = {"at": (50, 10), "weapons": (rifle,), "skills": {"aimed fire": "1"}}
    giant = {"at": (50, 40), "side": "Bob", "size": 64, "height": 8, "base": (2.0, 2.0)}
    man = {"at": (50, 40), "side": "Bob", "base": (2.0, 2.0)}
    order = Order(verb="fire", unit=0, target=1, number=0)

    told = [
        play(battle, shooting.aim_and_fire(battle, 0, order), dice=[6])[0].facts.modifier
        for battle in (field_of_battle(shooter, giant), field_of_battle(shooter, man))
    ]

    assert told == [-2, -2]


@pytest.mark.rule("emlia.attr.size.use")
def test_a_large_fighter_reaches_as_far_as_its_size(field_of_battle: Build) -> None:
    battle = field_of_battle(
        {"at": (50, 10), "size": 4, "height": 2}, {"at": (50, 90), "side": "Bob"}
    )

    assert [reach_of(situation_of(battle), unit) for unit in (0, 1)] == [4, 1]
