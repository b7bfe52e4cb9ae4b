"""No damage to a raster file leaves the reader as anything but one line, and none prints."""

from __future__ import annotations

import io
import random
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

import numpy as np
import pytest
from PIL import Image

from emlia3d.errors import FileError
from emlia3d.field import georeference_of, read_elevation
from tests.field.elevation_files import georeferenced

SLOPE = np.add.outer(np.arange(9.0), np.arange(11.0))
ODD_NUMBERS = (float("inf"), float("nan"), 1e300, -1.0, 0.0)


@pytest.fixture(autouse=True)
def warnings_are_errors() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def written(save: Callable[[IO[bytes]], object]) -> bytes:
    stream = io.BytesIO()
    save(stream)
    return stream.getvalue()


def npy(array: np.ndarray = SLOPE, version: tuple[int, int] | None = None) -> bytes:
    return written(lambda stream: np.lib.format.write_array(stream, array, version))


def with_header(header: str | bytes, version: int = 1, claimed: int | None = None) -> bytes:
    raw = header if isinstance(header, bytes) else header.encode()
    length = len(raw) if claimed is None else claimed
    size = 2 if version == 1 else 4
    return b"\x93NUMPY" + bytes([version, 0]) + length.to_bytes(size, "little") + raw


def header(shape: str = "(4, 4)", descr: str = "'<f8'", order: str = "False") -> str:
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}"


