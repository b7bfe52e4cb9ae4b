"""The fraction of a sight corridor that is covered, at the axis point with the most cover.

Between two neighbouring marks (the s of every corner and every crossing in the corridor) the
edges in it keep their order along t, so extents are linear there and the share, a ratio of two of
them, is greatest at one of the two marks. Each is approached from inside the strip, as the limit
from either side. Strips no wider than rounding are left to those beside them.
"""

from frame cimport Corridor, Edges, chain_place, place
from marks cimport Cuts, Scratch, all_marks, beside, choose_edges, sort_edges
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


cdef enum:
    GLANCES = 8         # places of the axis that are looked at before all others


cdef inline void cut(Cuts *cuts, const Edges *e, double left, double middle,
                     double right) noexcept nogil:
    """Return where the edges of an observer or observed cross the strip between left and right."""
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
    """Bodies between the two in a strip's middle are so at its marks, whatever rounding says.

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


cdef inline void measure(const Corridor *c, const Edges *e, Scratch *w, bint covered,
                         double left, double middle, double right, double *low_side,
                         double *high_side, double *extent) noexcept nogil:
    """The extents of e inside the corridor at both marks of a strip.

    covered : whether e holds what lies beyond the corridor's side at the lesser t
    """
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
    # The first cuts off edges along the corridor's side, and open parts end beyond.
    for k in range(-1 if covered else 0, w.cuts.count, 2):
        if k >= 0 and w.cuts.middle[k] >= high_side[0]:
            break
        if k + 1 < w.cuts.count and w.cuts.middle[k + 1] <= low_side[0]:
            continue
        low[0], low[1], low[2] = low_side[0], low_side[1], low_side[2]
        if k >= 0 and w.cuts.middle[k] > low[0]:
            low[0] = w.cuts.middle[k]
            low[1] = within(place(e, w.active[k], left), high[1], high_side[1])
            low[2] = within(place(e, w.active[k], right), high[2], high_side[2])
        high[0], high[1], high[2] = high_side[0], high_side[1], high_side[2]
        if k + 1 < w.cuts.count and w.cuts.middle[k + 1] < high[0]:
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


cdef inline double share_at(const Corridor *c, const Edges *e, Scratch *w, double doubt,
                            double s) noexcept nogil:
    """The share that e covers at one place of the axis, of the edges that matter in any order."""
    cdef Py_ssize_t i, count = 0, turned = 0
    cdef double low[3]
    cdef double high[3]
    cdef double extent[2]
    for i in range(w.count):
        if e.s0[w.order[i]] <= s < e.s1[w.order[i]]:
            w.active[count] = w.order[i]
            count += 1
    for i in range(w.turning):
        turned += w.turns[i] <= s
    cut_active(&w.cuts, e, w.active, count, s)
    low[0] = low[1] = low[2] = chain_place(&c.low, s)
    high[0] = high[1] = high[2] = chain_place(&c.high, s)
    measure(c, e, w, turned % 2, s, s, s, low, high, extent)
    return share(c, doubt, extent[0], high[0] - low[0])


cdef inline double greatest_share(const Corridor *c, const Edges *e, Scratch *w, double doubt,
                                  double start, double stop, double enough) noexcept nogil:
    """The fraction of the corridor that e covers from s = start to s = stop.

    doubt : what rounding may have done to an s or a t of e, or of the corridor
    enough : a fraction of as much may be told as any from there on

    0 where it only touches, -1 for no room.
    """
    cdef double least = max(max(e.south, start), max(c.low.south, c.high.south))
    cdef double most = min(min(e.north, stop), min(c.low.north, c.high.north))
    cdef Py_ssize_t marks, strip, begun = 0, turned = 0, kept, count = 0, k, m = 0, n = 0
    cdef double left, middle, right, found = 0
    cdef double low[3]
    cdef double high[3]
    cdef double extent[2]
    if most - least <= doubt or e.east <= c.low.west or e.west >= c.high.east:
        return 0
    choose_edges(c, e, w, doubt, least, most)
    if w.count + w.turning == 0:
        return 0
    w.near_a = not beside(e, &c.a)
    w.near_b = not beside(e, &c.b)
    if enough < 1:
        for k in range(GLANCES):
            found = share_at(c, e, w, doubt, least + (most - least) * ((k + 0.5) / GLANCES))
            if found >= enough:
                return found
        found = 0
    marks = all_marks(c, e, w, doubt, least, most)
    if marks < 0:
        return -1
    shellsort(w.turns, w.turning)
    sort_edges(w.order, w.count, e)
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
        while begun < w.count and e.s0[w.order[begun]] <= middle:
            if e.s1[w.order[begun]] > middle:
                w.active[count] = w.order[begun]
                count += 1
            begun += 1
        while turned < w.turning and w.turns[turned] <= middle:
            turned += 1
        if count == 0 and turned % 2 == 0:
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
        measure(c, e, w, turned % 2, left, middle, right, low, high, extent)
        found = max(found, share(c, doubt, extent[0], high[1] - low[1]))
        found = max(found, share(c, doubt, extent[1], high[2] - low[2]))
        if found == 1 or found >= enough:
            break
    return found if found > TOUCHING else 0
