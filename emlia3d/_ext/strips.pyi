import numpy as np
from numpy.typing import NDArray

def corridor_may_intersect(
    one: NDArray[np.float64],
    other: NDArray[np.float64],
    boxes: NDArray[np.float64],
    out: NDArray[np.uint8],
) -> None: ...
def pairs_met(
    wanted: NDArray[np.uint8],
    bodies: NDArray[np.float64],
    boxes: NDArray[np.float64],
    round_all: NDArray[np.float64],
    out: NDArray[np.int32],
) -> int: ...
