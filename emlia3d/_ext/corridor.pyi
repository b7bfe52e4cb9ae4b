import numpy as np
from numpy.typing import NDArray

def fractions(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    rings: NDArray[np.int32],
    bodies: NDArray[np.int32],
    boxes: NDArray[np.float64],
    centroids: NDArray[np.float64],
    hull_x: NDArray[np.float64],
    hull_y: NDArray[np.float64],
    hulls: NDArray[np.int32],
    observers: NDArray[np.int32],
    targets: NDArray[np.int32],
    obstacles: NDArray[np.int32],
    start: int,
    widest: int,
    numbers: NDArray[np.float64],
    places: NDArray[np.int32],
    out_pair: NDArray[np.int32],
    out_obstacle: NDArray[np.int32],
    out_fraction: NDArray[np.float64],
) -> tuple[int, int, bool]: ...
