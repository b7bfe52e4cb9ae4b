"""How much of a sight corridor is covered, at the place of its axis where it is most.

Between two neighbouring marks (the s of every corner and every crossing in the corridor) the
edges in it keep their order along t, so extents are linear there and the share, a ratio of two of
them, is greatest at one of the two marks. Each is approached from inside the strip, as the limit
from either side. Strips no wider than rounding are left to those beside them.
"""

from frame cimport Corridor, Edges, chain_place, place, take, take_edges
from sorting cimport shellsort

cdef extern from *:
    """
    /* Where the hull is narrower than this share of its greatest width (at the point in which it
       ends), a ratio is rounding and nothing else. No two points of the 1/1024 grid on a field
       of 2**15 GSU give a step so small. */
    static const double NARROW = 0x1p-26;
    /* Shares up to this are touching, seen through rounding. */
    static const double TOUCHING = 0x1p-40;
    """
    const double NARROW
    const double TOUCHING


cdef struct Cuts:
    # Where the perpendiculars in the middle of a strip and at its two marks cross some edges,
    # sorted by t in the middle.
    Py_ssize_t count
    double *middle
    double *before
    double *after


cdef struct Scratch:
    Py_ssize_t room     # of marks
    double *marks
    int *order
    int *active
    Cuts cuts
    Cuts cuts_a
    Cuts cuts_b
    bint near_a     # whether what is measured comes near the observer or the observed at all
    bint near_b


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
    c.spare_s = take(&rest, 2 * widest)
    c.spare_t = take(&rest, 2 * widest)
    take_edges(e, &rest, edges)
    take_cuts(&w.cuts, &rest, edges)
    w.marks = take(&rest, marks)
    w.room = marks
    w.order = places
    w.active = places + edges


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


cdef inline bint mark_corners(Scratch *w, Py_ssize_t *count, const Corridor *c, const Edges *e,
                              double doubt, double least, double most) noexcept nogil:
    """Note the corners of e in the corridor; beyond its sides none bends an extent.

    Unless an edge that has been left out goes in from there.
    """
    cdef Py_ssize_t k, end, before
    cdef double s, t
    for k in range(e.count):
        before = max(k - 1, 0)
        for end in range(2):
            s, t = (e.s1[k], e.t1[k]) if end else (e.s0[k], e.t0[k])
            # Most corners have come up already, with the edge before.
            if (s <= least or s >= most or k and (s == e.s0[before] and t == e.t0[before]
                                                  or s == e.s1[before] and t == e.t1[before])):
                continue
            if not e.flat and (chain_place(&c.low, s) - t > doubt
                               or t - chain_place(&c.high, s) > doubt):
                continue
            if not mark(w, count, s, least, most):
                return False
    return True


cdef inline bint mark_ends(Scratch *w, Py_ssize_t *count, const Edges *f, const Edges *e,
                           double least, double most) noexcept nogil:
    """Note the corners of an observer or observed that e may have round it."""
    cdef Py_ssize_t k
    for k in range(f.count):
        if ((f.flat or e.west <= f.t0[k] <= e.east) and not mark(w, count, f.s0[k], least, most)
                or (f.flat or e.west <= f.t1[k] <= e.east)
                and not mark(w, count, f.s1[k], least, most)):
            return False
    return True


cdef inline bint mark_bends(Scratch *w, Py_ssize_t *count, const Edges *chain, double least,
                            double most) noexcept nogil:
    """Note where one side of the hull bends."""
    cdef Py_ssize_t k
    for k in range(1, chain.count):
        if not mark(w, count, chain.s0[k], least, most):
            return False
    return True


cdef inline bint mark_crossings(Scratch *w, Py_ssize_t *count, const Edges *e, const Edges *f,
                                double least, double most) noexcept nogil:
    """Note where edges of e cross edges of f.

    Two edges are compared at both ends of the stretch of axis that they share: they cross if
    they have changed places. If they meet at such an end, that is marked as a vertex already.
    """
    cdef Py_ssize_t k, m
    cdef double start, stop, before, after, west, east
    for k in range(e.count):
        west = min(e.t0[k], e.t1[k])
        east = max(e.t0[k], e.t1[k])
        # Put together without a branch between, as no processor could guess it.
        if (e.s1[k] <= f.south) | (e.s0[k] >= f.north) | (east < f.west) | (west > f.east):
            continue
        for m in range(f.count):
            start = max(e.s0[k], f.s0[m])
            stop = min(e.s1[k], f.s1[m])
            if ((stop <= start) | (east < min(f.t0[m], f.t1[m]))
                    | (west > max(f.t0[m], f.t1[m]))):
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


