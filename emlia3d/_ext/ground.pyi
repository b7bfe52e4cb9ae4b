import numpy as np
from numpy.typing import NDArray

def heights_at(
    heights: NDArray[np.float64],
    east: NDArray[np.float64],
    south: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None: ...
def places_for(rows: int) -> int: ...
def fractions(
    heights: NDArray[np.float64],
    cell: float,
    west: float,
    north: float,
    highest: float,
    tops: NDArray[np.float64],
    lows: NDArray[np.float64],
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    rings: NDArray[np.int32],
    bodies: NDArray[np.int32],
    boxes: NDArray[np.float64],
    to_centroids: NDArray[np.float64],
    hull_x: NDArray[np.float64],
    hull_y: NDArray[np.float64],
    hulls: NDArray[np.int32],
    pairs: NDArray[np.int32],
    eyes: NDArray[np.float64],
    marks: NDArray[np.float64],
    enough: float,
    widest: int,
    room: int,
    numbers: NDArray[np.float64],
    places: NDArray[np.int32],
    out: NDArray[np.float64],
) -> int: ...