def npz(member: bytes, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    def save(stream: IO[bytes]) -> None:
        with zipfile.ZipFile(stream, "w", method) as archive:
            archive.writestr("elevation_m.npy", member)

    return written(save)


def png(kind: type[np.generic]) -> bytes:
    return written(lambda stream: Image.fromarray(SLOPE.astype(kind)).save(stream, "PNG"))


def encrypted(archive: bytes) -> bytes:
    """Return the archive with both headers of its member marked as encrypted."""
    raw = bytearray(archive)
    raw[raw.index(b"PK\x03\x04") + 6] |= 1
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    return bytes(raw)


def with_damaged_data(archive: bytes) -> bytes:
    raw = bytearray(archive)
    raw[60:80] = b"\xff" * 20
    return bytes(raw)


DATA = b"\0" * 128

CRAFTED = {
    "floats.npy": with_header(header("(4.0, 4)")) + DATA,
    "truths.npy": with_header(header("(True, True)")) + DATA,
    "negative.npy": with_header(header("(-4, 4)")) + DATA,
    "absurd.npy": with_header(header("(9" + "9" * 5000 + ", 4)")) + DATA,
    "wide.npy": with_header(header("(2, 99999999999999999)")) + DATA,
    "words.npy": with_header(header("('4', 4)")) + DATA,
    "name.npy": with_header(header("(rows, 4)")) + DATA,
    "list.npy": with_header(header("[4, 4]")) + DATA,
    "twice.npy": with_header("{'shape': (2, 2), 'shape': (2, 2), 'descr': '<f8'}") + DATA,
    "missing.npy": with_header("{'shape': (2, 2), 'descr': '<f8'}") + DATA,
    "long.npy": with_header(header(), version=2, claimed=2**32 - 1) + DATA,
    "cut.npy": with_header(header(), claimed=5000),
    "foreign.npy": with_header(header().encode() + b"\xff\xfe\xe4") + DATA,
    "open.npy": with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (4, (4") + DATA,
    "nested.npy": with_header("(" * 9000) + DATA,
    "minus.npy": with_header("-" * 9000 + "1") + DATA,
    "escape.npy": with_header(header(descr=r"'\d'")) + DATA,
    "decimal.npy": with_header(header("(4if 1 else 4, 4)")) + DATA,
    "version.npy": b"\x93NUMPY\x07\x00" + with_header(header())[8:] + DATA,
    "order.npy": with_header(header(order="1")) + DATA,
    "bytes.npy": with_header(header(descr="'|S1000000000'")) + DATA,
    "void.npy": with_header(header(descr="'|V1000000000'")) + DATA,
    "billion.npz": npz(with_header(header("(2, 2)", descr="'|V1000000000'")) + DATA),
    "fields.npz": npz(with_header(header(descr="[('a', '<f8', (9999, 9999))]")) + DATA),
    "locked.npz": encrypted(npz(npy())),
    "deflate.npz": with_damaged_data(npz(npy())),
    "lzma.npz": with_damaged_data(npz(npy(), zipfile.ZIP_LZMA)),
    "bz2.npz": with_damaged_data(npz(npy(), zipfile.ZIP_BZIP2)),
    "checksum.npz": npz(npy(), zipfile.ZIP_STORED).replace(struct.pack("<d", 18.0), b"\0" * 8),
}


@pytest.mark.parametrize("name", CRAFTED)
def test_a_crafted_array_is_refused_in_one_line(tmp_path: Path, name: str, capfd) -> None:
    path = tmp_path / name
    path.write_bytes(CRAFTED[name])

    with pytest.raises(FileError) as found:
        read_elevation(path)

    assert str(found.value).startswith(f"{path}: ")
    assert "\n" not in str(found.value)
    assert len(str(found.value)) < 300 + len(str(path))
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("kind", ["<f8", ">f4", "<f2", "|u1", ">i2", "<i8", "<u4"])
def test_every_plain_array_is_read_as_numpy_reads_it(tmp_path, version, order, kind) -> None:
    array = np.asarray(SLOPE.astype(kind), order=order)
    (tmp_path / "a.npy").write_bytes(npy(array, version))
    (tmp_path / "a.npz").write_bytes(npz(npy(array, version)))

    for name in ("a.npy", "a.npz"):
        np.testing.assert_array_equal(read_elevation(tmp_path / name)[0], SLOPE)
        part, _ = read_elevation(tmp_path / name, window=(2, 3, 9, 8))
        np.testing.assert_array_equal(part, SLOPE[3:8, 2:9])


def test_headers_of_other_writers_are_read(tmp_path: Path) -> None:
    for text in (
        '{"shape": (9, 11), "fortran_order": False, "descr": "<f8"}',
        "{'descr':'<f8','fortran_order':False,'shape':(9L,11L,),}\n",
    ):
        (tmp_path / "a.npy").write_bytes(with_header(text) + SLOPE.tobytes())

        np.testing.assert_array_equal(read_elevation(tmp_path / "a.npy")[0], SLOPE)


@pytest.mark.parametrize(
    ("grid", "why"),
    [
        ((5e5, 5e6, float("inf"), -10), "finite place and spacing"),
        ((5e5, 5e6, 10, float("nan")), "finite place and spacing|turned or mirrored"),
        ((float("nan"), 5e6, 10, -10), "finite place and spacing"),
        ((5e5, 5e6, 1e300, -10), "1e-06 to 1e.06 m between centres"),
        ((5e5, 5e6, 10, -1e-300), "1e-06 to 1e.06 m between centres"),
    ],
)
def test_a_geotiff_wants_a_spacing_to_use(tmp_path: Path, grid, why: str) -> None:
    path = georeferenced(tmp_path / "a.tif", SLOPE.astype(np.float32), grid=grid)

    with pytest.raises(FileError, match=why):
        read_elevation(path)


def test_a_geotiff_in_no_lengths_or_degrees_is_refused(tmp_path: Path) -> None:
    path = georeferenced(tmp_path / "a.tif", SLOPE.astype(np.float32), crs="EPSG:4978")

    with pytest.raises(FileError, match="reference system"):
        read_elevation(path)


@pytest.mark.parametrize("read", [read_elevation, georeference_of])
def test_a_geotiff_with_a_damaged_reference_system_is_refused(tmp_path: Path, read) -> None:
    path = georeferenced(tmp_path / "a.tif", SLOPE.astype(np.float32))
    keys = struct.pack("<4H", 1024, 0, 1, 1)
    raw = path.read_bytes()
    assert keys in raw
    # No longer projected but geocentric, which the other keys contradict.
    path.write_bytes(raw.replace(keys, struct.pack("<4H", 1024, 0, 1, 3)))

    with pytest.raises(FileError, match=r"^[^\n]*$"):
        read(path)


@pytest.mark.parametrize("tag", [None, 33550, 34735])
def test_an_offset_far_beyond_a_geotiff_prints_nothing(tmp_path: Path, tag, capfd) -> None:
    """libtiff itself writes to standard error if a seek fails."""
    path = georeferenced(tmp_path / "a.tif", np.ones((40, 40), np.float32), BIGTIFF="YES")
    raw = bytearray(path.read_bytes())
    (directory,) = struct.unpack_from("<Q", raw, 8)
    (count,) = struct.unpack_from("<Q", raw, directory)
    places = {None: 8}
    for entry in range(directory + 8, directory + 8 + 20 * count, 20):
        places[struct.unpack_from("<H", raw, entry)[0]] = entry + 12
    struct.pack_into("<Q", raw, places[tag], 2**63 - 1)
    path.write_bytes(raw)

    with suppress(FileError):
        read_elevation(path)

    assert capfd.readouterr() == ("", "")


def damaged(raw: bytes, chance: random.Random) -> bytes:
    """Some bytes altered, taken out or put in, most of them near the beginning."""
    found = bytearray(raw)
    for _ in range(chance.choice((1, 1, 2, 5, 20))):
        place = chance.randrange(len(found) if chance.random() < 0.6 else min(len(found), 140))
        how = chance.randrange(10)
        if how < 4:
            found[place] = chance.randrange(256)
        elif how < 6:
            found[place] ^= 1 << chance.randrange(8)
        elif how < 7:
            found[place : place + 8] = struct.pack("<d", chance.choice(ODD_NUMBERS))
        elif how < 8:
            found[place : place + 4] = chance.choice((b"\xff\xff\xff\xff", b"\0\0\0\0"))
        elif how < 9:
            del found[place : place + chance.randrange(1, 30)]
        else:
            found[place:place] = chance.randbytes(chance.randrange(1, 9))
        found = found or bytearray(b"x")
    return bytes(found[: chance.randrange(len(found))] if chance.random() < 0.1 else found)


def with_checksums(raw: bytes) -> bytes:
    """A PNG whose checksums are right again, so that damage reaches the decoder."""
    found, place = bytearray(raw[:8]), 8
    while place + 12 <= len(raw):
        end = place + 8 + int.from_bytes(raw[place : place + 4], "big")
        if end + 4 > len(raw):
            break
        found += raw[place:end] + zlib.crc32(raw[place + 4 : end]).to_bytes(4, "big")
        place = end + 4
    return bytes(found + raw[place:])


SOUND = {
    "npy": [npy(), npy(np.asfortranarray(SLOPE.astype(">i2"))), npy(version=(3, 0))],
    "npz": [npz(npy()), npz(npy(), zipfile.ZIP_STORED), npz(npy(), zipfile.ZIP_LZMA)],
    "png": [png(np.uint8), png(np.uint16)],
    "tif": [{"nodata": 3}, {"compress": "deflate"}, {"compress": "lzw"}],
}


@pytest.mark.parametrize(
    ("ending", "count"), [("npy", 1000), ("npz", 1000), ("png", 1000), ("tif", 300)]
)
def test_thousands_of_damaged_files_are_read_or_refused(tmp_path: Path, ending, count) -> None:
    chance = random.Random(20)
    sound = SOUND[ending]
    if ending == "tif":
        sound = [
            georeferenced(tmp_path / "a.tif", SLOPE.astype(np.float32), **made).read_bytes()
            for made in sound
        ]
    path = tmp_path / f"a.{ending}"
    refused = long = 0

    for _ in range(count):
        raw = damaged(chance.choice(sound), chance)
        mend = ending == "png" and chance.random() < 0.7
        path.write_bytes(with_checksums(raw) if mend else raw)
        try:
            read_elevation(path)
            georeference_of(path)
        except FileError as fault:
            refused += 1
            long += "\n" in str(fault)

    assert not long
    assert 0.4 * count < refused < count
