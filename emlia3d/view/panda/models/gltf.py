"""Models as binary glTF 2.0, for use in other programs.

In glTF, Y is up, a model faces +Z, and vertex colours are linear. The attribute `_SIDE` is the part
of the side's colour, 0 to 1.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from panda3d.core import Geom

import emlia3d
from emlia3d.atomic_write import atomic_write
from emlia3d.view.panda.meshes import triangles_of, vertices_of
from emlia3d.view.panda.models.model_list import MAKERS, model

# Numbers of the format: component types, targets of buffer views, and the words that begin parts.
FLOAT, UNSIGNED_SHORT, UNSIGNED_INT = 5126, 5123, 5125
VERTICES, INDICES = 34962, 34963
MAGIC, JSON_PART, BINARY_PART, VERSION = 0x46546C67, 0x4E4F534A, 0x004E4942, 2
TYPES = {1: "SCALAR", 3: "VEC3", 4: "VEC4"}


def write_models(folder: Path, colour: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> list[Path]:
    """Write every model to a folder, which is created if necessary; return the files.

    colour : of the side, red, green and blue from 0 to 1
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.glb" for name in MAKERS]
    for path in paths:
        with atomic_write(path) as fresh:
            fresh.write_bytes(glb(model(path.stem), path.stem, colour))
    return paths


def glb(geom: Geom, name: str, colour: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> bytes:
    """Return one model as the bytes of a file."""
    vertices = vertices_of(geom)
    linear = (vertices["colour"] / np.float64(255)) ** 2.2
    side = vertices["colour"][:, 3:] / np.float64(255)
    linear[:, :3] *= 1 + side * (np.array(colour) ** 2.2 - 1)
    linear[:, 3] = 1
    parts: list[tuple[str, NDArray[np.generic], int]] = [
        ("POSITION", _turned(vertices["place"]), FLOAT),
        ("NORMAL", _turned(vertices["normal"]), FLOAT),
        ("COLOR_0", np.round(linear * 65535).astype("<u2"), UNSIGNED_SHORT),
        ("_SIDE", side.astype("<f4"), FLOAT),
        ("indices", triangles_of(geom).reshape(-1, 1).astype("<u4"), UNSIGNED_INT),
    ]
    views, accessors, body = [], [], b""
    for number, (part, values, component) in enumerate(parts):
        raw = values.tobytes()
        target = INDICES if part == "indices" else VERTICES
        views.append(
            {"buffer": 0, "byteOffset": len(body), "byteLength": len(raw), "target": target}
        )
        accessor: dict[str, object] = {
            "bufferView": number,
            "componentType": component,
            "count": len(values),
            "type": TYPES[values.shape[1]],
        }
        if part == "POSITION":
            accessor |= {"min": values.min(axis=0).tolist(), "max": values.max(axis=0).tolist()}
        if part == "COLOR_0":
            accessor["normalized"] = True
        accessors.append(accessor)
        body += raw
    primitive = {
        "attributes": {part: number for number, (part, _, _) in enumerate(parts[:-1])},
        "indices": len(parts) - 1,
        "material": 0,
    }
    rough = {"metallicFactor": 0.0, "roughnessFactor": 1.0}
    told = {
        "asset": {"version": "2.0", "generator": f"emlia3d {emlia3d.__version__}"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "name": name}],
        "meshes": [{"primitives": [primitive], "name": name}],
        "materials": [{"pbrMetallicRoughness": rough, "doubleSided": True}],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(body)}],
    }
    text = _filled(json.dumps(told, separators=(",", ":")).encode(), b" ")
    data = _filled(body, b"\0")
    whole = 12 + 8 + len(text) + 8 + len(data)
    return b"".join(
        (
            struct.pack("<III", MAGIC, VERSION, whole),
            struct.pack("<II", len(text), JSON_PART),
            text,
            struct.pack("<II", len(data), BINARY_PART),
            data,
        )
    )


def _turned(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Convert east, ahead, up to left, up, ahead: (n, 3) float32."""
    return np.ascontiguousarray(np.stack([-vectors[:, 0], vectors[:, 2], vectors[:, 1]], axis=1))


def _filled(raw: bytes, filler: bytes) -> bytes:
    return raw + filler * (-len(raw) % 4)
