"""How much of a sight corridor is covered, at the place of its axis where it is most.

Everything is measured in the axis frame of one corridor: s along the axis, t across it. Both are
stretched by the length of the axis vector, which is left unnormalised so that points on a binary
grid keep exact s and t wherever the axis is on the grid too; a share is a ratio and does not
notice. An outline is a heap of edges that run towards greater s. Edges perpendicular to the axis
are left out: they bound a region, but add nothing to its extent on either side of them.

Between two neighbouring marks (the s of every vertex and every crossing) the edges keep their
order along t, so extents are linear there and the share, a ratio of two of them, is greatest at
one of the two marks. Each is approached from inside the strip: that is the limit from either side
which the definition asks for where an edge is perpendicular. Strips no wider than rounding are
passed over; their two marks are measured from the strips beside them.

Nothing is allocated here: `take` cuts columns off the caller's scratch.
"""

from libc.math cimport fabs

from orient cimport turn
from outline cimport Outlines

cdef extern from *:
    """
    /* What double rounding may have done to a length in the axis frame, as a share of the largest
       number that went into it: some thirty roundings. */
    static const double ROUNDING = 0x1p-46;
    /* Where the hull is narrower than this share of its greatest width (at the point in which it
       ends), a ratio is rounding and nothing else. No two points of the 1/1024 grid on a field
       of 2**15 GSU give a step so small. */
    static const double NARROW = 0x1p-26;
    /* Shares up to this are touching, seen through rounding. */
    static const double TOUCHING = 0x1p-40;
    """
    const double ROUNDING
    const double NARROW
    const double TOUCHING


cdef struct Edges:
    Py_ssize_t count
    double *s0
    double *t0
    double *s1
    double *t1
    double *slope
    double south    # least s
    double north    # greatest s
    double west     # least t
    double east     # greatest t


cdef struct Cuts:
    # Where the perpendiculars in the middle of a strip and at its two marks cross some edges,
    # sorted by t in the middle.
    Py_ssize_t count
    double *middle
    double *before
    double *after


cdef struct Corridor:
    double ox
    double oy
    double dx
    double dy
    Edges low       # the hull's boundary at the lesser t
    Edges high      # and at the greater
    Edges a
    Edges b
    double doubt    # what rounding may have done to an s or a t
    double width    # greatest


cdef struct Scratch:
    Py_ssize_t room     # of marks
    double *marks
    int *order
    int *active
    double *spare_s
    double *spare_t
    Cuts cuts
    Cuts cuts_a
    Cuts cuts_b
    bint near_a     # whether what is measured comes near the observer or the observed at all
    bint near_b


cdef inline double *take(double **rest, Py_ssize_t count) noexcept nogil:
    cdef double *column = rest[0]
    rest[0] += count
    return column


cdef inline void take_edges(Edges *e, double **rest, Py_ssize_t room) noexcept nogil:
    e.s0 = take(rest, room)
    e.t0 = take(rest, room)
    e.s1 = take(rest, room)
    e.t1 = take(rest, room)
    e.slope = take(rest, room)


cdef inline void take_cuts(Cuts *c, double **rest, Py_ssize_t room) noexcept nogil:
    c.middle = take(rest, room)
    c.before = take(rest, room)
    c.after = take(rest, room)


cdef inline void take_all(Corridor *c, Scratch *w, Edges *e, double *numbers, int *places,
                          Py_ssize_t widest, Py_ssize_t edges, Py_ssize_t marks) noexcept nogil:
    """Cut the scratch up: 40 * widest + 8 * edges + marks numbers and 2 * edges places.

    widest : points of the body that has most; edges : of what is measured; marks : of a sweep
    """
    cdef double *rest = numbers
    take_edges(&c.a, &rest, widest)
    take_edges(&c.b, &rest, widest)
    take_edges(&c.low, &rest, 2 * widest)
    take_edges(&c.high, &rest, 2 * widest)
    take_cuts(&w.cuts_a, &rest, widest)
    take_cuts(&w.cuts_b, &rest, widest)
    w.spare_s = take(&rest, 2 * widest)
    w.spare_t = take(&rest, 2 * widest)
    take_edges(e, &rest, edges)
    take_cuts(&w.cuts, &rest, edges)
    w.marks = take(&rest, marks)
    w.room = marks
    w.order = places
    w.active = places + edges


