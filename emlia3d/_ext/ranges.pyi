import numpy as np
from numpy.typing import NDArray

def ranges(
    heights: NDArray[np.float64], begin: int, end: int, out: NDArray[np.float64]
) -> None: ...
