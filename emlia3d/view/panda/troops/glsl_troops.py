"""Shader text of units: near and distant figures, their shadows, and standards."""

from __future__ import annotations

# As `packing` writes them.
FIGURE_ROWS = """
uniform isamplerBuffer rows;    // place, place a tick before, facings, run and looks
uniform isamplerBuffer runs;    // two each: from where places count; team and body, size, lift
uniform isamplerBuffer chosen;  // numbers of the figures that are drawn so
uniform vec4 sides[16];
uniform vec4 figure;        // alpha between ticks, least height in pixels, seconds, share of falls
struct Figure { vec3 foot; float facing; int team; int pose; int before; float spent; int model;
float own; float size; float stride; };
Figure figure_of(int place) {
    int i = texelFetch(chosen, place).r;
    ivec4 row = texelFetch(rows, i);
    int run = 2 * (row.w & 0xFFFFFF);
    ivec4 corner = texelFetch(runs, run), body = texelFetch(runs, run + 1);
    Figure f;
    vec2 now = vec2(corner.xy + (ivec2(row.x, row.x >> 16) & 0xFFFF)) / 512.;
    vec2 was = vec2(corner.zw + (ivec2(row.y, row.y >> 16) & 0xFFFF)) / 512.;
    vec2 at = mix(was, now, figure.x);
    int turn = ((row.z - (row.z >> 16) + 0x8000) & 0xFFFF) - 0x8000;
    f.facing = (float((row.z >> 16) & 0xFFFF) + figure.x * float(turn)) * (6.28318531 / 65536.);
    f.team = body.x & 15; f.pose = (row.w >> 24) & 3; f.before = (row.w >> 26) & 3;
    f.spent = float((row.w >> 28) & 15) / 15.;
    f.model = body.x >> 4; f.own = float((uint(i) * 2654435761u) >> 24) / 255.;
    f.size = intBitsToFloat(body.y);
    // The fallen lie as they fell, and in no line.
    if (f.pose == 2) at += (f.before == 2 ? 1. : figure.w) * (vec2(fract(f.own * 37.7),
        fract(f.own * 91.3)) - .5) * min(3.2 * f.size, 5.);
    f.foot = vec3(at, ground(at) + intBitsToFloat(body.z));
    f.stride = length(now - was) * step(.001, 1. - figure.x) * step(.001, figure.x);
    return f;
}
vec3 dressed(vec4 own, vec3 side, Figure f) {
    vec3 c = mix(own.rgb, own.rgb * side * .92, own.a) * (.90 + .20 * fract(f.own * 7.3));
    return mix(c, vec3(dot(c, vec3(.33))) * vec3(.98, .95, .88), f.spent * .8);
}
float stature(vec3 foot, float tall, float size) {
    float away = length(foot - eye);
    return size * clamp(figure.y * away / (air.z * tall * size), 1., 1.9);
}
"""

