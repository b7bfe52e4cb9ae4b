"""Mouse and keys: what was pressed since last time, what is held, where the pointer is."""

from __future__ import annotations

from itertools import count

from panda3d.core import (
    ButtonRegistry,
    ButtonThrower,
    DataGraphTraverser,
    EventQueue,
    ModifierButtons,
    MouseAndKeyboard,
    MouseWatcher,
    NodePath,
    VirtualMouse,
)

_NUMBERS = count()

LETTER = "letter "
"""What comes before a letter that is written, by whatever keys."""

_KEYSTROKE = "keystroke"


class Controls:
    """The input of one window; `listen` once a frame, then ask."""

    def __init__(self, source: MouseAndKeyboard | VirtualMouse) -> None:
        self._root = NodePath("controls")
        self._watcher = MouseWatcher("watcher")
        watcher = self._root.attach_new_node(source).attach_new_node(self._watcher)
        self._thrower = ButtonThrower("buttons")
        # Keys mean the same with and without shift, control and the like.
        self._thrower.set_modifier_buttons(ModifierButtons())
        self._prefix = f"emlia3d-{next(_NUMBERS)}-"
        self._thrower.set_prefix(self._prefix)
        self._thrower.set_keystroke_event(self._prefix + _KEYSTROKE)
        watcher.attach_new_node(self._thrower)
        self._traverser = DataGraphTraverser()

    def listen(self) -> list[str]:
        """What was pressed and let go since last time, in order.

        "space", "mouse1", "wheel_up"; "mouse1-up" for letting go; a key that is held down
        comes again and again. `LETTER` and a letter for what is written.
        """
        self._traverser.traverse(self._root.node())
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
        """Whether a key or mouse button is down."""
        return self._watcher.is_button_down(ButtonRegistry.ptr().get_button(key))

    def pointer(self) -> tuple[float, float] | None:
        """Where the pointer is, -1 to 1 to the right and upwards; None outside the window."""
        if not self._watcher.has_mouse():
            return None
        return self._watcher.get_mouse_x(), self._watcher.get_mouse_y()

    def close(self) -> None:
        """Listen no more."""
        self._root.node().remove_all_children()
