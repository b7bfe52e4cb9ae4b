import numpy as np
from numpy.typing import NDArray

def pack(
    heights: NDArray[np.float32],
    rows: NDArray[np.int32],
    starts: NDArray[np.int32],
    runs: NDArray[np.int32],
    circles: NDArray[np.float32],
    x: NDArray[np.float32],
    y: NDArray[np.float32],
    facing: NDArray[np.float32],
    was_x: NDArray[np.float32],
    was_y: NDArray[np.float32],
    was_facing: NDArray[np.float32],
    size: NDArray[np.float32],
    lift: NDArray[np.float32],
    pose: NDArray[np.uint8],
    was_pose: NDArray[np.uint8],
    team: NDArray[np.uint8],
    model: NDArray[np.uint8],
    shade: NDArray[np.uint8],
) -> int: ...
def lines(
    widths: NDArray[np.float32],
    starts: NDArray[np.int32],
    ends: NDArray[np.int32],
    runs: NDArray[np.int32],
    lying: NDArray[np.int32],
    lying_runs: NDArray[np.int32],
    x: NDArray[np.float32],
    y: NDArray[np.float32],
    facing: NDArray[np.float32],
    size: NDArray[np.float32],
    pose: NDArray[np.uint8],
    model: NDArray[np.uint8],
    shade: NDArray[np.uint8],
) -> tuple[int, int]: ...
