"""Footprints: oriented rectangles with rounded corners, which discs and sharp rectangles are too.

A footprint is the sum of a rectangle, its core, and of a disc. A disc has a core without extent, a
sharp rectangle a radius of 0. Right of a facing (east, north) is (north, -east).
"""

from libc.math cimport INFINITY, fabs, sqrt

cdef enum:
    # The sum of two cores has no more corners.
    CORNERS = 8


cdef struct Footprint:
    double x
    double y
    double east             # facing, of length 1
    double north
    double half_width       # across the facing
    double half_depth       # along it
    double radius


cdef inline double across(const Footprint *f, double x, double y) noexcept nogil:
    """Return the part of a direction to the right of the facing."""
    return x * f.north - y * f.east


cdef inline double along(const Footprint *f, double x, double y) noexcept nogil:
    """Return the part of a direction along the facing."""
    return x * f.east + y * f.north


cdef inline double to_core(const Footprint *f, double x, double y) noexcept nogil:
    """From a point to a core; 0 from within."""
    cdef double s = max(fabs(across(f, x - f.x, y - f.y)) - f.half_width, 0.0)
    cdef double t = max(fabs(along(f, x - f.x, y - f.y)) - f.half_depth, 0.0)
    return sqrt(s * s + t * t)


cdef inline void corner(const Footprint *f, int k, double *x, double *y) noexcept nogil:
    """The corners of a core: front right, rear right, rear left, front left."""
    cdef double s = f.half_width if k < 2 else -f.half_width
    cdef double t = f.half_depth if k == 0 or k == 3 else -f.half_depth
    x[0] = f.x + s * f.north + t * f.east
    y[0] = f.y - s * f.east + t * f.north


cdef inline bint has_extent(const Footprint *f) noexcept nogil:
    return f.half_width > 0 or f.half_depth > 0


cdef inline bint parted(const Footprint *f, const Footprint *g) noexcept nogil:
    """Return whether a line along a side of the first core parts the two cores."""
    cdef double x = g.x - f.x
    cdef double y = g.y - f.y
    cdef double cosine = fabs(along(f, g.east, g.north))
    cdef double sine = fabs(across(f, g.east, g.north))
    return (fabs(across(f, x, y)) > f.half_width + cosine * g.half_width + sine * g.half_depth
            or fabs(along(f, x, y)) > f.half_depth + sine * g.half_width + cosine * g.half_depth)


cdef inline double cores_apart(const Footprint *f, const Footprint *g) noexcept nogil:
    """Between the nearest points of two cores; 0 where they touch or overlap."""
    cdef double least = INFINITY
    cdef double x, y
    cdef int k
    if not has_extent(g):
        return to_core(f, g.x, g.y)
    if not has_extent(f):
        return to_core(g, f.x, f.y)
    if not parted(f, g) and not parted(g, f):
        return 0
    for k in range(4):
        corner(f, k, &x, &y)
        least = min(least, to_core(g, x, y))
        corner(g, k, &x, &y)
        least = min(least, to_core(f, x, y))
    return least


cdef inline double gap(const Footprint *f, const Footprint *g) noexcept nogil:
    """Between the nearest edges of two footprints; 0 where they touch or overlap."""
    return max(cores_apart(f, g) - f.radius - g.radius, 0.0)


cdef struct Span:
    # Parts of a line, 0 for its start and 1 for its end; empty where low >= high.
    double low
    double high


cdef inline Span span_in_box(double s, double t, double ds, double dt, double half_width,
                             double half_depth) noexcept nogil:
    """Return the part of an endless line inside a box about the origin, without its edge."""
    cdef Span found
    cdef double one, other
    found.low, found.high = -INFINITY, INFINITY
    if ds == 0:
        if fabs(s) >= half_width:
            found.high = -INFINITY
    else:
        one, other = (-half_width - s) / ds, (half_width - s) / ds
        found.low, found.high = max(found.low, min(one, other)), min(found.high, max(one, other))
    if dt == 0:
        if fabs(t) >= half_depth:
            found.high = -INFINITY
    else:
        one, other = (-half_depth - t) / dt, (half_depth - t) / dt
        found.low, found.high = max(found.low, min(one, other)), min(found.high, max(one, other))
    return found


cdef inline Span span_in_disc(double s, double t, double ds, double dt,
                              double radius) noexcept nogil:
    """Return the part of an endless line inside a disc about the origin."""
    cdef Span found
    cdef double square = ds * ds + dt * dt
    cdef double aside = s * dt - t * ds
    cdef double inner = radius * radius * square - aside * aside
    cdef double middle, half
    found.low, found.high = INFINITY, -INFINITY
    if inner <= 0 or square == 0:
        return found
    middle, half = -(s * ds + t * dt) / square, sqrt(inner) / square
    found.low, found.high = middle - half, middle + half
    return found


cdef inline void take_in(Span *whole, Span part) noexcept nogil:
    """Widen a span by another that it overlaps or that lies beside it; by an empty one not."""
    if part.low < part.high:
        whole.low, whole.high = min(whole.low, part.low), max(whole.high, part.high)


