"""Small random battles of Oathmark, as the text of a scenario, and a player who attacks."""

from __future__ import annotations

from math import hypot
from random import Random
from typing import Any

from emlia3d.battle.commanders import RandomCommander
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice
from emlia3d.scenario.scenario import Scenario, from_text

KINDS = (
    "human-soldier", "human-spearman", "human-archer", "human-ranger", "human-cavalry",
    "human-captain", "human-light-catapult", "giant", "orc-linebreaker", "wolf", "troll",
    "orc-heavy-catapult", "dragon",
)  # fmt: skip
MEMBERS = {"human-cavalry": 6, "wolf": 7, "troll": 3, "orc-linebreaker": 12}
LONE = {"human-captain", "human-light-catapult", "giant", "orc-heavy-catapult", "dragon"}

HEAD = """\
format = 1
title = "A random board"
rules = "oathmark"
turns = {turns}
[field]
size = [900, 700]
scale = "millimetres"
[[side]]
name = "Red"
lines = "south"
[[side]]
name = "Blue"
lines = "north"
"""

TERRAIN = """\
[[terrain]]
name = "{kind} {number}"
kind = "{kind}"
circle = [{x}, {y}, {radius}]
"""

LINE = """\
[[terrain]]
name = "{kind}"
kind = "{kind}"
path = [{path}]
width = {width}
"""

UNIT = """\
[[unit]]
name = "{name}"
side = "{side}"
type = "oathmark/{kind}"
members = {members}
at = [{x}, {y}]
facing = {facing}
"""


def random_board(seed: int, turns: int = 3) -> Scenario:
    """Return a battle of three units a side, on a field with terrain of all kinds."""
    random = Random(seed)
    text = [HEAD.format(turns=turns)]
    kinds = ("forest", "building", "scrub", "rock", "shrub", "hill")
    for number, kind in enumerate(kinds):
        x, y = random.uniform(100, 800), random.uniform(250, 450)
        radius = random.uniform(25, 70)
        text.append(TERRAIN.format(kind=kind, number=number, x=x, y=y, radius=radius))
    lines = [("wall", "[300, 340], [500, 350]", 10), ("earthwork", "[600, 300], [700, 320]", 20)]
    if seed % 3 == 0:
        lines += [("river", "[-10, 500], [910, 480]", 30), ("bridge", "[450, 440], [450, 540]", 60)]
    text += [LINE.format(kind=kind, path=path, width=width) for kind, path, width in lines]
    spots: list[tuple[float, float]] = []
    for side, name in enumerate(("Red", "Blue")):
        for number in range(3):
            while True:
                x, y = random.uniform(110, 790), random.uniform(80, 240)
                y = 700 - y if side else y
                if all(hypot(x - u, y - v) > 190 for u, v in spots):
                    break
            spots.append((x, y))
            kind = random.choice(KINDS)
            members = 1 if kind in LONE else MEMBERS.get(kind, random.randint(4, 14))
            facing = random.randrange(-30, 30) + 180 * side
            text.append(
                UNIT.format(
                    name=f"{name} {number}", side=name, kind=kind, members=members,
                    x=x, y=y, facing=facing % 360,
                )
            )  # fmt: skip
    return from_text("\n".join(text), f"board {seed}")


class Eager:
    """A player who attacks and shoots if it can, and otherwise does anything."""

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        """Return the first attack or shot, else, by a die, the first move or any option."""
        for verb in ("attack", "shoot", "push back"):
            for order in decision.each(verb):
                return order
        (face,) = dice.roll("player.eager", 1, 3)
        for order in decision.each("move") if face > 1 else ():
            return order
        return RandomCommander().decide(decision, picture, dice)
