"""The picture of `emlia3d bench`: every line can be told from every other, and is named."""

from __future__ import annotations

from typing import Any

from tests.needing import needs

pytestmark = needs("matplotlib")


def figure_of(series: dict[tuple[str, str], list[tuple[int, float]]]) -> Any:
    """Return the figure of a series; matplotlib is loaded only if these tests run."""
    from emlia3d.cli import growth_plot

    return growth_plot.figure_of(series)


SIZES = (1_000, 3_000, 10_000)


def many(tasks: int) -> dict[tuple[str, str], list[tuple[int, float]]]:
    """So many tasks on both grounds, each slower than the one before."""
    return {
        (f"task {task}", ground): [(size, 10.0 ** (task / 3 - 6) * size) for size in SIZES]
        for task in range(tasks)
        for ground in ("level", "hills")
    }


def test_a_dozen_tasks_are_told_apart_by_colour_mark_and_dashes() -> None:
    (axes,) = figure_of(many(12)).axes

    lines = axes.get_lines()
    looks = {(line.get_color(), line.get_marker(), line.get_linestyle()) for line in lines}
    assert len(looks) == len(lines) == 24


def test_lines_are_named_in_the_order_in_which_they_lie_and_with_their_growth() -> None:
    figure = figure_of(many(3))

    (legend,) = figure.legends
    names = [text.get_text() for text in legend.get_texts()]
    assert names[0] == "task 2, level: figures^1.00"
    assert names[-1] == "task 0, hills: figures^1.00"


def test_a_single_size_has_no_growth_to_tell() -> None:
    figure = figure_of({("dice", "level"): [(1_000, 1e-4)]})

    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["dice, level"]


def test_both_ways_go_by_powers_of_ten_and_labels_have_room() -> None:
    figure = figure_of({("dice", "level"): [(100, 2e-5), (110, 2e-5), (1_000, 1e-2), (9_000, 30)]})

    (axes,) = figure.axes
    figure.canvas.draw()
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert [text.get_text() for text in axes.get_xticklabels()] == ["100", "1,000", "9,000"]
    told = [text.get_text() for text in axes.get_yticklabels()]
    assert {"10 us", "1 ms", "100 ms", "10 s"} <= set(told)
