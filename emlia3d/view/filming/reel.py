"""Video files, written with PyAV. Only this module uses it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from types import ModuleType, TracebackType

import numpy as np
from numpy.typing import NDArray

from emlia3d.errors import Error, MissingExtraError, unwritable

CODECS = {".mp4": "libx264", ".webm": "libvpx-vp9"}
"""Codecs of videos, by the ending of the file name."""

QUALITY = {".mp4": {"crf": "20", "preset": "medium"}, ".webm": {"crf": "30", "b": "0"}}


def library() -> ModuleType:
    """Return PyAV; raise MissingExtraError if it is not installed."""
    try:
        import av  # noqa: PLC0415  an extra
    except ImportError as fault:
        raise MissingExtraError("filming a battle", "video") from fault
    return av


class VideoWriter:
    """Writer of the pictures of a video, all of one size."""

    def __init__(self, path: Path, size: tuple[int, int], rate: int) -> None:
        """Begin a video; its file name ends in one of `CODECS`.

        size : width and height, pixels, both even; rate : pictures a second
        Raises MissingExtraError without PyAV, and Error if the file cannot be written.
        """
        av = library()
        assert size[0] % 2 == size[1] % 2 == 0, "codecs need even sides"
        ending = path.suffix.lower()
        self._av = av
        try:
            self._file = av.open(str(path), "w")
        except OSError as flaw:
            raise Error(unwritable(path, flaw)) from None
        stream = self._file.add_stream(CODECS[ending], rate=rate, options=QUALITY[ending])
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        stream.time_base = Fraction(1, rate)
        self._stream = stream

    def add(self, picture: NDArray[np.uint8]) -> None:
        """Add the next picture: (height, width, 3) uint8, red first, top row first."""
        frame = self._av.VideoFrame.from_ndarray(picture, format="rgb24")
        self._file.mux(self._stream.encode(frame))

    def __enter__(self) -> VideoWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        flaw: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Write the rest, so that the video up to here is playable even after an error."""
        self._file.mux(self._stream.encode())
        self._file.close()
