/* Obstacles in the middle of a sight corridor, eight bodies at once, in plain C so that compilers
   make vectors of it. Every lane is a body and does its own roundings, whatever is beside it and
   however wide the vector. See middle.pxd. */

#ifndef EMLIA3D_MIDDLE_H
#define EMLIA3D_MIDDLE_H

#include <stdint.h>

#include "bits.h"
#include "simd.h"

enum { MOST_EDGES = 32, FEW_EDGES = 5 };

/* Where both sides of a corridor are straight and neither of its two bodies is near. */
struct Middle {
    double from[4];         /* what all is measured from, and the axis: x, y, east, north */
    double south, north;    /* from where to where along the axis; none if not in this order */
    double low[3], high[3]; /* s and t of a point of each side, and its slope */
    double narrow;          /* up to this a width is none */
    double doubt;           /* what rounding may have done to the two bodies' s and t */
    double blur;            /* and of a body at distance 1 */
};

/* The outlines of bodies, as in outline.pxd. */
struct Rings {
    const double *x, *y;
    const int32_t *rings, *bodies;
};

/* Bodies of one ring each that are measured together: where the points of each begin, how many
   edges it has, and where its fraction goes. */
struct RingBatch {
    int count, edges;
    ptrdiff_t first[LANES];
    int own[LANES];
    double *found[LANES];
};

/* Their corners as seen from the corridor: s along the axis, and how far above its lower side and
   below its upper one. A body of fewer edges stays where it ends. */
struct Corners {
    CACHE_ALIGNED double x[MOST_EDGES + 1][LANES], y[MOST_EDGES + 1][LANES];
    CACHE_ALIGNED double s[MOST_EDGES + 1][LANES], above[MOST_EDGES + 1][LANES];
    CACHE_ALIGNED double below[MOST_EDGES + 1][LANES];
};

/* The places of the axis at which each is measured: how wide the corridor is there, and which edge
   crosses a side there (-1 for none) at what height above the lower side: rounding is not let near
   that, however steep the edge is. */
struct Places {
    int count;
    CACHE_ALIGNED double s[3 * MOST_EDGES][LANES], width[3 * MOST_EDGES][LANES];
    CACHE_ALIGNED double own[3 * MOST_EDGES][LANES], known[3 * MOST_EDGES][LANES];
};

/* State of each fraction: -1 if a sweep must find it, 0 for none, 1 if it must be
   measured; what rounding may have done to its corners; its edges' slopes as seen from the lower
   side; and the edges that cross the lower side, or the upper one, and the corners between them, a
   bit for each, and how many these are. Bits are added up, so that all is of one kind. */
struct Outlook {
    CACHE_ALIGNED double state[LANES], doubt[LANES];
    CACHE_ALIGNED double low[LANES], high[LANES], corners[LANES], count[LANES];
    CACHE_ALIGNED double slope[MOST_EDGES][LANES];
};

FORCE_INLINE void
see_corners(const struct Middle *RESTRICT m, const struct Rings *RESTRICT o,
            const struct RingBatch *RESTRICT batch, struct Corners *RESTRICT c)
{
    const double ox = m->from[0], oy = m->from[1], dx = m->from[2], dy = m->from[3];
    const double low_s = m->low[0], low_t = m->low[1], low_slope = m->low[2];
    const double high_s = m->high[0], high_t = m->high[1], high_slope = m->high[2];
    const double *RESTRICT x = (double *)c->x, *RESTRICT y = (double *)c->y;
    double *RESTRICT s = (double *)c->s, *RESTRICT above = (double *)c->above;
    double *RESTRICT below = (double *)c->below;
    for (int i = 0; i < LANES; i++) {
        const double *from_x = o->x + batch->first[i], *from_y = o->y + batch->first[i];
        const int own = batch->own[i];
        for (int k = 0; k <= own; k++) {
            c->x[k][i] = from_x[k];
            c->y[k][i] = from_y[k];
        }
        for (int k = own + 1; k <= batch->edges; k++) {
            c->x[k][i] = from_x[own];
            c->y[k][i] = from_y[own];
        }
    }
    for (int k = 0; k < (batch->edges + 1) * LANES; k++) {
        const double east = x[k] - ox, north = y[k] - oy;
        const double along = east * dx + north * dy, across = north * dx - east * dy;
        s[k] = along;
        above[k] = across - (low_t + (along - low_s) * low_slope);
        below[k] = (high_t + (along - high_s) * high_slope) - across;
    }
}

