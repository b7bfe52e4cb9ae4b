import numpy as np
from numpy.typing import NDArray

def shares(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    rings: NDArray[np.int32],
    bodies: NDArray[np.int32],
    boxes: NDArray[np.float64],
    base: NDArray[np.float64],
    height: NDArray[np.float64],
    heights: NDArray[np.float64],
    frame: NDArray[np.float64],
    rim: NDArray[np.float64],
    hides: bool,
    eyes: NDArray[np.float64],
    targets: NDArray[np.int32],
    obstacles: NDArray[np.int32],
    start: int,
    widest: int,
    room: int,
    numbers: NDArray[np.float64],
    places: NDArray[np.intp],
    near: NDArray[np.int32],
    out: NDArray[np.float64],
) -> int: ...
