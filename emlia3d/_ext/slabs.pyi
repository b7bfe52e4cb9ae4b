import numpy as np
from numpy.typing import NDArray

def lay(
    heights: NDArray[np.float64],
    levels: NDArray[np.intp],
    out: NDArray[np.float32],
) -> None: ...