FORCE_INLINE void
look_over(const struct Middle *RESTRICT m, const struct RingBatch *RESTRICT batch,
          const struct Corners *RESTRICT c, struct Outlook *RESTRICT out)
{
    const double ox = m->from[0], oy = m->from[1];
    double least[LANES], most[LANES], lowest[LANES], highest[LANES], reach[LANES];
    double shortest[LANES], own[LANES];
    for (int i = 0; i < LANES; i++) {
        least[i] = most[i] = c->s[0][i];
        lowest[i] = c->above[0][i];
        highest[i] = c->below[0][i];
        shortest[i] = 1e300;
        reach[i] = 0;
        own[i] = batch->own[i];
    }
    for (int k = 0; k < batch->edges; k++) {
        const double edge = (double)k;
        for (int i = 0; i < LANES; i++) {
            const double s = c->s[k][i], above = c->above[k][i], below = c->below[k][i];
            const double east = c->x[k][i] - ox, north = c->y[k][i] - oy;
            const double wide = east < 0 ? -east : east, deep = north < 0 ? -north : north;
            const double far = wide > deep ? wide : deep;
            const double run = c->s[k + 1][i] - s, length = run < 0 ? -run : run;
            /* Of its own edges only: what fills up has no length. */
            const double of_own = own[i] > edge ? length : 1e300;
            least[i] = s < least[i] ? s : least[i];
            most[i] = s > most[i] ? s : most[i];
            lowest[i] = above > lowest[i] ? above : lowest[i];
            highest[i] = below > highest[i] ? below : highest[i];
            reach[i] = far > reach[i] ? far : reach[i];
            shortest[i] = of_own < shortest[i] ? of_own : shortest[i];
            out->slope[k][i] = (c->above[k + 1][i] - above) / run;
        }
    }
    for (int i = 0; i < LANES; i++) {
        const double blur = m->blur * reach[i], doubt = blur > m->doubt ? blur : m->doubt;
        const double beside = (lowest[i] <= 0) | (highest[i] <= 0) ? 1 : 0;
        const double beyond = (least[i] < m->south) | (most[i] > m->north) ? 1 : 0;
        const double upright = shortest[i] <= doubt ? -1 : 1;
        const double known = beside > 0 ? 0 : upright;
        out->state[i] = beyond > 0 ? -1 : known;
        out->doubt[i] = doubt;
    }
}

FORCE_INLINE void
find_breaks(const struct RingBatch *RESTRICT batch, const struct Corners *RESTRICT c,
            struct Outlook *RESTRICT out)
{
    double low[LANES], high[LANES], corners[LANES], count[LANES], own[LANES];
    for (int i = 0; i < LANES; i++) {
        low[i] = high[i] = corners[i] = count[i] = 0;
        own[i] = batch->own[i];
    }
    for (int k = 0; k < batch->edges; k++) {
        const double edge = (double)k, bit = (double)((uint64_t)1 << k);
        for (int i = 0; i < LANES; i++) {
            const double above = c->above[k][i], next_above = c->above[k + 1][i];
            const double below = c->below[k][i], next_below = c->below[k + 1][i];
            const int at_low = (above < 0) != (next_above < 0);
            const int at_high = (below < 0) != (next_below < 0);
            const int at_corner = (above >= 0) & (below >= 0) & (own[i] > edge);
            low[i] += at_low ? bit : 0.0;
            high[i] += at_high ? bit : 0.0;
            corners[i] += at_corner ? bit : 0.0;
            count[i] += (at_low ? 1.0 : 0.0) + (at_high ? 1.0 : 0.0) + (at_corner ? 1.0 : 0.0);
        }
    }
    for (int i = 0; i < LANES; i++) {
        out->low[i] = low[i];
        out->high[i] = high[i];
        out->corners[i] = corners[i];
        out->count[i] = count[i];
    }
}

