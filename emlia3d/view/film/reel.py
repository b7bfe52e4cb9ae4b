"""A film as a file: pictures, one after another, by PyAV. The only place that knows it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from emlia3d.errors import Error

CODECS = {".mp4": "libx264", ".webm": "libvpx-vp9"}
"""What a film is written with, by the ending of its name."""

QUALITY = {".mp4": {"crf": "20", "preset": "medium"}, ".webm": {"crf": "30", "b": "0"}}


def look_for_library() -> None:
    """Error, saying what to install, where films cannot be written."""
    try:
        import av  # noqa: F401, PLC0415  an extra
    except ImportError:
        raise Error("a film needs PyAV: pip install 'emlia3d[video]'") from None


class Reel:
    """Takes the pictures of a film, all of one size, and writes them."""

    def __init__(self, path: Path, size: tuple[int, int], rate: int) -> None:
        """Begin a film; its name ends in one of `CODECS`.

        size : width and height, pixels, both even; rate : pictures a second
        Raises Error where PyAV is missing or the file cannot be written.
        """
        look_for_library()
        import av  # noqa: PLC0415  an extra

        assert size[0] % 2 == size[1] % 2 == 0, "codecs want even sides"
        ending = path.suffix.lower()
        self._av = av
        try:
            self._file = av.open(str(path), "w")
        except OSError as flaw:
            raise Error(f"{path}: cannot be written: {flaw.strerror}") from None
        stream = self._file.add_stream(CODECS[ending], rate=rate, options=QUALITY[ending])
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        stream.time_base = Fraction(1, rate)
        self._stream = stream

    def add(self, picture: NDArray[np.uint8]) -> None:
        """The next picture: (height, width, 3) uint8, red first, top row first."""
        frame = self._av.VideoFrame.from_ndarray(picture, format="rgb24")
        self._file.mux(self._stream.encode(frame))

    def __enter__(self) -> Reel:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        flaw: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Write what is left, so that what has been filmed so far can be seen whatever happened."""
        self._file.mux(self._stream.encode())
        self._file.close()