cdef inline Py_ssize_t all_marks(const Corridor *c, const Edges *e, Scratch *w, double doubt,
                                 double least, double most) noexcept nogil:
    """Every place between least and most where an extent may bend, sorted; -1 for no room."""
    cdef Py_ssize_t count = 2
    w.marks[0] = least
    w.marks[1] = most
    if not (mark_corners(w, &count, c, e, doubt, least, most)
            and mark_bends(w, &count, &c.low, least, most)
            and mark_bends(w, &count, &c.high, least, most)
            and mark_crossings(w, &count, e, &c.low, least, most)
            and mark_crossings(w, &count, e, &c.high, least, most)):
        return -1
    if w.near_a:
        if not (mark_ends(w, &count, &c.a, e, least, most)
                and mark_crossings(w, &count, e, &c.a, least, most)):
            return -1
    if w.near_b:
        if not (mark_ends(w, &count, &c.b, e, least, most)
                and mark_crossings(w, &count, e, &c.b, least, most)):
            return -1
    shellsort(w.marks, count)
    return count


cdef inline void cut(Cuts *cuts, const Edges *e, double left, double middle,
                     double right) noexcept nogil:
    """Where the edges of an observer or observed cross the strip between left and right."""
    cdef Py_ssize_t k, j
    cdef double t
    if e.north <= left or e.south >= right:
        return
    for k in range(e.count):
        if not e.s0[k] <= middle < e.s1[k]:
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


cdef inline double within(double t, double low, double high) noexcept nogil:
    """What is between the two in a strip's middle is so at its marks, whatever rounding says.

    Nearly perpendicular edges are far off at a mark that rounding has moved a little.
    """
    return min(max(t, low), high)


cdef inline void take_off(const Cuts *cuts, const double *low, const double *high,
                          double *extent) noexcept nogil:
    """Shorten two extents by what lies inside the observer or observed.

    low, high : a stretch of the perpendicular, given in the middle and at both marks
    """
    cdef Py_ssize_t k
    cdef double start, stop, bottom
    for k in range(0, cuts.count - 1, 2):
        start = cuts.middle[k]
        stop = cuts.middle[k + 1]
        if start >= high[0] or stop <= low[0]:
            continue
        bottom = within(cuts.before[k], low[1], high[1]) if start > low[0] else low[1]
        extent[0] -= (within(cuts.before[k + 1], bottom, high[1])
                      if stop < high[0] else high[1]) - bottom
        bottom = within(cuts.after[k], low[2], high[2]) if start > low[0] else low[2]
        extent[1] -= (within(cuts.after[k + 1], bottom, high[2])
                      if stop < high[0] else high[2]) - bottom


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
    high[1], high[2] = low_side[1], low_side[2]
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
        if w.cuts.middle[k] > low[0]:
            low[0] = w.cuts.middle[k]
            low[1] = within(place(e, w.active[k], left), high[1], high_side[1])
            low[2] = within(place(e, w.active[k], right), high[2], high_side[2])
        high[0], high[1], high[2] = high_side[0], high_side[1], high_side[2]
        if w.cuts.middle[k + 1] < high[0]:
            high[0] = w.cuts.middle[k + 1]
            high[1] = within(place(e, w.active[k + 1], left), low[1], high[1])
            high[2] = within(place(e, w.active[k + 1], right), low[2], high[2])
        extent[0] += high[1] - low[1]
        extent[1] += high[2] - low[2]
        take_off(&w.cuts_a, low, high, extent)
        take_off(&w.cuts_b, low, high, extent)


cdef inline double share(const Corridor *c, double doubt, double extent,
                         double width) noexcept nogil:
    if width <= NARROW * c.width or extent <= 4 * doubt:
        return 0
    return min(extent / width, 1)


cdef inline double greatest_share(const Corridor *c, const Edges *e, Scratch *w, double doubt,
                                  double start, double stop) noexcept nogil:
    """The fraction of the corridor that e covers from s = start to s = stop.

    doubt : what rounding may have done to an s or a t of e, or of the corridor

    0 where it only touches, -1 for no room.
    """
    cdef double least = max(max(e.south, start), max(c.low.south, c.high.south))
    cdef double most = min(min(e.north, stop), min(c.low.north, c.high.north))
    cdef Py_ssize_t marks, strip, begun = 0, kept, count = 0, k, m = 0, n = 0
    cdef double left, middle, right, found = 0
    cdef double low[3]
    cdef double high[3]
    cdef double extent[2]
    if most - least <= doubt or e.east <= c.low.west or e.west >= c.high.east:
        return 0
    w.near_a = not beside(e, &c.a)
    w.near_b = not beside(e, &c.b)
    marks = all_marks(c, e, w, doubt, least, most)
    if marks < 0:
        return -1
    sort_edges(w.order, e)
    for strip in range(marks - 1):
        left = w.marks[strip]
        right = w.marks[strip + 1]
        if right - left <= doubt:
            continue
        middle = 0.5 * (left + right)
        kept = 0
        for k in range(count):
            if e.s1[w.active[k]] > middle:
                w.active[kept] = w.active[k]
                kept += 1
        count = kept
        while begun < e.count and e.s0[w.order[begun]] <= middle:
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
        found = max(found, share(c, doubt, extent[0], high[1] - low[1]))
        found = max(found, share(c, doubt, extent[1], high[2] - low[2]))
        if found == 1:
            break
    return found if found > TOUCHING else 0
