"""Each way to write one ground is read as the same heights, or refused by name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from emlia3d.errors import FileError
from emlia3d.field import read_raster
from tests.field.elevation_files import georeferenced, painted, saved

rasterio = pytest.importorskip("rasterio")

# Heights in whole decimetres, which every number format of the cases holds after scaling.
GROUND_M = 100.0 + np.add.outer(np.arange(24) * 3 % 7, np.arange(32) * 5 % 11)
FOOT_M, SURVEY_FOOT_M = 0.3048, 1200 / 3937
FLOAT = GROUND_M.astype(np.float32)
WEST, NORTH, STEP = 500_000, 5_000_000, 10

# EPSG:3857 at latitude 60, where lengths on the map are twice the lengths on the ground.
AT_60_NORTH = 8_399_737.89

MARS = (
    'GEOGCS["Mars 2000",DATUM["D_Mars_2000",SPHEROID["Mars_2000_IAU_IAG",3396190,169.8944472]],'
    'PRIMEM["Reference_Meridian",0],UNIT["Degree",0.0174532925199433]]'
)


def tif(path: Path, band: np.ndarray = FLOAT, **profile: object) -> Path:
    """Write a GeoTIFF, with unit, scale, offset and mask if they are given."""
    unit = profile.pop("unit", None)
    scale, offset = profile.pop("scale", None), profile.pop("offset", None)
    mask = profile.pop("mask", None)
    made = georeferenced(path.with_suffix(".tif"), band, **profile)
    with rasterio.open(made, "r+") as file:
        if unit is not None:
            file.units = [unit] * file.count
        if scale is not None:
            file.scales, file.offsets = [scale] * file.count, [offset or 0.0] * file.count
        if mask is not None:
            with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True):
                file.write_mask(mask)
    return made


def of_bands(path: Path, *bands: np.ndarray, **profile: object) -> Path:
    made = path.with_suffix(".tif")
    with rasterio.open(
        made, "w", driver="GTiff", width=32, height=24, count=len(bands), dtype=bands[0].dtype,
        crs="EPSG:32632", transform=rasterio.Affine(STEP, 0, WEST, 0, -STEP, NORTH), **profile,
    ) as file:  # fmt: skip
        for number, band in enumerate(bands, start=1):
            file.write(band, number)
    return made


def copied(path: Path, ending: str, driver: str, **options: object) -> Path:
    """Write the ground in another format, by GDAL's copy of a GeoTIFF."""
    shutil = pytest.importorskip("rasterio.shutil")
    source = tif(path, **options.pop("source", {}))
    made = path.with_suffix(ending)
    shutil.copy(source, made, driver=driver, **options)
    return made


def ascii_grid(path: Path, corner: str) -> Path:
    shift = STEP / 2 if corner == "center" else 0
    south = NORTH - 24 * STEP
    head = (
        f"ncols 32\nnrows 24\nxll{corner} {WEST + shift}\nyll{corner} {south + shift}\n"
        f"cellsize {STEP}\nNODATA_value -9999\n"
    )
    rows = "\n".join(" ".join(f"{height:g}" for height in row) for row in GROUND_M)
    made = path.with_suffix(".asc")
    made.write_text(head + rows + "\n")
    return made


def raw_grid(path: Path, ending: str, kind: str, header: str) -> Path:
    made = path.with_suffix(ending)
    made.write_bytes(GROUND_M.astype(kind).tobytes())
    made.with_suffix(".hdr").write_text(
        f"NROWS 24\nNCOLS 32\nULXMAP {WEST + 5}\nULYMAP {NORTH - 5}\nXDIM 10\nYDIM 10\n{header}"
    )
    return made


def whole(band: np.ndarray, kind: str) -> np.ndarray:
    return np.round(band).astype(kind)


def points(path: Path) -> Path:
    made = tif(path)
    with rasterio.open(made, "r+") as file:
        file.update_tags(AREA_OR_POINT="Point")
    return made


def archived(path: Path) -> Path:
    np.savez_compressed(path.with_suffix(".npz"), elevation_m=GROUND_M)
    return path.with_suffix(".npz")


