"""Kinds of terrain that a rule system adds: their facts, their look, and other systems' view."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from shapely import box

from emlia3d.field import KINDS, feature_of
from emlia3d.field.terrain import Feature, TerrainKind
from emlia3d.scenario import check, load
from emlia3d.view.moment.ground import terrain_of
from tests.scenario.conftest import Plain

Write = Callable[..., Path]

CLIFF = TerrainKind(
    name="cliff", height=4.0, body="solid", shape="area", stood_on=True, system="cliffs",
    look="rock",
)  # fmt: skip
MIRE = TerrainKind(
    name="mire", height=0.0, body="sparse", shape="area", water=True, system="cliffs", look="marsh"
)


class Cliffs(Plain):
    """A system with two kinds of its own, and few of all systems."""

    name = "cliffs"
    title = "Cliffs"
    terrain = ("rock", "forest")
    own_terrain = (CLIFF, MIRE)


CLIFFS = {"cliffs": Cliffs()}
RULES = ('rules = "emlia"', 'rules = "cliffs"')
UNIT = ('type = "emlia/longbowmen"', "size = 1\nheight = 1")
ENTRY = (RULES, UNIT)


def kind(name: str) -> tuple[str, str]:
    return ('kind = "rock"', f'kind = "{name}"')


def test_a_feature_has_the_facts_of_a_kind_of_the_system(write: Write) -> None:
    setup = load(write(*ENTRY, kind("cliff")), CLIFFS).setup
    (cliff,) = setup.field.features

    assert (cliff.kind, cliff.height, cliff.body) == ("cliff", 4.0, "solid")
    assert cliff.facts is CLIFF
    assert cliff.look == "rock"


def test_a_key_of_the_scenario_goes_before_a_fact_of_the_kind(write: Write) -> None:
    higher = ('kind = "rock"', 'kind = "cliff"\nheight = 7')

    (cliff,) = load(write(*ENTRY, higher), CLIFFS).setup.field.features

    assert cliff.height == 7.0


def test_a_kind_of_the_system_is_drawn_as_another(write: Write) -> None:
    battle = load(write(*ENTRY, kind("mire")), CLIFFS).deployed()

    (patch,) = terrain_of(battle.setup, battle.state).patches

    assert patch.kind == "marsh"


def test_other_systems_take_it_for_what_it_is_drawn_as() -> None:
    cliff = feature_of("cliff", CLIFF, box(0, 0, 1, 1))
    mapped = feature_of("cliff", CLIFF, box(0, 0, 1, 1), as_={"emlia": "wall"})

    assert [cliff.kind_for(name) for name in ("cliffs", "emlia", "dbmm")] == [
        "cliff", "rock", "rock",
    ]  # fmt: skip
    assert mapped.kind_for("emlia") == "wall"
    assert feature_of("a", "rock", box(0, 0, 1, 1)).kind_for("cliffs") == "rock"
    assert feature_of("a", "rock", box(0, 0, 1, 1)).facts is KINDS["rock"]


def test_an_unknown_kind_is_compared_with_those_of_the_system(write: Write) -> None:
    (diagnostic,) = check(write(*ENTRY, kind("clif")), CLIFFS)

    assert diagnostic.message == 'unknown kind of terrain "clif"; did you mean cliff?'


def test_a_kind_of_one_system_is_unknown_to_another(write: Write, systems: dict[str, Any]) -> None:
    (diagnostic,) = check(write(kind("mire")), systems)

    assert 'unknown kind of terrain "mire"' in diagnostic.message


def test_another_system_may_take_a_feature_for_a_kind_of_its_own(
    write: Write, systems: dict[str, Any]
) -> None:
    as_mire = ('kind = "rock"', 'kind = "rock"\nas = {cliffs = "mire"}')
    wrong = ('kind = "rock"', 'kind = "rock"\nas = {cliffs = "mira"}')

    (rock,) = load(write(as_mire), {**systems, **CLIFFS}).setup.field.features
    (diagnostic,) = check(write(wrong), {**systems, **CLIFFS})

    assert (rock.kind_for("cliffs"), rock.kind_for("emlia")) == ("mire", "rock")
    assert "did you mean mire?" in diagnostic.message


@pytest.mark.parametrize(
    ("own", "told"),
    [(None, "unknown kind of terrain"), (CLIFF, "unknown kind of terrain"), (MIRE, None)],
)
def test_a_feature_has_a_kind_that_there_is(own: TerrainKind | None, told: str | None) -> None:
    def made() -> Feature:
        return Feature(
            name="a", kind="mire", outline=box(0, 0, 1, 1), height=0.0, body="sparse", own=own
        )

    if told is None:
        assert made().look == "marsh"
    else:
        with pytest.raises(ValueError, match=told):
            made()


def test_a_kind_that_cannot_be_drawn_is_refused() -> None:
    unseen = TerrainKind(
        name="fog", height=0.0, body="sparse", shape="area", system="cliffs", look="mist"
    )

    with pytest.raises(ValueError, match="is drawn as one of all systems, not mist"):
        feature_of("fog", unseen, box(0, 0, 1, 1))
