"""Elevation from NumPy's files: one array in a .npy, or a member of a .npz.

The header is matched against a pattern, not evaluated, and nothing is unpickled. The data are read
in blocks straight into the result. Format: NumPy enhancement proposal 1, versions 1.0 to 3.0.
"""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emlia3d.field.raster import Raster, RasterFormatError, RasterWindow, Window, part_of
from emlia3d.geometry.ground_surface import BLOCK_BYTES

_MAGIC = b"\x93NUMPY"

# The limit of NumPy itself for files that it does not trust.
_LONGEST_HEADER = 10_000

# For each version of the format, the bytes that hold the length of the header.
_LENGTH_BYTES = {(1, 0): 2, (2, 0): 4, (3, 0): 4}

_ITEM = re.compile(
    r"""\s*(?P<quote>['"])(?P<key>descr|fortran_order|shape)(?P=quote)\s*:\s*"""
    r"""(?:(?P<quotes>['"])(?P<descr>[<>|=]?[A-Za-z][0-9]{0,12})(?P=quotes)"""
    r"""|(?P<truth>True|False)"""
    r"""|\((?P<shape>\s*(?:[0-9]{1,18}L?\s*(?:,\s*[0-9]{1,18}L?\s*)*,?)?\s*)\))"""
    r"""\s*(?:,\s*|(?=\}))"""
)

_NUMBER = re.compile(r"[<>|=]?(?:[iu][1248]|f[248])")

_UNREADABLE = (
    "not a readable NumPy file of plain numbers; write it with numpy.save, without pickling"
)

_STORED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


class _Layout(NamedTuple):
    """Shape, kind and order of an array in its file.

    across : the array is stored column by column
    """

    shape: tuple[int, ...]
    dtype: np.dtype[np.generic]
    across: bool

    @property
    def size(self) -> int:
        """Bytes of all its data."""
        size = self.dtype.itemsize
        for length in self.shape:
            size *= length
        return size


def read_array(path: Path, window: Window | None) -> Raster:
    """Return the array of a .npy file, or of a .npz file: its only array, or elevation_m."""
    try:
        if path.suffix.lower() == ".npy":
            with path.open("rb") as stream:
                room = stream.seek(0, 2) - stream.seek(0)
                elevation_m = _array(stream, room, window, whole=False)
        else:
            with zipfile.ZipFile(path) as archive:
                elevation_m = _member(archive, window)
    except RasterFormatError:
        raise
    except (
        ArithmeticError, LookupError, MemoryError, OSError, EOFError, RuntimeError, ValueError,
        struct.error, zipfile.BadZipFile, zlib.error,
    ) as fault:  # fmt: skip
        raise RasterFormatError(_UNREADABLE) from fault
    return Raster(elevation_m, None)


def _member(archive: zipfile.ZipFile, window: Window | None) -> NDArray[np.float64]:
    members = [member for member in archive.infolist() if member.filename.endswith(".npy")]
    chosen = [member for member in members if member.filename == "elevation_m.npy"] or members
    if len(chosen) != 1:
        raise RasterFormatError("needs exactly one array, or one named elevation_m")
    member = chosen[0]
    if member.flag_bits & 1:
        raise RasterFormatError(
            f"expected an array without a password, got {member.filename!r:.60}"
        )
    if member.compress_type not in _STORED:
        raise RasterFormatError(
            "expected an array that is stored or deflated, as numpy.savez_compressed writes it, "
            f"got compression method {member.compress_type}"
        )
    with archive.open(member) as stream:
        elevation_m = _array(stream, member.file_size, window, whole=True)
        # The end of a member is where its checksum is compared.
        while stream.read(BLOCK_BYTES):
            pass
    return elevation_m


def _array(
    stream: IO[bytes], room: int, window: Window | None, *, whole: bool
) -> NDArray[np.float64]:
    """Read the part of an array that a window cuts out.

    room : bytes of the file, or of the member
    whole : all is decoded, whatever the window
    """
    layout, begin = _layout(stream)
    part = part_of(layout.shape, window, whole=whole)
    if layout.size > room - begin:
        raise RasterFormatError(
            f"expected {layout.size} bytes of data for its {layout.shape[1]} columns and "
            f"{layout.shape[0]} rows, got {room - begin}"
        )
    out = np.empty(part.shape)
    if layout.across:
        _read_lines(stream, layout, RasterWindow(part.columns, part.rows), out.T)
    else:
        _read_lines(stream, layout, part, out)
    return out


def _read_lines(
    stream: IO[bytes], layout: _Layout, part: RasterWindow, out: NDArray[np.float64]
) -> None:
    """Read lines that follow one another in the file, a row or a column each, into the rows of out.

    part : of which lines which items
    """
    item = layout.dtype.itemsize
    line = layout.shape[0 if layout.across else 1] * item
    before, wanted = part.columns.start * item, part.shape[1] * item
    after = line - before - wanted
    _skip(stream, part.rows.start * line)
    for first, end in part.blocks():
        block = np.empty((end - first, part.shape[1]), layout.dtype)
        for row in block:
            _skip(stream, before)
            row[:] = np.frombuffer(_exactly(stream, wanted), layout.dtype)
            _skip(stream, after)
        if layout.dtype.kind == "f" and not np.isfinite(block).all():
            raise RasterFormatError(
                "holds values that are no numbers; every cell needs an elevation in metres"
            )
        out[first:end] = block


def _skip(stream: IO[bytes], count: int) -> None:
    if count:
        stream.seek(count, 1)


def _exactly(stream: IO[bytes], count: int) -> bytes:
    found = stream.read(count)
    while len(found) < count:
        more = stream.read(count - len(found))
        if not more:
            raise RasterFormatError(_UNREADABLE)
        found += more
    return found


def _layout(stream: IO[bytes]) -> tuple[_Layout, int]:
    """Read a header, and return what it says and where the data begin."""
    magic = _exactly(stream, 8)
    length_bytes = _LENGTH_BYTES.get((magic[6], magic[7]))
    if magic[:6] != _MAGIC or length_bytes is None:
        raise RasterFormatError(_UNREADABLE)
    length = int.from_bytes(_exactly(stream, length_bytes), "little")
    if length > _LONGEST_HEADER:
        raise RasterFormatError(
            f"expected a header of at most {_LONGEST_HEADER} bytes, got {length}"
        )
    text = _exactly(stream, length).decode("latin-1").strip()
    found = _items(text)
    descr, truth, shape = found["descr"], found["fortran_order"], found["shape"]
    if not _NUMBER.fullmatch(descr):
        raise RasterFormatError(f"holds {descr}, not numbers of metres of at most 8 bytes")
    lengths = [int(number.rstrip("L")) for number in re.findall(r"[0-9]+L?", shape)]
    layout = _Layout(tuple(lengths), np.dtype(descr), truth == "True")
    return layout, 8 + length_bytes + length


def _items(text: str) -> dict[str, str]:
    """Return the values of descr, fortran_order and shape as a header writes them."""
    found: dict[str, str] = {}
    place = 1
    while item := _ITEM.match(text, place):
        kind = {"descr": "descr", "fortran_order": "truth", "shape": "shape"}[item["key"]]
        if item[kind] is None or item["key"] in found:
            raise RasterFormatError(_UNREADABLE)
        found[item["key"]] = item[kind]
        place = item.end()
    if not text.startswith("{") or text[place:] != "}" or len(found) != 3:
        raise RasterFormatError(_UNREADABLE)
    return found
