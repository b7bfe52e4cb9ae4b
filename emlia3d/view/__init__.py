"""Shows a battle: in a window, or in one picture.

Importing this package draws nothing and loads no graphics library; `watch`, `picture` and `film` do
when they are called. The view reads state and events; what only rules know (an event in a
sentence, a unit's card) it is handed as plain functions.

- `watch(setup, state, events, ...)` plays a battle, recorded or as it is fought, in a window;
- `picture(setup, state, ...)` draws one moment;
- `film(setup, state, events, path, ...)` writes a film of a battle that is over;
- `blows_of(events)` picks out what a picture of a whole turn shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emlia3d.on_demand import on_demand

if TYPE_CHECKING:
    from emlia3d.view.moment.marks import blows_of
    from emlia3d.view.show import film, picture, watch

__all__ = ["blows_of", "film", "picture", "watch"]

__getattr__ = on_demand(
    __name__,
    {
        "blows_of": "emlia3d.view.moment.marks",
        **dict.fromkeys(("film", "picture", "watch"), "emlia3d.view.show"),
    },
)
