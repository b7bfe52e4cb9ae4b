"""Gaps, contacts, lines, arcs and straight moves of many footprints (see rounded.pxd).

Callers go through ``emlia3d.geometry.footprints``, which checks what is assumed here: finite
numbers, facings of length 1, lengths of 0 or more, columns of the stated shape.
"""

from libc.math cimport INFINITY, NAN, fabs, sqrt
from libc.stdint cimport int8_t, int32_t, uint8_t

from rounded cimport (
    Footprint, Span, across, along, corner, first_touch, gap, has_extent, narrower,
    span_in, to_core,
)

cdef enum:
    NONE = -1
    FRONT = 0
    RIGHT = 1
    REAR = 2
    LEFT = 3
    # The corners follow: front right, rear right, rear left, front left.
    CORNER = 4
    RIM = 8


cdef inline const Footprint *at(const double[:, ::1] columns, Py_ssize_t row) noexcept nogil:
    return <const Footprint *> &columns[row, 0]


def gaps(const double[:, ::1] ones, const double[:, ::1] others, double[:, ::1] out):
    """out[i, j] = the gap between footprint i of *ones* and j of *others*."""
    cdef Py_ssize_t i, j
    with nogil:
        for i in range(ones.shape[0]):
            for j in range(others.shape[0]):
                out[i, j] = gap(at(ones, i), at(others, j))


def gaps_of_all(const double[:, ::1] bodies, double[:, ::1] out):
    """out[i, j] = the gap between footprints i and j of the same columns."""
    cdef Py_ssize_t i, j
    with nogil:
        for i in range(bodies.shape[0]):
            out[i, i] = 0
            for j in range(i):
                out[i, j] = out[j, i] = gap(at(bodies, i), at(bodies, j))


cdef inline int part_at(const Footprint *f, double x, double y, double slack) noexcept nogil:
    """Return the side or the corner of a core nearest to a point."""
    cdef double s = across(f, x - f.x, y - f.y)
    cdef double t = along(f, x - f.x, y - f.y)
    cdef double beside = fabs(s) - f.half_width
    cdef double before = fabs(t) - f.half_depth
    if beside > -slack and before > -slack:
        if s > 0:
            return CORNER if t > 0 else CORNER + 1
        return CORNER + 3 if t > 0 else CORNER + 2
    if before > beside:
        return FRONT if t > 0 else REAR
    return RIGHT if s > 0 else LEFT


cdef inline int part_touched(const Footprint *f, const Footprint *g, double slack) noexcept nogil:
    """The part of the first footprint that the second touches."""
    cdef double nearest = INFINITY, apart, x, y
    cdef int k, found = RIM
    if not has_extent(f):
        return RIM
    if not has_extent(g):
        return part_at(f, g.x, g.y, slack)
    for k in range(4):
        corner(f, k, &x, &y)
        apart = to_core(g, x, y)
        if apart < nearest:
            nearest, found = apart, CORNER + k
    for k in range(4):
        corner(g, k, &x, &y)
        apart = to_core(f, x, y)
        if apart <= nearest:
            nearest, found = apart, part_at(f, x, y, slack)
    if nearest > slack + f.radius + g.radius:
        # They cross, with no corner of one in the other.
        return part_at(f, g.x, g.y, slack)
    return found


cdef inline double shared_edge(const Footprint *f, int side, const Footprint *g,
                               double slack) noexcept nogil:
    """Return the length of a side of the first footprint that the second is flush with."""
    cdef double half = f.half_width if side == FRONT or side == REAR else f.half_depth
    cdef double far = (f.half_depth if side == FRONT or side == REAR else f.half_width) + f.radius
    cdef double longest = 0
    cdef double x, y, place, next_place, out, next_out, low, high
    cdef int k
    for k in range(4):
        corner(g, k, &x, &y)
        beside_of(f, side, x, y, &place, &out)
        corner(g, (k + 1) & 3, &x, &y)
        beside_of(f, side, x, y, &next_place, &next_out)
        if place > next_place:
            place, next_place, out, next_out = next_place, place, next_out, out
        low, high = max(place, -half), min(next_place, half)
        if high <= low:
            continue
        if (fabs(at_part(out, next_out, (low - place) / (next_place - place)) - far - g.radius)
                <= slack
                and fabs(at_part(out, next_out, (high - place) / (next_place - place)) - far
                         - g.radius) <= slack):
            longest = max(longest, high - low)
    return longest