cdef inline void clear(Edges *e) noexcept nogil:
    e.count = 0
    e.south = e.west = 1e300
    e.north = e.east = -1e300


cdef inline void add(Edges *e, double sa, double ta, double sb, double tb,
                     double doubt) noexcept nogil:
    """Enter the edge between two points, from the lesser s to the greater."""
    cdef Py_ssize_t k = e.count
    e.south = min(e.south, min(sa, sb))
    e.north = max(e.north, max(sa, sb))
    e.west = min(e.west, min(ta, tb))
    e.east = max(e.east, max(ta, tb))
    if fabs(sb - sa) <= doubt:
        return
    if sa < sb:
        e.s0[k], e.t0[k], e.s1[k], e.t1[k] = sa, ta, sb, tb
    else:
        e.s0[k], e.t0[k], e.s1[k], e.t1[k] = sb, tb, sa, ta
    e.slope[k] = (e.t1[k] - e.t0[k]) / (e.s1[k] - e.s0[k])
    e.count += 1


cdef inline double place(const Edges *e, Py_ssize_t k, double s) noexcept nogil:
    """The t of edge k at s; beyond its ends the t of the end, to the last bit."""
    if s <= e.s0[k]:
        return e.t0[k]
    if s >= e.s1[k]:
        return e.t1[k]
    return e.t0[k] + (s - e.s0[k]) * e.slope[k]


cdef inline double along(const Corridor *c, double x, double y) noexcept nogil:
    return (x - c.ox) * c.dx + (y - c.oy) * c.dy


cdef inline double across(const Corridor *c, double x, double y) noexcept nogil:
    return (y - c.oy) * c.dx - (x - c.ox) * c.dy


cdef inline void add_body(Edges *e, const Corridor *c, const Outlines *o,
                          Py_ssize_t body) noexcept nogil:
    """All edges of a body in the corridor's axis frame, instead of what was there."""
    cdef Py_ssize_t ring, k
    cdef double s, t, s_next, t_next
    clear(e)
    for ring in range(o.bodies[body], o.bodies[body + 1]):
        k = o.rings[ring]
        s = along(c, o.x[k], o.y[k])
        t = across(c, o.x[k], o.y[k])
        for k in range(o.rings[ring] + 1, o.rings[ring + 1]):
            s_next = along(c, o.x[k], o.y[k])
            t_next = across(c, o.x[k], o.y[k])
            add(e, s, t, s_next, t_next, c.doubt)
            s = s_next
            t = t_next


cdef inline void sort_marks(double *marks, Py_ssize_t count) noexcept nogil:
    """Shellsort: in place, without recursion, and the same everywhere."""
    cdef Py_ssize_t gap = 1, i, j
    cdef double mark
    while 9 * gap < 4 * count:
        gap = (9 * gap + 3) // 4 + 1
    while gap > 0:
        for i in range(gap, count):
            mark = marks[i]
            j = i
            while j >= gap and marks[j - gap] > mark:
                marks[j] = marks[j - gap]
                j -= gap
            marks[j] = mark
        gap = gap * 4 // 9


cdef inline void sort_edges(int *order, const Edges *e) noexcept nogil:
    """The edges' numbers in the order of their beginnings."""
    cdef Py_ssize_t gap = 1, i, j
    cdef int k
    cdef double beginning
    for i in range(e.count):
        order[i] = <int> i
    while 9 * gap < 4 * e.count:
        gap = (9 * gap + 3) // 4 + 1
    while gap > 0:
        for i in range(gap, e.count):
            k = order[i]
            beginning = e.s0[k]
            j = i
            while j >= gap and e.s0[order[j - gap]] > beginning:
                order[j] = order[j - gap]
                j -= gap
            order[j] = k
        gap = gap * 4 // 9


cdef inline Py_ssize_t hull_points(const Corridor *c, Scratch *w, const Outlines *o,
                                   Py_ssize_t a, Py_ssize_t b) noexcept nogil:
    """The points of both bodies' hulls in the axis frame, sorted by s, then t."""
    cdef Py_ssize_t count = 0, body, k, j, turn_of
    cdef double s, t
    for turn_of in range(2):
        body = b if turn_of else a
        for k in range(o.hulls[body], o.hulls[body + 1]):
            s = along(c, o.hull_x[k], o.hull_y[k])
            t = across(c, o.hull_x[k], o.hull_y[k])
            j = count
            while j > 0 and (w.spare_s[j - 1] > s
                             or (w.spare_s[j - 1] == s and w.spare_t[j - 1] > t)):
                w.spare_s[j] = w.spare_s[j - 1]
                w.spare_t[j] = w.spare_t[j - 1]
                j -= 1
            w.spare_s[j] = s
            w.spare_t[j] = t
            count += 1
    return count


