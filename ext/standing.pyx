"""What stands in sight corridors, as far as the answer can turn on it.

A question is one observer, one observed and the rows of what stands between them. What hides by
itself comes first, then, where more is wanted, how far everything is from the two ends. Callers
go through ``emlia3d.geometry.standing``, which checks what is assumed here: columns that belong
together, rows within range, scratch of the stated size.

Where rounding could decide a yes or no, the answer is UNSURE and the caller's to find.
"""

from libc.math cimport NAN, isnan
from libc.stdint cimport int32_t, uint8_t

from apart cimport Way, chord, gap, to_outline
from before cimport is_before
from frame cimport east_to, north_to
from outline cimport Outlines
from shade cimport FROM_SHADOW, HALF, NOTHING, SHADOW, TALL, above, case_of

cdef enum:
    NO = 0
    YES = 1
    OPEN = 2            # rounding could decide
    UNASKED = 3

# The columns of an observer or observed.
cdef enum:
    FOOTING = 0
    HEIGHT = 1

cdef extern from *:
    """
    /* Lengths nearer to a border than this, GSU, are left open. */
    static const double CLOSE_TO = 1e-8;
    /* Sums of shares in another order differ by less than this. */
    static const double SUMS = 1e-12;
    """
    const double CLOSE_TO
    const double SUMS


cdef struct Bodies:
    Outlines o
    const uint8_t *solid
    # GSU of a chord above which it is solid; NaN where it is as it is.
    const double *thickness
    Py_ssize_t widest
    double *spare


cdef int is_thick(const Bodies *b, Py_ssize_t body, Py_ssize_t near,
                  Py_ssize_t far) noexcept nogil:
    """Whether enough of a body lies on the axis, outside of the two ends."""
    cdef Way way
    cdef bint unsure = False
    cdef double length, limit = b.thickness[body]
    way.x = b.o.x[b.o.rings[b.o.bodies[near]]] + b.o.to_centroids[2 * near]
    way.y = b.o.y[b.o.rings[b.o.bodies[near]]] + b.o.to_centroids[2 * near + 1]
    way.dx = east_to(&b.o, near, far)
    way.dy = north_to(&b.o, near, far)
    length = chord(&b.o, body, near, far, &way, b.spare, b.widest, &unsure)
    if unsure or limit - CLOSE_TO * (1 + limit) <= length <= limit + CLOSE_TO * (1 + limit):
        return OPEN
    return YES if length > limit else NO


cdef inline int solidity(const Bodies *b, Py_ssize_t body, Py_ssize_t near, Py_ssize_t far,
                         bint camouflaged) noexcept nogil:
    if camouflaged:
        return YES
    if isnan(b.thickness[body]):
        return b.solid[body]
    return is_thick(b, body, near, far)


cdef inline void point(Bodies *b, const double[::1] x, const double[::1] y,
                       const int32_t[::1] rings, const int32_t[::1] bodies,
                       const double[:, ::1] boxes, const double[:, ::1] to_centroids,
                       const double[::1] hull_x, const double[::1] hull_y,
                       const int32_t[::1] hulls, const uint8_t[::1] solid,
                       const double[::1] thickness, Py_ssize_t widest,
                       double[::1] spare) noexcept:
    b.o.x, b.o.y, b.o.rings, b.o.bodies = &x[0], &y[0], &rings[0], &bodies[0]
    b.o.boxes, b.o.to_centroids = &boxes[0, 0], &to_centroids[0, 0]
    b.o.hull_x, b.o.hull_y, b.o.hulls = &hull_x[0], &hull_y[0], &hulls[0]
    b.solid, b.thickness = &solid[0], &thickness[0]
    b.widest = widest
    b.spare = &spare[0]


def screens(const double[::1] x, const double[::1] y, const int32_t[::1] rings,
            const int32_t[::1] bodies, const double[:, ::1] boxes,
            const double[:, ::1] to_centroids, const double[::1] hull_x,
            const double[::1] hull_y, const int32_t[::1] hulls, const uint8_t[::1] solid,
            const double[::1] thickness, Py_ssize_t widest, double[::1] spare,
            const double[::1] tops, const int32_t[:, ::1] ends,
            const double[:, ::1] observers, const double[:, ::1] observed,
            const Py_ssize_t[::1] starts, const int32_t[::1] rows, const double[::1] fractions,
            const uint8_t[::1] camouflaged, double half, Py_ssize_t begin, Py_ssize_t stop,
            uint8_t[::1] which, uint8_t[::1] is_solid, uint8_t[::1] hidden, int32_t[::1] by):
    """What each row is to its corridor, and who is hidden by one body alone.

    ends : (n, 2) rows of the observer and the observed
    spare : 8 * widest + 8 doubles for a thread
    which : (k,) the case by heights
    is_solid : (k,) NO, YES or OPEN where it was asked, and elsewhere UNASKED
    hidden, by : (n,) whether a solid body as tall as both ends fills half of the corridor, and
        the row of the last that does for whoever is observed; -1 where there is none
    """
    cdef Bodies b
    cdef Py_ssize_t q, k
    cdef double base, eye, mark
    if stop <= begin:
        return
    point(&b, x, y, rings, bodies, boxes, to_centroids, hull_x, hull_y, hulls, solid, thickness,
          widest, spare)
    with nogil:
        for q in range(begin, stop):
            base = min(observers[q, FOOTING], observed[q, FOOTING])
            eye = above(observers[q, FOOTING] + observers[q, HEIGHT], base)
            mark = above(observed[q, FOOTING] + observed[q, HEIGHT], base)
            hidden[q] = NO
            by[q] = -1
            for k in range(starts[q], starts[q + 1]):
                which[k] = case_of(above(tops[rows[k]], base), eye, mark)
                is_solid[k] = UNASKED
                if which[k] == TALL and fractions[k] >= half:
                    is_solid[k] = solidity(&b, rows[k], ends[q, 0], ends[q, 1], camouflaged[k])
                    if is_solid[k] == YES:
                        hidden[q] = YES
                        if not camouflaged[k]:
                            by[q] = rows[k]