/* How wide the corridor is at s. */
static inline double
width_at(const struct Middle *m, double s)
{
    return m->high[1] + (s - m->high[0]) * m->high[2]
           - (m->low[1] + (s - m->low[0]) * m->low[2]);
}

/* No places: the corridor has no width there. */
FORCE_INLINE void
clear_places(struct Places *p)
{
    for (int n = 0; n < p->count; n++)
        for (int i = 0; i < LANES; i++)
            p->s[n][i] = p->width[n][i] = p->own[n][i] = p->known[n][i] = 0;
}

/* The places at which the body in lane i is measured. */
static inline void
list_places(const struct Middle *m, const struct Corners *c, const struct Outlook *out, int i,
            struct Places *p)
{
    int n = 0;
    for (uint64_t edges = (uint64_t)out->low[i]; edges; edges &= edges - 1, n++) {
        const int k = lowest_bit(edges);
        const double start = c->above[k][i], rise = c->above[k + 1][i] - start;
        const double run = c->s[k + 1][i] - c->s[k][i];
        p->s[n][i] = c->s[k][i] + run * (start / -rise);
        p->width[n][i] = width_at(m, p->s[n][i]);
        p->own[n][i] = k;
        p->known[n][i] = 0;
    }
    for (uint64_t edges = (uint64_t)out->high[i]; edges; edges &= edges - 1, n++) {
        const int k = lowest_bit(edges);
        const double start = c->below[k][i], fall = start - c->below[k + 1][i];
        const double run = c->s[k + 1][i] - c->s[k][i];
        p->s[n][i] = c->s[k][i] + run * (start / fall);
        p->width[n][i] = p->known[n][i] = width_at(m, p->s[n][i]);
        p->own[n][i] = k;
    }
    for (uint64_t corners = (uint64_t)out->corners[i]; corners; corners &= corners - 1, n++) {
        const int k = lowest_bit(corners);
        p->s[n][i] = c->s[k][i];
        p->width[n][i] = c->above[k][i] + c->below[k][i];
        p->own[n][i] = -1;
        p->known[n][i] = 0;
    }
}

/* The greatest share that each covers at its places: the sum of the edges' heights above the lower
   side, kept within the corridor, less those of edges that run the other way. */
FORCE_INLINE void
cover_places(const struct Middle *RESTRICT m, const struct RingBatch *RESTRICT batch,
             const struct Corners *RESTRICT c, const struct Outlook *RESTRICT out,
             const struct Places *RESTRICT p, double *RESTRICT most)
{
    const double narrow = m->narrow;
    for (int i = 0; i < LANES; i++)
        most[i] = 0;
    for (int n = 0; n < p->count; n++) {
        double sum[LANES] = {0};
        for (int k = 0; k < batch->edges; k++) {
            const double edge = (double)k;
            for (int i = 0; i < LANES; i++) {
                const double place = p->s[n][i], width = p->width[n][i];
                const double start = c->s[k][i], stop = c->s[k + 1][i];
                double up = c->above[k][i] + (place - start) * out->slope[k][i];
                up = up > 0 ? up : 0;
                up = up < width ? up : width;
                up = p->own[n][i] == edge ? p->known[n][i] : up;
                sum[i] += ((start <= place ? 1.0 : 0.0) - (stop <= place ? 1.0 : 0.0)) * up;
            }
        }
        for (int i = 0; i < LANES; i++) {
            const double width = p->width[n][i], extent = sum[i] < 0 ? -sum[i] : sum[i];
            double part = extent / width;
            part = part < 1 ? part : 1;
            part = extent > 4 * out->doubt[i] ? part : 0;
            part = width > narrow ? part : 0;
            most[i] = part > most[i] ? part : most[i];
        }
    }
}

