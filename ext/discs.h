/* Which shapes of a grid lie within reach of one place: the innermost loop of the neighbour search,
   in plain C so that compilers make vectors of it. Single precision finds every shape within reach,
   and says whether one of them may be a little beyond it. */

#ifndef EMLIA3D_DISCS_H
#define EMLIA3D_DISCS_H

#include <stddef.h>
#include <stdint.h>

#include "simd.h"

/* Shapes in the order of their cells, measured from the grid's corner, and STRETCH more behind
   the last that nothing reads a result from. Cell c holds the shapes starts[c] to starts[c + 1]. */
struct Held {
    const float *x, *y, *half_width, *half_depth, *radius;
    const int32_t *order, *starts;
};

/* A shape that asks, and the cells in which the shapes within its reach lie.

   radius : what is added to the radius of each of them
   doubt  : what rounding may do to a distance */
struct Asked {
    float x, y, half_width, half_depth, radius, doubt;
    int32_t row;
    ptrdiff_t columns, low, high, bottom, top;
};

enum { STRETCH = 16, HALF = 8 };

static const int32_t SHAPE[STRETCH] = {
    1, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7, 1 << 8, 1 << 9, 1 << 10, 1 << 11,
    1 << 12, 1 << 13, 1 << 14, 1 << 15,
};

/* Which of STRETCH shapes from k on are within reach, a bit for each; *sure holds each that is so
   in spite of rounding. */
FORCE_INLINE uint32_t
within_reach(const struct Held *h, const struct Asked *a, ptrdiff_t k, int boxes, uint32_t *sure)
{
    const float *x = h->x + k, *y = h->y + k, *radius = h->radius + k;
    const float *half_width = h->half_width + k, *half_depth = h->half_depth + k;
    const int32_t *order = h->order + k;
    const float from_x = a->x, from_y = a->y, reach = a->radius, doubt = a->doubt;
    const float own_width = a->half_width, own_depth = a->half_depth;
    const int32_t row = a->row;
    int32_t near = 0, certain = 0;
    for (int i = 0; i < STRETCH; i++) {
        float east = x[i] - from_x, north = y[i] - from_y;
        if (boxes) {
            east = (east < 0 ? -east : east) - half_width[i] - own_width;
            north = (north < 0 ? -north : north) - half_depth[i] - own_depth;
            east = east > 0 ? east : 0;
            north = north > 0 ? north : 0;
        }
        const float far = radius[i] + reach, outer = far + doubt, least = far - doubt;
        const float inner = least > 0 ? least : 0;
        const float square = east * east + north * north;
        /* Without `?`, of which gcc makes no vectors where there are two sums. */
        near |= SHAPE[i] & -(int32_t)((square <= outer * outer) & (order[i] != row));
        certain |= SHAPE[i] & -(int32_t)(square < inner * inner);
    }
    *sure = (uint32_t)certain;
    return (uint32_t)near;
}

/* List the shapes within reach, and how many they are; *doubtful says whether one of them may be
   beyond it. There is room for STRETCH more than the cells hold. */
FORCE_INLINE ptrdiff_t
list_cells(const struct Held *h, const struct Asked *a, int boxes, int32_t *RESTRICT out,
           int *doubtful)
{
    ptrdiff_t at = 0;
    uint32_t doubt = 0;
    for (ptrdiff_t line = a->bottom; line <= a->top; line++) {
        const ptrdiff_t first = h->starts[line * a->columns + a->low];
        const ptrdiff_t last = h->starts[line * a->columns + a->high + 1];
        for (ptrdiff_t k = first; k < last; k += STRETCH) {
            const ptrdiff_t left = last - k < STRETCH ? last - k : STRETCH;
            uint32_t sure;
            const uint32_t near = within_reach(h, a, k, boxes, &sure) & ((1u << left) - 1);
            doubt |= near & ~sure;
            /* Every shape is written, and the place moves on after those within reach, as no
               processor could guess a branch. */
            for (int half = 0; half < left; half += HALF)
                for (int i = half; i < half + HALF; i++) {
                    out[at] = h->order[k + i];
                    at += near >> i & 1;
                }
        }
    }
    *doubtful = doubt != 0;
    return at;
}

FOR_EACH_SIMD_WIDTH static ptrdiff_t
list_near(const struct Held *h, const struct Asked *a, int boxes, int32_t *RESTRICT out,
          int *doubtful)
{
    return boxes ? list_cells(h, a, 1, out, doubtful) : list_cells(h, a, 0, out, doubtful);
}

#endif
