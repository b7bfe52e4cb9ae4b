import numpy as np
from numpy.typing import NDArray

class Field:
    def __init__(
        self,
        outlines: tuple[object, ...],
        widest: int,
        screen: tuple[object, ...],
        kinds: tuple[object, ...],
        units: tuple[object, ...],
        ranks: tuple[object, ...],
        ground: tuple[object, ...] | None,
        limits: tuple[float, float, float],
        step: float,
    ) -> None: ...
    def pairs(
        self,
        pairs: NDArray[np.int32],
        counts: NDArray[np.uint8],
        begin: int,
        stop: int,
        levels: NDArray[np.uint8],
        by: NDArray[np.int32],
        touching: NDArray[np.uint8],
    ) -> None: ...
    def members(
        self,
        pairs: NDArray[np.int32],
        floors: NDArray[np.uint8],
        wheres: NDArray[np.int32],
        spots: NDArray[np.float64],
        footings: NDArray[np.float64],
        figures: NDArray[np.float64],
        counts: NDArray[np.uint8],
        begin: int,
        stop: int,
        levels: NDArray[np.uint8],
        exposed: NDArray[np.int32],
    ) -> None: ...
