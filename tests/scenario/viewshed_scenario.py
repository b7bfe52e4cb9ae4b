"""A field to look over, in parts of a scenario's file."""

from __future__ import annotations

FIELD = """\
format = 1
title = "A field to look over"
rules = "emlia"
turns = 1

[field]
size = [48, 36]
metres_per_gsu = 2.0
"""

RELIEF = """
[field.relief]
cell = 3

[[field.relief.parts]]
kind = "hills"
seed = 3
hills = [[20, 18, 12, 5], [40, 30, 10, 7]]
"""

THINGS = """
[[terrain]]
name = "wall"
kind = "wall"
path = [[8, 14], [20, 15]]
width = 1
height = 1

[[terrain]]
name = "tower"
kind = "building"
outline = [[30, 8], [33, 8], [33, 11], [30, 11]]
height = 4

[[terrain]]
name = "wood"
kind = "forest"
outline = [[34, 16], [46, 16], [46, 27], [34, 26]]

[[terrain]]
name = "bush"
kind = "shrub"
circle = [27, 20, 1]

[[terrain]]
name = "knoll"
kind = "hill"
circle = [10, 28, 5]
height = 3
"""

SIDES = """
[[side]]
name = "Blue"
lines = "south"

[[side]]
name = "Red"
lines = "north"
"""

UNITS = """
[[unit]]
name = "watch"
side = "Blue"
at = [24, 3]
facing = 0
formation = "ranked"
members = 6
files = 3
size = 1
height = 1

[[unit]]
name = "block"
side = "Red"
at = [20, 25]
facing = 180
formation = "close"
members = 4
size = 1
height = 1
"""

SCOUT = """
[[unit]]
name = "scout"
side = "Red"
at = [{x}, {y}]
members = 1
size = {height}
height = {height}
"""
