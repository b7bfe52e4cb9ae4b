import numpy as np
from numpy.typing import NDArray

def lay_out(
    member_offsets: NDArray[np.int32],
    hit_offsets: NDArray[np.int32],
    out_offsets: NDArray[np.int64],
) -> int: ...
def allocate(
    members: NDArray[np.int32],
    member_offsets: NDArray[np.int32],
    hits: NDArray[np.int32],
    hit_offsets: NDArray[np.int32],
    out_offsets: NDArray[np.int64],
    scratch: NDArray[np.int64],
    out: NDArray[np.int32],
    begin: int,
    end: int,
) -> None: ...
def suffer(
    members: NDArray[np.int32],
    member_offsets: NDArray[np.int32],
    damage: NDArray[np.int32],
    hit_offsets: NDArray[np.int32],
    out_offsets: NDArray[np.int64],
    taken: NDArray[np.int32],
    nature: NDArray[np.int32],
    needs: NDArray[np.int32],
    begin: int,
    end: int,
    out: NDArray[np.int64],
) -> None: ...
