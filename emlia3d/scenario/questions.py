"""Questions about a scenario, imported at the first question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emlia3d.on_demand import on_demand

if TYPE_CHECKING:
    from emlia3d.scenario.areas import look_over
    from emlia3d.scenario.notebook import png_of
    from emlia3d.scenario.pairs import odds_of_pair, sight_of_pair
    from emlia3d.scenario.paths import exposure_on_field
    from emlia3d.scenario.routes import route_on_field

__all__ = [
    "exposure_on_field",
    "look_over",
    "odds_of_pair",
    "png_of",
    "route_on_field",
    "sight_of_pair",
]

__getattr__ = on_demand(
    __name__,
    {
        "exposure_on_field": "emlia3d.scenario.paths",
        "look_over": "emlia3d.scenario.areas",
        "odds_of_pair": "emlia3d.scenario.pairs",
        "png_of": "emlia3d.scenario.notebook",
        "route_on_field": "emlia3d.scenario.routes",
        "sight_of_pair": "emlia3d.scenario.pairs",
    },
)
