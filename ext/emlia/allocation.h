/* Allocation of hit markers to units of few subunits, with units of one shape in SIMD lanes. It is
   plain C, which compilers vectorise. Doubles are exact here: each number is whole and below 2^53,
   and a quotient of two numbers below 2^32 is never rounded up to a whole number. */

#ifndef EMLIA3D_ALLOCATION_H
#define EMLIA3D_ALLOCATION_H

#include <stdint.h>

#include "simd.h"

enum { WIDEST = 4, SHAPES = WIDEST * WIDEST, AT_ONCE = 1024, BATCH_SIZE = 128 };

/* Larger than any number of members. */
#define NO_SUBUNIT 2147483648.0

/* The columns of all units, and where the matrix of each begins. */
struct HitTables {
    const int32_t *members, *member_offsets, *hits, *hit_offsets;
    const int64_t *starts;
    int32_t *cells;
};

/* For each unit, add up the rows of what comes before row i: the larger ones, and of equal ones
   those that are given first. */
static inline void
add_ahead(double size[][BATCH_SIZE], double worth[][BATCH_SIZE], int i, int rows,
          ptrdiff_t count, double *RESTRICT ahead)
{
    for (ptrdiff_t u = 0; u < count; u++)
        ahead[u] = 0;
    for (int k = 0; k < i; k++)
        for (ptrdiff_t u = 0; u < count; u++)
            ahead[u] += (size[k][u] >= size[i][u] ? 1.0 : 0.0) * worth[k][u];
    for (int k = i + 1; k < rows; k++)
        for (ptrdiff_t u = 0; u < count; u++)
            ahead[u] += (size[k][u] > size[i][u] ? 1.0 : 0.0) * worth[k][u];
}

/* Fill the matrices of at most BATCH_SIZE units with equal numbers of subunits and groups. */
static inline void
allocate_batch(const struct HitTables *army, const int32_t *RESTRICT units, ptrdiff_t count,
              int rows, int groups)
{
    double size[WIDEST][BATCH_SIZE], quota[WIDEST][BATCH_SIZE], ahead[WIDEST][BATCH_SIZE];
    double marks[WIDEST][BATCH_SIZE], least[BATCH_SIZE], turn[BATCH_SIZE], before[BATCH_SIZE];
    double full[BATCH_SIZE], full_after[BATCH_SIZE], rest[BATCH_SIZE], rest_after[BATCH_SIZE];
    int32_t taken[SHAPES][BATCH_SIZE];
    for (ptrdiff_t u = 0; u < count; u++) {
        const int32_t *members = army->members + army->member_offsets[units[u]];
        const int32_t *hits = army->hits + army->hit_offsets[units[u]];
        for (int i = 0; i < rows; i++)
            size[i][u] = members[i];
        for (int k = 0; k < groups; k++)
            marks[k][u] = hits[k];
    }
    for (ptrdiff_t u = 0; u < count; u++) {
        least[u] = NO_SUBUNIT;
        turn[u] = 0;
    }
    for (int i = 0; i < rows; i++)
        for (ptrdiff_t u = 0; u < count; u++) {
            /* A subunit without members does not count. */
            const double here = size[i][u] > 0 ? size[i][u] : NO_SUBUNIT;
            least[u] = here < least[u] ? here : least[u];
        }
    for (int i = 0; i < rows; i++)
        for (ptrdiff_t u = 0; u < count; u++) {
            /* Rounded up: one for each started number as large as the smallest. */
            quota[i][u] = (int32_t)((size[i][u] + (least[u] - 1)) / least[u]);
            turn[u] += quota[i][u];
        }
    /* Without members every quota is 0, and so are the markers taken. */
    for (ptrdiff_t u = 0; u < count; u++)
        turn[u] = turn[u] > 1 ? turn[u] : 1;
    for (int i = 0; i < rows; i++)
        add_ahead(size, quota, i, rows, count, ahead[i]);
    for (int k = 0; k < groups; k++) {
        add_ahead(marks, marks, k, groups, count, before);
        for (ptrdiff_t u = 0; u < count; u++) {
            const double after = before[u] + marks[k][u];
            full[u] = (int32_t)(before[u] / turn[u]);
            full_after[u] = (int32_t)(after / turn[u]);
            rest[u] = before[u] - full[u] * turn[u];
            rest_after[u] = after - full_after[u] * turn[u];
        }
        for (int i = 0; i < rows; i++)
            for (ptrdiff_t u = 0; u < count; u++) {
                /* Of the last round, begun or not, what is a subunit's own; as in `share_alone`. */
                double own = rest[u] - ahead[i][u], own_after = rest_after[u] - ahead[i][u];
                own = own > 0 ? own : 0;
                own = own < quota[i][u] ? own : quota[i][u];
                own_after = own_after > 0 ? own_after : 0;
                own_after = own_after < quota[i][u] ? own_after : quota[i][u];
                taken[i * groups + k][u] = (int32_t)(
                    (full_after[u] - full[u]) * quota[i][u] + (own_after - own));
            }
    }
    for (ptrdiff_t u = 0; u < count; u++) {
        int32_t *cells = army->cells + army->starts[units[u]];
        for (int cell = 0; cell < rows * groups; cell++)
            cells[cell] = taken[cell][u];
    }
}

/* Fill the matrices of units begin to end, no more than AT_ONCE, except units with none or more
   than WIDEST subunits or groups: how many these are, and which, in others. */
FOR_EACH_SIMD_WIDTH static ptrdiff_t
share_by_shape(const struct HitTables *army, ptrdiff_t begin, ptrdiff_t end,
               int32_t *RESTRICT others)
{
    int32_t alike[SHAPES + 1][AT_ONCE];
    ptrdiff_t count[SHAPES + 1] = {0};
    for (ptrdiff_t unit = begin; unit < end; unit++) {
        const uint32_t row = army->member_offsets[unit + 1] - army->member_offsets[unit] - 1;
        const uint32_t group = army->hit_offsets[unit + 1] - army->hit_offsets[unit] - 1;
        const uint32_t shape = (row | group) < WIDEST ? row * WIDEST + group : SHAPES;
        alike[shape][count[shape]++] = (int32_t)unit;
    }
    for (int shape = 0; shape < SHAPES; shape++)
        for (ptrdiff_t k = 0; k < count[shape]; k += BATCH_SIZE) {
            const ptrdiff_t left = count[shape] - k;
            allocate_batch(army, alike[shape] + k, left < BATCH_SIZE ? left : BATCH_SIZE,
                          shape / WIDEST + 1, shape % WIDEST + 1);
        }
    for (ptrdiff_t k = 0; k < count[SHAPES]; k++)
        others[k] = alike[SHAPES][k];
    return count[SHAPES];
}

#endif
