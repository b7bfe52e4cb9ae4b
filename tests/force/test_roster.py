"""Troops as they are mustered."""

from __future__ import annotations

import pytest

from emlia3d.force import (
    CORE_COLUMNS,
    Column,
    FigureCondition,
    Formation,
    FormationLayout,
    Roster,
    Troops,
    UnitDeployment,
)

COURAGE = Column(table="unit", name="courage", default=5)
WOUNDS = Column(table="figure", name="wounds", dtype="u1")
MANA = Column(table="side", name="mana")


def muster(
    name: str,
    *,
    side: int = 0,
    members: int,
    at: tuple[float, float],
    files: int = 5,
    facing: int = 0,
    parent: int = -1,
) -> UnitDeployment:
    return UnitDeployment(
        name=name,
        side=side,
        troops=Troops(model="foot_bow", width=1.0, depth=2.0),
        members=members,
        at=at,
        facing=facing,
        formation=Formation.RANKED,
        files=files,
        on_height=1.5,
        parent=parent,
    )


@pytest.fixture
def roster() -> Roster:
    """Ten archers who face north, a general's staff of none, three scouts who face west."""
    musters = (
        muster("archers", members=10, at=(20.0, 30.0)),
        muster("staff", members=0, at=(5.0, 5.0)),
        muster("scouts", side=1, members=3, at=(50.0, 60.0), facing=270 * 64, files=1, parent=1),
    )
    return Roster.muster(musters, (*CORE_COLUMNS, COURAGE, WOUNDS, MANA))


def test_figures_of_a_unit_follow_one_another(roster: Roster) -> None:
    assert roster.figures["unit"].tolist() == [0] * 10 + [2] * 3
    assert roster.figures["slot"].tolist() == [*range(10), 0, 1, 2]
    assert roster.units["first"].tolist() == [0, 10, 10]
    assert roster.units["strength"].tolist() == [10, 0, 3]
    assert roster.units["members"].tolist() == [10, 0, 3]


def test_a_unit_stands_with_the_middle_of_its_boundary_where_it_is_mustered(
    roster: Roster,
) -> None:
    assert (roster.units.value("x", 0), roster.units.value("y", 0)) == (20.0, 32.0)
    assert roster.figures["x"][:10].tolist() == [18.0, 19.0, 20.0, 21.0, 22.0] * 2
    assert roster.figures["y"][:10].tolist() == [31.0] * 5 + [29.0] * 5


def test_figures_face_as_their_unit(roster: Roster) -> None:
    assert roster.figures["facing"].tolist() == [0] * 10 + [270 * 64] * 3
    assert roster.figures["x"][10:].tolist() == [48.0, 50.0, 52.0]
    assert roster.figures["y"][10:].tolist() == [60.0] * 3


def test_all_stand_and_all_are_there_at_first(roster: Roster) -> None:
    assert set(roster.figures["condition"].tolist()) == {FigureCondition.STANDING}
    assert roster.units["present"].tolist() == [1, 1, 1]
    assert roster.units["on_height"].tolist() == [1.5] * 3


def test_a_unit_knows_its_side_and_the_unit_above_it(roster: Roster) -> None:
    assert roster.units["side"].tolist() == [0, 0, 1]
    assert roster.units["parent"].tolist() == [-1, -1, 1]


def test_declared_columns_of_figures_and_units_are_there_with_their_defaults(
    roster: Roster,
) -> None:
    assert roster.units["courage"].tolist() == [5, 5, 5]
    assert roster.figures["wounds"].tolist() == [0] * 13
    assert "mana" not in roster.units
    assert "mana" not in roster.figures


def test_how_a_unit_stands_can_be_read_back(roster: Roster) -> None:
    assert roster.drill(0) == FormationLayout(
        formation=Formation.RANKED, count=10, files=5, width=1.0, depth=2.0
    )


def test_a_copy_of_the_roster_goes_its_own_way(roster: Roster) -> None:
    twin = roster.copy()

    twin.figures.writable("x")[0] = -1.0
    twin.units.writable("members")[0] = 0

    assert roster.figures.value("x", 0) == 18.0
    assert roster.units.integer("members", 0) == 10