FIGURE_VERTEX = """
uniform mat4 p3d_ViewProjectionMatrix;
uniform vec4 body;          // natural height, 1 where it lies on its side when fallen, gait, -
in vec4 p3d_Vertex; in vec3 p3d_Normal; in vec4 p3d_Color;
out vec3 albedo; out vec3 place; out vec3 normal; out float low;
mat2 turn(float a) { return mat2(cos(a), sin(a), -sin(a), cos(a)); }
float share(Figure f, int pose, float late) {
    return mix(float(f.before == pose), float(f.pose == pose), late);
}
void main() {
    Figure f = figure_of(gl_InstanceID);
    vec3 p = p3d_Vertex.xyz, n = p3d_Normal;
    low = p.z / body.x;
    float facing = f.facing + (f.own - .5) * .14;
    // A figure that falls, lies down or kneels in this step does so between its ends.
    // A wave of falls goes over the ground, as `emlia3d.view.moment.waves` has it.
    float wave = abs(2. * fract(dot(f.foot.xy, vec2(.0093, .0061))) - 1.);
    float late = smoothstep(.15 + .68 * wave, .3 + .7 * wave, figure.w);
    float fell = share(f, 2, late), prone = share(f, 1, late), knelt = share(f, 3, late);
    p.z = mix(p.z, p.z < .86 ? p.z * .48 : p.z - .45, knelt);
    if (fell > 0.) {
        mat2 tip = turn(fell * (f.own > .5 ? 1.46 : -1.46));
        if (body.y > .5) { p.xz = tip * p.xz; n.xz = tip * n.xz; }
        else { p.yz = tip * p.yz; n.yz = tip * n.yz; }
        facing += fell * f.own * 6.28;
    }
    if (prone > 0.) { mat2 tip = turn(-1.38 * prone); p.yz = tip * p.yz; n.yz = tip * n.yz; }
    p.z = mix(p.z, abs(p.z) * .8 + .12, max(fell, prone));
    if (f.stride > .02 && fell + prone <= 0.) {
        float beat = figure.z * 9. + f.own * 6.28;
        p.z += abs(sin(beat)) * .05;
        if (p.z < .9 * body.x / 1.9) p.y += sin(beat + (p.x > 0. ? 3.14 : 0.)) * .22
            * (1. - low * 2.) * body.z;
    }
    mat2 heading = turn(-facing);
    p.xy = heading * p.xy; n.xy = heading * n.xy;
    float scale = stature(f.foot, body.x, f.size) * (.96 + .08 * f.own);
    place = f.foot + p * scale;
    normal = n;
    vec4 own = p3d_Color;
    own.rgb *= mix(1., .72 + .5 * fract(f.own * 3.7), body.y * (1. - own.a));
    // no two horses alike
    albedo = dressed(own, sides[f.team].rgb, f) * (f.pose == 2 ? .86 : 1.);
    gl_Position = p3d_ViewProjectionMatrix * vec4(place, 1.);
}
"""

# In the distance, troops are recognised by their colours. They are equally bright from all
# directions, slightly paler, and without shade from each other.
AFAR = """
vec3 afar_lit(vec3 albedo, float sunny) {
    vec3 light = mix(EARTHLIGHT, SKYLIGHT, .8) + SUNLIGHT * .5 * mix(sunny, 1., .6);
    return pow(albedo, vec3(1.75)) * light * .72;
}
"""

FIGURE_FRAGMENT = (
    AFAR
    + """
in vec3 albedo; in vec3 place; in vec3 normal; in float low; out vec4 o;
void main() {
    vec3 n = normalize(normal);
    float contact = .58 + .42 * smoothstep(0., .45, low), sunny = sunshine(place, n);
    float afar = smoothstep(30., 200., length(eye - place));
    vec3 near = lit(albedo * albedo, n, sunny) * 1.34;
    o = shown(mix(near, afar_lit(albedo, sunny), .7 * afar) * contact, place);
}
"""
)

FAR_VERTEX = """
uniform mat4 p3d_ViewProjectionMatrix;
uniform vec4 bulk[BODIES];      // natural height, width, sort of card, -
uniform vec3 across;        // the camera's right
in vec4 p3d_Vertex;
out vec2 uv; out vec3 place; flat out vec3 coat; flat out vec2 sort;
void main() {
    Figure f = figure_of(gl_InstanceID);
    vec4 b = bulk[f.model];
    float scale = stature(f.foot, b.x, f.size);
    vec3 sight = normalize(f.foot - eye);
    float above = abs(sight.z);
    vec2 box = f.pose == 0 ? vec2(b.y, b.x) : f.pose == 3 ? vec2(b.y, b.x * .72)
        : vec2(b.x * 1.05, mix(.4, b.y * 1.1, above));
    vec3 upright = normalize(mix(vec3(0., 0., 1.), cross(across, sight),
        clamp(abs(sight.z) * 1.2, 0., 1.)));
    uv = p3d_Vertex.xy;
    place = f.foot + (across * uv.x * box.x + upright * (uv.y * box.y)) * scale;
    // Seen from above a card lies almost flat: lifted along the sight line it clears every slope.
    place -= sight * (abs(sight.z) * box.y * scale * 1.2);
    coat = dressed(vec4(1.), sides[f.team].rgb, f) * (f.pose == 2 ? .8 : 1.);
    sort = vec2(f.pose == 1 || f.pose == 2 ? 2. : b.z, 0.);
    gl_Position = p3d_ViewProjectionMatrix * vec4(place, 1.);
}
"""

