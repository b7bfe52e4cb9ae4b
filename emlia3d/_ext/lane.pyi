import numpy as np
from numpy.typing import NDArray

def extents(
    points: NDArray[np.float64],
    starts: NDArray[np.int32],
    east: float,
    north: float,
    out: NDArray[np.float64],
) -> None: ...
def contacts(
    points: NDArray[np.float64],
    starts: NDArray[np.int32],
    east: float,
    north: float,
    lanes: NDArray[np.float64],
    boxes: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None: ...
