"""The view of an eye in one quarter of the compass, as straight lines on a picture plane.

A place `across` and `away` from the eye has the direction X = across / away and the nearness
w = 1 / away; a point there that is `rise` above the eye has the slope S = rise * w. All three are
linear along a straight line in space, so edges of bodies and of the ground are straight in (X, w)
and in (X, S): what is nearer and what is higher are questions about straight lines.
"""

from libc.math cimport atan2, fabs, sqrt

from envelope cimport Horizon, Piece, append, raise_piece

cdef extern from *:
    """
    /* As near as anything comes to an eye; lengths are metres or of that order. */
    static const double NEAREST = 0x1p-30;
    /* What differs by less than this share is one and the same, seen through rounding. */
    static const double ALIKE = 0x1p-44;
    /* Slivers that are lower than this share of a body's height are rounding. */
    static const double SLIVER = 0x1p-36;
    """
    const double NEAREST
    const double ALIKE
    const double SLIVER


cdef struct Chord:
    # A straight line on the picture plane, x0 < x1.
    double x0
    double x1
    double w0
    double w1
    double s0
    double s1


cdef struct Wedge:
    # The part in view: from the direction a to b, as far as the line of nearness w.
    double xa
    double xb
    double wa
    double wb
    double least        # no slope below this is of interest


cdef inline double between(double x, double x0, double x1, double y0, double y1) noexcept nogil:
    """The value at x of a straight line through two points; just theirs at the points."""
    if x <= x0:
        return y0
    if x >= x1:
        return y1
    return y0 + (y1 - y0) * ((x - x0) / (x1 - x0))


cdef inline void turn(int quarter, double east, double north, double *across,
                      double *away) noexcept nogil:
    """Quarters open to the north, east, south and west; across is to the right."""
    if quarter == 0:
        across[0], away[0] = east, north
    elif quarter == 1:
        across[0], away[0] = -north, east
    elif quarter == 2:
        across[0], away[0] = -east, -north
    else:
        across[0], away[0] = north, -east


cdef inline void turn_back(int quarter, double across, double away, double *east,
                           double *north) noexcept nogil:
    if quarter == 0:
        east[0], north[0] = across, away
    elif quarter == 1:
        east[0], north[0] = away, -across
    elif quarter == 2:
        east[0], north[0] = -across, -away
    else:
        east[0], north[0] = -away, across


cdef inline bint kept(double at_start, double at_stop, double *start, double *stop) noexcept nogil:
    """Cut a line, from start to stop of 0 to 1, to where a linear function is not below 0."""
    if at_start < 0 and at_stop < 0:
        return False
    if at_start < 0:
        start[0] = max(start[0], at_start / (at_start - at_stop))
    elif at_stop < 0:
        stop[0] = min(stop[0], at_start / (at_start - at_stop))
    return start[0] < stop[0]


cdef inline void put_end(double u, double v, double rise, bint is_cut, double *x, double *w,
                         double *s) noexcept nogil:
    w[0] = 1 / v
    x[0] = u * w[0] if is_cut else u / v
    x[0] = min(max(x[0], -1.0), 1.0)
    s[0] = rise * w[0]


cdef inline bint lay(Chord *c, double u0, double v0, double rise0, double u1, double v1,
                     double rise1) noexcept nogil:
    """The line between two points as the quarter sees it; False where it does not, or end on."""
    cdef double start = 0, stop = 1
    cdef double u, v, rise, swap
    if v0 < NEAREST and v1 < NEAREST:
        return False
    if not (kept(v0 - u0, v1 - u1, &start, &stop) and kept(v0 + u0, v1 + u1, &start, &stop)
            and kept(v0 - NEAREST, v1 - NEAREST, &start, &stop)):
        return False
    u, v, rise = u1 - u0, v1 - v0, rise1 - rise0
    if stop < 1:
        put_end(u0 + stop * u, max(v0 + stop * v, NEAREST), rise0 + stop * rise, True,
                &c.x1, &c.w1, &c.s1)
        if fabs(fabs(c.x1) - 1) < ALIKE:
            c.x1 = 1 if c.x1 > 0 else -1
    else:
        put_end(u1, v1, rise1, False, &c.x1, &c.w1, &c.s1)
    if start > 0:
        put_end(u0 + start * u, max(v0 + start * v, NEAREST), rise0 + start * rise, True,
                &c.x0, &c.w0, &c.s0)
        if fabs(fabs(c.x0) - 1) < ALIKE:
            c.x0 = 1 if c.x0 > 0 else -1
    else:
        put_end(u0, v0, rise0, False, &c.x0, &c.w0, &c.s0)
    if c.x0 > c.x1:
        swap = c.x0
        c.x0, c.x1 = c.x1, swap
        swap = c.w0
        c.w0, c.w1 = c.w1, swap
        swap = c.s0
        c.s0, c.s1 = c.s1, swap
    return c.x0 < c.x1