cdef inline void add_chain(Edges *chain, const Scratch *w, Py_ssize_t count, int side,
                           double doubt) noexcept nogil:
    """The hull's boundary on one side (+1: lesser t, -1: greater), by Andrew's monotone chain.

    The corners are stacked in the chain's own first columns, which the edges then overwrite
    from behind: edge k needs the corners k and k + 1 only.
    """
    cdef Py_ssize_t top = 0, k
    cdef double s, t
    for k in range(count):
        s = w.spare_s[k]
        t = w.spare_t[k]
        while top >= 2 and side * turn(chain.s0[top - 2], chain.t0[top - 2],
                                       chain.s0[top - 1], chain.t0[top - 1], s, t) <= 0:
            top -= 1
        chain.s0[top] = s
        chain.t0[top] = t
        top += 1
    clear(chain)
    for k in range(top - 1):
        add(chain, chain.s0[k], chain.t0[k], chain.s0[k + 1], chain.t0[k + 1], doubt)


cdef inline double chain_place(const Edges *chain, double s) noexcept nogil:
    cdef Py_ssize_t k = 0
    while k < chain.count - 1 and chain.s1[k] < s:
        k += 1
    return place(chain, k, s)


cdef inline bint lay_out(Corridor *c, Scratch *w, const Outlines *o,
                         Py_ssize_t a, Py_ssize_t b) noexcept nogil:
    """The corridor between two bodies that do not touch; False if it has no width.

    The caller gives a and b in one order whichever of them observes (see `comes_first`), so that
    both get the same bits. Where the centroids coincide the axis runs east.
    """
    cdef const double *p = o.centroids + 2 * a
    cdef const double *q = o.centroids + 2 * b
    cdef const double *box
    cdef double reach = 0, s
    cdef Py_ssize_t k, which, count
    # A corner of the outline is on the grid where a centroid seldom is.
    c.ox = o.x[o.rings[o.bodies[a]]]
    c.oy = o.y[o.rings[o.bodies[a]]]
    c.dx = q[0] - p[0]
    c.dy = q[1] - p[1]
    for which in range(2):
        box = o.boxes + 4 * (b if which else a)
        for k in range(4):
            reach = max(reach, fabs(box[k]))
    if fabs(c.dx) + fabs(c.dy) <= 16 * ROUNDING * reach:
        c.dx = 1
        c.dy = 0
    c.doubt = ROUNDING * reach * (fabs(c.dx) + fabs(c.dy))
    count = hull_points(c, w, o, a, b)
    add_chain(&c.low, w, count, 1, c.doubt)
    add_chain(&c.high, w, count, -1, c.doubt)
    if c.low.count == 0 or c.high.count == 0:
        return False
    c.width = 0
    for k in range(count):
        s = w.spare_s[k]
        c.width = max(c.width, chain_place(&c.high, s) - chain_place(&c.low, s))
    if c.width <= 64 * c.doubt:
        return False
    add_body(&c.a, c, o, a)
    add_body(&c.b, c, o, b)
    return True


cdef inline bint comes_first(const Outlines *o, Py_ssize_t a, Py_ssize_t b) noexcept nogil:
    """Which of two bodies the axis starts from: the western, then the southern, then the lower row.

    By place and not by row, so that the order in which a scene was written down changes nothing.
    """
    cdef const double *p = o.centroids + 2 * a
    cdef const double *q = o.centroids + 2 * b
    if p[0] != q[0]:
        return p[0] < q[0]
    if p[1] != q[1]:
        return p[1] < q[1]
    return a < b


cdef inline bint mark(Scratch *w, Py_ssize_t *count, double s, double least,
                      double most) noexcept nogil:
    """Note a place of the axis inside the stretch looked at; False if there is no room."""
    if s <= least or s >= most:
        return True
    if count[0] >= w.room:
        return False
    w.marks[count[0]] = s
    count[0] += 1
    return True


cdef inline bint mark_ends(Scratch *w, Py_ssize_t *count, const Edges *e, double least,
                           double most) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(e.count):
        if not (mark(w, count, e.s0[k], least, most) and mark(w, count, e.s1[k], least, most)):
            return False
    return True