cdef inline Span span_in(const Footprint *f, double x, double y, double dx,
                         double dy) noexcept nogil:
    """Return the part of an endless line from (x, y) by (dx, dy) inside a footprint."""
    cdef Span found
    cdef double s = across(f, x - f.x, y - f.y)
    cdef double t = along(f, x - f.x, y - f.y)
    cdef double ds = across(f, dx, dy)
    cdef double dt = along(f, dx, dy)
    cdef int k
    cdef double right, ahead
    found.low, found.high = INFINITY, -INFINITY
    if f.radius == 0:
        take_in(&found, span_in_box(s, t, ds, dt, f.half_width, f.half_depth))
        return found
    if has_extent(f):
        take_in(&found, span_in_box(s, t, ds, dt, f.half_width + f.radius, f.half_depth))
        take_in(&found, span_in_box(s, t, ds, dt, f.half_width, f.half_depth + f.radius))
    for k in range(4 if has_extent(f) else 1):
        right = f.half_width if k < 2 else -f.half_width
        ahead = f.half_depth if k == 0 or k == 3 else -f.half_depth
        take_in(&found, span_in_disc(s - right, t - ahead, ds, dt, f.radius))
    return found


cdef inline Footprint narrower(const Footprint *f, double by) noexcept nogil:
    """Return a footprint drawn in by a length on all sides; it vanishes at most."""
    cdef Footprint found = f[0]
    if found.radius >= by:
        found.radius -= by
        return found
    by -= found.radius
    found.radius = 0
    found.half_width = max(found.half_width - by, 0.0)
    found.half_depth = max(found.half_depth - by, 0.0)
    return found


cdef struct Sum:
    # The sum of two cores, convex: its corners anticlockwise, and the directions of its edges.
    int count
    double x[CORNERS]
    double y[CORNERS]
    double east[CORNERS]
    double north[CORNERS]
    double length[CORNERS]


cdef inline void put_edge(Sum *total, int *count, double east, double north,
                          double half) noexcept nogil:
    """Put half an edge, upwards, among the others, in order from the right to the left."""
    cdef int k = count[0]
    if half <= 0:
        return
    if north < 0 or (north == 0 and east < 0):
        east, north = -east, -north
    while k > 0 and total.east[k - 1] * north - total.north[k - 1] * east < 0:
        total.east[k], total.north[k] = total.east[k - 1], total.north[k - 1]
        total.length[k] = total.length[k - 1]
        k -= 1
    total.east[k], total.north[k], total.length[k] = east, north, 2 * half
    count[0] += 1


cdef inline void add_cores(Sum *total, const Footprint *f, const Footprint *g) noexcept nogil:
    """Write the places of the first core's centre at which it touches or overlaps the second.

    As seen from its centre now.
    """
    cdef int count = 0, k
    cdef double x = g.x - f.x
    cdef double y = g.y - f.y
    put_edge(total, &count, f.north, -f.east, f.half_width)
    put_edge(total, &count, f.east, f.north, f.half_depth)
    put_edge(total, &count, g.north, -g.east, g.half_width)
    put_edge(total, &count, g.east, g.north, g.half_depth)
    total.count = max(2 * count, 1)
    for k in range(count):
        x -= total.east[k] * total.length[k] / 2
        y -= total.north[k] * total.length[k] / 2
    total.x[0], total.y[0] = x, y
    for k in range(count):
        total.east[count + k], total.north[count + k] = -total.east[k], -total.north[k]
        total.length[count + k] = total.length[k]
    for k in range(2 * count - 1):
        x += total.east[k] * total.length[k]
        y += total.north[k] * total.length[k]
        total.x[k + 1], total.y[k + 1] = x, y


cdef inline double first_touch(const Footprint *f, const Footprint *g, double dx,
                               double dy) noexcept nogil:
    """Return the part of a straight move after which the first footprint touches the second.

    0 to 1; infinite if it does not. The two are apart.
    """
    cdef Sum total
    cdef Span disc
    cdef double radius = f.radius + g.radius
    cdef double nearest = INFINITY
    cdef double towards, part, beside
    cdef int k
    add_cores(&total, f, g)
    for k in range(total.count if total.count > 1 else 0):
        # Out of an edge points (north, -east).
        towards = dx * total.north[k] - dy * total.east[k]
        if towards >= 0:
            continue
        part = (radius + total.x[k] * total.north[k] - total.y[k] * total.east[k]) / towards
        beside = ((dx * part - total.x[k]) * total.east[k]
                  + (dy * part - total.y[k]) * total.north[k])
        if part >= 0 and -EDGE <= beside <= total.length[k] + EDGE:
            nearest = min(nearest, part)
    for k in range(total.count if radius > 0 else 0):
        disc = span_in_disc(-total.x[k], -total.y[k], dx, dy, radius)
        if disc.low < disc.high and disc.low >= 0:
            nearest = min(nearest, disc.low)
    return nearest if nearest <= 1 else INFINITY


cdef extern from *:
    """
    /* GSU that a way may pass a corner by and still touch it: far above what rounding does. */
    static const double EDGE = 1e-9;
    """
    const double EDGE
