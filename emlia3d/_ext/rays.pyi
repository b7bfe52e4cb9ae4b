import numpy as np
from numpy.typing import NDArray

def by_block(
    frame: NDArray[np.float64],
    side: float,
    places: NDArray[np.float64],
    begins: NDArray[np.intc],
    order: NDArray[np.intp],
) -> None: ...
def lines(
    heights: NDArray[np.float64],
    frame: NDArray[np.float64],
    slabs: NDArray[np.float32],
    levels: NDArray[np.intp],
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    order: NDArray[np.intp],
    look: bool,
    part: NDArray[np.float64],
    out: NDArray[np.uint8],
) -> None: ...
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