cdef inline bint mark_crossings(Scratch *w, Py_ssize_t *count, const Edges *e, const Edges *f,
                                double least, double most) noexcept nogil:
    """Note where edges of e cross edges of f.

    Two edges are compared at both ends of the stretch of axis that they share: they cross if
    they have changed places. If they meet at such an end, that is marked as a vertex already.
    """
    cdef Py_ssize_t k, m
    cdef double start, stop, before, after
    for k in range(e.count):
        if e.s1[k] <= f.south or e.s0[k] >= f.north:
            continue
        if max(e.t0[k], e.t1[k]) < f.west or min(e.t0[k], e.t1[k]) > f.east:
            continue
        for m in range(f.count):
            start = max(e.s0[k], f.s0[m])
            stop = min(e.s1[k], f.s1[m])
            if stop <= start:
                continue
            before = place(e, k, start) - place(f, m, start)
            after = place(e, k, stop) - place(f, m, stop)
            if (before < 0 and after > 0) or (before > 0 and after < 0):
                start += (stop - start) * (before / (before - after))
                if not mark(w, count, start, least, most):
                    return False
    return True


cdef inline bint beside(const Edges *e, const Edges *f) noexcept nogil:
    """Whether the two lie clear of each other in the axis frame."""
    return e.south >= f.north or f.south >= e.north or e.west >= f.east or f.west >= e.east


cdef inline Py_ssize_t all_marks(const Corridor *c, const Edges *e, Scratch *w, double least,
                                 double most) noexcept nogil:
    """Every place between least and most where an extent may bend, sorted; -1 for no room."""
    cdef Py_ssize_t count = 2
    w.marks[0] = least
    w.marks[1] = most
    if not (mark_ends(w, &count, e, least, most)
            and mark_ends(w, &count, &c.low, least, most)
            and mark_ends(w, &count, &c.high, least, most)
            and mark_crossings(w, &count, e, &c.low, least, most)
            and mark_crossings(w, &count, e, &c.high, least, most)):
        return -1
    if w.near_a:
        if not (mark_ends(w, &count, &c.a, least, most)
                and mark_crossings(w, &count, e, &c.a, least, most)):
            return -1
    if w.near_b:
        if not (mark_ends(w, &count, &c.b, least, most)
                and mark_crossings(w, &count, e, &c.b, least, most)):
            return -1
    sort_marks(w.marks, count)
    return count


cdef inline void cut(Cuts *cuts, const Edges *e, double left, double middle,
                     double right) noexcept nogil:
    """Where the edges of an observer or observed cross the strip between left and right."""
    cdef Py_ssize_t k, j
    cdef double t
    if e.north <= left or e.south >= right:
        return
    for k in range(e.count):
        if not e.s0[k] < middle < e.s1[k]:
            continue
        t = place(e, k, middle)
        j = cuts.count
        while j > 0 and cuts.middle[j - 1] > t:
            cuts.middle[j] = cuts.middle[j - 1]
            cuts.before[j] = cuts.before[j - 1]
            cuts.after[j] = cuts.after[j - 1]
            j -= 1
        cuts.middle[j] = t
        cuts.before[j] = place(e, k, left)
        cuts.after[j] = place(e, k, right)
        cuts.count += 1


cdef inline void take_off(const Cuts *cuts, double *low, double *high,
                          double *extent) noexcept nogil:
    """Shorten two extents by what lies inside the observer or observed.

    low, high : a stretch of the perpendicular, given in the middle and at both marks
    """
    cdef Py_ssize_t k
    cdef double start, stop, before, after
    for k in range(0, cuts.count - 1, 2):
        start = cuts.middle[k]
        stop = cuts.middle[k + 1]
        if start >= high[0] or stop <= low[0]:
            continue
        before = cuts.before[k + 1] if stop < high[0] else high[1]
        after = cuts.after[k + 1] if stop < high[0] else high[2]
        before -= cuts.before[k] if start > low[0] else low[1]
        after -= cuts.after[k] if start > low[0] else low[2]
        extent[0] -= before
        extent[1] -= after


