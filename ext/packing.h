/* Figures as shaders read them, in plain C so that compilers make vectors of it. Every figure is
   done alike, whatever the vector's width. */

#ifndef EMLIA3D_PACKING_H
#define EMLIA3D_PACKING_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "simd.h"

enum { MOST = 64, FEW = 8, STANDING = 0 };

/* The columns of figures, n each; names that begin with was_ are of a tick before. */
struct Columns {
    const float *x, *y, *facing, *was_x, *was_y, *was_facing, *size, *lift;
    const uint8_t *pose, *was_pose, *team, *model, *shade;
};

/* What is written of runs, a row each: the number of its first figure; eight numbers that shaders
   read; and four of the circle in which it is: middle, radius, and how tall its figures are. */
struct Runs {
    int32_t *starts, *rows;
    float *circles;
};

/* Places of a run's figures, x and y now and a tick before, and between which they are. */
struct Places {
    int32_t at[4][MOST], low[4], high[4];
};

/* On a lattice of 1/512 m, which float32 holds exactly for 32 km. */
FORCE_INLINE int32_t
lattice(float metres)
{
    const float steps = metres * 512.0f;
    return (int32_t)(steps + (steps < 0.0f ? -0.5f : 0.5f));
}

FORCE_INLINE uint32_t
turn(float degrees)
{
    const float steps = degrees * (65536.0f / 360.0f);
    return (uint32_t)(int32_t)(steps + (steps < 0.0f ? -0.5f : 0.5f)) & 0xFFFFu;
}

/* Whether any of n figures is of another team, body, size or lift than the first. */
FORCE_INLINE int
differ(const struct Columns *from, ptrdiff_t first, ptrdiff_t n)
{
    const uint8_t *team = from->team + first, *model = from->model + first;
    const float *size = from->size + first, *lift = from->lift + first;
    uint8_t other = 0;
    int changed = 0;
    for (ptrdiff_t k = 0; k < n; k++)
        other |= (uint8_t)((team[k] ^ team[0]) | (model[k] ^ model[0]));
    for (ptrdiff_t k = 0; k < n; k++)
        changed |= (size[k] != size[0]) | (lift[k] != lift[0]);
    return other || changed;
}

/* Number of the next figures, at most a limit, that are alike. */
FORCE_INLINE ptrdiff_t
alike(const struct Columns *from, ptrdiff_t first, ptrdiff_t most)
{
    if (!(most == MOST ? differ(from, first, MOST) : differ(from, first, most)))
        return most;
    ptrdiff_t count = 1;
    while (!differ(from, first + count - 1, 2))
        count++;
    return count;
}

FORCE_INLINE void
find_places(const struct Columns *from, ptrdiff_t first, ptrdiff_t n, struct Places *found)
{
    const float *columns[4] = {from->x, from->y, from->was_x, from->was_y};
    for (int side = 0; side < 4; side++) {
        int32_t *at = found->at[side];
        for (ptrdiff_t k = 0; k < n; k++)
            at[k] = lattice(columns[side][first + k]);
        int32_t low = at[0], high = at[0];
        for (ptrdiff_t k = 0; k < n; k++) {
            low = at[k] < low ? at[k] : low;
            high = at[k] > high ? at[k] : high;
        }
        found->low[side] = low;
        found->high[side] = high;
    }
}

/* How many of n, from the first on, are no farther from one another than sixteen bits can say. */
FORCE_INLINE ptrdiff_t
together(const struct Places *found, ptrdiff_t n)
{
    ptrdiff_t most = n;
    for (int side = 0; side < 4; side++) {
        const int32_t *at = found->at[side];
        if ((uint32_t)found->high[side] - (uint32_t)found->low[side] <= 0xFFFFu)
            continue;
        int32_t low = at[0], high = at[0];
        for (ptrdiff_t k = 1; k < most; k++) {
            low = at[k] < low ? at[k] : low;
            high = at[k] > high ? at[k] : high;
            if ((uint32_t)high - (uint32_t)low > 0xFFFFu)
                most = k;
        }
    }
    return most;
}

