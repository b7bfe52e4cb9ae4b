"""The words round a picture of a sight answer: title, verdict, colours and rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from emlia3d.view.plans.paper import FINE, INK, MARGINS_PX, NAME_PX, SMALL_PX, Sheet, wide

_TITLE_PX = 36
_LEFT_PX, _RIGHT_PX = MARGINS_PX
_LEGEND_PX = 936

Meaning = tuple[str, str | None, str]
"""A colour, that of a broad rim or None, and its meaning."""


def write_words(
    sheet: Sheet, title: str, verdict: str, legend: Iterable[Meaning], because: Sequence[str]
) -> None:
    """Write the title and the verdict above, and the legend and the slugs of rules below."""
    sheet.write((_LEFT_PX, 28), title, _TITLE_PX)
    sheet.write((_LEFT_PX, 82), verdict, NAME_PX)
    x, y = float(_LEFT_PX), _LEGEND_PX
    for colour, rim, meaning in legend:
        long = 30 + wide(sheet.pen, meaning, SMALL_PX)
        if x + long > _RIGHT_PX:
            x, y = float(_LEFT_PX), y + 24
        box = (x * FINE, y * FINE, (x + 22) * FINE, (y + 18) * FINE)
        sheet.pen.rectangle(box, colour, rim or INK, width=3 * FINE if rim else FINE)
        sheet.write((x + 30, y + 9), meaning, SMALL_PX, "lm")
        x += long + 36
    rules, y = "", y + 32
    for slug in (*because, ""):
        longer = f"{rules}   {slug}" if rules else slug
        if not slug or wide(sheet.pen, longer, SMALL_PX) > _RIGHT_PX - _LEFT_PX:
            sheet.write((_LEFT_PX, y), rules)
            longer, y = slug, y + SMALL_PX + 6
        rules = longer
