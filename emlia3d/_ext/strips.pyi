import numpy as np
from numpy.typing import NDArray

def between_meets(
    one: NDArray[np.float64],
    other: NDArray[np.float64],
    boxes: NDArray[np.float64],
    out: NDArray[np.uint8],
) -> None: ...