cdef inline double at_part(double start, double end, double part) noexcept nogil:
    return start + (end - start) * part


cdef inline void beside_of(const Footprint *f, int side, double x, double y, double *place,
                           double *out) noexcept nogil:
    """Write the place of a point along a side, from its middle, and its distance outwards."""
    cdef double s = across(f, x - f.x, y - f.y)
    cdef double t = along(f, x - f.x, y - f.y)
    if side == FRONT or side == REAR:
        place[0], out[0] = s, (t if side == FRONT else -t)
    else:
        place[0], out[0] = t, (s if side == RIGHT else -s)


def contacts(const double[:, ::1] bodies, double slack, const double[:, ::1] gaps,
             int8_t[:, ::1] part, double[:, ::1] length):
    """part[i, j] = what of i touches j, -1 where nothing does; length[i, j] of the shared edge.

    slack : GSU, of a gap that counts as none
    """
    cdef Py_ssize_t i, j
    cdef int side
    cdef double most, shared
    with nogil:
        for i in range(bodies.shape[0]):
            for j in range(bodies.shape[0]):
                part[i, j], length[i, j] = NONE, 0
                if i == j or gaps[i, j] > slack:
                    continue
                part[i, j] = part_touched(at(bodies, i), at(bodies, j), slack)
                most = slack
                for side in range(4 if has_extent(at(bodies, i)) and has_extent(at(bodies, j))
                                  else 0):
                    shared = shared_edge(at(bodies, i), side, at(bodies, j), slack)
                    if shared > most:
                        most = shared
                        part[i, j], length[i, j] = side, shared


def chords(const double[:, ::1] lines, const double[:, ::1] bodies, double slack,
           double[:, :, ::1] out):
    """out[i, j] = where line i enters body j and where it leaves it, 0 to 1; NaN if it does not.

    lines : x and y of the start, x and y of the end
    slack : GSU, how deep a line may run in a body and not cross it
    """
    cdef Py_ssize_t i, j
    cdef Span span
    cdef Footprint body
    with nogil:
        for j in range(bodies.shape[0]):
            body = narrower(at(bodies, j), slack)
            for i in range(lines.shape[0]):
                span = span_in(&body, lines[i, 0], lines[i, 1], lines[i, 2] - lines[i, 0],
                               lines[i, 3] - lines[i, 1])
                span.low, span.high = max(span.low, 0.0), min(span.high, 1.0)
                if span.low < span.high:
                    out[i, j, 0], out[i, j, 1] = span.low, span.high
                else:
                    out[i, j, 0] = out[i, j, 1] = NAN


cdef inline double reach_out(const Footprint *f, double east, double north) noexcept nogil:
    """Return the reach of a footprint from its centre in a direction of length 1."""
    return (fabs(across(f, east, north)) * f.half_width + fabs(along(f, east, north))
            * f.half_depth + f.radius)


cdef inline bint meets_ray(const Footprint *f, double x, double y, double east,
                           double north) noexcept nogil:
    cdef Span span = span_in(f, x, y, east, north)
    return span.low < span.high and span.high > 0


