"""Chapter 1: what a GSU is, at the book's scales and on a table of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest

import emlia3d
from emlia3d.errors import ScenarioError
from emlia3d.rules.emlia.basics.scale import converted, metres_per_gsu, model_scale, scale_named
from emlia3d.rules.emlia.unit_sets.unit_set import footprint


def metres(tmp_path: Path, scale: str) -> float:
    """What one GSU is in a scenario whose field says so of its scale."""
    path = tmp_path / "table.toml"
    path.write_text(
        f"""format = 1
title = "A table"
rules = "emlia"
turns = 1
[field]
size = [100, 100]
{scale}
[[side]]
name = "Alice"
[[unit]]
name = "guard"
side = "Alice"
at = [50, 50]
size = 1
height = 1
""",
        encoding="utf-8",
    )
    return emlia3d.load(path).setup.field.scale.metres_per_gsu


@pytest.mark.rule("emlia.scale.examples", "emlia.scale.gsu")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param(name, figure, marks=pytest.mark.rule(f"emlia.scale.examples.{name}"))
        for name, figure in (("troopers", 0.508), ("squads", 0.64), ("brigades", 0.72))
    ],
)
def test_a_scenario_names_a_scale_of_the_book(tmp_path: Path, name: str, expected: float) -> None:
    assert metres(tmp_path, f'scale = "{name}"') == pytest.approx(expected, abs=1e-12)


@pytest.mark.rule("emlia.scale.examples.regiments", "emlia.scale.gsu")
def test_regiments_of_tokens_count_in_cells_and_the_scenario_says_how_large_they_are(
    tmp_path: Path,
) -> None:
    with pytest.raises(ScenarioError, match="no fixed cell size: state metres_per_gsu"):
        metres(tmp_path, 'scale = "regiments"')

    assert scale_named("regiments").ground == 64
    assert metres(tmp_path, "metres_per_gsu = 3.5") == 3.5


@pytest.mark.rule("emlia.scale.ground-scale")
def test_an_inch_at_one_twentieth_is_twenty_inches_of_ground() -> None:
    assert metres_per_gsu(0.0254, 20) == pytest.approx(0.508, abs=1e-12)


@pytest.mark.rule("emlia.scale.model-scale")
@pytest.mark.parametrize(
    ("figure_mm", "times"), [(32, 57.15), (28, 65.314), (25.4, 72.0), (54, 33.867)]
)
def test_a_figure_is_so_many_times_smaller_than_a_man(figure_mm: float, times: float) -> None:
    assert model_scale(figure_mm) == pytest.approx(times, abs=1e-3)


@pytest.mark.rule("emlia.scale.battle-scale")
@pytest.mark.parametrize("name", ["troopers", "squads", "regiments", "brigades"])
def test_the_level_of_a_battle_is_its_label(name: str) -> None:
    assert scale_named(name).battle == name


@pytest.mark.parametrize(
    ("name", "figures", "ground", "gsu"),
    [
        pytest.param(*row, marks=pytest.mark.rule(f"emlia.scale.examples.{row[0]}"), id=row[0])
        for row in (
            ("troopers", "54 mm", 20, "inch"),
            ("squads", "28 mm", 64, "cm"),
            ("regiments", "tokens", 64, "cell"),
            ("brigades", "1/72", 72, "cm"),
        )
    ],
)
def test_a_scale_of_the_book_has_its_figures_ground_and_unit(
    name: str, figures: str, ground: float, gsu: str
) -> None:
    found = scale_named(name)

    assert (found.battle, found.figures, found.ground, found.gsu) == (name, figures, ground, gsu)


@pytest.mark.rule("emlia.scale.convert")
def test_ground_takes_the_scale_of_the_figures_where_it_is_free() -> None:
    assert converted(32).ground == pytest.approx(57.15)
    assert converted(32, ground=50).ground == 50


@pytest.mark.rule("emlia.scale.convert")
@pytest.mark.parametrize(
    ("figure_mm", "gsu"),
    [(28, "cm"), (32, "cm"), (54, "inch"), (1828.8 / 74, "cm"), (1828.8 / 72, "cm")],
)
def test_figures_half_as_tall_are_measured_for_in_centimetres(figure_mm: float, gsu: str) -> None:
    assert converted(figure_mm).gsu == gsu


@pytest.mark.rule("emlia.scale.convert", "emlia.scale.unit-set-suggests")
def test_a_scenario_is_played_with_the_figures_that_there_are(tmp_path: Path) -> None:
    own = metres(tmp_path, "scale = {figure_mm = 28}")
    printed = metres(tmp_path, 'scale = {figure_mm = 28, ground = 64, gsu = "cm"}')

    assert own == pytest.approx(0.65314, abs=1e-5)
    assert printed == pytest.approx(0.64)


@pytest.mark.rule("emlia.scale.free")
def test_a_man_takes_up_two_metres_at_any_scale(tmp_path: Path) -> None:
    from_above = emlia3d.field.Scale(metres(tmp_path, 'scale = "troopers"'))

    assert footprint(1, from_above) == pytest.approx(2 / 0.508)


@pytest.mark.parametrize(
    ("scale", "told"),
    [
        ('scale = "armies"', "unknown scale armies; there are troopers, squads"),
        ("scale = 7", "scale: expected the name of a scale, or a table of one, got 7"),
        ("scale = {figure_mm = 0}", "figure_mm: expected a figure height"),
        ('scale = "squads"\nmetres_per_gsu = 2', "scale or metres_per_gsu"),
    ],
)
def test_a_scale_that_is_none_is_told(tmp_path: Path, scale: str, told: str) -> None:
    with pytest.raises(ScenarioError, match=told):
        metres(tmp_path, scale)
