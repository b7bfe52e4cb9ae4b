/* Crossings of sight lines and mesh edges, in SIMD lanes: what line.pxd does for one line, as far
   as doubles decide. The ground is flat between the edges of the triangulated raster, so a line can
   only meet it at an edge. */

#ifndef EMLIA3D_MESH_EDGES_H
#define EMLIA3D_MESH_EDGES_H

#include "line_batch.h"

/* One family of parallel edges: columns, rows or diagonals. It is numbers only, so that one loop
   serves all three. */
struct EdgeFamily {
    double by_u, by_v;       /* a point's edge number is by_u * u + by_v * v */
    double along_u, along_v; /* its place along the edge is along_u * u + along_v * v */
    double foremost, last;   /* numbers of the first and the last edge */
    double side;             /* greatest place along an edge */
    double cut;              /* 1 if the border of the raster cuts edges off before that place */
    double per_bend, step;   /* heights between two edges, and between two cells along an edge */
    double harmless;         /* an index into the heights that is always valid */
};

/* The ground as a triangulated raster: heights, families of edges, greatest rise in a cell. */
struct RasterMesh {
    const double *heights;
    double rows, cols, steep;
    struct EdgeFamily kinds[3];
};

static void
init_mesh(struct RasterMesh *mesh, const double *heights, double rows, double cols, double steep)
{
    const struct EdgeFamily column = {1, 0, 0, 1, 0, cols - 1, rows - 1, 0, 1, cols, 0};
    const struct EdgeFamily row = {0, 1, 1, 0, 0, rows - 1, cols - 1, 0, cols, 1, 0};
    const struct EdgeFamily diagonal
        = {1, 1, 1, 0, 1, rows + cols - 3, cols - 1, 1, cols, 1 - cols, cols};
    mesh->heights = heights;
    mesh->rows = rows;
    mesh->cols = cols;
    mesh->steep = steep;
    mesh->kinds[0] = column;
    mesh->kinds[1] = row;
    mesh->kinds[2] = diagonal;
}

/* The piece of each line that is tested: asked is 0 for lines without one; is_first and is_last say
   whether it has an end of the line. over and perhaps are above 0 if ground is, or may be, above
   the piece. All are doubles, because compilers then vectorise the whole loop. */
struct Piece {
    double asked[BATCH_SIZE], begin[BATCH_SIZE], stop[BATCH_SIZE];
    double is_first[BATCH_SIZE], is_last[BATCH_SIZE];
    double over[BATCH_SIZE], perhaps[BATCH_SIZE];
};

