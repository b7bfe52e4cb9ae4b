"""Shows a battle: in a window, or in one picture.

Importing this package draws nothing and loads no graphics library; `watch` and `picture` do
when they are called. The view reads state and events; what only rules know (an event in a
sentence, a unit's card) it is handed as plain functions.

- `watch(setup, state, events, ...)` plays a battle, recorded or as it is fought, in a window;
- `picture(setup, state, ...)` draws one moment.
"""

from __future__ import annotations

from emlia3d.view.show import picture, watch

__all__ = ["picture", "watch"]
