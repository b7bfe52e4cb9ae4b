"""Emlia, chapter 13: formations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.force.formation import Formation, FormationLayout
from emlia3d.rules.emlia.tables.manoeuvres import (
    close_turn_cost,
    default_files,
    formation_of,
    is_linked,
    march_factor,
    ranked_turn_cost,
    wheel_cost,
)

rule = pytest.mark.rule


@rule("emlia.form.spacing")
def test_twenty_ranked_men_stand_in_seven_files_on_seven_by_three():
    files = default_files(20)
    drill = FormationLayout(formation=Formation.RANKED, count=20, files=files, width=1.0, depth=1.0)
    assert (files, drill.ranks, drill.frontage, drill.length) == (7, 3, 7.0, 3.0)


@rule("emlia.form.spacing")
@given(st.integers(2, 100_000))
def test_the_default_files_are_the_least_whose_square_is_twice_the_number(members):
    files = default_files(members)
    assert files**2 >= 2 * members > (files - 1) ** 2


@rule("emlia.form.spacing")
def test_one_man_alone_is_one_file():
    assert default_files(1) == 1


@rule("emlia.form.ranked.turn")
@pytest.mark.parametrize(("degrees", "cost"), [(0, 0), (1, 4), (90, 4), (90.5, 8), (180, 8)])
def test_a_ranked_unit_pays_a_quarter_of_its_speed_for_each_started_right_angle(degrees, cost):
    assert ranked_turn_cost(degrees, speed=16) == cost


@rule("emlia.form.close.turn")
def test_a_close_unit_pays_one_for_a_right_angle_and_less_for_less():
    assert close_turn_cost(90) == 1
    assert close_turn_cost(45) == 0.5


@rule("emlia.form.ranked.wheel")
def test_a_wheel_of_five_men_through_a_right_angle_costs_its_arc_and_then_its_depth():
    arc = wheel_cost(frontage=5, degrees=90)
    assert arc == pytest.approx(7.85, abs=0.005)
    assert arc + 3 == pytest.approx(10.85, abs=0.005)
    assert arc * 1024 == int(arc * 1024)


@rule("emlia.form.ranked.translate")
@rule("emlia.form.close.speed")
def test_who_does_not_face_where_he_goes_is_half_as_fast():
    assert march_factor(faces_way=True) == 1
    assert march_factor(faces_way=False) == 2


@rule("emlia.form.open")
def test_an_open_unit_may_be_a_chain_but_not_two_groups():
    chain = np.array([[11.0 * step, 0.0] for step in range(6)])
    broken = chain.copy()
    broken[3:, 0] += 0.25
    assert is_linked(chain, 0.5, Formation.OPEN)
    assert not is_linked(broken, 0.5, Formation.OPEN)


@rule("emlia.form.close")
def test_a_close_unit_has_its_men_within_one_gsu_of_a_fellow():
    places = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0]])
    assert is_linked(places, 0.5, Formation.CLOSE)
    assert not is_linked(places, 0.49, Formation.CLOSE)
    assert is_linked(places[:1], 0.5, Formation.CLOSE)


@rule("emlia.form.all")
def test_the_last_man_of_a_ranked_unit_is_in_close_formation():
    assert formation_of(Formation.RANKED, 1) is Formation.CLOSE
    assert formation_of(Formation.RANKED, 2) is Formation.RANKED
    assert formation_of(Formation.OPEN, 1) is Formation.OPEN
