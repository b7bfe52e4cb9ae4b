"""Small random battles of Runolfsson, as the text of a scenario."""

from __future__ import annotations

from math import hypot
from random import Random

from emlia3d.scenario.scenario import Scenario, from_text

KINDS = ("trooper", "veteran", "gunner", "conscript", "fanatic", "jumper", "brute", "walker")
SPECIALS = ("fly", "teleport", "multi targeting", "smoke", "cloak", "breaks speed limit")

HEAD = """\
format = 1
title = "A random board"
rules = "runolfsson"
turns = {turns}
[field]
size = [24, 24]
metres_per_gsu = 1.8
metres_per_height = 1.8
[game]
victory = "{victory}"
[[side]]
name = "Red"
lines = "south"
commander = "random"
[[side]]
name = "Blue"
lines = "north"
commander = "random"
"""

TERRAIN = """\
[[terrain]]
name = "{kind} {number}"
kind = "{kind}"
circle = [{x}, {y}, {radius}]
"""

UNIT = """\
[[unit]]
name = "{name}"
side = "{side}"
type = "runolfsson/{kind}"
at = [{x}, {y}]
specials = {specials}
command_radius = 17
"""


def random_board(seed: int, turns: int = 3) -> Scenario:
    """Return a battle of two units and a character a side, on a field with terrain of all kinds."""
    random = Random(seed)
    victory = ("sudden death", "position", "objectives")[seed % 3]
    size = 48 if victory == "objectives" else 24
    text = [HEAD.format(turns=turns, victory=victory).replace("[24, 24]", f"[{size}, {size}]")]
    for number, kind in enumerate(("hill", "rock", "tree", "wall", "shrub", "stream", "marsh")):
        x, y = random.uniform(3, 21), random.uniform(7, 17)
        radius = 4 if kind in {"hill", "stream"} else random.uniform(0.6, 1.6)
        text.append(TERRAIN.format(kind=kind, number=number, x=x, y=y, radius=radius))
    spots: list[tuple[float, float]] = []
    for side, name in enumerate(("Red", "Blue")):
        kind = random.choice(KINDS)
        for number in range(5):
            while True:
                x, y = random.uniform(4, 20), random.uniform(1.5, 6)
                y = 24 - y if side else y
                if all(hypot(x - u, y - v) > 2.1 for u, v in spots):
                    break
            spots.append((x, y))
            chosen = random.sample(SPECIALS, random.randrange(2))
            text.append(
                UNIT.format(
                    name=f"{name} {number}", side=name, x=x, y=y,
                    kind="sniper" if number == 4 else kind, specials=chosen,
                )
            )  # fmt: skip
            if number in {1, 2, 3} and kind != "walker":
                text.append(f'group = "{name} 0"')
    return from_text("\n".join(text), f"board {seed}")