FORCE_INLINE void
write_figures(const struct Columns *from, ptrdiff_t first, ptrdiff_t n, uint32_t run,
              const struct Places *found, int32_t *row)
{
    const uint8_t *pose = from->pose + first, *was_pose = from->was_pose + first;
    const uint8_t *shade = from->shade + first;
    const float *facing = from->facing + first, *was_facing = from->was_facing + first;
    uint32_t words[4][MOST];
    for (int tick = 0; tick < 2; tick++) {
        const int32_t *x = found->at[2 * tick], *y = found->at[2 * tick + 1];
        const uint32_t west = (uint32_t)found->low[2 * tick];
        const uint32_t south = (uint32_t)found->low[2 * tick + 1];
        for (ptrdiff_t k = 0; k < n; k++)
            words[tick][k] = ((uint32_t)x[k] - west) | ((uint32_t)y[k] - south) << 16;
    }
    for (ptrdiff_t k = 0; k < n; k++)
        words[2][k] = turn(facing[k]) | turn(was_facing[k]) << 16;
    for (ptrdiff_t k = 0; k < n; k++)
        words[3][k] = run | (uint32_t)pose[k] << 24 | (uint32_t)was_pose[k] << 26
                      | (uint32_t)shade[k] << 28;
    for (ptrdiff_t k = 0; k < n; k++)
        for (int word = 0; word < 4; word++)
            row[4 * k + word] = (int32_t)words[word][k];
}

FORCE_INLINE void
write_run(const struct Columns *from, ptrdiff_t first, const float *heights,
          const struct Places *found, int32_t *row, float *circle)
{
    const float size = from->size[first], lift = from->lift[first];
    memcpy(row, found->low, sizeof found->low);
    row[4] = from->team[first] | from->model[first] << 4;
    memcpy(row + 5, &size, sizeof size);
    memcpy(row + 6, &lift, sizeof lift);
    row[7] = 0;
    float across[2];
    for (int side = 0; side < 2; side++) {
        const int32_t low = found->low[side], high = found->high[side];
        const int32_t was_low = found->low[side + 2], was_high = found->high[side + 2];
        const float least = (float)(low < was_low ? low : was_low) / 512.0f;
        const float most = (float)(high > was_high ? high : was_high) / 512.0f;
        circle[side] = (least + most) / 2.0f;
        across[side] = most - least;
    }
    circle[2] = sqrtf(across[0] * across[0] + across[1] * across[1]) / 2.0f;
    circle[3] = heights[from->model[first]] * size;
}

/* Write n figures as the next run, where all are near enough; how many are. */
FORCE_INLINE ptrdiff_t
pack_run(const struct Columns *from, ptrdiff_t first, ptrdiff_t n, const float *heights,
         int32_t *rows, const struct Runs *to, ptrdiff_t run)
{
    struct Places found;
    find_places(from, first, n, &found);
    const ptrdiff_t near = together(&found, n);
    if (near < n)
        return near;
    write_figures(from, first, n, (uint32_t)run, &found, rows + 4 * first);
    write_run(from, first, heights, &found, to->rows + 8 * run, to->circles + 4 * run);
    to->starts[run] = (int32_t)first;
    return n;
}

/* Write as the next run as many of so many as are alike and near enough, one after another; how
   many are. */
static ptrdiff_t
pack_few(const struct Columns *from, ptrdiff_t first, ptrdiff_t most, const float *heights,
         int32_t *rows, const struct Runs *to, ptrdiff_t run)
{
    const float *columns[4] = {from->x, from->y, from->was_x, from->was_y};
    struct Places found;
    ptrdiff_t n = 0;
    for (; n < most; n++) {
        const ptrdiff_t here = first + n;
        int32_t low[4], high[4];
        int apart = 0;
        if (from->team[here] != from->team[first] || from->model[here] != from->model[first]
            || from->size[here] != from->size[first] || from->lift[here] != from->lift[first])
            break;
        for (int side = 0; side < 4; side++) {
            const int32_t at = found.at[side][n] = lattice(columns[side][here]);
            low[side] = n && found.low[side] < at ? found.low[side] : at;
            high[side] = n && found.high[side] > at ? found.high[side] : at;
            apart |= (uint32_t)high[side] - (uint32_t)low[side] > 0xFFFFu;
        }
        if (apart)
            break;
        memcpy(found.low, low, sizeof low);
        memcpy(found.high, high, sizeof high);
    }
    if (n == 1) /* as most are then */
        write_figures(from, first, 1, (uint32_t)run, &found, rows + 4 * first);
    else
        write_figures(from, first, n, (uint32_t)run, &found, rows + 4 * first);
    write_run(from, first, heights, &found, to->rows + 8 * run, to->circles + 4 * run);
    to->starts[run] = (int32_t)first;
    return n;
}

