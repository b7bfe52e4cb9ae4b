"""What a scenario is asked before a battle of it begins, loaded when it is first asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emlia3d.on_demand import on_demand

if TYPE_CHECKING:
    from emlia3d.battle.facts import facts_of
    from emlia3d.battle.plain_geometry.geometric_sight import true_answer
    from emlia3d.scenario.areas import look_over
    from emlia3d.scenario.notebook import png_of

__all__ = ["facts_of", "look_over", "png_of", "true_answer"]

__getattr__ = on_demand(
    __name__,
    {
        "facts_of": "emlia3d.battle.facts",
        "look_over": "emlia3d.scenario.areas",
        "png_of": "emlia3d.scenario.notebook",
        "true_answer": "emlia3d.battle.plain_geometry.geometric_sight",
    },
)