SAME = {
    "float32": tif,
    "float64": lambda path: tif(path, GROUND_M),
    "int16": lambda path: tif(path, whole(GROUND_M, "int16")),
    "uint16": lambda path: tif(path, whole(GROUND_M, "uint16")),
    "int32": lambda path: tif(path, whole(GROUND_M, "int32")),
    "uint8": lambda path: tif(path, whole(GROUND_M, "uint8")),
    "deflate": lambda path: tif(path, compress="deflate", predictor=3),
    "lzw": lambda path: tif(path, compress="lzw"),
    "zstd": lambda path: tif(path, compress="zstd"),
    "tiles": lambda path: tif(path, tiled=True, blockxsize=16, blockysize=16),
    "strips": lambda path: tif(path, blockysize=5),
    "big-endian": lambda path: tif(path, endianness="BIG"),
    "BigTIFF": lambda path: tif(path, bigtiff="YES"),
    "COG": lambda path: copied(path, ".cog.tif", "COG"),
    "south up": lambda path: tif(path, FLOAT[::-1].copy(), grid=(WEST, NORTH - 240, STEP, STEP)),
    "unit m": lambda path: tif(path, unit="m"),
    "unit metre": lambda path: tif(path, unit="Metre"),
    "feet": lambda path: tif(path, GROUND_M / FOOT_M, unit="ft"),
    "feet in words": lambda path: tif(path, GROUND_M / FOOT_M, unit="International foot"),
    "US survey feet": lambda path: tif(path, GROUND_M / SURVEY_FOOT_M, unit="US survey foot"),
    "ftUS": lambda path: tif(path, GROUND_M / SURVEY_FOOT_M, unit="ftUS"),
    "centimetres": lambda path: tif(path, whole(GROUND_M * 100, "int32"), unit="cm"),
    "decimetres": lambda path: tif(path, whole(GROUND_M * 10, "int16"), unit="dm"),
    "millimetres": lambda path: tif(path, whole(GROUND_M * 1000, "int32"), unit="mm"),
    "kilometres": lambda path: tif(path, GROUND_M / 1000, unit="km"),
    "compound": lambda path: tif(path, crs="EPSG:32632+5703"),
    "compound in US survey feet": lambda path: tif(
        path, GROUND_M / SURVEY_FOOT_M, crs="EPSG:32632+6360"
    ),
    "scale and offset": lambda path: tif(
        path, whole((GROUND_M - 50) * 10, "int16"), scale=0.1, offset=50.0
    ),
    "scale of feet": lambda path: tif(path, GROUND_M / FOOT_M * 4, scale=0.25, unit="foot"),
    "points": points,
    "alpha": lambda path: of_bands(
        path, whole(GROUND_M, "uint8"), np.full((24, 32), 255, "uint8"), alpha="yes"
    ),
    "projected feet": lambda path: tif(
        path, crs="EPSG:2272", grid=(WEST, NORTH, STEP / SURVEY_FOOT_M, -STEP / SURVEY_FOOT_M)
    ),
    "Web Mercator": lambda path: tif(path, crs="EPSG:3857", grid=(0, AT_60_NORTH, 20, -20)),
    "ascii by corner": lambda path: ascii_grid(path, "corner"),
    "ascii by centre": lambda path: ascii_grid(path, "center"),
    "bil": lambda path: raw_grid(
        path, ".bil", "<i2", "NBITS 16\nPIXELTYPE SIGNEDINT\nBYTEORDER I\n"
    ),
    "bil big-endian": lambda path: raw_grid(
        path, ".bil", ">i2", "NBITS 16\nPIXELTYPE SIGNEDINT\nBYTEORDER M\n"
    ),
    "flt": lambda path: raw_grid(
        path, ".flt", "<f4", "NBITS 32\nPIXELTYPE FLOAT\nBYTEORDER LSBFIRST\n"
    ),
    "npy": lambda path: saved(path.with_suffix(".npy"), GROUND_M),
    "npy by columns": lambda path: saved(path.with_suffix(".npy"), np.asfortranarray(GROUND_M)),
    "npz": archived,
    "png of 8 bits": lambda path: painted(path.with_suffix(".png"), whole(GROUND_M, "uint8")),
    "png of 16 bits": lambda path: painted(path.with_suffix(".png"), whole(GROUND_M, "uint16")),
}


@pytest.mark.parametrize("name", SAME)
def test_one_ground_is_the_same_in_each_dialect(tmp_path: Path, name: str) -> None:
    raster = read_raster(SAME[name](tmp_path / "a"))

    np.testing.assert_allclose(raster.elevation_m, GROUND_M, rtol=1e-6)
    if raster.crs is not None:
        assert raster.spacing_m == pytest.approx((10, 10), rel=1e-4)


def _with_missing(value: float, kind: str) -> np.ndarray:
    band = GROUND_M.astype(kind)
    band[3, 4] = value
    return band


