/* The inner loops that measure many places at once, in plain C so that compilers make vectors of
   them. Every lane does its own roundings, the same whatever the vector's width. */

#ifndef EMLIA3D_LANES_H
#define EMLIA3D_LANES_H

#include "widths.h"


/* Points as seen along an axis: s along it, and how far above its lower side and below its upper
   side the corridor has them.

   x, y      : n points
   from      : the point that everything is measured from, and the axis: x, y, east, north
   low, high : each side of the corridor: s and t of a point, and its slope */
FOR_EACH_WIDTH static void
see_points(const double *ALONE x, const double *ALONE y, ptrdiff_t n, const double *from,
           const double *low, const double *high, double *ALONE s, double *ALONE above,
           double *ALONE below)
{
    const double ox = from[0], oy = from[1], dx = from[2], dy = from[3];
    const double low_s = low[0], low_t = low[1], low_slope = low[2];
    const double high_s = high[0], high_t = high[1], high_slope = high[2];
    for (ptrdiff_t k = 0; k < n; k++) {
        const double east = x[k] - ox, north = y[k] - oy;
        const double along = east * dx + north * dy, across = north * dx - east * dy;
        s[k] = along;
        above[k] = across - (low_t + (along - low_s) * low_slope);
        below[k] = (high_t + (along - high_s) * high_slope) - across;
    }
}

/* Where edges cross the sides of the corridor, and how wide it is there; without meaning for an
   edge that crosses none.

   s, above, below : n + 1 corners, from `see_points`
   slope           : out, of each edge as seen from the lower side
   places, widths  : out, n for the lower side and from the n-th on n for the upper */
FOR_EACH_WIDTH static void
cross_sides(const double *ALONE s, const double *ALONE above, const double *ALONE below,
            ptrdiff_t n, const double *low, const double *high, double *ALONE slope,
            double *ALONE places, double *ALONE widths)
{
    const double low_s = low[0], low_t = low[1], low_slope = low[2];
    const double high_s = high[0], high_t = high[1], high_slope = high[2];
    for (ptrdiff_t k = 0; k < n; k++) {
        const double run = s[k + 1] - s[k], rise = above[k + 1] - above[k];
        const double at_low = s[k] + run * (above[k] / -rise);
        const double at_high = s[k] + run * (below[k] / (below[k] - below[k + 1]));
        slope[k] = rise / run;
        places[k] = at_low;
        places[n + k] = at_high;
        widths[k] = high_t + (at_low - high_s) * high_slope
                    - (low_t + (at_low - low_s) * low_slope);
        widths[n + k] = high_t + (at_high - high_s) * high_slope
                        - (low_t + (at_high - low_s) * low_slope);
    }
}

/* The greatest share of the corridor that is covered at many places of its axis: the sum of the
   edges' heights above the lower side, kept within the corridor, less those of edges that run the
   other way.

   s, above, slope : of n edges, and of the last one's end
   places, widths  : count, a multiple of LANES; the corridor's width at each
   own, known      : the edge that crosses a side at a place, and its height there, which rounding
                     is not let near, however steep it is; -1 where there is none
   narrow, touching : up to this a width, an extent is none */
FOR_EACH_WIDTH static double
cover_places(const double *ALONE s, const double *ALONE above,
             const double *ALONE slope, ptrdiff_t n, const double *ALONE places,
             const double *ALONE widths, const double *ALONE own,
             const double *ALONE known, ptrdiff_t count, double narrow, double touching)
{
    double most[LANES] = {0}, found = 0;
    for (ptrdiff_t first = 0; first < count; first += LANES) {
        double sum[LANES] = {0};
        for (ptrdiff_t k = 0; k < n; k++) {
            const double start = s[k], stop = s[k + 1], height = above[k], climb = slope[k];
            const double edge = (double)k;
            for (int i = 0; i < LANES; i++) {
                const double place = places[first + i], width = widths[first + i];
                const double at_side = known[first + i], its_own = own[first + i];
                double up = height + (place - start) * climb;
                up = up > 0 ? up : 0;
                up = up < width ? up : width;
                up = its_own == edge ? at_side : up;
                sum[i] += ((start <= place ? 1.0 : 0.0) - (stop <= place ? 1.0 : 0.0)) * up;
            }
        }
        for (int i = 0; i < LANES; i++) {
            const double width = widths[first + i], extent = sum[i] < 0 ? -sum[i] : sum[i];
            double part = extent / width;
            part = part < 1 ? part : 1;
            part = extent > touching ? part : 0;
            part = width > narrow ? part : 0;
            most[i] = part > most[i] ? part : most[i];
        }
    }
    for (int i = 0; i < LANES; i++)
        found = most[i] > found ? most[i] : found;
    return found;
}

#endif
