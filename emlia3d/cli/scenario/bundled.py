"""The bundled scenarios, one line each."""

from __future__ import annotations

from emlia3d.cli.writing import echo
from emlia3d.scenario import Scenario, load, shipped


def list_scenarios() -> None:
    """Answer ``emlia3d scenarios``."""
    rows = [
        (name, *_size(load(name)), f"{title}{': ' if summary else ''}{summary}")
        for name, title, summary in shipped()
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    for *cells, told in rows:
        padded = (f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True))
        echo("  ".join([*padded, told]))


def _size(scenario: Scenario) -> tuple[str, str, str, str]:
    """Return the rules, figures and units, turns and field size of a scenario."""
    setup = scenario.setup
    members = [unit.muster.members for unit in setup.units if unit.muster.members]
    figures = f"{sum(members):,} figures in {len(members)} units"
    east, north = (setup.field.scale.metres_of_gsu(side) for side in setup.field.size)
    unit, divisor = ("km", 1000.0) if max(east, north) >= 1000.0 else ("m", 1.0)
    field = f"{east / divisor:g} x {north / divisor:g} {unit}"
    return setup.rules, figures, f"{setup.turns} turns", field
