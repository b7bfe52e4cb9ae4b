"""``emlia3d import``: a scenario from an elevation model and vector maps."""

from __future__ import annotations

from typing import Any

import click

from emlia3d.cli.parameters import BAND, CELL_M, FILE, NODATA, RASTER, UNIT


@click.command("import")
@RASTER
@click.option(
    "--out",
    type=FILE,
    required=True,
    metavar="FILE.toml",
    help="Write the scenario; its elevation goes to FILE-ground.tif.",
)
@click.option(
    "--terrain",
    multiple=True,
    metavar="FILE[:LAYER][=KIND[@COLUMN]]",
    help=(
        "A map of terrain: .gpkg, .geojson, .shp, .fgb; may be repeated. "
        "Without KIND, the tags of OpenStreetMap determine the kinds in all "
        "layers. COLUMN has heights in metres."
    ),
)
@click.option("--size", default="2000", metavar="METRES|WIDTHxHEIGHT", help="Size of the field, m.")
@click.option(
    "--centre",
    metavar="X,Y",
    help="Centre of the field, in the reference system of --crs. [default: the raster's]",
)
@click.option(
    "--crs",
    metavar="EPSG:N",
    help="Reference system of --centre: EPSG:4326 for longitude,latitude. [default: the raster's]",
)
@click.option(
    "--scale",
    type=float,
    metavar="METRES",
    help="Length of a GSU on the ground, m. [default: 2]",
)
@click.option("--title", help="Title of the scenario. [default: the name of FILE.toml]")
@click.option(
    "--armies",
    is_flag=True,
    help="Put two small armies on the field; otherwise they are comments.",
)
@click.option("--mend", is_flag=True, help="Repair polygons that cross themselves.")
@click.option("--force", is_flag=True, help="Replace files that exist.")
@BAND
@UNIT
@NODATA
@CELL_M
def import_field(**given: Any) -> None:
    """Make a scenario from maps.

    Cut a rectangle from a raster of elevations, put terrain from vector maps on it, and write a
    scenario without units for emlia3d check, view and viewshed.
    """
    from emlia3d.cli.raster.importing import import_scenario  # noqa: PLC0415  not for --help

    import_scenario(**given)
