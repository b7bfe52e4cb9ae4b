"""Areas put together, zones to deploy in, lines of one's own, and what a victory may ask for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from emlia3d.scenario import check, load

Write = Callable[..., Path]

AREA = '[[area]]\nname = "hill"'
ZONE = '[[area]]\nname = "zone"\n'


def faults(path: Path) -> list[tuple[int | None, str]]:
    return [(diagnostic.line, diagnostic.message) for diagnostic in check(path)]


def line_of(path: Path, text: str) -> int:
    rows = path.read_text(encoding="utf-8").split("\n")
    (found,) = [number for number, row in enumerate(rows, start=1) if text in row]
    return found


@pytest.mark.parametrize(
    ("edge", "bounds"),
    [
        ("south", (0, 0, 200, 30)),
        ("north", (0, 70, 200, 100)),
        ("west", (0, 0, 30, 100)),
        ("east", (170, 0, 200, 100)),
    ],
)
def test_an_area_may_be_a_strip_along_an_edge(
    edge: str, bounds: tuple[float, ...], write: Write
) -> None:
    path = write((AREA, f'{ZONE}edge = "{edge}"\ndepth = 30\n{AREA}'))

    assert load(path).setup.area("zone").bounds == bounds


def test_an_area_may_be_made_of_features_and_of_areas_above_it(write: Write) -> None:
    path = write(
        ('[[unit]]\nname = "archers"', f'{ZONE}of = ["hill", "rock"]\n[[unit]]\nname = "archers"')
    )

    setup = load(path).setup

    parts = setup.area("hill").area + setup.area("rock").area
    assert setup.area("zone").area == pytest.approx(parts)


@pytest.mark.parametrize(
    ("keys", "where", "told"),
    [
        ('of = ["hill"]', "of =", "there is no terrain and no earlier area"),
        ('of = ["rokc"]', "of =", "did you mean rock?"),
        ('edge = "south"', "edge =", "edge and depth: expected both or neither"),
        ("depth = 3", "depth =", "edge and depth: expected both or neither"),
        ('edge = "sout"\ndepth = 3', "edge =", "did you mean south?"),
        ('circle = [1, 1, 1]\nof = "rock"', "of =", "expected one shape"),
    ],
)
def test_an_area_that_is_not_right_is_told_with_its_line(
    keys: str, where: str, told: str, write: Write
) -> None:
    path = write((AREA, f"{ZONE}{keys}\n{AREA}"))

    ((line, message),) = faults(path)

    assert line == line_of(path, where)
    assert told in message


@pytest.mark.rule("emlia.scenario.deployment")
def test_a_unit_that_starts_outside_its_sides_zone_is_told(write: Write) -> None:
    strip = f'{ZONE}edge = "south"\ndepth = 9\n{AREA}'
    path = write(('objective = "hill"', 'deploys = "zone"'), (AREA, strip))

    ((line, message),) = faults(path)

    assert line == line_of(path, "at = [60, 10]")
    assert (
        message
        == "archers starts at least partly outside zone, where Alice deploys; move it inside"
    )


@pytest.mark.rule("emlia.scenario.deployment")
def test_zones_of_a_side_count_together_and_who_comes_later_may_start_elsewhere(
    write: Write,
) -> None:
    strips = (
        '[[area]]\nname = "south"\nedge = "south"\ndepth = 10\n'
        '[[area]]\nname = "middle"\noutline = [[0, 10], [200, 10], [200, 20], [0, 20]]\n'
    )
    zones = ('objective = "hill"', 'deploys = ["south", "middle"]')
    later = (
        '[[unit]]\nname = "bandits"',
        '[[unit]]\nname = "late"\nside = "Alice"\nat = [100, 90]\nsize = 1\nheight = 1\n'
        'arrives = 2\n[[unit]]\nname = "bandits"',
    )

    assert faults(write(zones, (AREA, strips + AREA), later)) == []


@pytest.mark.rule("emlia.scenario.own-lines")
@pytest.mark.parametrize(
    ("lines", "found"),
    [('"west"', "west"), ("[3, 4]", (3.0, 4.0)), ('"hill"', (100.0, 50.0)), ('"rock"', (63, 33))],
)
def test_own_lines_are_an_edge_a_point_or_the_middle_of_an_area(
    lines: str, found: object, write: Write
) -> None:
    setup = load(write(('name = "Bob"', f'name = "Bob"\nlines = {lines}'))).setup

    assert setup.lines_of(1) == found


def test_a_unit_may_note_lines_of_its_own(write: Write) -> None:
    setup = load(write(("at = [60, 80]", 'at = [60, 80]\nlines = "east"'))).setup

    assert (setup.lines_of(1), setup.sides[1].lines) == ("east", "north")


@pytest.mark.parametrize(
    ("old", "new", "where", "told"),
    [
        ("at = [60, 80]", 'at = [60, 80]\nlines = "hlil"', "lines", "did you mean hill?"),
        ('objective = "hill"', 'deploys = "hlil"', "deploys", "did you mean hill?"),
        ('controls = "hill"', 'controls = ["hill", "hlil"]', "controls", "did you mean hill?"),
        ('controls = "hill"', 'denied = "hlil"', "denied", "did you mean hill?"),
        ('controls = "hill"', 'unguarded = "hlil"', "unguarded", "did you mean hill?"),
        ('controls = "hill"', 'lost = "Bob"', "lost", "unknown unit"),
        ('controls = "hill"', 'cleared = "bandits"', "cleared", "unknown side"),
        ('controls = "hill"', 'destroyed = "Bbo"', "destroyed", "did you mean Bob?"),
        ('controls = "hill"', 'outnumbers = "hill"', "outnumbers", "outnumbers needs controls"),
        ('controls = "hill"', 'controls = "hill"\nafter = 7', "after", "expected at most 6"),
    ],
)
def test_a_condition_that_is_not_right_is_told_with_its_line(
    old: str, new: str, where: str, told: str, write: Write
) -> None:
    path = write((old, new))

    ((line, message),) = faults(path)

    assert line == line_of(path, f"{where} =")
    assert told in message


def test_terrain_may_be_another_kind_under_a_rule_system(write: Write) -> None:
    drawn = "outline = [[60, 30], [66, 30], [66, 36], [60, 36]]"
    wide = "outline = [[40, 30], [80, 30], [80, 60], [40, 60]]\nheight = 3"
    crops = (('kind = "rock"', 'kind = "crops"'), (drawn, wide))
    woods = (
        ('kind = "rock"', 'kind = "crops"\nas = { emlia = "woods", dbmm = "RGo" }'),
        (drawn, wide),
    )

    plain, taken = load(write(*crops)), load(write(*woods))

    assert plain.sight("archers", "bandits").concealment == "partial"
    assert taken.sight("archers", "bandits").concealment == "total"
    assert dict(taken.setup.field.features[0].as_) == {"emlia": "forest", "dbmm": "RGo"}
