"""Sorting in place: without recursion, without memory, and the same everywhere."""


cdef inline void shellsort(double *items, Py_ssize_t count) noexcept nogil:
    """The least first."""
    cdef Py_ssize_t gap = 1, i, j
    cdef double item
    while 9 * gap < 4 * count:
        gap = (9 * gap + 3) // 4 + 1
    while gap > 0:
        for i in range(gap, count):
            item = items[i]
            j = i
            while j >= gap and items[j - gap] > item:
                items[j] = items[j - gap]
                j -= gap
            items[j] = item
        gap = gap * 4 // 9
