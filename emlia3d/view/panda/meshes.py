"""Conversion of arrays to Panda3D geometry and textures without Python loops over vertices."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from panda3d.core import (
    Geom,
    GeomEnums,
    GeomLines,
    GeomNode,
    GeomPrimitive,
    GeomTriangles,
    GeomVertexArrayFormat,
    GeomVertexData,
    GeomVertexFormat,
    InternalName,
    NodePath,
    OmniBoundingVolume,
    SamplerState,
    Texture,
)

VERTEX = np.dtype([("place", "<f4", 3), ("normal", "<f4", 3), ("colour", "u1", 4)])
PLAIN_VERTEX = np.dtype([("place", "<f4", 3), ("colour", "u1", 4), ("uv", "<f4", 2)])


def mesh(vertices: NDArray[np.void], triangles: NDArray[np.integer], name: str) -> Geom:
    """Return a triangle mesh.

    vertices : (n,) of VERTEX or PLAIN_VERTEX; triangles : (m, 3), corner rows, anticlockwise
    """
    return _indexed(vertices, triangles, GeomTriangles(Geom.UH_static), name)


def line_mesh(vertices: NDArray[np.void], lines: NDArray[np.integer], name: str) -> Geom:
    """Return a mesh of lines.

    vertices : (n,) of VERTEX or PLAIN_VERTEX; lines : (m, 2), rows of both ends
    """
    return _indexed(vertices, lines, GeomLines(Geom.UH_static), name)


def _indexed(
    vertices: NDArray[np.void], rows_of: NDArray[np.integer], faces: GeomPrimitive, name: str
) -> Geom:
    data = GeomVertexData(name, _format(vertices.dtype), Geom.UH_static)
    data.unclean_set_num_rows(len(vertices))
    as_buffer(data.modify_array(0)).cast("B")[:] = np.ascontiguousarray(vertices).tobytes()
    wide = len(vertices) > 0xFFFF
    faces.set_index_type(GeomEnums.NT_uint32 if wide else GeomEnums.NT_uint16)
    rows = faces.modify_vertices()
    rows.unclean_set_num_rows(rows_of.size)
    as_buffer(rows).cast("B")[:] = rows_of.astype("<u4" if wide else "<u2").tobytes()
    geom = Geom(data)
    geom.add_primitive(faces)
    return geom


def vertices_of(geom: Geom) -> NDArray[np.void]:
    """Return a copy of the vertices of a mesh, (n,) in VERTEX layout."""
    raw = as_buffer(geom.get_vertex_data().get_array(0)).cast("B")
    return np.frombuffer(raw, VERTEX).copy()


def triangles_of(geom: Geom) -> NDArray[np.int64]:
    """Return the corner rows of a mesh's triangles, (m, 3)."""
    primitive = geom.get_primitive(0)
    wide = primitive.get_index_type() == GeomEnums.NT_uint32
    raw = as_buffer(primitive.get_vertices()).cast("B")
    return np.frombuffer(raw, "<u4" if wide else "<u2").reshape(-1, 3).astype(np.int64)


def as_buffer(data: object) -> memoryview:
    """Return Panda3D's memory as a buffer; its type stubs omit the protocol."""
    return memoryview(data)  # type: ignore[arg-type]


def boundless(node: GeomNode) -> GeomNode:
    """Disable culling of a node, because its shader determines its position; return the node."""
    node.set_bounds(OmniBoundingVolume())
    node.set_final(True)
    return node


def shown(path: NodePath, wanted: bool) -> None:
    """Show or hide a node."""
    if wanted:
        path.show()
    else:
        path.hide()