NODATA = {
    "tag -9999": lambda path: tif(path, _with_missing(-9999, "float32"), nodata=-9999),
    "tag -32768": lambda path: tif(path, _with_missing(-32768, "int16"), nodata=-32768),
    "NaN": lambda path: tif(path, _with_missing(np.nan, "float32")),
    "tag NaN": lambda path: tif(path, _with_missing(np.nan, "float32"), nodata=np.nan),
    "tag -3.4e38": lambda path: tif(
        path, _with_missing(np.finfo("f4").min, "f4"), nodata=float(np.finfo("f4").min)
    ),
    "infinite": lambda path: tif(path, _with_missing(np.inf, "float32")),
    "mask band": lambda path: tif(path, mask=np.arange(768).reshape(24, 32) != 3 * 32 + 4),
    "alpha": lambda path: of_bands(
        path,
        whole(GROUND_M, "uint8"),
        np.where(np.arange(768).reshape(24, 32) == 3 * 32 + 4, 0, 255).astype("uint8"),
        alpha="yes",
    ),
}


@pytest.mark.parametrize("name", NODATA)
def test_a_cell_without_data_is_nan_however_it_is_marked(tmp_path: Path, name: str) -> None:
    found = read_raster(NODATA[name](tmp_path / "a")).elevation_m

    assert np.argwhere(np.isnan(found)).tolist() == [[3, 4]]
    np.testing.assert_allclose(found[~np.isnan(found)], np.delete(GROUND_M, 3 * 32 + 4), rtol=1e-6)


@pytest.mark.parametrize(
    ("crs", "cell", "spacing_m"),
    [
        # Latitude 45: a degree of longitude and of latitude is 78,847 and 111,132 m on WGS 84.
        ("EPSG:4326", 1e-4, (7.8847, 11.1132)),
        # A grad is 0.9 degrees; Clarke 1880 is 111.1 km to a degree at latitude 45.
        ("EPSG:4807", 1e-4, (7.0966, 10.0016)),
        # Mars: 3396.19 km across the equator, so 41.99 km and 58.97 km to a degree at 45.
        (MARS, 1e-4, (4.2037, 5.9088)),
        ("EPSG:4979", 1e-4, (7.8847, 11.1132)),
    ],
)
def test_angles_become_lengths_by_the_ellipsoid(tmp_path: Path, crs, cell, spacing_m) -> None:
    north = 50.0 if crs == "EPSG:4807" else 45.0
    path = tif(tmp_path / "a", crs=crs, grid=(2, north, cell, -cell))

    assert read_raster(path).spacing_m == pytest.approx(spacing_m, rel=5e-4)


def test_an_srtm_tile_is_read_by_its_name(tmp_path: Path) -> None:
    heights = np.full((1201, 1201), 300, dtype=">i2")
    heights[0, 0], heights[7, 9] = 450, -32768
    (tmp_path / "N46E008.hgt").write_bytes(heights.tobytes())

    raster = read_raster(tmp_path / "N46E008.hgt")

    assert raster.elevation_m[0, 0] == 450
    assert np.isnan(raster.elevation_m[7, 9])
    assert raster.spacing_m == pytest.approx((63.97, 92.64), rel=1e-3)
    assert raster.transform is not None
    # The first centre is on the parallel and the meridian of the name.
    assert raster.transform[2] + raster.transform[0] / 2 == pytest.approx(8)
    assert raster.transform[5] + raster.transform[4] / 2 == pytest.approx(47)


def test_several_bands_need_the_number_of_one(tmp_path: Path) -> None:
    path = of_bands(tmp_path / "a", FLOAT + 7, FLOAT, FLOAT + 9)

    with pytest.raises(FileError, match="has 3 bands; elevation is one: state band, 1 to 3"):
        read_raster(path)
    with pytest.raises(FileError, match="band: expected 1 to 3, got 4"):
        read_raster(path, band=4)
    np.testing.assert_array_equal(read_raster(path, band=2).elevation_m, GROUND_M)


def test_a_stated_unit_overrides_that_of_the_file(tmp_path: Path) -> None:
    for path in (tif(tmp_path / "a", unit="m"), saved(tmp_path / "a.npy", GROUND_M)):
        raster = read_raster(path, unit="foot")

        np.testing.assert_allclose(raster.elevation_m, GROUND_M * FOOT_M, rtol=1e-12)
        assert raster.notes == ("heights in feet were converted to metres, as stated",)


@pytest.mark.parametrize(
    ("profile", "note"),
    [
        ({}, "heights are taken as metres, because the file states no unit"),
        (
            {"unit": "ftUS"},
            "heights in US survey feet were converted to metres, by the band's unit",
        ),
        (
            {"crs": "EPSG:32632+6360"},
            "heights in US survey feet were converted to metres, by the band's unit",
        ),
        ({"unit": "m", "scale": 0.5}, "heights are 0.5 times the stored values, plus 0"),
        (
            {"unit": "m", "crs": "EPSG:3857", "grid": (0, AT_60_NORTH, 20, -20)},
            "Web Mercator: lengths are multiplied by cos(latitude 60) = 0.5",
        ),
    ],
)
def test_what_is_assumed_or_converted_is_noted(tmp_path: Path, profile, note: str) -> None:
    assert read_raster(tif(tmp_path / "a", **profile)).notes == (note,)


