"""Sums and products of doubles without rounding, for the few questions that rounding leaves open.

A number is an unevaluated sum of doubles that do not overlap, least first and none of them zero
(Shewchuk 1997, "Adaptive Precision Floating-Point Arithmetic"). Everything here is exact as long
as no product leaves the range of a double; what overflows its parts is for the caller to rule out.
"""

cdef enum:
    # Twice what the longest polynomial in surface.pxd can come to.
    PARTS = 1100

cdef extern from *:
    """
    /* 2**27 + 1 splits a double into two halves whose products are exact. */
    static const double SPLITTER = 134217729.0;
    """
    const double SPLITTER


cdef struct Exact:
    int count
    double part[PARTS]


cdef inline double two_sum(double a, double b, double *rest) noexcept nogil:
    """The rounded sum, and in rest what rounding took."""
    cdef double total = a + b
    cdef double share = total - a
    rest[0] = (a - (total - share)) + (b - share)
    return total


cdef inline double two_product(double a, double b, double *rest) noexcept nogil:
    """The rounded product, and in rest what rounding took."""
    cdef double product = a * b
    cdef double wide = SPLITTER * a
    cdef double a_high = wide - (wide - a)
    cdef double a_low = a - a_high
    wide = SPLITTER * b
    cdef double b_high = wide - (wide - b)
    cdef double b_low = b - b_high
    rest[0] = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)
    return product


cdef inline int sign_of(const Exact *e) noexcept nogil:
    if e.count == 0:
        return 0
    return 1 if e.part[e.count - 1] > 0 else -1


cdef inline void add_double(Exact *e, double b) noexcept nogil:
    cdef double rest, total = b
    cdef int k, kept = 0
    for k in range(e.count):
        total = two_sum(total, e.part[k], &rest)
        if rest != 0:
            e.part[kept] = rest
            kept += 1
    if total != 0:
        e.part[kept] = total
        kept += 1
    e.count = kept


cdef inline void add_exact(Exact *e, const Exact *f, double sign) noexcept nogil:
    """Add sign * f, where sign is +1 or -1."""
    cdef int k
    for k in range(f.count):
        add_double(e, sign * f.part[k])


cdef inline void scale(Exact *out, const Exact *e, double b) noexcept nogil:
    """out = e * b."""
    cdef double rest, total, high, low
    cdef int k
    out.count = 0
    if b == 0 or e.count == 0:
        return
    total = two_product(e.part[0], b, &rest)
    if rest != 0:
        out.part[out.count] = rest
        out.count += 1
    for k in range(1, e.count):
        high = two_product(e.part[k], b, &low)
        total = two_sum(total, low, &rest)
        if rest != 0:
            out.part[out.count] = rest
            out.count += 1
        total = two_sum(high, total, &rest)
        if rest != 0:
            out.part[out.count] = rest
            out.count += 1
    if total != 0:
        out.part[out.count] = total
        out.count += 1


cdef inline void add_product(Exact *out, const Exact *e, const Exact *f,
                             double sign) noexcept nogil:
    """Add sign * e * f."""
    cdef Exact scaled
    cdef int k
    for k in range(f.count):
        scale(&scaled, e, sign * f.part[k])
        add_exact(out, &scaled, 1)


cdef inline void of_pair(Exact *out, const double *pair) noexcept nogil:
    """out = the sum of two doubles."""
    out.count = 0
    add_double(out, pair[0])
    add_double(out, pair[1])
