"""Detection of the renderers that work on this machine.

Each renderer is tested in a child process that paints a colour and reads it back, so a driver that
crashes or hangs does not affect the program.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache

from emlia3d.errors import DisplayError, cut, printable

PIPES = ("pandagl", "p3headlessgl", "p3tinydisplay")
SOFTWARE = ("llvmpipe", "softpipe", "swrast", "software")
PROBE_TIMEOUT_S = 60.0
"""Much longer than the 0.4 s of a probe; twelve at once on two busy cores took up to 8 s."""

_PROBE = """
import json, sys
from panda3d.core import (FrameBufferProperties, GraphicsEngine, GraphicsOutput, GraphicsPipe,
    GraphicsPipeSelection, Texture, WindowProperties, load_prc_file_data)
name, onscreen = sys.argv[1], sys.argv[2] == "onscreen"
load_prc_file_data("", "notify-level fatal\\nnotify-level-display fatal\\naudio-library-name null")
selection = GraphicsPipeSelection.get_global_ptr()
pipe = selection.make_module_pipe(name)
if (pipe is None or not pipe.is_valid()) and name == "p3tinydisplay":
    pipe = selection.make_pipe("TinyOffscreenGraphicsPipe", "")
if pipe is None or not pipe.is_valid():
    sys.exit("no graphics pipe")
engine = GraphicsEngine.get_global_ptr()
wish = FrameBufferProperties()
wish.set_rgba_bits(8, 8, 8, 0)
wish.set_depth_bits(16)
kind = GraphicsPipe.BF_require_window if onscreen else GraphicsPipe.BF_refuse_window
output = engine.make_output(pipe, "probe", 0, wish, WindowProperties(size=(32, 32)), kind)
if output is None:
    sys.exit("no picture buffer")
output.set_clear_color((1, 0.5, 0, 1))
copy = Texture()
output.add_render_texture(copy, GraphicsOutput.RTM_copy_ram)
engine.render_frame()
engine.render_frame()
if not copy.has_ram_image() or bytes(copy.get_ram_image_as("RGB"))[0] != 255:
    sys.exit("painted a colour and read back another")
gsg = output.get_gsg()
print(json.dumps({
    "renderer": gsg.get_driver_renderer() or "tinydisplay",
    "version": gsg.get_driver_version() or "",
    "shaders": bool(gsg.get_supports_basic_shaders() and gsg.get_supports_geometry_instancing()
        and gsg.get_supports_buffer_texture()),
    "texture_px": gsg.get_max_texture_dimension(),
}))
engine.remove_all_windows()    # left open, a window on X brings the process down as it ends
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Display:
    """A renderer that works on this machine.

    pipe : its name in Panda3D; onscreen : whether it draws in a window
    shaders : whether it has instancing and lighting per pixel; otherwise it uses the plain look
    soft : whether it is a software renderer, which omits slow effects
    texture_px : maximum size of a texture, pixels
    """

    pipe: str
    onscreen: bool
    renderer: str
    version: str
    shaders: bool
    texture_px: int

    @property
    def soft(self) -> bool:
        """True for a software renderer."""
        return any(word in self.renderer.lower() for word in SOFTWARE)

    def __str__(self) -> str:
        where = "window" if self.onscreen else "off screen"
        look = "shaders" if self.shaders else "plain look"
        return f"{self.pipe} ({where}): {self.renderer} {self.version}, {look}".replace(" ,", ",")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unusable:
    """A renderer that does not work here, and the reason.

    by_chance : whether it did not answer, so that it can work at another time
    """

    pipe: str
    onscreen: bool
    reason: str
    by_chance: bool = False


def choose(name: str | None = None, window: bool = False) -> Display:
    """Return the best renderer, or a named one.

    name : a pipe of `PIPES`; None for that of the environment variable EMLIA3D_DISPLAY
    window : whether it draws on the screen; otherwise in memory
    Raises DisplayError with all attempts if no renderer works.

    If a better renderer does not answer, a warning is logged, because the pictures will differ.
    Renderers that this machine lacks are skipped silently.
    """
    wanted = name or os.environ.get("EMLIA3D_DISPLAY")
    if wanted is not None and wanted not in PIPES:
        raise DisplayError(f"unknown display {wanted!r}; there are {', '.join(PIPES)}")
    tried = []
    for pipe in PIPES if wanted is None else (wanted,):
        if pipe == "pandagl" and not window and not _has_screen():
            tried.append(f"{pipe}: no screen")
            continue
        if window and pipe == "p3headlessgl":
            continue
        found = probe(pipe, window)
        if isinstance(found, Display):
            return found
        tried.append(f"{pipe}: {found.reason}")
        if found.by_chance and wanted is None:
            _warn_once(f"{pipe} cannot be used this time: it {found.reason}")
    aim = "open a window" if window else "draw a picture"
    raise DisplayError(f"no renderer on this machine can {aim} ({'; '.join(tried)})")


def survey() -> tuple[Display | Unusable, ...]:
    """Test all renderers, in a window and in memory."""
    ways = [(pipe, onscreen) for onscreen in (True, False) for pipe in PIPES]
    return tuple(probe(pipe, onscreen) for pipe, onscreen in ways if (pipe, onscreen) != _NEVER)


_NEVER = ("p3headlessgl", True)


@cache
def probe(pipe: str, onscreen: bool) -> Display | Unusable:
    """Test a renderer in a child process; the result is cached."""
    kind = "onscreen" if onscreen else "offscreen"
    if onscreen and not _has_screen():
        return Unusable(pipe=pipe, onscreen=onscreen, reason="no screen")
    try:
        child = subprocess.run(
            [sys.executable, "-c", _PROBE, pipe, kind],
            capture_output=True,
            text=True,
            timeout=PROBE_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        told = f"did not answer within {PROBE_TIMEOUT_S:g} seconds"
        return Unusable(pipe=pipe, onscreen=onscreen, reason=told, by_chance=True)
    if child.returncode != 0:
        lines = [line for line in child.stderr.splitlines() if line.strip()]
        if child.returncode == 1 and lines:
            return Unusable(pipe=pipe, onscreen=onscreen, reason=lines[-1])
        told = f"died ({child.returncode})"
        return Unusable(pipe=pipe, onscreen=onscreen, reason=told, by_chance=True)
    facts = json.loads(child.stdout.splitlines()[-1])
    return Display(pipe=pipe, onscreen=onscreen, **facts)


@cache
def _warn_once(told: str) -> None:
    """Log a warning, which Python prints to standard error unless a program says otherwise."""
    logging.getLogger(__name__).warning("%s", printable(cut(told)))


def _has_screen() -> bool:
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY"))