/* Test the lines that are OPEN where they cross edges of one family. */
FOR_EACH_SIMD_WIDTH static void
cross_edges_batch(const struct RasterMesh *RESTRICT mesh, const struct EdgeFamily *RESTRICT kind,
                  const struct LineBatch *RESTRICT lines, struct Piece *RESTRICT piece)
{
    const double *RESTRICT heights = mesh->heights;
    const double side = kind->side, south_most = mesh->rows - 1, cut = kind->cut;
    const double per_bend = kind->per_bend, per_cell = kind->step, harmless = kind->harmless;
    const double by_u = kind->by_u, by_v = kind->by_v, steep = mesh->steep;
    const double along_u = kind->along_u, along_v = kind->along_v;
    const double foremost = kind->foremost, last = kind->last;
    const ptrdiff_t step = (ptrdiff_t)per_cell;
    double start[BATCH_SIZE], along[BATCH_SIZE], along_run[BATCH_SIZE];
    double inverse[BATCH_SIZE], margin[BATCH_SIZE];
    double doubt[BATCH_SIZE], near[BATCH_SIZE], first[BATCH_SIZE], count[BATCH_SIZE], most = 0;
    for (int i = 0; i < BATCH_SIZE; i++) {
        const double u = lines->from_u[i], v = lines->from_v[i];
        const double east = lines->east[i], south = lines->south[i], slack = lines->slack[i];
        const double begin = piece->begin[i], stop = piece->stop[i];
        const double its_start = by_u * u + by_v * v, run = by_u * east + by_v * south;
        const double aside = along_u * east + along_v * south;
        const double size = run < 0 ? -run : run, size_aside = aside < 0 ? -aside : aside;
        /* Not so nearly in line with the bends that doubles cannot say where one is crossed. */
        const double steady = slack * (size + size_aside) < 0.5 * size ? 1 : 0;
        const double back = steady / (run * steady + (1 - steady)), per = back < 0 ? -back : back;
        const double its_margin = slack * (1 + size_aside * per);
        const double climb = lines->climb[i] < 0 ? -lines->climb[i] : lines->climb[i];
        const double from_bend = its_start + begin * run, to_bend = its_start + stop * run;
        const double low = (from_bend < to_bend ? from_bend : to_bend) - slack;
        const double high = (from_bend < to_bend ? to_bend : from_bend) + slack;
        const double whole = (double)(int)low;
        const double up = whole + (whole < low ? 1.0 : 0.0);
        const double its_first = up > foremost ? up : foremost;
        const double down = (double)(int)high;
        const double its_last = down < last ? down : last;
        const double crossed = its_last - its_first + 1;
        const double on = piece->asked[i] * (crossed > 0 ? crossed : 0.0);
        start[i] = its_start;
        along[i] = along_u * u + along_v * v;
        along_run[i] = aside;
        inverse[i] = back;
        margin[i] = its_margin;
        doubt[i] = lines->doubt[i] + its_margin * steep + slack * climb * per;
        near[i] = slack * per;
        first[i] = its_first;
        count[i] = steady * on;
        piece->perhaps[i] += (1 - steady) * on;
    }
    for (int i = 0; i < BATCH_SIZE; i++)
        most = count[i] > most ? count[i] : most;
    for (double k = 0; k < most; k++) {
        double share[BATCH_SIZE], line[BATCH_SIZE], ground[BATCH_SIZE], further[BATCH_SIZE];
        double there[BATCH_SIZE], surely[BATCH_SIZE];
        int index[BATCH_SIZE];
        for (int i = 0; i < BATCH_SIZE; i++) {
            const double bend = first[i] + k;
            const double part = (bend - start[i]) * inverse[i];
            const double aside = along[i] + part * along_run[i];
            const double beyond = cut * (bend - south_most), over_side = cut * (side - bend);
            const double low = beyond > 0 ? beyond : 0;
            const double high = side - (over_side > 0 ? over_side : 0);
            const double held = aside > low ? aside : low, place = held < high ? held : high;
            const double before = (double)(int)place;
            const double cell = before < high - 1 ? before : high - 1;
            /* Beyond the outermost centres there are no diagonals. */
            const double on = (k < count[i] ? 1.0 : 0.0) * (aside >= low - margin[i] ? 1.0 : 0.0)
                              * (aside <= high + margin[i] ? 1.0 : 0.0);
            there[i] = on;
            index[i] = (int)(on * (bend * per_bend + cell * per_cell) + (1 - on) * harmless);
            share[i] = place - cell;
            line[i] = lines->from_z[i] + part * lines->climb[i];
            surely[i] = (part > near[i] ? 1.0 : 0.0) * (part < 1 - near[i] ? 1.0 : 0.0)
                        * (place > low ? 1.0 : 0.0) * (place < high ? 1.0 : 0.0);
        }
        for (int i = 0; i < BATCH_SIZE; i++) {
            ground[i] = heights[index[i]];
            further[i] = heights[index[i] + step];
        }
        for (int i = 0; i < BATCH_SIZE; i++) {
            const double above = ground[i] + share[i] * (further[i] - ground[i]) - line[i];
            const double plainly = surely[i] * (above > doubt[i] ? 1.0 : 0.0);
            const double hit = there[i] * (above >= -doubt[i] ? 1.0 : 0.0);
            piece->over[i] += hit * plainly;
            piece->perhaps[i] += hit * (1 - plainly);
        }
    }
}