def solidities(const double[::1] x, const double[::1] y, const int32_t[::1] rings,
               const int32_t[::1] bodies, const double[:, ::1] boxes,
               const double[:, ::1] to_centroids, const double[::1] hull_x,
               const double[::1] hull_y, const int32_t[::1] hulls, const uint8_t[::1] solid,
               const double[::1] thickness, Py_ssize_t widest, double[::1] spare,
               const int32_t[:, ::1] ends, const int32_t[::1] rows,
               const uint8_t[::1] camouflaged, uint8_t[::1] out):
    """out[k] = whether body rows[k] is solid between the two of ends[k]: NO, YES or OPEN.

    spare : 8 * widest + 8 doubles
    """
    cdef Bodies b
    cdef Py_ssize_t k
    if not rows.shape[0]:
        return
    point(&b, x, y, rings, bodies, boxes, to_centroids, hull_x, hull_y, hulls, solid, thickness,
          widest, spare)
    with nogil:
        for k in range(rows.shape[0]):
            out[k] = solidity(&b, rows[k], ends[k, 0], ends[k, 1], camouflaged[k])


cdef double farthest(const Bodies *b, Py_ssize_t body, const double[:, ::1] corners,
                     Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """From a body to the farthest of some places."""
    cdef Py_ssize_t k
    cdef double most = 0
    for k in range(start, stop):
        most = max(most, to_outline(&b.o, body, corners[k, 0], corners[k, 1]))
    return most


def facts(const double[::1] x, const double[::1] y, const int32_t[::1] rings,
          const int32_t[::1] bodies, const double[:, ::1] boxes,
          const double[:, ::1] to_centroids, const double[::1] hull_x,
          const double[::1] hull_y, const int32_t[::1] hulls, const uint8_t[::1] solid,
          const double[::1] thickness, Py_ssize_t widest, double[::1] spare,
          const int32_t[:, ::1] ends, const int32_t[:, ::1] whose,
          const double[:, ::1] corners, const int32_t[::1] first_corner, const double[::1] radii,
          const uint8_t[::1] convex, const uint8_t[::1] crouched, const double[:, ::1] ground,
          const Py_ssize_t[::1] starts, const int32_t[::1] rows, const double[::1] fractions,
          const uint8_t[::1] camouflaged, double half, Py_ssize_t begin, Py_ssize_t stop,
          const uint8_t[::1] which, const uint8_t[::1] hidden, uint8_t[::1] is_solid,
          uint8_t[::1] bears, double[::1] to_observer, double[::1] to_observed,
          double[::1] observer_depth, double[::1] observed_depth, uint8_t[::1] unsure):
    """How far what stands in the corridors is from their ends, wherever it counts.

    ends : (n, 2) rows of the observer and the observed
    whose : (n, 2) whose *corners* stand there; -1 where it is one member alone
    corners : places of members of whom one is the farthest from any convex body
    radii : of a member's footprint
    bears : (n,) whether anything all together fills half of the corridor
    to_observer, to_observed, observer_depth, observed_depth : (k,) as the levels are asked for
        them; elsewhere NaN
    unsure : (k,) whether the depth of a row was left to the caller
    """
    cdef Bodies b
    cdef Py_ssize_t q, k, near, far, shorter, owner, body
    cdef double weight, depth
    cdef bint open_, behind
    if stop <= begin:
        return
    point(&b, x, y, rings, bodies, boxes, to_centroids, hull_x, hull_y, hulls, solid, thickness,
          widest, spare)
    with nogil:
        for q in range(begin, stop):
            near, far = ends[q, 0], ends[q, 1]
            weight = 0
            for k in range(starts[q], starts[q + 1]):
                if which[k] != NOTHING or crouched[q]:
                    weight += fractions[k]
            bears[q] = weight + max(ground[q, 0], ground[q, 1]) >= half - SUMS
            for k in range(starts[q], starts[q + 1]):
                to_observer[k] = to_observed[k] = observer_depth[k] = observed_depth[k] = NAN
                unsure[k] = False
                if hidden[q] or not bears[q] or (which[k] == NOTHING and not crouched[q]):
                    continue
                body = rows[k]
                if is_solid[k] == UNASKED and which[k] != HALF and which[k] != NOTHING:
                    is_solid[k] = solidity(&b, body, near, far, camouflaged[k])
                if which[k] == HALF or which[k] == SHADOW:
                    to_observer[k] = gap(&b.o, body, near)
                if which[k] == HALF or which[k] == FROM_SHADOW or crouched[q]:
                    to_observed[k] = gap(&b.o, body, far)
                if which[k] != SHADOW and which[k] != FROM_SHADOW:
                    continue
                shorter = far if which[k] == SHADOW else near
                owner = whose[q, 1 if which[k] == SHADOW else 0]
                open_ = False
                behind = is_before(&b.o, shorter, near if which[k] == SHADOW else far, body,
                                   b.spare, 2 * b.widest + 2, &open_)
                if open_ or (behind and owner >= 0 and not convex[body]):
                    unsure[k] = True
                if open_ or not behind:
                    continue
                if owner < 0:
                    depth = gap(&b.o, body, shorter)
                else:
                    depth = max(farthest(&b, body, corners, first_corner[owner],
                                         first_corner[owner + 1]) - radii[owner], 0.0)
                if which[k] == SHADOW:
                    observed_depth[k] = depth
                else:
                    observer_depth[k] = depth
