"""Bodies at the middle distance stand in for the near ones, and a camp has its tents."""

from __future__ import annotations

import numpy as np
import pytest

from emlia3d.view.moment.scene import Patch, flat
from emlia3d.view.panda.land.placing import inside, place_all
from emlia3d.view.panda.meshes import triangles_of, vertices_of
from emlia3d.view.panda.models.model_list import model
from emlia3d.view.panda.troops.figures import MIDDLING

STREETS = np.array([[20.0, 20.0], [80.0, 20.0], [80.0, 70.0], [20.0, 70.0]])


def test_foot_horse_and_guns_have_bodies_for_the_middle_distance() -> None:
    foot = {"foot_musket", "foot_spear", "foot_bow", "skirmisher"}

    assert set(MIDDLING) == foot | {"rider", "general", "gun", "springald"}


@pytest.mark.parametrize("name", sorted(MIDDLING))
def test_a_middling_body_is_as_large_as_the_near_one_and_much_lighter(name: str) -> None:
    near, middling = model(name), model(MIDDLING[name])
    extents = [np.ptp(vertices_of(geom)["place"], axis=0) for geom in (near, middling)]

    np.testing.assert_allclose(extents[1], extents[0], rtol=0.12, atol=0.12)
    assert len(triangles_of(middling)) < 0.45 * len(triangles_of(near))


@pytest.mark.parametrize("name", sorted(MIDDLING))
def test_a_middling_body_wears_as_much_of_its_sides_colour(name: str) -> None:
    def dressed(geom_name: str) -> float:
        geom = model(geom_name)
        vertices, triangles = vertices_of(geom), triangles_of(geom)
        corners = vertices["place"][triangles]
        area = np.linalg.norm(
            np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
        )
        return float(np.average(vertices["colour"][triangles][:, 0, 3] / 255, weights=area))

    assert dressed(MIDDLING[name]) == pytest.approx(dressed(name), abs=0.16)


def test_a_camp_is_streets_of_tents_that_stand_apart_inside_its_outline() -> None:
    camp = Patch(kind="camp", outline_m=(STREETS,), height_m=2.4, seed=3)

    (props,) = place_all(flat((100.0, 100.0), (camp,))).values()

    x, y = props.rows[:, 0].astype(float), props.rows[:, 1].astype(float)
    apart = np.hypot(x[:, None] - x, y[:, None] - y) + 99 * np.eye(len(x))
    assert props.name == "tent"
    assert 40 < len(props) < 75, "one to every forty to seventy square metres"
    assert inside(camp, x, y).all()
    assert apart.min() > 4.5, "longer than a tent"
    assert {round(turn / np.pi) % 2 for turn in props.rows[:, 2].tolist()} == {0, 1}
    np.testing.assert_allclose(props.heights(), 2.4, rtol=0.07)
