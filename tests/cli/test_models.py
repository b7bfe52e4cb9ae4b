"""``emlia3d models``: what is listed, and what another program reads of what is written."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest

from emlia3d.view.panda.meshes import triangles_of, vertices_of
from emlia3d.view.panda.models import model_list

TYPES = {5126: np.dtype("<f4"), 5123: np.dtype("<u2"), 5125: np.dtype("<u4")}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


def read_back(path: Path):
    """The description in a binary glTF, and its arrays by attribute."""
    raw = path.read_bytes()
    magic, version, length = struct.unpack_from("<4sII", raw)
    assert (magic, version, length) == (b"glTF", 2, len(raw))
    size, kind = struct.unpack_from("<I4s", raw, 12)
    assert kind == b"JSON"
    assert size % 4 == 0
    told = json.loads(raw[20 : 20 + size])
    rest, kind = struct.unpack_from("<I4s", raw, 20 + size)
    assert kind == b"BIN\0"
    data = raw[28 + size :]
    assert rest == len(data)
    assert told["buffers"][0]["byteLength"] <= len(data)

    def array(number: int) -> np.ndarray:
        accessor = told["accessors"][number]
        view = told["bufferViews"][accessor["bufferView"]]
        dtype, width = TYPES[accessor["componentType"]], WIDTHS[accessor["type"]]
        assert view["byteOffset"] % 4 == 0
        assert view["byteLength"] == accessor["count"] * width * dtype.itemsize
        start = view["byteOffset"]
        values = np.frombuffer(data[start : start + view["byteLength"]], dtype)
        return values.reshape(-1, width)

    (primitive,) = told["meshes"][0]["primitives"]
    arrays = {name: array(number) for name, number in primitive["attributes"].items()}
    return told, arrays | {"indices": array(primitive["indices"])}


def test_every_model_is_listed_with_its_triangles(run) -> None:
    ran = run(["models"])
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert [line.split()[0] for line in lines] == list(model_list.MAKERS)
    triangles = len(triangles_of(model_list.model("ogre")))
    assert any(line.split() == ["ogre", str(triangles), "triangles"] for line in lines)


def test_every_model_is_written_once_and_can_be_read_back(run, tmp_path) -> None:
    ran = run(["models", "--export", "gltf", "bodies/all"])
    assert ran.status == 0
    files = sorted((tmp_path / "bodies/all").iterdir())
    assert [file.name for file in files] == sorted(f"{name}.glb" for name in model_list.MAKERS)
    assert ran.out.startswith(f"wrote {len(files)} models")
    for file in files:
        told, arrays = read_back(file)
        assert told["asset"]["version"] == "2.0"
        count = len(arrays["POSITION"])
        assert {len(arrays[name]) for name in ("NORMAL", "COLOR_0", "_SIDE")} == {count}
        assert arrays["indices"].max() < count
        assert np.linalg.norm(arrays["NORMAL"], axis=1) == pytest.approx(1, abs=0.02)
        accessor = told["accessors"][told["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]
        assert accessor["min"] == arrays["POSITION"].min(axis=0).tolist()
        assert accessor["max"] == arrays["POSITION"].max(axis=0).tolist()


def test_a_figure_stands_upright_and_looks_along_z(run, tmp_path) -> None:
    run(["models", "--export", "gltf", "."])
    _, arrays = read_back(tmp_path / "rider.glb")
    left, up, ahead = arrays["POSITION"].T
    own = vertices_of(model_list.model("rider"))["place"]
    assert up == pytest.approx(own[:, 2])
    assert ahead == pytest.approx(own[:, 1])
    assert left == pytest.approx(-own[:, 0])
    corners = arrays["POSITION"][arrays["indices"].reshape(-1, 3)]
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = arrays["NORMAL"][arrays["indices"].reshape(-1, 3)].mean(axis=1)
    outward = (faces * normals).sum(axis=1) > 0
    assert outward.mean() > 0.95, "anticlockwise as seen from outside"


def test_the_sides_colour_is_on_the_cloth_and_on_nothing_else(run, tmp_path) -> None:
    run(["models", "--export", "gltf", "plain"])
    run(["models", "--export", "gltf", "blue", "--colour", "#0000ff"])
    _, plain = read_back(tmp_path / "plain/foot_musket.glb")
    _, blue = read_back(tmp_path / "blue/foot_musket.glb")
    cloth = plain["_SIDE"][:, 0] > 0.99
    assert cloth.any()
    assert not cloth.all()
    assert (blue["COLOR_0"][cloth][:, :2] == 0).all()
    assert (blue["COLOR_0"][:, 2] == plain["COLOR_0"][:, 2]).all()
    bare = plain["_SIDE"][:, 0] == 0
    assert (blue["COLOR_0"][bare] == plain["COLOR_0"][bare]).all()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["models", "folder"], "--export needs DIR"),
        (["models", "--export", "gltf"], "--export needs DIR"),
        (["models", "--export", "gltf", ""], "--export: expected the name of a folder"),
        (["models", "--export", "obj", "folder"], "obj"),
        (["models", "--export", "gltf", "folder", "--colour", "blue"], "'blue' is not a colour"),
    ],
)
def test_a_mistake_is_told_in_a_line(run, words, told) -> None:
    ran = run(words)
    assert ran.status == 2
    (line,) = ran.complaints
    assert told in line


def test_a_folder_that_cannot_be_made_is_told_in_a_line(run, tmp_path) -> None:
    (tmp_path / "taken").write_text("a file")
    ran = run(["models", "--export", "gltf", "taken/deep"])
    assert ran.status == 2
    assert len(ran.complaints) == 1
