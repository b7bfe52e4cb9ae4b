import numpy as np
from numpy.typing import NDArray

def lines(
    heights: NDArray[np.float64],
    frame: NDArray[np.float64],
    slabs: NDArray[np.float32],
    levels: NDArray[np.intp],
    tops: NDArray[np.float32],
    tiles: float,
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    out: NDArray[np.uint8],
) -> bool: ...
def centres(
    heights: NDArray[np.float64],
    frame: NDArray[np.float64],
    slabs: NDArray[np.float32],
    levels: NDArray[np.intp],
    eye: NDArray[np.float64],
    target_height: float,
    cells: NDArray[np.int32],
    out: NDArray[np.uint8],
) -> None: ...
def least(
    heights: NDArray[np.float64],
    frame: NDArray[np.float64],
    slabs: NDArray[np.float32],
    levels: NDArray[np.intp],
    eye: NDArray[np.float64],
    spots: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None: ...
def least_at_centres(
    heights: NDArray[np.float64],
    frame: NDArray[np.float64],
    slabs: NDArray[np.float32],
    levels: NDArray[np.intp],
    eye: NDArray[np.float64],
    target_height: float,
    cells: NDArray[np.int32],
    out: NDArray[np.float64],
) -> None: ...
