"""What stops a fire line, and which rules bear on it; many lines at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from emlia3d.rules.runolfsson import SYSTEM
from emlia3d.rules.runolfsson.fire_line import Lines, ends_of, judge
from emlia3d.rules.runolfsson.terrain import terrain_of
from tests.rules.runolfsson.firing import BACK, X, Y, across, blue, hill, judged, line, model
from tests.rules.runolfsson.tables import feature, table

REASONS: dict[str, tuple[list[Any], list[Any], tuple[str, ...]]] = {
    "open": ([model(0), blue(10)], [], ()),
    "uphill contact": (
        [model(0), blue(1)], [hill(0.5, 9)], ("runolfsson.contour.contact",),
    ),
    "downhill contact": ([model(0), blue(1)], [hill(-8, 0.5)], ()),
    "level contact": ([model(0), blue(1)], [], ()),
    "uphill": (
        [model(0), blue(10)], [hill(9.5, 20)], ("runolfsson.contour.minus-one",),
    ),
    "one tree": ([model(0), blue(10)], [across("tree", 4, 5)], ("runolfsson.tree.half",)),
    "wall": ([model(0), blue(10)], [across("wall", 9.3, 9.5)], ("runolfsson.wall.half",)),
    "into a stream": (
        [model(0), blue(10)], [across("stream", 9, 11)], ("runolfsson.stream.double",),
    ),
    "out of a stream": (
        [model(0), blue(10)], [across("stream", -1, 1)], ("runolfsson.stream.half",),
    ),
    "over a friend": (
        [model(0, base=2), blue(10), model(5)], [], ("runolfsson.plunging.base",),
    ),
    "large base beside a friend": (
        [model(0, base=2), blue(10), model(5, 3)], [], (),
    ),
    "tree and stream": (
        [model(0), blue(10)], [across("tree", 4, 5), across("stream", 9, 11)],
        ("runolfsson.tree.half", "runolfsson.stream.double"),
    ),
    "rock": ([model(0), blue(10)], [across("rock", 4, 5)], ("runolfsson.rock.block",)),
    "friend": ([model(0), blue(10), model(5)], [], ("runolfsson.through.friendly",)),
    "rock before a friend": (
        [model(0), blue(10), model(3)], [across("rock", 6, 7)], ("runolfsson.rock.block",),
    ),
    "ground": (
        [model(0), blue(10)], [hill(4, 6)], ("runolfsson.elevation.ground-between",),
    ),
}  # fmt: skip
"""Models, terrain, and the rules that decide about the line of the first two models."""


@pytest.mark.rule("runolfsson.los.order", "runolfsson.geometry.fire-algorithm")
@pytest.mark.parametrize("name", REASONS)
def test_a_line_names_the_rules_that_bear_on_it(name: str) -> None:
    models, terrain, slugs = REASONS[name]

    assert line(table(*models, terrain=terrain)).because(0) == slugs


def pair(half: float) -> list[Any]:
    """Two rocks with an opening of *half* inches to both sides of the line."""
    return [
        feature("rock", at=(X + 4, Y + half, X + 5, Y + 3)),
        feature("rock", at=(X + 4, Y - 3, X + 5, Y - half)),
    ]


@pytest.mark.rule("runolfsson.los.order")
@pytest.mark.parametrize(
    ("models", "terrain", "by", "named"),
    [
        ([model(0), blue(10)], [], -1, None),
        ([model(0), blue(10)], [across("tree", 2, 3), across("rock", 4, 5)], 1, "rock 1"),
        ([model(0), blue(10)], [across("rock", 4, 5), across("rock", 6, 7)], 0, "rock 0"),
        ([model(0), blue(10), model(5)], [across("tree", 2, 3)], 3, "model 2"),
        ([model(0), blue(10), model(5, 8), model(4)], [], 3, "model 3"),
        ([model(0), blue(10)], pair(0.4), -1, "ground"),
        ([model(0), blue(10)], [hill(4, 6), across("rock", 7, 8)], -1, "ground"),
    ],
)
def test_a_line_names_the_first_thing_that_stops_it(
    models: list[Any], terrain: list[Any], by: int, named: str | None
) -> None:
    battle = table(*models, terrain=terrain)

    answer = SYSTEM.sight(battle, 0, 1, 0)

    assert int(line(battle).by[0]) == by
    assert answer.lines[0].stopped_by == named
    assert answer.lines[0].clear is answer.line_of_sight is (named is None)
    assert ("(" in answer.text) is (by >= 0)
    assert by < 0 or f"({named})" in answer.text


def all_at_once(many: Lines, rows: int) -> list[tuple[Any, ...]]:
    return [
        (
            float(many.gap[row]), bool(many.close[row]), float(many.multiplier[row]),
            int(many.modifier[row]), str(many.stopped[row]), int(many.by[row]), many.because(row),
        )
        for row in range(rows)
    ]  # fmt: skip


@pytest.mark.rule("runolfsson.geometry.fire-algorithm")
def test_lines_judged_together_are_as_lines_judged_alone() -> None:
    """Each line ends at another target, so that no rule may mix lines up."""
    targets = [blue(10, 4.0 * step) for step in range(-4, 5)] + [blue(1), blue(-1.2), blue(-9)]
    friends = [model(5, 1), model(5, -3), model(-5, 0.2)]
    terrain = [
        across("tree", 2, 3, high=2.0), feature("rock", at=(X + 6, Y + 4, X + 7, Y + 9)),
        feature("stream", at=(X + 8, Y - 12, X + 14, Y - 5)), hill(9.5, 20),
        feature("wall", at=(X - 8.4, Y - 3, X - 8.2, Y + 3)),
    ]  # fmt: skip
    battle = table(model(0), *targets, *friends, terrain=terrain)
    ends, rows = ends_of(battle), np.arange(1, 1 + len(targets))

    many = judge(battle, ends, np.zeros(len(rows), dtype=np.int64), ends, rows)

    found = all_at_once(many, len(rows))
    assert found == [all_at_once(line(battle, 0, row), 1)[0] for row in rows.tolist()]
    assert len({each[-1] for each in found}) >= 4, "the lines differ"
    assert many.attacker.tolist() == [0] * len(rows)
    assert many.target.tolist() == rows.tolist()


# Friends at close quarters


@pytest.mark.rule("runolfsson.through.friendly")
@pytest.mark.parametrize(
    ("x", "y", "fires"),
    [
        (0.4, 0, False),  # 0.15 inches in front
        (0.29, 0, True),  # in contact
        (-0.4, 0, True),  # behind
        (4.6, 0, False),  # in front of the target
        (5.4, 0, True),  # behind the target
        (2.5, 0.12, False),
        (2.5, 0.125, True),  # its base only touches the line
        (2.5, -0.12, False),
        (2.5, -0.125, True),
    ],
)
def test_a_friend_on_a_small_base_blocks_where_the_line_crosses_its_base(
    x: float, y: float, fires: bool
) -> None:
    small = {"base": 0.25}
    battle = table(model(0, **small), blue(5, **small), model(x, y, **small))

    assert (judged(battle)[0] > 0) is fires


@pytest.mark.rule("runolfsson.through.friendly")
def test_a_friend_on_a_slanted_line_blocks() -> None:
    """To both sides of a line to the north-east, friends stand off it."""
    on = table(model(0), blue(8, 6), model(4, 3))
    off = table(model(0), blue(8, 6), model(4, -3), model(-4, 3))

    assert judged(on)[0] == 0
    assert judged(off)[0] == 1


# Water


@pytest.mark.rule("runolfsson.stream.double", "runolfsson.stream.half")
@pytest.mark.parametrize(("kind", "dice"), [("ford", 1.0), ("bridge", 1.0), ("road", 2.0)])
def test_a_model_on_a_ford_is_in_no_stream(kind: str, dice: float) -> None:
    water = feature("stream", at=(X + 8, Y - 8, X + 12, Y + 8))
    crossing = feature(kind, at=(X + 8, Y - 2, X + 12, Y + 2))
    battle = table(model(0), blue(10), blue(10, 6), terrain=[water, crossing])

    assert judged(battle)[0] == dice
    assert judged(battle, 1, 0)[0] == 1 / dice
    assert judged(battle, 0, 2)[0] == 2
    places = np.array([[X + 10, Y], [X + 10, Y + 6], [X, Y]])
    assert terrain_of(battle).stream_at(places).tolist() == [-1 if dice == 1 else 0, 0, -1]


@pytest.mark.rule("runolfsson.stream.half")
def test_two_streams_are_told_apart() -> None:
    waters = [across("stream", -1, 1), across("stream", 9, 11)]
    battle = table(model(0), blue(10), terrain=waters)

    assert judged(battle) == (0.5, 0)
    assert terrain_of(battle).stream_at(np.array([[X, Y], [X + 10, Y]])).tolist() == [0, 1]


@pytest.mark.rule("runolfsson.contour.down", "runolfsson.contour.fired-upon")
def test_high_ground_stops_fire_down_and_up_by_the_rule_of_each() -> None:
    battle = table(model(0), blue(10), terrain=[hill(-8, 2.5)])

    assert line(battle).because(0) == ("runolfsson.contour.down",)
    assert line(battle, 1, 0).because(0) == ("runolfsson.contour.fired-upon",)
    assert judged(table(model(0), blue(10), terrain=[BACK])) == (1, 0)
