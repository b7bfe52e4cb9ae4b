import numpy as np
from numpy.typing import NDArray

def survey(
    shapes: NDArray[np.float64], least: float
) -> tuple[list[float], list[float], float, float]: ...
def sort_into_cells(
    shapes: NDArray[np.float64],
    who: NDArray[np.int32],
    west: float,
    south: float,
    scale: float,
    columns: int,
    lines: int,
    cells: NDArray[np.int32],
    starts: NDArray[np.int32],
    order: NDArray[np.int32],
    held: NDArray[np.float32],
) -> None: ...
def who_reaches(
    shapes: NDArray[np.float64],
    boxes: bool,
    held: NDArray[np.float32],
    order: NDArray[np.int32],
    starts: NDArray[np.int32],
    west: float,
    south: float,
    scale: float,
    columns: int,
    lines: int,
    farthest: float,
    extent: float,
    begin: int,
    end: int,
    written: int,
    found: NDArray[np.int32],
    counts: NDArray[np.int32],
) -> tuple[int, int]: ...
def tally(found: NDArray[np.int32], starts: NDArray[np.int64]) -> None: ...
def turn(
    found: NDArray[np.int32],
    counts: NDArray[np.int32],
    begin: int,
    end: int,
    next_free: NDArray[np.int64],
    out: NDArray[np.int32],
) -> None: ...
