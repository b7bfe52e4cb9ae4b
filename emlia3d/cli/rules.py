"""``emlia3d rules``: how much of each rule system's catalogue is played and tested."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from emlia3d.rules.catalogue import coverage


def rules(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Count the rules that are played.

    For each system: in its catalogue, implemented, tested.
    """
    found = coverage()
    if as_json:
        typer.echo(json.dumps({system: asdict(counts) for system, counts in found.items()}))
        return
    typer.echo(f"{'system':<12}{'catalogue':>10}{'implemented':>13}{'tested':>8}")
    for system, counts in found.items():
        typer.echo(f"{system:<12}{counts.catalogue:>10}{counts.implemented:>13}{counts.tested:>8}")