cdef inline void cut_active(Cuts *cuts, const Edges *e, int *active, Py_ssize_t count,
                            double middle) noexcept nogil:
    """Sort the edges that a strip cuts by their t in its middle.

    They come in the order of the strip before, which is nearly right: insertion is linear.
    """
    cdef Py_ssize_t k, j
    cdef double t
    cdef int edge
    cuts.count = count
    for k in range(count):
        edge = active[k]
        t = place(e, edge, middle)
        j = k
        while j > 0 and cuts.middle[j - 1] > t:
            cuts.middle[j] = cuts.middle[j - 1]
            active[j] = active[j - 1]
            j -= 1
        cuts.middle[j] = t
        active[j] = edge


cdef inline void measure(const Corridor *c, const Edges *e, Scratch *w, double left,
                         double middle, double right, double *low_side, double *high_side,
                         double *extent) noexcept nogil:
    """The extents of e inside the corridor at both marks of a strip."""
    cdef Py_ssize_t k
    cdef double low[3]
    cdef double high[3]
    extent[0] = extent[1] = 0
    w.cuts_a.count = w.cuts_b.count = 0
    if w.near_a:
        cut(&w.cuts_a, &c.a, left, middle, right)
    if w.near_b:
        cut(&w.cuts_b, &c.b, left, middle, right)
    for k in range(0, w.cuts.count - 1, 2):
        if w.cuts.middle[k] >= high_side[0]:
            break
        if w.cuts.middle[k + 1] <= low_side[0]:
            continue
        low[0], low[1], low[2] = low_side[0], low_side[1], low_side[2]
        high[0], high[1], high[2] = high_side[0], high_side[1], high_side[2]
        if w.cuts.middle[k] > low[0]:
            low[0] = w.cuts.middle[k]
            low[1] = place(e, w.active[k], left)
            low[2] = place(e, w.active[k], right)
        if w.cuts.middle[k + 1] < high[0]:
            high[0] = w.cuts.middle[k + 1]
            high[1] = place(e, w.active[k + 1], left)
            high[2] = place(e, w.active[k + 1], right)
        extent[0] += high[1] - low[1]
        extent[1] += high[2] - low[2]
        take_off(&w.cuts_a, low, high, extent)
        take_off(&w.cuts_b, low, high, extent)


cdef inline double share(const Corridor *c, double extent, double width) noexcept nogil:
    if width <= NARROW * c.width or extent <= 4 * c.doubt:
        return 0
    return min(extent / width, 1)


cdef inline double greatest_share(const Corridor *c, const Edges *e, Scratch *w) noexcept nogil:
    """The fraction of the corridor that e covers; 0 where it only touches, -1 for no room."""
    cdef double least = max(e.south, max(c.low.south, c.high.south))
    cdef double most = min(e.north, min(c.low.north, c.high.north))
    cdef Py_ssize_t marks, strip, begun = 0, kept, count = 0, k, m = 0, n = 0
    cdef double left, middle, right, found = 0
    cdef double low[3]
    cdef double high[3]
    cdef double extent[2]
    if most - least <= c.doubt or e.east <= c.low.west or e.west >= c.high.east:
        return 0
    w.near_a = not beside(e, &c.a)
    w.near_b = not beside(e, &c.b)
    marks = all_marks(c, e, w, least, most)
    if marks < 0:
        return -1
    sort_edges(w.order, e)
    for strip in range(marks - 1):
        left = w.marks[strip]
        right = w.marks[strip + 1]
        if right - left <= c.doubt:
            continue
        middle = 0.5 * (left + right)
        kept = 0
        for k in range(count):
            if e.s1[w.active[k]] > middle:
                w.active[kept] = w.active[k]
                kept += 1
        count = kept
        while begun < e.count and e.s0[w.order[begun]] < middle:
            if e.s1[w.order[begun]] > middle:
                w.active[count] = w.order[begun]
                count += 1
            begun += 1
        if count == 0:
            continue
        cut_active(&w.cuts, e, w.active, count, middle)
        while m < c.low.count - 1 and c.low.s1[m] < middle:
            m += 1
        while n < c.high.count - 1 and c.high.s1[n] < middle:
            n += 1
        low[0], low[1], low[2] = (place(&c.low, m, middle), place(&c.low, m, left),
                                  place(&c.low, m, right))
        high[0], high[1], high[2] = (place(&c.high, n, middle), place(&c.high, n, left),
                                     place(&c.high, n, right))
        measure(c, e, w, left, middle, right, low, high, extent)
        found = max(found, share(c, extent[0], high[1] - low[1]))
        found = max(found, share(c, extent[1], high[2] - low[2]))
    return found if found > TOUCHING else 0