/* Four whole numbers a figure: its place and where it was a tick before, each as two of sixteen
   bits counted from its run's; both facings, in parts of 65,536; its run, poses and shade.
   Eight a run: from where places count, now and before; team and body, size, lift. Returns the
   number of runs. */
FOR_EACH_SIMD_WIDTH static ptrdiff_t
pack_figures(const struct Columns *from, ptrdiff_t n, const float *RESTRICT heights,
             int32_t *RESTRICT rows, const struct Runs *to)
{
    ptrdiff_t runs = 0;
    for (ptrdiff_t first = 0, near = MOST; first < n; first += near, runs++) {
        const ptrdiff_t most = n - first < MOST ? n - first : MOST;
        /* After a short run the next is rarely long, so the test of sixty-four is skipped. */
        if (near < FEW) {
            near = pack_few(from, first, most, heights, rows, to, runs);
            continue;
        }
        const ptrdiff_t count = alike(from, first, most);
        /* Most runs are full, and loops of a known length are faster. */
        near = count == MOST ? pack_run(from, first, MOST, heights, rows, to, runs)
                             : pack_run(from, first, count, heights, rows, to, runs);
        if (near < count)
            near = pack_run(from, first, near, heights, rows, to, runs);
    }
    return runs;
}

/* Lines of figures that stand shoulder to shoulder: the first and last of each; all other figures;
   and the runs that both belong to. */
struct Lines {
    int32_t *ends, *runs, *lying, *lying_runs;
    ptrdiff_t count, lying_count;
};

/* How far apart two of a line may be: in widths of a body, and in metres. */
static const float WIDEST_GAP = 2.6f, FARTHEST_M = 4.0f;

/* The lines in which figures stand, runs that begin at starts one after another. */
static void
line_up(const struct Columns *from, const int32_t *starts, ptrdiff_t runs, ptrdiff_t n,
        const float *widths, struct Lines *to)
{
    const float radian = 0.017453292519943295f;
    float looks = 0.0f, sine = 0.0f, cosine = 1.0f;
    to->count = to->lying_count = 0;
    for (ptrdiff_t run = 0; run < runs; run++) {
        const ptrdiff_t end = run + 1 < runs ? starts[run + 1] : n;
        const ptrdiff_t first = starts[run];
        const float gap = WIDEST_GAP * widths[from->model[first]] * from->size[first];
        const float most = gap < FARTHEST_M ? gap : FARTHEST_M;
        ptrdiff_t before = -1;
        int in_line = 0, to_right = 0;
        for (ptrdiff_t k = first; k < end; k++) {
            if (from->pose[k] != STANDING) {
                to->lying[to->lying_count] = (int32_t)k;
                to->lying_runs[to->lying_count++] = (int32_t)run;
                continue;
            }
            int joined = 0;
            if (before >= 0 && from->facing[k] == from->facing[before]
                && from->shade[k] == from->shade[before]) {
                if (from->facing[k] != looks) {
                    looks = from->facing[k];
                    sine = sinf(looks * radian);
                    cosine = cosf(looks * radian);
                }
                const float east = from->x[k] - from->x[before];
                const float north = from->y[k] - from->y[before];
                const float ahead = fabsf(east * sine + north * cosine);
                const float aside = east * cosine - north * sine, reach = fabsf(aside);
                /* A file that doubles back begins another line. */
                joined = ahead < 0.3f * reach && reach < most
                         && !(in_line && to_right != (aside > 0.0f));
                to_right = aside > 0.0f;
            }
            if (!joined) {
                to->ends[2 * to->count] = (int32_t)k;
                to->runs[to->count++] = (int32_t)run;
            }
            to->ends[2 * to->count - 1] = (int32_t)k;
            in_line = joined;
            before = k;
        }
    }
}

#endif
