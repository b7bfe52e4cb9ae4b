"""The text of a new scenario: a field with two sides and no units."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator

from emlia3d.rules.samples import SAMPLE

SIZE_GSU = (200, 160)
TURNS = 8
SIDES = (("South", "#2a5caa", "south"), ("North", "#b03030", "north"))
OBJECTIVE = "middle ground"
OBJECTIVE_PART = 8
"""Length of the shorter side of the field, in radii of the objective."""


def new_text(title: str) -> str:
    """Return the text of a scenario with generated ground, two sides and an objective."""
    east, north = SIZE_GSU
    lines = [
        "format = 1",
        f"title = {json.dumps(title)}",
        f'rules = "{SAMPLE.rules}"',
        f"turns = {TURNS}",
        "",
        "[field]",
        f"size = [{east}, {north}]",
        "metres_per_gsu = 2.0",
        "",
        "[field.relief]",
        "cell = 2",
        "",
        "[[field.relief.parts]]",
        'kind = "fractal"',
        "seed = 1",
        "low_m = 0",
        "high_m = 6",
        "feature = 90",
        "roughness = 0.35",
        "",
    ]
    return with_sides("\n".join(lines))


def with_sides(text: str) -> str:
    """Return a scenario's text with two sides, an area between them, and victory conditions.

    If the text has sides, it does not change. Comments at its end are removed, because in an
    imported scenario they are example armies.
    """
    data = tomllib.loads(text)
    if "side" in data:
        return text
    lines = text.rstrip("\n").split("\n")
    while lines and lines[-1].lstrip()[:1] in {"", "#"}:
        lines.pop()
    east, north = data["field"]["size"]
    return "\n".join([*lines, *_armies(east, north), ""])


def _armies(east: float, north: float) -> Iterator[str]:
    """Yield the tables of two sides, an area and victory conditions for the size of a field."""
    radius = round(min(east, north) / OBJECTIVE_PART, 2)
    yield from ("", "[[area]]", f'name = "{OBJECTIVE}"')
    yield f"circle = [{round(east / 2, 2):g}, {round(north / 2, 2):g}, {radius:g}]"
    for name, colour, edge in SIDES:
        yield from ("", "[[side]]", f'name = "{name}"', f'colour = "{colour}"')
        yield from (f'lines = "{edge}"', f'objective = "{OBJECTIVE}"')
    for (name, *_), (other, *_) in zip(SIDES, SIDES[::-1], strict=True):
        yield from ("", "[[victory]]", f'side = "{name}"', f'level = "{SAMPLE.wipe_out}"')
        yield from (f'gone = "{other}"', "ends = true")
        yield from ("", "[[victory]]", f'side = "{name}"', f'level = "{SAMPLE.objective}"')
        yield f'controls = "{OBJECTIVE}"'
