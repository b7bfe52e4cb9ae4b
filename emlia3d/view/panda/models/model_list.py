"""Every model by name, as a generator and as a file.

The files are bundled, because baking the shade takes seconds. A `.bam` file depends on Panda3D's
version. If it is missing or unreadable, the model is generated again. As a program (``python -m
emlia3d.view.panda.models.model_list``), this module writes the files.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from panda3d.core import BamFile, Filename, Geom, GeomNode, NodePath

import emlia3d
from emlia3d.view.panda.meshes import mesh
from emlia3d.view.panda.models import (
    country,
    engines,
    middle,
    moderns,
    mounts,
    people,
    races,
    vehicles,
)
from emlia3d.view.panda.models.shape import Shape, finish, opaque

PLASTER, CREAM, FIELDSTONE = (
    opaque(0.80, 0.75, 0.64),
    opaque(0.84, 0.78, 0.62),
    opaque(0.62, 0.59, 0.53),
)
TILE, SLATE, THATCH = opaque(0.55, 0.31, 0.22), opaque(0.38, 0.40, 0.44), opaque(0.52, 0.45, 0.31)

MAKERS: dict[str, Callable[[], Shape]] = {
    "foot_musket": people.musketeer,
    "foot_spear": people.spearman,
    "foot_bow": people.bowman,
    "skirmisher": people.skirmisher,
    "rider": mounts.rider,
    "gun": mounts.gun,
    "general": mounts.general,
    "warrior": people.warrior,
    "dragon": mounts.dragon,
    "ogre": people.ogre,
    "caveman": people.caveman,
    "giant": people.giant,
    "cruiser": engines.cruiser,
    "ram": engines.ram,
    "trebuchet": engines.trebuchet,
    "springald": engines.springald,
    "rifleman": moderns.rifleman,
    "jumper": moderns.jumper,
    "walker": moderns.walker,
    "brute": moderns.brute,
    "goblin": races.goblin,
    "dwarf": races.dwarf,
    "elf": races.elf,
    "orc": races.orc,
    "monster": races.monster,
    "wolf": races.wolf,
    "heavy_weapon": moderns.heavy_weapon,
    "scout_car": vehicles.scout_car,
    "carrier": vehicles.carrier,
    "tank": vehicles.tank,
    "siege_gun": vehicles.siege_gun,
    "titan": vehicles.titan,
    "crawler": vehicles.crawler,
    "far_foot_musket": lambda: middle.middling("shako", "musket"),
    "far_foot_spear": lambda: middle.middling("helmet", "spear"),
    "far_foot_bow": lambda: middle.middling("hood", "bow"),
    "far_skirmisher": lambda: middle.middling("hood", "rifle"),
    "far_rider": middle.far_rider,
    "far_gun": middle.far_gun,
    "far_general": middle.far_general,
    "far_springald": middle.far_springald,
    "conifer": country.conifer,
    "broadleaf": country.broadleaf,
    "apple": country.apple,
    "bush": country.bush,
    "far_conifer": country.far_conifer,
    "far_broadleaf": country.far_broadleaf,
    "rock": country.rock,
    "house_tile": lambda: country.house(TILE, PLASTER),
    "house_slate": lambda: country.house(SLATE, FIELDSTONE),
    "house_thatch": lambda: country.house(THATCH, CREAM, chimney=False),
    "tent": country.tent,
    "pole": country.pole,
}
CENTRES = {
    "conifer": (0, 0, 2.0),
    "broadleaf": (0, 0, 3.6),
    "apple": (0, 0, 2.0),
    "bush": (0, 0, 0.1),
    "far_conifer": (0, 0, 2.0),
    "far_broadleaf": (0, 0, 3.6),
}


@cache
def model(name: str) -> Geom:
    """Return a model's mesh, from its file or generated."""
    path = _folder() / f"{name}.bam.pz"
    return (_read(path) if path.exists() else None) or make(name)


def make(name: str) -> Geom:
    """Return a model's mesh, generated from its shape."""
    vertices, triangles = finish(MAKERS[name](), round_about=CENTRES.get(name))
    return mesh(vertices, triangles, name)


def write_all(folder: Path) -> None:
    """Write every model's file."""
    for name in MAKERS:
        node = GeomNode(name)
        node.add_geom(make(name))
        NodePath(node).write_bam_file(Filename.from_os_specific(str(folder / f"{name}.bam.pz")))


def _read(path: Path) -> Geom | None:
    file = BamFile()
    if not file.open_read(Filename.from_os_specific(str(path)), False):
        return None
    node = file.read_node()
    file.close()
    if not isinstance(node, GeomNode) or node.get_num_geoms() == 0:
        return None
    return node.get_geom(0).make_copy()


def _folder() -> Path:
    """Return the folder of the files: in the installed package, or beside it in a checkout."""
    package = Path(emlia3d.__path__[0])
    inside = package / "models"
    return inside if inside.is_dir() else package.parent / "models"


if __name__ == "__main__":
    write_all(_folder())
