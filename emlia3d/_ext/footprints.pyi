import numpy as np
from numpy.typing import NDArray

def gaps(
    ones: NDArray[np.float64], others: NDArray[np.float64], out: NDArray[np.float64]
) -> None: ...
def gaps_of_all(bodies: NDArray[np.float64], out: NDArray[np.float64]) -> None: ...
def contacts(
    bodies: NDArray[np.float64],
    slack: float,
    gaps: NDArray[np.float64],
    part: NDArray[np.int8],
    length: NDArray[np.float64],
) -> None: ...
def chords(
    lines: NDArray[np.float64],
    bodies: NDArray[np.float64],
    slack: float,
    out: NDArray[np.float64],
) -> None: ...
def arcs(
    arcs: NDArray[np.float64],
    bodies: NDArray[np.float64],
    slack: float,
    out: NDArray[np.uint8],
) -> None: ...
def first_met(
    mover: NDArray[np.float64],
    moves: NDArray[np.float64],
    bodies: NDArray[np.float64],
    ignored: NDArray[np.uint8],
    edges: NDArray[np.float64],
    slack: float,
    part: NDArray[np.float64],
    met: NDArray[np.int32],
) -> None: ...
