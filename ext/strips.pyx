"""A bound for boxes that meet the strips between two others, by arithmetic on boxes alone.

Callers go through ``emlia3d.geometry.strips``, which checks what is assumed here: four numbers to
a box, as many of *one* as of *other*.
"""

from libc.math cimport fabs
from libc.stdint cimport int32_t, uint8_t

cdef extern from *:
    """
    /* Margin of a box for rounding: a share, and GSU. */
    static const double WIDER = 1 + 0x1p-20;
    static const double ROUND_IT = 0x1p-20;
    """
    const double WIDER
    const double ROUND_IT


cdef struct Box:
    double west
    double south
    double east
    double north


cdef struct Strip:
    # All along and across are in lengths of the way from the middle of one box to the other's.
    Box round_both
    double x
    double y
    double dx
    double dy
    double before       # extent back from the first middle
    double beyond       # and how far on
    double beside       # to each side


cdef inline double along(const Box *b, double dx, double dy) noexcept nogil:
    """Return how far a box reaches from its middle along a way; across it for the way turned."""
    return ((0.5 * (b.east - b.west) * WIDER + ROUND_IT) * fabs(dx)
            + (0.5 * (b.north - b.south) * WIDER + ROUND_IT) * fabs(dy))


cdef inline void lay(Strip *s, const Box *a, const Box *b) noexcept nogil:
    """The strip between two boxes and round both."""
    s.round_both.west = min(a.west, b.west)
    s.round_both.south = min(a.south, b.south)
    s.round_both.east = max(a.east, b.east)
    s.round_both.north = max(a.north, b.north)
    s.x = 0.5 * (a.west + a.east)
    s.y = 0.5 * (a.south + a.north)
    s.dx = 0.5 * (b.west + b.east) - s.x
    s.dy = 0.5 * (b.south + b.north) - s.y
    s.before = along(a, s.dx, s.dy)
    s.beyond = s.dx * s.dx + s.dy * s.dy + along(b, s.dx, s.dy)
    s.beside = max(along(a, s.dy, s.dx), along(b, s.dy, s.dx))


cdef inline bint meets(const Strip *s, const Box *b) noexcept nogil:
    cdef double x = 0.5 * (b.west + b.east) - s.x
    cdef double y = 0.5 * (b.south + b.north) - s.y
    cdef double ahead = x * s.dx + y * s.dy
    cdef double aside = fabs(y * s.dx - x * s.dy)
    cdef double reach = along(b, s.dx, s.dy)
    return (s.round_both.west <= b.east and s.round_both.east >= b.west
            and s.round_both.south <= b.north and s.round_both.north >= b.south
            and aside <= s.beside + along(b, s.dy, s.dx)
            and -s.before - reach <= ahead <= s.beyond + reach)


cdef inline bint near(const Box *a, const Box *b, const Box *c) noexcept nogil:
    """Return whether the box round two boxes touches a third, a part of what `meets` asks."""
    return (min(a.west, b.west) <= c.east and max(a.east, b.east) >= c.west
            and min(a.south, b.south) <= c.north and max(a.north, b.north) >= c.south)


def pairs_met(const uint8_t[:, ::1] wanted, const double[:, ::1] bodies,
              const double[:, ::1] boxes, const double[::1] round_all, int32_t[:, ::1] out):
    """Write the wanted pairs of bodies whose strip meets any of the boxes; return their number.

    Of a square of wanted pairs the part above its diagonal counts. *round_all* holds all boxes.
    """
    cdef Py_ssize_t row, column, m, found = 0
    cdef Strip s
    cdef const Box *all_boxes = <const Box *> &round_all[0]
    with nogil:
        for row in range(wanted.shape[0]):
            for column in range(row + 1, wanted.shape[1]):
                if not wanted[row, column]:
                    continue
                if not near(<const Box *> &bodies[row, 0], <const Box *> &bodies[column, 0],
                            all_boxes):
                    continue
                lay(&s, <const Box *> &bodies[row, 0], <const Box *> &bodies[column, 0])
                for m in range(boxes.shape[0]):
                    if meets(&s, <const Box *> &boxes[m, 0]):
                        out[found, 0] = <int32_t> row
                        out[found, 1] = <int32_t> column
                        found += 1
                        break
    return found


def corridor_may_intersect(const double[:, ::1] one, const double[:, ::1] other,
                           const double[:, ::1] boxes, uint8_t[::1] out):
    """out[k] = whether the strip between one[k] and other[k] meets any of the boxes."""
    cdef Py_ssize_t k, m
    cdef Strip s
    with nogil:
        for k in range(one.shape[0]):
            lay(&s, <const Box *> &one[k, 0], <const Box *> &other[k, 0])
            out[k] = False
            for m in range(boxes.shape[0]):
                if meets(&s, <const Box *> &boxes[m, 0]):
                    out[k] = True
                    break
