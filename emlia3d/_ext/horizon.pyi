import numpy as np
from numpy.typing import NDArray

def quarter(
    heights: NDArray[np.float64],
    across: float,
    away: float,
    eye: float,
    back: bool,
    lean: int,
    lift: float,
    bounds: NDArray[np.float64],
    rows: int,
    numbers: NDArray[np.float64],
    room: int,
    out: NDArray[np.uint8],
) -> int: ...
