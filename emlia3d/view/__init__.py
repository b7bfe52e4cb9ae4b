"""Shows a battle: in a window, or in one picture.

Importing this package loads no graphics library; `watch`, `picture` and `film` load it when they
are called. The view reads the state and the events. Functions that it receives provide what only
the rules know, such as the text of an event or the card of a unit.

- `watch(setup, state, events, ...)` shows a recorded or live battle in a window;
- `picture(setup, state, ...)` draws one moment;
- `film(setup, state, events, path, ...)` writes a video of a finished battle;
- `blows_of(events)` selects the events that a picture of a whole turn shows.
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
