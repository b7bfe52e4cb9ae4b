import numpy as np
from numpy.typing import NDArray

def least(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    rings: NDArray[np.int32],
    bodies: NDArray[np.int32],
    boxes: NDArray[np.float64],
    tops: NDArray[np.float64],
    rows: NDArray[np.int32],
    around: NDArray[np.float64],
    nodes: NDArray[np.int32],
    eye: NDArray[np.float64],
    spots: NDArray[np.float64],
    touch: float,
    parts: NDArray[np.float64],
    out: NDArray[np.float64],
    by: NDArray[np.int32],
) -> None: ...