cdef inline bint cut(Chord *c, double start, double stop) noexcept nogil:
    """Keep what is between two directions; False for nothing."""
    cdef Chord whole = c[0]
    if whole.x0 >= stop or whole.x1 <= start:
        return False
    if start > whole.x0:
        c.x0 = start
        c.w0 = between(start, whole.x0, whole.x1, whole.w0, whole.w1)
        c.s0 = between(start, whole.x0, whole.x1, whole.s0, whole.s1)
    if stop < whole.x1:
        c.x1 = stop
        c.w1 = between(stop, whole.x0, whole.x1, whole.w0, whole.w1)
        c.s1 = between(stop, whole.x0, whole.x1, whole.s0, whole.s1)
    return c.x0 < c.x1


cdef inline bint cut_nearer(Chord *c, const Wedge *wedge) noexcept nogil:
    """Keep what is in the wedge and nearer than its line; False for nothing."""
    cdef double before_0, before_1, x
    if not cut(c, wedge.xa, wedge.xb):
        return False
    before_0 = c.w0 - (1 + ALIKE) * between(c.x0, wedge.xa, wedge.xb, wedge.wa, wedge.wb)
    before_1 = c.w1 - (1 + ALIKE) * between(c.x1, wedge.xa, wedge.xb, wedge.wa, wedge.wb)
    if before_0 < 0 and before_1 < 0:
        return False
    if before_0 >= 0 and before_1 >= 0:
        return True
    x = c.x0 + (c.x1 - c.x0) * (before_0 / (before_0 - before_1))
    if before_0 < 0:
        return cut(c, x, c.x1)
    return cut(c, c.x0, x)


cdef inline void flatten(Horizon *h, double xa, double xb, double sa, double sb) noexcept nogil:
    """A horizon that is one straight line."""
    h.first, h.count, h.stop = 0, 1, xb
    h.pieces[0].start = xa
    h.pieces[0].b = (sb - sa) / (xb - xa)
    h.pieces[0].a = sa - h.pieces[0].b * xa


cdef inline bint lift(Horizon **h, Horizon **spare, const Chord *c) noexcept nogil:
    """Raise a horizon by a chord; False for no room."""
    cdef Piece piece
    cdef Horizon *held = h[0]
    piece.start = c.x0
    piece.b = (c.s1 - c.s0) / (c.x1 - c.x0)
    piece.a = c.s0 - piece.b * c.x0
    if not raise_piece(held, spare[0], &piece, c.x1):
        return False
    h[0] = spare[0]
    spare[0] = held
    return True


cdef inline bint copied(const Horizon *h, Horizon *out) noexcept nogil:
    cdef Py_ssize_t k
    out.first = out.count = 0
    out.stop = h.stop
    if h.count + 4 > out.room:
        return False
    for k in range(h.first, h.first + h.count):
        append(out, h.pieces[k].start, h.pieces[k].a, h.pieces[k].b)
    return True


cdef inline double corner(double xa, double sa, double xb, double sb, double xc,
                          double sc) noexcept nogil:
    """The solid angle of a triangle on the picture plane (Van Oosterom and Strackee 1983)."""
    cdef double twice = fabs((xb - xa) * (sc - sa) - (xc - xa) * (sb - sa))
    cdef double a = sqrt(1 + xa * xa + sa * sa)
    cdef double b = sqrt(1 + xb * xb + sb * sb)
    cdef double c = sqrt(1 + xc * xc + sc * sc)
    return 2 * atan2(twice, a * b * c + (1 + xa * xb + sa * sb) * c + (1 + xb * xc + sb * sc) * a
                     + (1 + xc * xa + sc * sa) * b)


cdef inline double strip(double xa, double xb, double low_a, double low_b, double high_a,
                         double high_b) noexcept nogil:
    """The solid angle between two lines from one direction to another."""
    return (corner(xa, low_a, xb, low_b, xb, high_b) + corner(xa, low_a, xb, high_b, xa, high_a))


cdef inline double above(const Horizon *h, const Wedge *wedge, double high_a, double high_b,
                         double sliver) noexcept nogil:
    """The solid angle between a horizon and a line above it, from end to end of the wedge."""
    cdef double total = 0
    cdef Py_ssize_t k
    cdef const Piece *p
    cdef double x0, x1, x, low_0, low_1, high_0, high_1, over_0, over_1
    for k in range(h.first, h.first + h.count):
        p = h.pieces + k
        x0 = max(p.start, wedge.xa)
        x1 = h.stop if k + 1 == h.first + h.count else p[1].start
        if not x0 < x1:
            continue
        low_0, low_1 = p.a + p.b * x0, p.a + p.b * x1
        high_0 = between(x0, wedge.xa, wedge.xb, high_a, high_b)
        high_1 = between(x1, wedge.xa, wedge.xb, high_a, high_b)
        over_0, over_1 = high_0 - low_0, high_1 - low_1
        if over_0 <= sliver and over_1 <= sliver:
            continue
        if over_0 < 0:
            x = x0 + (x1 - x0) * (over_0 / (over_0 - over_1))
            total += corner(x, between(x, x0, x1, high_0, high_1), x1, low_1, x1, high_1)
        elif over_1 < 0:
            x = x0 + (x1 - x0) * (over_0 / (over_0 - over_1))
            total += corner(x, between(x, x0, x1, high_0, high_1), x0, low_0, x0, high_0)
        else:
            total += strip(x0, x1, low_0, low_1, high_0, high_1)
    return total