def picture_texture(
    picture: NDArray[np.uint8], name: str, repeat: bool = False, mipmap: bool = True
) -> Texture:
    """Return a texture of (h, w), (h, w, 3) or (h, w, 4) uint8, red first, row 0 at the bottom."""
    height, width = picture.shape[:2]
    channels = 1 if picture.ndim == 2 else picture.shape[2]
    kind = {1: Texture.F_red, 3: Texture.F_rgb, 4: Texture.F_rgba}[channels]
    texture = Texture(name)
    texture.setup_2d_texture(width, height, Texture.T_unsigned_byte, kind)
    if channels == 3:
        picture = picture[..., ::-1]
    elif channels == 4:
        picture = picture[..., [2, 1, 0, 3]]
    texture.set_ram_image(np.ascontiguousarray(picture).tobytes())
    if repeat:
        texture.set_wrap_u(SamplerState.WM_repeat)
        texture.set_wrap_v(SamplerState.WM_repeat)
    else:
        texture.set_wrap_u(SamplerState.WM_clamp)
        texture.set_wrap_v(SamplerState.WM_clamp)
    texture.set_magfilter(SamplerState.FT_linear)
    texture.set_minfilter(
        SamplerState.FT_linear_mipmap_linear if mipmap else SamplerState.FT_linear
    )
    return texture


def float_texture(values: NDArray[np.float32], name: str) -> Texture:
    """Return a one-channel texture of (h, w) float32, row 0 at the bottom, read texel by texel."""
    height, width = values.shape
    texture = Texture(name)
    texture.setup_2d_texture(width, height, Texture.T_float, Texture.F_r32)
    texture.set_ram_image(np.ascontiguousarray(values).tobytes())
    texture.set_magfilter(SamplerState.FT_nearest)
    texture.set_minfilter(SamplerState.FT_nearest)
    return texture


def rows_texture(capacity: int, name: str) -> Texture:
    """Return a writable buffer texture of `capacity` rows of four float32."""
    texture = Texture(name)
    texture.setup_buffer_texture(
        max(capacity, 1), Texture.T_float, Texture.F_rgba32, GeomEnums.UH_stream
    )
    return texture


def write_rows(texture: Texture, rows: NDArray[np.float32]) -> None:
    """Copy rows (n, 4) float32 to the start of a `rows_texture`."""
    np.frombuffer(as_buffer(texture.modify_ram_image()), np.float32)[: rows.size] = rows.reshape(-1)


def numbers_texture(capacity: int, name: str, wide: Literal[1, 4] = 1) -> Texture:
    """Return a buffer texture of *capacity* int32 values, or of *capacity* rows of four.

    You can rewrite it at any time.
    """
    texture = Texture(name)
    kind = Texture.F_r32i if wide == 1 else Texture.F_rgba32i
    texture.setup_buffer_texture(max(capacity, 1), Texture.T_int, kind, GeomEnums.UH_stream)
    return texture


def numbers_in(texture: Texture) -> NDArray[np.int32]:
    """Return the memory of a `numbers_texture`, flat and writable.

    Panda3D uploads the texture again after this call.
    """
    return np.frombuffer(as_buffer(texture.modify_ram_image()), np.int32)


def write_numbers(texture: Texture, numbers: NDArray[np.int32]) -> None:
    """Copy numbers to the start of a `numbers_texture`."""
    numbers_in(texture)[: numbers.size] = numbers


def _format(dtype: np.dtype[np.void]) -> GeomVertexFormat:
    array = GeomVertexArrayFormat()
    array.add_column(InternalName.get_vertex(), 3, Geom.NT_float32, Geom.C_point)
    if dtype == VERTEX:
        array.add_column(InternalName.get_normal(), 3, Geom.NT_float32, Geom.C_normal)
    array.add_column(InternalName.get_color(), 4, Geom.NT_uint8, Geom.C_color)
    if dtype == PLAIN_VERTEX:
        array.add_column(InternalName.get_texcoord(), 2, Geom.NT_float32, Geom.C_texcoord)
    layout = GeomVertexFormat()
    layout.add_array(array)
    return GeomVertexFormat.register_format(layout)


def power_of_two(least: int) -> int:
    """Return the smallest power of two that is at least *least*."""
    return 1 << (max(least, 1) - 1).bit_length()
