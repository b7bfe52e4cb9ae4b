"""The bodies that figures may have: unit sets name them, and the view draws them."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

Model: TypeAlias = Literal[
    "foot_musket",
    "foot_spear",
    "foot_bow",
    "skirmisher",
    "rider",
    "gun",
    "general",
    "warrior",
    "dragon",
    "ogre",
    "caveman",
    "giant",
    "cruiser",
    "ram",
    "trebuchet",
    "springald",
    "rifleman",
    "jumper",
    "walker",
    "brute",
    "goblin",
    "dwarf",
    "elf",
    "orc",
    "monster",
    "wolf",
    "heavy_weapon",
    "scout_car",
    "carrier",
    "tank",
    "siege_gun",
    "titan",
    "crawler",
]

MODELS: tuple[Model, ...] = get_args(Model)