FORCE_INLINE void
measure_batch(const struct Middle *RESTRICT m, const struct Rings *RESTRICT o,
              struct RingBatch *RESTRICT batch, double touching)
{
    struct Corners corners;
    struct Outlook out;
    struct Places places;
    double most[LANES];
    /* Empty lanes do what the first does. */
    for (int i = batch->count; i < LANES; i++) {
        batch->first[i] = batch->first[0];
        batch->own[i] = batch->own[0];
    }
    see_corners(m, o, batch, &corners);
    look_over(m, batch, &corners, &out);
    find_breaks(batch, &corners, &out);
    places.count = 0;
    for (int i = 0; i < LANES; i++) {
        const int count = (i < batch->count) & (out.state[i] > 0) ? (int)out.count[i] : 0;
        places.count = count > places.count ? count : places.count;
    }
    clear_places(&places);
    for (int i = 0; i < batch->count; i++)
        if (out.state[i] > 0)
            list_places(m, &corners, &out, i, &places);
    cover_places(m, batch, &corners, &out, &places, most);
    for (int i = 0; i < batch->count; i++)
        *batch->found[i] = out.state[i] > 0 ? (most[i] > touching ? most[i] : 0) : out.state[i];
    batch->count = batch->edges = 0;
}

FORCE_INLINE void
join_batch(struct RingBatch *batch, ptrdiff_t first, int edges, double *found)
{
    const int i = batch->count++;
    batch->first[i] = first;
    batch->own[i] = edges;
    batch->found[i] = found;
    batch->edges = edges > batch->edges ? edges : batch->edges;
}

/* The fraction that each body covers; -1 if a sweep must find it.

   shut : a bit for each body that is known to cover all */
FOR_EACH_SIMD_WIDTH static void
measure_middle(const struct Middle *m, const struct Rings *o, const int32_t *rows, ptrdiff_t count,
               const uint64_t *shut, double touching, double *found)
{
    /* Bodies of few edges separately, so that they do not wait for bodies with many. */
    struct RingBatch batches[2] = {0};
    for (ptrdiff_t k = 0; k < count; k++) {
        const ptrdiff_t first = o->rings[o->bodies[rows[k]]];
        fetch(o->x + first);
        fetch(o->x + first + LANES);
        fetch(o->y + first);
        fetch(o->y + first + LANES);
    }
    for (ptrdiff_t k = 0; k < count; k++) {
        const int32_t ring = o->bodies[rows[k]];
        const ptrdiff_t first = o->rings[ring];
        const int edges = o->rings[ring + 1] - o->rings[ring] - 1;
        struct RingBatch *batch = &batches[edges > FEW_EDGES];
        found[k] = shut[rows[k] >> 6] >> (rows[k] & 63) & 1 ? 1 : -1;
        if (found[k] > 0 || o->bodies[rows[k] + 1] - ring != 1 || edges < 3 || edges > MOST_EDGES)
            continue;
        join_batch(batch, first, edges, &found[k]);
        if (batch->count == LANES)
            measure_batch(m, o, batch, touching);
    }
    if (batches[0].count + batches[1].count <= LANES) {
        for (int i = 0; i < batches[0].count; i++)
            join_batch(&batches[1], batches[0].first[i], batches[0].own[i], batches[0].found[i]);
        batches[0].count = 0;
    }
    for (int which = 0; which < 2; which++)
        if (batches[which].count > 0)
            measure_batch(m, o, &batches[which], touching);
}

#endif
