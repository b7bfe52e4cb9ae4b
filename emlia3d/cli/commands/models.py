"""``emlia3d models``: list or export the 3D models."""

from __future__ import annotations

import re
from pathlib import Path

import click

from emlia3d.cli.writing import echo
from emlia3d.errors import quoted


@click.command()
@click.argument("folder", required=False, metavar="[DIR]", help="Folder for the files.")
@click.option("--export", type=click.Choice(["gltf"]), help="Write each model to a file.")
@click.option(
    "--colour",
    default="#ffffff",
    metavar="#RRGGBB",
    help="The side's colour, with --export.",
)
def models(*, folder: str | None, export: str | None, colour: str) -> None:
    """List the 3D models, or export them as glTF.

    The models are the figures, trees and houses of the pictures.
    """
    from emlia3d.view.panda.meshes import triangles_of  # noqa: PLC0415  loaded for this alone
    from emlia3d.view.panda.models import model_list  # noqa: PLC0415
    from emlia3d.view.panda.models.gltf import write_models  # noqa: PLC0415
    from emlia3d.view.panda.troops.figures import colour_of  # noqa: PLC0415

    if (export is None) != (folder is None):
        raise click.BadParameter("--export needs DIR, and DIR needs --export")
    if folder == "":
        raise click.BadParameter("--export: expected the name of a folder, or . for this one")
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", colour):
        raise click.BadParameter(
            f"{quoted(colour)} is not a colour such as '#2a5caa'", param_hint="--colour"
        )
    if folder is not None:
        written = write_models(Path(folder), colour_of(colour))
        echo(f"wrote {len(written)} models to {folder}")
        return
    for name in model_list.MAKERS:
        triangles = len(triangles_of(model_list.model(name)))
        echo(f"{name:<18}{triangles:>6} triangles")
