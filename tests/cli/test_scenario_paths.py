"""`emlia3d exposure` and `emlia3d route` of a scenario and of a battle file."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Run

PATH = "10,10;60,40;110,70"


def test_an_exposure_is_told_and_drawn(run: Run) -> None:
    words = ["exposure", "bandits", "--path", PATH, "--observers", "Bandits"]

    told = run([*words, "--picture", "path.png"])
    document = json.loads(run([*words, "--json"]).out)

    assert (told.status, told.err) == (0, "")
    first, second, *_ = told.out.splitlines()
    assert first == "109.1 of 116.6 GSU of the path (94%) are in view of the 2 observers."
    assert second == "First seen after 0.00 GSU, at 10,10, from raiders."
    assert Path("path.png").stat().st_size > 1000
    assert document["rules"] == "emlia"
    assert document["visible"] == pytest.approx(109.1, abs=0.05)
    assert [each["observer"] for each in document["observers"]] == ["bandits", "raiders"]
    assert document["first"] == {
        "distance": 0, "x": 10, "y": 10, "observer": "raiders", "turns": None,
    }  # fmt: skip
    assert [run["visible"] for run in document["runs"]] == [True, False, True]


def test_a_mover_is_first_seen_after_so_many_of_its_moves(run: Run) -> None:
    words = ["exposure", "bandits", "--path", "archers;60,28;60,40", "--observers", "bandits"]

    document = json.loads(run([*words, "--mover", "archers", "--json"]).out)
    faster = json.loads(run([*words, "--mover", "archers", "--speed", "30", "--json"]).out)

    assert document["mover"] == "archers"
    # Longbowmen move 15 GSU.
    assert document["first"]["turns"] == pytest.approx(document["first"]["distance"] / 15)
    assert faster["first"]["turns"] == pytest.approx(document["first"]["turns"] / 2)


def test_a_path_is_asked_about_in_a_position_of_a_battle(run: Run) -> None:
    run(["battle", "bandits", "--seed", "3", "--turns", "4", "--headless", "--save",
         "b.battle.jsonl"])  # fmt: skip
    words = ["--path", PATH, "--observers", "raiders", "--json"]

    start = run(["exposure", "bandits", *words])
    same = run(["exposure", "b.battle.jsonl", *words, "--at", "0"])
    later = run(["exposure", "b.battle.jsonl", *words, "--at", "2"])
    gone = run(["exposure", "b.battle.jsonl", *words])

    assert same.out == start.out
    assert json.loads(later.out)["turn"] == 2
    assert json.loads(later.out)["runs"] != json.loads(start.out)["runs"]
    assert (gone.status, gone.complaints) == (
        2, ["bandits.toml: raiders is no longer on the field"],
    )  # fmt: skip


def test_a_route_is_told_drawn_and_written(run: Run) -> None:
    pytest.importorskip("pyogrio")
    words = ["route", "bandits", "--start", "archers", "--end", "110,70", "--observers", "bandits"]

    told = run([*words, "--mover", "archers", "--cell", "2", "--out", "route.geojson", "--picture",
                "route.png"])  # fmt: skip
    document = json.loads(run([*words, "--mover", "archers", "--cell", "2", "--json"]).out)
    back = run(["exposure", "bandits", "--path", "route.geojson", "--crs", "local", "--observers",
                "bandits", "--mover", "archers", "--json"])  # fmt: skip

    assert (told.status, told.err) == (0, "")
    assert told.out.startswith(f"A route of {document['length']:.1f} GSU")
    assert Path("route.png").stat().st_size > 1000
    (feature,) = json.loads(Path("route.geojson").read_text())["features"]
    # One GSU is one metre here.
    assert feature["geometry"]["coordinates"] == document["way"]
    assert json.loads(back.out)["length"] == pytest.approx(document["length"])


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["exposure", "bandits", "--path", "1,1", "--observers", "bandits"],
         "--path: expected two places X,Y;X,Y at least, got '1,1'"),
        (["exposure", "bandits", "--path", "1,1;500,1", "--observers", "bandits"],
         "path: 500,1 is not on the field, which is 120 x 80 GSU"),
        (["exposure", "bandits", "--path", "1,1;a,1", "--observers", "bandits"], "a,1"),
        (["exposure", "bandits", "--path", "1,1;nobody", "--observers", "bandits"],
         'unknown unit "nobody"'),
        (["exposure", "bandits", "--path", PATH], "expected an observer"),
        (["exposure", "bandits", "--path", PATH, "--observers", "Bandit"],
         'unknown unit or side "Bandit"; did you mean Bandits?'),
        (["exposure", "bandits", "--path", PATH, "--from", "1,1", "--every", "5"],
         "--every does not apply, because bandits is a scenario"),
        (["exposure", "bandits", "--path", PATH, "--from", "1,1", "--crs", "EPSG:4326"],
         "--crs: only for a path from a file"),
        (["exposure", "bandits", "--path", PATH, "--from", "1,1", "--at", "1"],
         "--at: expected a battle file"),
        (["exposure", "bandits", "--path", "none.geojson", "--from", "1,1"], "none.geojson: "),
        (["exposure", "a.tif", "--path", PATH, "--from", "1,1", "--mover", "x"],
         "--mover does not apply, because a.tif is a raster"),
        (["route", "bandits", "--start", "1,1", "--end", "200,1", "--observers", "bandits"],
         "200,1 is not on the field"),
        (["route", "bandits", "--start", "60,35", "--end", "2,1", "--observers", "bandits"],
         "60,35: expected a point outside impassable terrain"),
        (["route", "bandits", "--start", "1,1", "--end", "2,1", "--observers", "bandits",
          "--max-slope", "95"], "expected a slope limit between 0 and 90 degrees, got 95"),
        (["route", "bandits", "--start", "1,1", "--end", "2,1", "--observers", "bandits",
          "--cell", "0"], "cell: expected a number of GSU"),
        (["route", "a.tif", "--start", "1,1", "--end", "2,1", "--observers", "a.csv",
          "--observers", "b.csv"], "--observers: expected one file of observers"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_one_line(run: Run, words: list[str], complaint: str) -> None:
    told = run(words)

    assert (told.status, told.out) == (2, "")
    assert len(told.complaints) == 1
    assert complaint in told.err


def test_a_path_of_a_map_is_laid_where_the_ground_lies(run: Run, tmp_path: Path) -> None:
    rasterio = pytest.importorskip("rasterio")
    pytest.importorskip("pyogrio")

    with rasterio.open(
        tmp_path / "flat.tif", "w", driver="GTiff", height=20, width=30, count=1, dtype="float32",
        crs="EPSG:32632", transform=rasterio.Affine(10, 0, 500_000, 0, -10, 5_000_000),
    ) as file:  # fmt: skip
        file.write(np.indices((20, 30))[1].astype(np.float32), 1)
    (tmp_path / "hill.toml").write_text(
        'format = 1\ntitle = "Hill"\nrules = "emlia"\nturns = 1\n[field]\nsize = [100, 60]\n'
        'metres_per_gsu = 2\nground = {file = "flat.tif", anchor = "south-west"}\n'
        '[[side]]\nname = "A"\nlines = "south"\n[[side]]\nname = "B"\nlines = "north"\n'
        '[[unit]]\nname = "a"\nside = "A"\nat = [90, 10]\nfacing = 0\nformation = "close"\n'
        "members = 1\nsize = 1\nheight = 1\n"
    )
    line = {
        "type": "FeatureCollection",
        "crs": {"type": "name", "properties": {"name": "EPSG:32632"}},
        "features": [{"type": "Feature", "properties": {}, "geometry": {
            "type": "LineString", "coordinates": [[500_020, 4_999_820], [500_120, 4_999_880]],
        }}],
    }  # fmt: skip
    (tmp_path / "path.geojson").write_text(json.dumps(line))

    told = run(["exposure", "hill.toml", "--path", "path.geojson", "--from", "50,50", "--json"])
    off = {**line, "features": [json.loads(json.dumps(line["features"][0]))]}
    off["features"][0]["geometry"]["coordinates"][1][0] += 1000
    (tmp_path / "off.geojson").write_text(json.dumps(off))
    refused = run(["exposure", "hill.toml", "--path", "off.geojson", "--from", "50,50"])

    document = json.loads(told.out)
    # 20 m east and 20 m north of the corner 500000, 4999800, in GSU of 2 m.
    assert document["first"]["x"] == pytest.approx(10, abs=1e-6)
    assert document["first"]["y"] == pytest.approx(10, abs=1e-6)
    assert document["length_m"] == pytest.approx(100 * 1.36**0.5, rel=1e-6)
    assert refused.status == 2
    assert "is not on the field, which is 100 x 60 GSU" in refused.complaints[0]
