import numpy as np
from numpy.typing import NDArray

def allocate(
    members: NDArray[np.int32],
    member_offsets: NDArray[np.int32],
    hits: NDArray[np.int32],
    hit_offsets: NDArray[np.int32],
    out_offsets: NDArray[np.int64],
    scratch: NDArray[np.int32],
    before: NDArray[np.int64],
    out: NDArray[np.int32],
    begin: int,
    end: int,
) -> None: ...
