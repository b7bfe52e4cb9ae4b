"""Edges that matter to a corridor, and the marks on its axis where their cover may bend.

An edge that lies clear of the corridor bends nothing. One at greater t is left out: what is begun
within is then not ended. One at lesser t is left out too, but the two places of the axis where it
begins and ends are kept, as every such place turns what lies along the corridor's side from
covered to free, or back.
"""

from frame cimport Corridor, Edges, chain_place, place, take, take_edges
from sorting cimport shellsort


cdef struct Cuts:
    # Crossings of some edges with the perpendiculars in a strip's middle and at its marks,
    # sorted by t in the middle. At the marks of an observer or observed only.
    Py_ssize_t count
    double *middle
    double *before
    double *after


cdef struct Scratch:
    Py_ssize_t room     # of marks
    double *marks
    # The edges that matter, in the order of their beginnings, and edges that a strip cuts.
    int *order
    int *active
    Py_ssize_t count
    # Beginnings and ends of edges at lesser t than the corridor.
    double *turns
    Py_ssize_t turning
    Cuts cuts
    Cuts cuts_a
    Cuts cuts_b
    bint near_a     # true if what is measured comes near the observer or the observed at all
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
    w.cuts.middle = take(&rest, edges)
    w.turns = take(&rest, 2 * edges)
    w.marks = take(&rest, marks)
    w.room = marks
    w.order = places
    w.active = places + edges


cdef inline void sort_edges(int *order, Py_ssize_t count, const Edges *e) noexcept nogil:
    """Put the edges' numbers in the order of their beginnings."""
    cdef Py_ssize_t gap = 1, i, j
    cdef int k
    cdef double beginning
    while 9 * gap < 4 * count:
        gap = (9 * gap + 3) // 4 + 1
    while gap > 0:
        for i in range(gap, count):
            k = order[i]
            beginning = e.s0[k]
            j = i
            while j >= gap and e.s0[order[j - gap]] > beginning:
                order[j] = order[j - gap]
                j -= gap
            order[j] = k
        gap = gap * 4 // 9


cdef inline bint is_beside(const Edges *e, Py_ssize_t k, const Edges *chain, int side,
                           double doubt) noexcept nogil:
    """Return whether an edge lies all along beyond one side of the hull (-1: lesser t, +1)."""
    cdef Py_ssize_t m
    cdef double start, stop
    cdef double near = min(side * e.t0[k], side * e.t1[k]) - doubt
    if near > max(side * chain.west, side * chain.east):
        return True
    if near <= min(side * chain.west, side * chain.east):
        return False
    for m in range(chain.count):
        start = max(e.s0[k], chain.s0[m])
        stop = min(e.s1[k], chain.s1[m])
        if start <= stop and (
                side * (place(e, k, start) - place(chain, m, start)) <= doubt
                or side * (place(e, k, stop) - place(chain, m, stop)) <= doubt):
            return False
    return True


cdef inline void turn_at(Scratch *w, double s) noexcept nogil:
    """Note a place that turns covered to free, or back; twice is never, and often one by one."""
    cdef Py_ssize_t k
    for k in range(max(w.turning - 2, 0), w.turning):
        if w.turns[k] == s:
            w.turning -= 1
            w.turns[k] = w.turns[w.turning]
            return
    w.turns[w.turning] = s
    w.turning += 1


cdef inline void choose_edges(const Corridor *c, const Edges *e, Scratch *w, double doubt,
                              double least, double most) noexcept nogil:
    """Note the edges that matter between least and most.

    All of these where edges have been left out: such a one may go in from beside the corridor.
    """
    cdef Py_ssize_t k
    w.count = w.turning = 0
    for k in range(e.count):
        if e.s1[k] <= least or e.s0[k] >= most:
            continue
        if not e.flat:
            if is_beside(e, k, &c.high, 1, doubt):
                continue
            if is_beside(e, k, &c.low, -1, doubt):
                turn_at(w, e.s0[k])
                turn_at(w, e.s1[k])
                continue
        w.order[w.count] = <int> k
        w.count += 1


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
    cdef Py_ssize_t i, k, end, before
    cdef double s, t
    for i in range(w.count):
        k = w.order[i]
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
    cdef Py_ssize_t i, k, m
    cdef double start, stop, before, after, west, east
    for i in range(w.count):
        k = w.order[i]
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
    """Return whether the two lie clear of each other in the axis frame."""
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
