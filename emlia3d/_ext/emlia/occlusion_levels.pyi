import numpy as np
from numpy.typing import NDArray

def cases(
    starts: NDArray[np.intp],
    observers: NDArray[np.float64],
    observed: NDArray[np.float64],
    tops: NDArray[np.float64],
    out: NDArray[np.uint8],
) -> None: ...
def levels(
    starts: NDArray[np.intp],
    observers: NDArray[np.float64],
    observed: NDArray[np.float64],
    crouched: NDArray[np.uint8],
    perched: NDArray[np.uint8],
    ground: NDArray[np.float64],
    tops: NDArray[np.float64],
    solid: NDArray[np.uint8],
    fractions: NDArray[np.float64],
    to_observer: NDArray[np.float64],
    to_observed: NDArray[np.float64],
    observer_depth: NDArray[np.float64],
    observed_depth: NDArray[np.float64],
    to_perch: NDArray[np.float64],
    limits: NDArray[np.float64],
    begin: int,
    end: int,
    out: NDArray[np.uint8],
) -> None: ...
