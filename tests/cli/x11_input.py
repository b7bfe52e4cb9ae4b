"""Hands for a window on an X display: keys and a pointer that its server takes for real ones.

Speaks so much of the X protocol as that takes, so that no program beside the server is needed.
"""

from __future__ import annotations

import socket
import struct
import time
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

KEYS = {
    "enter": 0xFF0D,
    "escape": 0xFF1B,
    "page_up": 0xFF55,
    "end": 0xFF57,
    **{f"f{number}": 0xFFBD + number for number in range(1, 13)},
}
"""Key symbols of X, for keys that are no letter."""

KEY_DOWN, KEY_UP, BUTTON_DOWN, BUTTON_UP, MOVE = 2, 3, 4, 5, 6
PAUSE_S = 0.05


class Typist:
    """Someone at the keyboard and mouse of one display."""

    def __init__(self, display: str) -> None:
        self._wire = socket.socket(socket.AF_UNIX)
        self._wire.settimeout(30)
        self._wire.connect(f"/tmp/.X11-unix/X{display.removeprefix(':')}")
        self._wire.sendall(struct.pack("<BxHHHHxx", ord("l"), 11, 0, 0, 0))
        status, length = struct.unpack("<B5xH", self._take(8))
        about = self._take(4 * length)
        assert status == 1, "the display lets nobody in"
        vendor, formats = struct.unpack_from("<H3xB", about, 16)
        first, last = struct.unpack_from("<BB", about, 26)
        self._root = struct.unpack_from("<I", about, 32 + -(-vendor // 4) * 4 + 8 * formats)[0]
        self._code = self._codes(first, last - first + 1)
        name = b"XTEST"
        ask = struct.pack("<BxHHxx", 98, 2 + -(-len(name) // 4), len(name))
        self._wire.sendall(ask + name.ljust(-(-len(name) // 4) * 4, b"\0"))
        there, self._xtest = struct.unpack_from("<BB", self._take(32), 8)
        assert there, "the display has no XTEST"

    def __enter__(self) -> Typist:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        flaw: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._wire.close()

    def paint(self, colour: tuple[int, int, int]) -> None:
        """Give the screen a colour, red, green and blue, where there is no window."""
        pixel = colour[0] << 16 | colour[1] << 8 | colour[2]
        self._wire.sendall(struct.pack("<BxHIII", 2, 4, self._root, 0x2, pixel))
        self._wire.sendall(struct.pack("<BxHIHHHH", 61, 4, self._root, 0, 0, 0, 0))

    def picture(self, width: int, height: int) -> NDArray[np.uint8]:
        """Return what the screen shows from its top left on: (height, width, 3), red first."""
        self._wire.sendall(
            struct.pack("<BBHIhhHHI", 73, 2, 5, self._root, 0, 0, width, height, 0xFFFFFFFF)
        )
        while (answer := self._take(32))[0] != 1:
            assert answer[0] != 0, "the display gives no picture"
        data = self._take(4 * struct.unpack_from("<I", answer, 4)[0])
        pixels = np.frombuffer(data, np.uint8).reshape(height, width, 4)
        return pixels[:, :, 2::-1]

    def press(self, *keys: str) -> None:
        """Keys by name, or letters, one after another."""
        for key in keys:
            code = self._code[KEYS.get(key, ord(key[0]))]
            self._do(KEY_DOWN, code)
            self._do(KEY_UP, code)

    def click(self, x: int, y: int) -> None:
        """The left button at a place of the display, pixels from the top left."""
        self.point(x, y)
        self._do(BUTTON_DOWN, 1)
        self._do(BUTTON_UP, 1)

    def point(self, x: int, y: int) -> None:
        """Move the pointer."""
        self._do(MOVE, 0, x, y)

    def _do(self, kind: int, detail: int, x: int = 0, y: int = 0) -> None:
        head = struct.pack("<BBH", self._xtest, 2, 9)
        body = struct.pack("<BBxxII8xhh7xB", kind, detail, 0, self._root, x, y, 0)
        self._wire.sendall(head + body)
        time.sleep(PAUSE_S)

    def _codes(self, first: int, count: int) -> dict[int, int]:
        """Key codes by the symbol of the key without shift."""
        self._wire.sendall(struct.pack("<BxHBBxx", 101, 2, first, count))
        columns, length = struct.unpack_from("<xBxxI", self._take(32))
        symbols = struct.unpack(f"<{length}I", self._take(4 * length))
        return {symbols[row * columns]: first + row for row in range(count)}

    def _take(self, count: int) -> bytes:
        taken = b""
        while len(taken) < count:
            part = self._wire.recv(count - len(taken))
            assert part, "the display has gone"
            taken += part
        return taken