/* Test the ends of lines that lie in pieces of OPEN lines. */
FOR_EACH_SIMD_WIDTH static void
end_batch(const struct RasterMesh *RESTRICT mesh, const struct LineBatch *RESTRICT lines,
          int other, struct Piece *RESTRICT piece)
{
    const double *RESTRICT heights = mesh->heights;
    const double rows = mesh->rows, cols = mesh->cols;
    const ptrdiff_t wide = (ptrdiff_t)cols;
    double asked[BATCH_SIZE], right[BATCH_SIZE], down[BATCH_SIZE], any = 0;
    double nw[BATCH_SIZE], ne[BATCH_SIZE], sw[BATCH_SIZE], se[BATCH_SIZE];
    int index[BATCH_SIZE];
    for (int i = 0; i < BATCH_SIZE; i++) {
        asked[i] = piece->asked[i] * (other ? piece->is_last[i] : piece->is_first[i]);
        any += asked[i];
    }
    if (any == 0)
        return;
    for (int i = 0; i < BATCH_SIZE; i++) {
        const double u = other ? lines->from_u[i] + lines->east[i] : lines->from_u[i];
        const double v = other ? lines->from_v[i] + lines->south[i] : lines->from_v[i];
        const double at_u = (double)(int)u, at_v = (double)(int)v;
        const double col = at_u < cols - 2 ? at_u : cols - 2;
        const double row = at_v < rows - 2 ? at_v : rows - 2;
        index[i] = (int)(row * cols + col);
        right[i] = u - col;
        down[i] = v - row;
    }
    for (int i = 0; i < BATCH_SIZE; i++) {
        const double *corner = heights + index[i];
        nw[i] = corner[0];
        ne[i] = corner[1];
        sw[i] = corner[wide];
        se[i] = corner[wide + 1];
    }
    for (int i = 0; i < BATCH_SIZE; i++) {
        const double z = other ? lines->from_z[i] + lines->climb[i] : lines->from_z[i];
        const double upper = nw[i] + right[i] * (ne[i] - nw[i]) + down[i] * (sw[i] - nw[i]);
        const double lower = se[i] + (1 - right[i]) * (sw[i] - se[i])
                             + (1 - down[i]) * (ne[i] - se[i]);
        const double ground = right[i] + down[i] <= 1 ? upper : lower, above = ground - z;
        const double plainly = above > lines->doubt[i] ? 1.0 : 0.0;
        const double hit = above >= -lines->doubt[i] ? 1.0 : 0.0;
        piece->over[i] += asked[i] * plainly;
        piece->perhaps[i] += asked[i] * hit * (1 - plainly);
    }
}

/* Look at all bends below the next piece of each line that is OPEN, and go on behind it. */
FOR_EACH_SIMD_WIDTH static void
test_batch(const struct RasterMesh *RESTRICT mesh, struct LineBatch *RESTRICT lines)
{
    struct Piece piece;
    for (int i = 0; i < BATCH_SIZE; i++) {
        const float begin = lines->part[i], end = lines->end[i];
        const float reach = begin + lines->step[i], stop = reach < end ? reach : end;
        const float asked = lines->state[i] == OPEN ? 1.0f : 0.0f;
        const float first = begin <= 0 ? 1.0f : 0.0f, last = stop >= 1 ? 1.0f : 0.0f;
        piece.asked[i] = (double)asked;
        piece.begin[i] = (double)begin;
        piece.stop[i] = (double)stop;
        piece.is_first[i] = (double)first;
        piece.is_last[i] = (double)last;
        piece.over[i] = piece.perhaps[i] = 0;
    }
    end_batch(mesh, lines, 0, &piece);
    end_batch(mesh, lines, 1, &piece);
    for (int kind = 0; kind < 3; kind++)
        cross_edges_batch(mesh, &mesh->kinds[kind], lines, &piece);
    for (int i = 0; i < BATCH_SIZE; i++) {
        const float begin = lines->part[i], end = lines->end[i], stop = (float)piece.stop[i];
        const float over = (float)piece.over[i], perhaps = (float)piece.perhaps[i];
        const int onward = stop >= end ? SEEN : WALKING;
        const int free = perhaps > 0 ? DOUBTFUL : onward;
        const int verdict = over > 0 ? HIDDEN : free;
        const int now = lines->state[i], next = now == OPEN ? verdict : now;
        lines->part[i] = (now == OPEN) & (next == WALKING) ? stop : begin;
        lines->state[i] = next;
    }
}

#endif