# A line of figures far away: one strip from its first to its last.
RANK_VERTEX = """
uniform mat4 p3d_ViewProjectionMatrix;
uniform vec4 bulk[BODIES];
uniform vec3 across;
in vec4 p3d_Vertex;
out vec2 uv; out vec3 place; flat out vec3 coat; flat out vec2 sort;
void main() {
    Figure f = figure_of(2 * gl_InstanceID), last = figure_of(2 * gl_InstanceID + 1);
    vec4 b = bulk[f.model];
    float scale = stature(f.foot, b.x, f.size);
    float lift = f.foot.z - ground(f.foot.xy);
    vec2 at = mix(f.foot.xy, last.foot.xy, p3d_Vertex.x + .5);
    vec2 along = last.foot.xy - f.foot.xy;
    // The ends stand out by half a figure, to the hand where the line's end is seen.
    at += across.xy * (dot(along, across.xy) < 0. ? -1. : 1.) * p3d_Vertex.x * b.y * scale;
    vec3 foot = vec3(at, ground(at) + lift), sight = normalize(foot - eye);
    vec3 upright = normalize(mix(vec3(0., 0., 1.), cross(across, sight),
        clamp(abs(sight.z) * 1.2, 0., 1.)));
    uv = vec2(0., p3d_Vertex.y);
    place = foot + upright * (p3d_Vertex.y * b.x * scale);
    place -= sight * (abs(sight.z) * b.x * scale * 1.2);
    coat = dressed(vec4(1.), sides[f.team].rgb, f);
    sort = vec2(b.z, 1.);
    gl_Position = p3d_ViewProjectionMatrix * vec4(place, 1.);
}
"""

# sort: 0 on foot, 1 mounted, 2 lying, 3 a gun; then 1 where a strip stands for many.
FAR_FRAGMENT = (
    AFAR
    + """
in vec2 uv; in vec3 place; flat in vec3 coat; flat in vec2 sort; out vec4 o;
const vec3 HORSE = vec3(.40, .29, .22), METAL = vec3(.38, .36, .30), FACE = vec3(.70, .52, .40);
void main() {
    float x = abs(uv.x), y = uv.y;
    vec3 c;
    if (sort.x > 2.5) {
        bool crew = abs(x - .38) < .09;
        if (!crew && y > (x < .12 ? .62 : x < .30 ? .38 : 0.)) discard;
        c = crew ? (y < .40 ? METAL : y < .80 ? coat : vec3(.30, .25, .22)) : x < .12 && y > .34
            ? vec3(.62, .50, .26) : METAL;
    } else if (sort.x > 1.5) {
        if (y > (x > .36 ? .62 : .9)) discard;
        c = x > .36 ? vec3(.74, .66, .54) : x > .24 ? vec3(.66, .63, .57) : coat;
    } else if (sort.x > .5) {
        if (x > (y < .55 ? .5 : .22)) discard;
        c = y < .52 ? mix(HORSE, coat, step(.34, y) * step(x, .2) * (1. - sort.y))
            : y < .84 ? coat : vec3(.30);
    } else {
        if (x > (y < .40 ? .36 : y < .76 ? .5 : .26)) discard;
        c = y < .08 ? vec3(.14) : y < .34 ? mix(vec3(.58, .56, .52), coat, .6) : y < .77 ? coat
            : y < .86 ? FACE : vec3(.16);
    }
    // A line this far off is recognised by its side's colour or not at all.
    c = mix(c, coat, .6 * sort.y) * (.78 + .22 * smoothstep(0., mix(.6, .2, sort.y), y));
    o = shown(afar_lit(c, sunshine(place, vec3(0., 0., 1.))), place);
}
"""
)

