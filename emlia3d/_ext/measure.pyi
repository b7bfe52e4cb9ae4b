import numpy as np
from numpy.typing import NDArray

def boxes(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    starts: NDArray[np.int32],
    out: NDArray[np.float64],
) -> None: ...
def centroids(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    rings: NDArray[np.int32],
    holes: NDArray[np.uint8],
    bodies: NDArray[np.int32],
    out: NDArray[np.float64],
) -> None: ...
def hulls(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    starts: NDArray[np.int32],
    spare_x: NDArray[np.float64],
    spare_y: NDArray[np.float64],
    out_x: NDArray[np.float64],
    out_y: NDArray[np.float64],
    out_starts: NDArray[np.int32],
) -> None: ...