def test_what_needs_no_word_has_no_note(tmp_path: Path) -> None:
    assert read_raster(tif(tmp_path / "a", unit="metre")).notes == ()


def test_a_part_knows_where_it_lies(tmp_path: Path) -> None:
    upright = tif(tmp_path / "a")
    turned = tif(tmp_path / "b", FLOAT[::-1].copy(), grid=(WEST, NORTH - 240, STEP, STEP))

    for path in (upright, turned):
        raster = read_raster(path, window=(2, 3, 12, 9))

        assert raster.transform == (10, 0, WEST + 20, 0, -10, NORTH - 30)
        np.testing.assert_array_equal(raster.elevation_m, GROUND_M[3:9, 2:12])


def misnamed(path: Path) -> Path:
    made = path.with_suffix(".hgt")
    made.write_bytes(bytes(1201 * 1201 * 2))
    return made


def opened_by_none(path: Path) -> Path:
    made = path.with_suffix(".nc")
    made.write_bytes(b"CDF\x01")
    return made


REFUSED = {
    "unknown unit": (lambda path: tif(path, unit="parsec"), "unit: expected m, .* got 'parsec'"),
    "two units": (
        lambda path: tif(path, unit="cm", crs="EPSG:32632+5703"),
        "its band is in centimetres, but its vertical axis in metres; state unit",
    ),
    "depths": (lambda path: tif(path, crs="EPSG:32632+5715"), "expected heights, got depths"),
    "untagged -9999": (
        lambda path: tif(path, _with_missing(-9999, "float32")),
        "lowest height is -9999 m, below all land, .* state nodata, such as nodata = -9999",
    ),
    "untagged array": (
        lambda path: saved(path.with_suffix(".npy"), _with_missing(-32768 / 2, "f8")),
        "lowest height is -16384 m, below all land",
    ),
    "rotated": (
        lambda path: tif(path, transform=rasterio.Affine(8, 6, 0, 6, -8, 0)),
        "turned or mirrored; .*gdalwarp",
    ),
    "mirrored": (lambda path: tif(path, grid=(WEST, NORTH, -10, -10)), "turned or mirrored"),
    "complex": (lambda path: tif(path, FLOAT.astype("complex64")), "holds complex64"),
    "local": (
        lambda path: tif(path, crs='LOCAL_CS["here",UNIT["metre",1]]'),
        "expected a reference system in degrees or in lengths on a map",
    ),
    "scale of nothing": (lambda path: tif(path, scale=0.0), "expected a finite scale other than 0"),
    "polar": (
        lambda path: tif(path, crs="EPSG:4326", grid=(0, 88, 0.01, -0.01)), "latitude 87.88",
    ),
    "misnamed tile": (misnamed, "name is that of its south-west corner"),
    "unopened format": (opened_by_none, "gdal_translate writes it as a GeoTIFF"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_refused_in_one_line(tmp_path: Path, name: str) -> None:
    make, why = REFUSED[name]
    path = make(tmp_path / "a")

    with pytest.raises(FileError, match=why) as found:
        read_raster(path)

    assert str(found.value).startswith(f"{path}: ")
    assert "\n" not in str(found.value)


def test_a_stated_nodata_value_is_no_height(tmp_path: Path) -> None:
    found = read_raster(tif(tmp_path / "a", _with_missing(-9999, "float32")), nodata=-9999)

    assert np.argwhere(np.isnan(found.elevation_m)).tolist() == [[3, 4]]


def test_deep_ground_is_read_on_another_body(tmp_path: Path) -> None:
    path = tif(tmp_path / "a", FLOAT - 8000, crs=MARS, grid=(2, 45, 1e-4, -1e-4))

    assert read_raster(path).elevation_m.min() == -7900


def test_a_companion_of_a_raster_may_not_be_a_link_out_of_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    path = SAME["bil"](folder / "a")
    path.with_suffix(".hdr").rename(tmp_path / "secret")
    path.with_suffix(".hdr").symlink_to(tmp_path / "secret")

    with pytest.raises(FileError, match=r"a\.hdr is a link that leads out of its folder"):
        read_raster(path)


def test_a_file_beside_a_geotiff_changes_nothing_of_it(tmp_path: Path) -> None:
    path = tif(tmp_path / "a")
    (tmp_path / "a.tif.aux.xml").write_text(
        '<PAMDataset><PAMRasterBand band="1"><UnitType>ft</UnitType></PAMRasterBand></PAMDataset>'
    )

    np.testing.assert_array_equal(read_raster(path).elevation_m, GROUND_M)