def arcs(const double[:, ::1] arcs, const double[:, ::1] bodies, double slack,
         uint8_t[:, ::1] out):
    """out[i, j] = 0 if body j lies outside arc i, 1 if partly in it, 2 if wholly.

    arcs : x and y of its point, east and north of its left border and of its right one, both of
        length 1; clockwise from left to right, half a circle at most
    slack : GSU that a body may reach over a border and not lie on both sides of it
    """
    cdef Py_ssize_t i, j
    cdef double x, y, le, ln, re, rn, dx, dy, left, right, wide_left, wide_right
    cdef const Footprint *f
    cdef Footprint small
    with nogil:
        for i in range(arcs.shape[0]):
            x, y = arcs[i, 0], arcs[i, 1]
            le, ln, re, rn = arcs[i, 2], arcs[i, 3], arcs[i, 4], arcs[i, 5]
            for j in range(bodies.shape[0]):
                f = at(bodies, j)
                dx, dy = f.x - x, f.y - y
                # The distances of the centre from both borders, inwards.
                left, right = dx * ln - dy * le, dy * re - dx * rn
                wide_left, wide_right = reach_out(f, ln, -le), reach_out(f, -rn, re)
                if left >= wide_left - slack and right >= wide_right - slack:
                    out[i, j] = 2
                elif left + wide_left <= slack or right + wide_right <= slack:
                    out[i, j] = 0
                elif left >= 0 and right >= 0:
                    out[i, j] = 1
                else:
                    small = narrower(f, slack)
                    out[i, j] = meets_ray(&small, x, y, le, ln) or meets_ray(&small, x, y, re, rn)


cdef inline double size_of(const Footprint *f) noexcept nogil:
    """From the centre to the farthest point."""
    return sqrt(f.half_width * f.half_width + f.half_depth * f.half_depth) + f.radius


cdef inline bint keeps_clear(const Footprint *f, const Footprint *g, double size, double dx,
                             double dy) noexcept nogil:
    """Return whether a move is too far from a footprint to touch it, by a quick test.

    size : of the one that moves
    """
    cdef double x = g.x - f.x
    cdef double y = g.y - f.y
    cdef double square = dx * dx + dy * dy
    cdef double reach = size + size_of(g) + 0.01
    cdef double part = 0
    if square > 0:
        part = max(0.0, min(1.0, (x * dx + y * dy) / square))
    x -= part * dx
    y -= part * dy
    return x * x + y * y > reach * reach


cdef inline double goes(const Footprint *mover, const Footprint *body, double dx, double dy,
                        double slack) noexcept nogil:
    """Return the part of a move that is free of a body, 0 to 1; infinite if all of it is."""
    cdef Footprint small
    cdef double part, length
    if gap(mover, body) > slack:
        return first_touch(mover, body, dx, dy)
    # They touch: it may go off or along the body, but not into it.
    small = narrower(mover, slack)
    if gap(&small, body) == 0:
        return 0 if dx * (body.x - mover.x) + dy * (body.y - mover.y) > 0 else INFINITY
    part, length = first_touch(&small, body, dx, dy), sqrt(dx * dx + dy * dy)
    return part if part > 1 else max(part - slack / length, 0.0)


def first_met(const double[:, ::1] mover, const double[:, ::1] moves,
              const double[:, ::1] bodies, const uint8_t[::1] ignored,
              const double[:, ::1] edges, double slack, double[::1] part, int32_t[::1] met):
    """part[i] = how much of move i the mover makes, 0 to 1; met[i] = the row that ends it, or -1.

    mover : one footprint
    moves : east and north, GSU
    ignored : 1 for each body that the mover may pass through
    edges : of outlines, as footprints without depth; their rows follow those of the bodies
    slack : GSU, of a gap that counts as a touch
    """
    cdef Py_ssize_t i, j, count = bodies.shape[0]
    cdef const Footprint *f = at(mover, 0)
    cdef const Footprint *g
    cdef double dx, dy, found
    cdef double size = size_of(f)
    with nogil:
        for i in range(moves.shape[0]):
            dx, dy = moves[i, 0], moves[i, 1]
            part[i], met[i] = 1, -1
            if dx == 0 and dy == 0:
                continue
            for j in range(count + edges.shape[0]):
                if j < count and ignored[j]:
                    continue
                g = at(bodies, j) if j < count else at(edges, j - count)
                if keeps_clear(f, g, size, dx, dy):
                    continue
                found = goes(f, g, dx, dy, slack)
                if found < part[i] or (found <= 1 and met[i] < 0):
                    part[i], met[i] = min(found, 1.0), <int32_t> j
