"""Input from mouse and keys: presses since the last call, held keys and the cursor."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, pairwise
from typing import NamedTuple, TypeAlias

from panda3d.core import (
    ButtonRegistry,
    ButtonThrower,
    DataGraphTraverser,
    EventQueue,
    GraphicsOutput,
    ModifierButtons,
    MouseAndKeyboard,
    MouseWatcher,
    NodePath,
    VirtualMouse,
)

from emlia3d.view.actions.key_names import ALT, CONTROL, KEYS
from emlia3d.view.camera.steering import Pointer

_NUMBERS = count()

LETTER = "letter "
"""Prefix of a typed character, independent of the keys that produce it."""

_CONTROL_KEY = "control"
_ALT_KEY = "alt"
_KEYSTROKE = "keystroke"
_RAW = "raw-"
"""Prefix of a key's name by its position on the keyboard; each key sends both names."""

_OF_THE_MOUSE = ("mouse", "wheel_")
_ALL_S = 1e9

Place: TypeAlias = tuple[float, float]
"""Pixels of the window, from the top left."""


class KeyStroke(NamedTuple):
    """A press or release with the position of the cursor; None outside the window."""

    name: str
    pointer: Pointer | None


class Controls:
    """The input of one window; call `listen` once a frame first."""

    def __init__(self, source: MouseAndKeyboard | VirtualMouse, window: GraphicsOutput) -> None:
        self._window = window
        self._last_px: Place | None = None
        self._control = self._alt = False
        self._root = NodePath("controls")
        self._watcher = MouseWatcher("watcher")
        self._watcher.set_trail_log_duration(_ALL_S)
        watcher = self._root.attach_new_node(source).attach_new_node(self._watcher)
        self._thrower = ButtonThrower("buttons")
        # Panda3D puts no modifiers before names; `listen` does so for Control.
        self._thrower.set_modifier_buttons(ModifierButtons())
        self._prefix = f"emlia3d-{next(_NUMBERS)}-"
        self._thrower.set_prefix(self._prefix)
        self._thrower.set_keystroke_event(self._prefix + _KEYSTROKE)
        watcher.attach_new_node(self._thrower)
        self._traverser = DataGraphTraverser()

    def listen(self) -> list[KeyStroke]:
        """Return the keys pressed and released since the last call, in order.

        Names are such as "space", "mouse1" and "wheel_up", and "mouse1-up" for a release. A key
        that is held down repeats. Typed text is `LETTER` and a letter. Keys with Control are
        "ctrl+o", keys with Alt "alt+o".
        """
        self._traverser.traverse(self._root.node())
        names = self._names()
        places = places_of(names, self._trail())
        at = self.pointer()
        return [
            KeyStroke(self._named(name), at if place is None else self._share(place))
            for name, place in zip(names, places, strict=True)
            if not name.startswith(_RAW)
        ]

    def _named(self, name: str) -> str:
        """Return the name of a press, with a prefix if Control or Alt is down."""
        if name in {_CONTROL_KEY, f"{_CONTROL_KEY}-up"}:
            self._control = name == _CONTROL_KEY
        elif name in {_ALT_KEY, f"{_ALT_KEY}-up"}:
            self._alt = name == _ALT_KEY
        elif name in KEYS and (self._control or self._alt):
            return f"{CONTROL if self._control else ALT}{name}"
        return name

    def _names(self) -> list[str]:
        queue = EventQueue.get_global_event_queue()
        names = []
        while not queue.is_queue_empty():
            event = queue.dequeue_event()
            name = event.get_name()
            if name == self._prefix + _KEYSTROKE:
                names.append(LETTER + event.get_parameter(0).get_wstring_value())
            elif name.startswith(self._prefix):
                names.append(name.removeprefix(self._prefix).removesuffix("-repeat"))
        return names

    def held(self, key: str) -> bool:
        """Return whether a key or mouse button is down."""
        return self._watcher.is_button_down(ButtonRegistry.ptr().get_button(key))

    def is_down(self, key: str) -> bool:
        """Return whether a key is down, with Control if its name includes it, else without.

        It is false with Alt, because that changes its meaning.
        """
        bare = key.removeprefix(CONTROL)
        if self.held(_ALT_KEY):
            return False
        return self.held(bare) and self.held(_CONTROL_KEY) == (bare != key)

    def pointer(self) -> tuple[float, float] | None:
        """Return the cursor position, -1 to 1 to the right and upwards; None outside the window."""
        if not self._watcher.has_mouse():
            return None
        return self._watcher.get_mouse_x(), self._watcher.get_mouse_y()

    def _trail(self) -> list[Place]:
        """Return the cursor position at the last call and all positions sent since, pixels."""
        log = self._watcher.get_trail_log()
        told = [(log.get_xpos(at), log.get_ypos(at)) for at in range(log.get_num_events())]
        self._watcher.clear_trail_log()
        trail = [*([] if self._last_px is None else [self._last_px]), *told]
        self._last_px = trail[-1] if trail else None
        return trail

    def _share(self, place: Place) -> Pointer:
        x, y = place
        width, height = self._window.get_x_size(), self._window.get_y_size()
        return 2 * x / width - 1, 1 - 2 * y / height

    def close(self) -> None:
        """Stop listening."""
        self._root.node().remove_all_children()


def places_of(names: Sequence[str], trail: Sequence[Place]) -> list[Place | None]:
    """Return the cursor position of each press and release; None if unknown.

    In a slow frame, a click and later motion of the cursor arrive together, in two lists without a
    common order. However, the window sends the cursor position with each press as well as with each
    move. Therefore the position of a press is where the trail repeats.

    trail : the positions sent; the first is before all of *names*
    """
    still = [place for before, place in pairwise(trail) if place == before]
    if len(still) != sum(map(_tellings, names)):
        return [None] * len(names)
    places: list[Place | None] = []
    told = 0
    for name in names:
        told += _tellings(name)
        places.append(still[told - 1] if told else None)
    return places


def _tellings(name: str) -> int:
    """Return the number of positions sent with an event: two for a key press, as key and letter."""
    if name.startswith(_RAW):
        return 1 if name.endswith("-up") else 2
    return int(name.startswith(_OF_THE_MOUSE))
