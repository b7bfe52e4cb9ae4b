import numpy as np
from numpy.typing import NDArray

def part(
    heights: NDArray[np.float64],
    margin: int,
    tops: NDArray[np.float64],
    tile: int,
    across: float,
    away: float,
    eye: float,
    back: bool,
    turned: bool,
    west: float,
    east: float,
    lift: float,
    bounds: NDArray[np.float64],
    numbers: NDArray[np.float64],
    room: int,
    marks: NDArray[np.uint8] | None,
    least: NDArray[np.float64] | None,
) -> None: ...
