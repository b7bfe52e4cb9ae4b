"""The memory with which one call of ``sight_levels`` works, cut up into columns."""

from libc.stdint cimport int32_t

from blocked cimport Look
from circles cimport Search
from in_corridor cimport Between, Candidates, Kinds
from judged cimport Measures, Ranks
from raster cimport Raster
from solidity cimport Bodies
from view cimport View


cdef struct Member:
    # Writable columns of all bodies and one more, which is drawn for each member.
    int32_t row
    Py_ssize_t point        # its first point, and the first corner of its hull
    Py_ssize_t corner
    double *x
    double *y
    double *hull_x
    double *hull_y
    double *box
    double *to_centroid
    int32_t *ring_end
    int32_t *hull_end
    double *spare


cdef struct Workspace:
    # The memory of one call.
    Bodies b
    Search n
    View v
    Candidates c
    Kinds kinds
    Ranks ranks
    Between between
    Measures measures
    Look look
    Raster g
    Py_ssize_t room
    Member member
    bint is_laid
    char *memory
    Py_ssize_t used


cdef inline void *cut(Workspace *d, Py_ssize_t size) noexcept nogil:
    """Cut *size* bytes, in whole doubles, from the memory; only count them if there is none."""
    cdef Py_ssize_t start = d.used
    d.used += (size + 7) // 8 * 8
    return NULL if d.memory == NULL else d.memory + start