# Without a shadow map, each figure lays a dark leaf on the ground behind it.
CAST_VERTEX = """
uniform mat4 p3d_ViewProjectionMatrix;
uniform vec4 bulk[BODIES];
in vec4 p3d_Vertex;
out vec2 uv; out vec3 place;
void main() {
    Figure f = figure_of(gl_InstanceID);
    vec4 b = bulk[f.model];
    float scale = stature(f.foot, b.x, f.size);
    float tall = f.pose == 0 ? b.x : f.pose == 3 ? b.x * .7 : .35;
    vec2 away = -normalize(sun.xy), side = vec2(away.y, -away.x);
    float reach = min(tall * length(sun.xy) / max(sun.z, .1), 12.);
    uv = p3d_Vertex.xy;
    vec2 at = f.foot.xy + (away * (uv.y * (reach + .3) - .25) + side * uv.x * b.y * 1.15) * scale;
    place = vec3(at, max(ground(at), f.foot.z - 9.) + .05);
    gl_Position = p3d_ViewProjectionMatrix * vec4(place + (eye - place) * .0015, 1.);
}
"""

CAST_FRAGMENT = """
in vec2 uv; in vec3 place; out vec4 o;
void main() {
    float body = 1. - smoothstep(.30, .5, abs(uv.x) * (1. + .8 * uv.y));
    o = vec4(.03, .04, .06,
        body * (1. - uv.y * uv.y * .7) * .42 * exp(-length(place - eye) * air.x));
}
"""

FLAG_VERTEX = """
uniform mat4 p3d_ViewProjectionMatrix;
uniform samplerBuffer rows;  // x, y, height of the foot, scale; then team, pattern, -, -
uniform vec4 sides[16];
uniform vec3 across;
in vec4 p3d_Vertex; in vec3 p3d_Normal; in vec4 p3d_Color;
out vec2 uv; out vec3 place; out vec3 normal; flat out vec3 dye; flat out int pattern;
void main() {
    vec4 at = texelFetch(rows, 2 * gl_InstanceID), own = texelFetch(rows, 2 * gl_InstanceID + 1);
    float away = length(at.xyz - eye);
    float scale = max(1., at.w * away / (air.z * 4.6));
    uv = p3d_Vertex.xy;
    float wave = sin(uv.x * 5. + at.x) * .16 * uv.x;
    vec3 deep = vec3(-across.y, across.x, 0.);
    place = at.xyz + (across * (uv.x * 1.7 + .05) + vec3(0., 0.,
        3.5 + uv.y * 1.25 - uv.x * .12) + deep * wave) * scale;
    normal = normalize(-deep + across * cos(uv.x * 5. + at.x) * .5 + vec3(0., 0., .3));
    dye = sides[int(own.x + .5)].rgb;
    pattern = int(own.y + .5);
    gl_Position = p3d_ViewProjectionMatrix * vec4(place, 1.);
}
"""

FLAG_FRAGMENT = """
in vec2 uv; in vec3 place; in vec3 normal; flat in vec3 dye; flat in int pattern; out vec4 o;
void main() {
    vec2 q = abs(uv - .5);
    float white = 0.;
    if (pattern == 1) white = step(abs(abs(uv.x - .5) - abs(uv.y - .5)), .10);
    else if (pattern == 2) white = step(min(q.x * 1.3, q.y), .10);
    else if (pattern == 3) white = step(q.x, .16);
    else if (pattern == 4) white = step(q.y, .16);
    else if (pattern == 5) white = (uv.x - .5) * (uv.y - .5) > 0. ? 1. : 0.;
    vec3 c = mix(dye * .95, vec3(.92, .90, .84), white);
    if (max(q.x, q.y) > .46) c = vec3(.80, .66, .30);
    o = shown(lit(c * c, normalize(normal), 1.) * 1.1, place);
}
"""

POLE_VERTEX = """
uniform mat4 p3d_ViewProjectionMatrix;
uniform samplerBuffer rows;
in vec4 p3d_Vertex; in vec3 p3d_Normal; in vec4 p3d_Color;
out vec3 albedo; out vec3 place; out vec3 normal; out float low;
void main() {
    vec4 at = texelFetch(rows, 2 * gl_InstanceID);
    float scale = max(1., at.w * length(at.xyz - eye) / (air.z * 4.6));
    place = at.xyz + p3d_Vertex.xyz * scale; normal = p3d_Normal; albedo = p3d_Color.rgb; low = 1.;
    gl_Position = p3d_ViewProjectionMatrix * vec4(place, 1.);
}
"""
