"""The shaders, GLSL 3.30: one common part, then a vertex and a fragment part a thing.

Colours of models and paint are sRGB; light is reckoned in linear light and put back by
`film`. Every thing takes the same sun, sky and haze, so that nothing looks pasted in.
"""

from __future__ import annotations

from functools import cache

from panda3d.core import Shader

COMMON = """#version 330
uniform sampler2D heights;  // metres, row 0 south
uniform vec4 lattice;       // columns, rows, cell east, cell north
uniform vec3 eye;
uniform vec3 sun;           // to the sun
uniform vec4 air;           // haze a metre, relief, pixels a radian, 1 where shadows are cast
const vec3 SUNLIGHT = vec3(1.95, 1.66, 1.24);
const vec3 SKYLIGHT = vec3(.27, .34, .47);
const vec3 EARTHLIGHT = vec3(.22, .19, .14);
const vec3 DISTANCE = vec3(.44, .53, .64);

float ground(vec2 place) {
    vec2 at = clamp(place / lattice.zw - .5, vec2(0.), lattice.xy - 1.);
    ivec2 sw = min(ivec2(at), ivec2(lattice.xy) - 2);
    vec2 f = at - vec2(sw);
    float a = texelFetch(heights, sw, 0).r, c = texelFetch(heights, sw + ivec2(1, 1), 0).r;
    float b = texelFetch(heights, sw + (f.x >= f.y ? ivec2(1, 0) : ivec2(0, 1)), 0).r;
    return f.x >= f.y ? a + f.x * (b - a) + f.y * (c - b) : a + f.y * (b - a) + f.x * (c - b);
}
vec3 lit(vec3 albedo, vec3 n, float sunshine) {
    vec3 light = mix(EARTHLIGHT, SKYLIGHT, .5 + .5 * n.z) + SUNLIGHT * sunshine * max(dot(n, sun), 0.);
    return albedo * light;
}
vec3 veiled(vec3 colour, vec3 place, float more) {
    vec3 sight = place - eye;
    float away = length(sight), veil = 1. - exp(-away * air.x - more);
    float glow = pow(max(dot(sight / max(away, .01), sun), 0.), 5.);
    return mix(colour, DISTANCE + vec3(.22, .15, .05) * glow, veil);
}
vec3 hazy(vec3 colour, vec3 place) { return veiled(colour, place, 0.); }
vec3 film(vec3 c) {
    c = max(c * .80 - .004, 0.);
    c = (c * (6.2 * c + .5)) / (c * (6.2 * c + 1.7) + .06);
    return clamp(mix(vec3(dot(c, vec3(.3, .6, .1))), c, 1.02), 0., 1.);
}
vec4 shown(vec3 colour, vec3 place) { return vec4(film(hazy(colour, place)), 1.); }
"""

SHADOW = """
uniform sampler2DShadow shade_map;
uniform mat4 shade_matrix;
float sunshine(vec3 place, vec3 n) {
    if (air.w < .5) return 1.;  // the map's own pass, or none
    vec4 q = shade_matrix * vec4(place + n * .2, 1.);
    vec3 p = q.xyz / q.w * .5 + .5;
    if (any(lessThan(p, vec3(0.))) || any(greaterThan(p, vec3(1.)))) return 1.;
    vec2 texel = 1. / vec2(textureSize(shade_map, 0));
    float sum = 0.;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            sum += texture(shade_map, vec3(p.xy + (vec2(i, j) - .5) * 1.2 * texel, p.z - .0008));
    return sum * .25;
}
"""

NO_SHADOW = """
float sunshine(vec3 place, vec3 n) { return 1.; }
"""

GROUND_VERTEX = """
uniform mat4 p3d_ModelViewProjectionMatrix;
in vec4 p3d_Vertex; in vec3 p3d_Normal;
out vec3 place; out vec3 normal;
void main() {
    place = p3d_Vertex.xyz;
    normal = p3d_Normal;
    gl_Position = p3d_ModelViewProjectionMatrix * p3d_Vertex;
}
"""

GROUND_FRAGMENT = """
uniform sampler2D paint; uniform sampler2D cover; uniform sampler2D grain;
uniform vec4 extent;        // size east, size north, contour interval, contour strength
in vec3 place; in vec3 normal; out vec4 o;
float line(float level, float width) {
    float step = fwidth(level);
    float away = abs(fract(level - .5) - .5) / max(step, 1e-5);
    return (1. - smoothstep(width * .5, width * .5 + 1., away)) * (1. - smoothstep(.18, .45, step));
}
void main() {
    float away = length(place - eye);
    vec2 inside = clamp(place.xy, vec2(0.), extent.xy);
    float beyond = length(place.xy - inside);
    float near = exp(-away * .010);
    float blot = texture(grain, place.xy / 23.).r - .5;
    float blade = near > .03 ? texture(grain, place.xy / 2.9 + blot * .2).r - .5 : 0.;
    float speck = near > .15 ? texture(grain, place.xy / .83).r - .5 : 0.;
    vec2 uv = (inside + near * .45 * vec2(blade, speck)) / extent.xy;
    vec3 colour = texture(paint, uv).rgb;
    vec3 here = texture(cover, uv).rgb;
    vec3 far_grass = vec3(.44, .50, .26) * (.94 + .3 * blot);
    float out_of_field = smoothstep(0., 1.5, beyond);
    colour = mix(colour, far_grass, out_of_field);
    here = mix(here, vec3(1., 0., 1.), out_of_field);
    colour *= 1. + near * (blade * .34 + speck * .42) * mix(.45, 1., here.b) * (1. - here.g);
    colour = max(colour, 0.);
    vec3 n = normalize(vec3(normal.xy * air.y, normal.z));
    vec3 c = lit(colour * colour, n, min(here.r, sunshine(place, n)));
    if (here.g > .01) {
        vec3 sight = normalize(place - eye);
        vec3 wave = normalize(vec3(blot * .10 + blade * .05, blade * .10, 1.));
        vec3 mirror = reflect(sight, wave);
        float gleam = .03 + .97 * pow(1. - max(dot(-sight, wave), 0.), 4.);
        vec3 sky = mix(vec3(.46, .55, .66), vec3(.13, .27, .52), clamp(mirror.z * 1.4, 0., 1.));
        vec3 water = mix(c * .8, sky, clamp(gleam, 0., .85));
        water += vec3(1.6, 1.3, .9) * pow(max(dot(mirror, sun), 0.), 90.);
        c = mix(c, water, here.g);
    }
    if (extent.z > 0.) {
        float ink = max(line(place.z / extent.z, .7) * .30, line(place.z / extent.z / 5., 1.2) * .52);
        c = mix(c, vec3(.11, .07, .03), ink * extent.w * (1. - out_of_field));
    }
    c *= mix(1., .86, out_of_field);
    float rim = fwidth(beyond) + .25;
    c = mix(c, vec3(.75, .70, .55), .5 * smoothstep(0., .2, beyond) * (1. - smoothstep(rim, rim * 2., beyond)));
    o = vec4(film(veiled(c, place, beyond / (.38 * max(extent.x, extent.y)))), 1.);
}
"""

# Row 2i: x, y, facing, packed. Row 2i + 1: the same a tick before, and size with lift.
FIGURE_ROWS = """
uniform samplerBuffer rows;
uniform vec4 sides[16];
uniform vec4 figure;        // alpha between ticks, least height in pixels, seconds, -
struct Figure { vec3 foot; float facing; int team; int pose; float spent; int model; float own; float size; float stride; };
Figure figure_of(int i) {
    vec4 now = texelFetch(rows, 2 * i), was = texelFetch(rows, 2 * i + 1);
    Figure f;
    vec2 at = mix(was.xy, now.xy, figure.x);
    int bits = int(now.w), body = int(was.w);  // whole already; adding a half would round odd ones up
    f.facing = was.z + figure.x * (mod(now.z - was.z + 9.42477796, 6.28318531) - 3.14159265);
    f.team = bits & 15; f.pose = (bits >> 4) & 3; f.spent = float((bits >> 8) & 15) / 15.;
    f.model = (bits >> 12) & 15; f.own = float((bits >> 16) & 255) / 255.;
    f.size = float(body & 4095) / 64.;
    f.foot = vec3(at, ground(at) + float(body >> 12) / 16.);
    f.stride = length(now.xy - was.xy) * step(.001, 1. - figure.x) * step(.001, figure.x);
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
void main() {
    Figure f = figure_of(gl_InstanceID);
    vec3 p = p3d_Vertex.xyz, n = p3d_Normal;
    low = p.z / body.x;
    float facing = f.facing + (f.own - .5) * .14;
    if (f.pose == 2) {
        float tip = f.own > .5 ? 1.46 : -1.46;
        if (body.y > .5) { p.xz = turn(tip) * p.xz; n.xz = turn(tip) * n.xz; p.z = abs(p.z) * .8 + .1; }
        else { p.yz = turn(tip) * p.yz; n.yz = turn(tip) * n.yz; p.z = abs(p.z) * .8 + .12; }
        facing += f.own * 6.28;
    } else if (f.pose == 1) {
        p.yz = turn(-1.38) * p.yz; n.yz = turn(-1.38) * n.yz; p.z = abs(p.z) * .8 + .14;
    } else if (f.pose == 3) {
        p.z = p.z < .86 ? p.z * .48 : p.z - .45;
    } else if (f.stride > .02) {
        float beat = figure.z * 9. + f.own * 6.28;
        p.z += abs(sin(beat)) * .05;
        if (p.z < .9 * body.x / 1.9) p.y += sin(beat + (p.x > 0. ? 3.14 : 0.)) * .22 * (1. - low * 2.) * body.z;
    }
    mat2 heading = turn(-facing);
    p.xy = heading * p.xy; n.xy = heading * n.xy;
    float scale = stature(f.foot, body.x, f.size) * (.96 + .08 * f.own);
    place = f.foot + p * scale;
    normal = n;
    vec4 own = p3d_Color;
    own.rgb *= mix(1., .72 + .5 * fract(f.own * 3.7), body.y * (1. - own.a));  // no two horses alike
    albedo = dressed(own, sides[f.team].rgb, f) * (f.pose == 2 ? .72 : 1.);
    gl_Position = p3d_ViewProjectionMatrix * vec4(place, 1.);
}
"""

BODY_FRAGMENT = """
in vec3 albedo; in vec3 place; in vec3 normal; in float low; out vec4 o;
void main() {
    vec3 n = normalize(normal);
    float contact = .58 + .42 * smoothstep(0., .45, low);
    o = shown(lit(albedo * albedo, n, sunshine(place, n)) * 1.15 * contact, place);
}
"""

FAR_VERTEX = """
uniform mat4 p3d_ViewProjectionMatrix;
uniform vec4 bulk[16];      // natural height, width, 1 for a mount, -
uniform vec3 across;        // the camera's right
in vec4 p3d_Vertex;
out vec2 uv; out vec3 place; flat out vec3 coat; flat out vec2 sort;
void main() {
    Figure f = figure_of(gl_InstanceID);
    vec4 b = bulk[f.model];
    float scale = stature(f.foot, b.x, f.size);
    vec2 box = f.pose == 0 ? vec2(b.y, b.x) : f.pose == 3 ? vec2(b.y, b.x * .72) : vec2(b.x * .9, b.y * .7);
    vec3 sight = normalize(f.foot - eye);
    vec3 upright = normalize(mix(vec3(0., 0., 1.), cross(across, sight), clamp(abs(sight.z) * 1.2, 0., 1.)));
    uv = p3d_Vertex.xy;
    place = f.foot + (across * uv.x * box.x + upright * (uv.y * box.y)) * scale;
    // Seen from above a card lies almost flat: lifted along the sight line it clears every slope.
    place -= sight * (abs(sight.z) * box.y * scale * 1.2);
    coat = dressed(vec4(1.), sides[f.team].rgb, f) * (f.pose == 2 ? .62 : 1.);
    sort = vec2(f.pose == 1 || f.pose == 2 ? 2. : b.z, f.own);
    gl_Position = p3d_ViewProjectionMatrix * vec4(place, 1.);
}
"""

FAR_FRAGMENT = """
in vec2 uv; in vec3 place; flat in vec3 coat; flat in vec2 sort; out vec4 o;
void main() {
    float x = abs(uv.x), y = uv.y;
    vec3 c;
    if (sort.x > 1.5) c = x > .34 ? vec3(.62, .55, .46) : coat * .85;
    else if (sort.x > .5) {
        if (x > (y < .55 ? .5 : .26)) discard;
        c = y < .5 ? mix(vec3(.42, .29, .20), coat, step(.32, y) * step(x, .3)) : y < .84 ? coat : vec3(.35);
    } else {
        if (x > (y < .40 ? .36 : y < .76 ? .5 : .26)) discard;
        c = y < .08 ? vec3(.14) : y < .34 ? mix(vec3(.58, .56, .52), coat, .6) : y < .77 ? coat
            : y < .86 ? vec3(.70, .52, .40) : vec3(.16);
    }
    c *= .66 + .34 * smoothstep(0., .6, y);
    vec3 n = normalize(vec3((eye - place).xy / length(eye - place), .7));
    o = shown(lit(c * c, n, sunshine(place, n)) * 1.15, place);
}
"""

# Where no shadow map is drawn, each figure lays a dark leaf on the ground behind it.
CAST_VERTEX = """
uniform mat4 p3d_ViewProjectionMatrix;
uniform vec4 bulk[16];
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
    o = vec4(.03, .04, .06, body * (1. - uv.y * uv.y * .7) * .42 * exp(-length(place - eye) * air.x));
}
"""

# Rows of things that stand still: x, y, facing, scale; `stretch` for boulders and houses.
PROP_VERTEX = """
uniform mat4 p3d_ViewProjectionMatrix;
uniform samplerBuffer rows;
in vec4 p3d_Vertex; in vec3 p3d_Normal; in vec4 p3d_Color;
out vec3 albedo; out vec3 place; out vec3 normal; out float low;
void main() {
    vec4 at = texelFetch(rows, 2 * gl_InstanceID), form = texelFetch(rows, 2 * gl_InstanceID + 1);
    vec3 p = p3d_Vertex.xyz * form.xyz, n = normalize(p3d_Normal / form.xyz);
    float s = sin(at.z), c = cos(at.z);
    mat2 heading = mat2(c, -s, s, c);
    p.xy = heading * p.xy; n.xy = heading * n.xy;
    place = vec3(at.xy, at.w) + p;
    normal = n;
    float own = fract(at.x * .137 + at.y * .731);
    albedo = p3d_Color.rgb * mix(vec3(1.), mix(vec3(.82, .92, .88), vec3(1.20, 1.08, .86), own), form.w);
    low = 1.;
    gl_Position = p3d_ViewProjectionMatrix * vec4(place, 1.);
}
"""

SOLID_VERTEX = """
uniform mat4 p3d_ModelViewProjectionMatrix;
in vec4 p3d_Vertex; in vec3 p3d_Normal; in vec4 p3d_Color;
out vec3 albedo; out vec3 place; out vec3 normal; out float low;
void main() {
    place = p3d_Vertex.xyz; normal = p3d_Normal; albedo = p3d_Color.rgb; low = 1.;
    gl_Position = p3d_ModelViewProjectionMatrix * p3d_Vertex;
}
"""

GLASS_FRAGMENT = """
uniform vec4 tint;
in vec3 albedo; in vec3 place; in vec3 normal; in float low; out vec4 o;
void main() { o = vec4(film(hazy(lit(albedo * albedo, normalize(normal), 1.), place)), tint.a); }
"""

GRASS_VERTEX = """
uniform mat4 p3d_ViewProjectionMatrix;
uniform sampler2D paint; uniform sampler2D cover;
uniform vec4 extent;
in vec4 p3d_Vertex;
out vec3 albedo; out vec3 place; out vec3 normal; out float low;
float dice(vec2 p) { return fract(sin(dot(p, vec2(12.9898, 78.233))) * 43758.5453); }
void main() {
    const int SIDE = 120; const float STEP = .62;
    vec2 cell = floor(eye.xy / STEP) + vec2(gl_InstanceID % SIDE - SIDE / 2, gl_InstanceID / SIDE - SIDE / 2);
    vec2 at = (cell + vec2(dice(cell), dice(cell + 17.))) * STEP;
    vec2 uv = at / extent.xy;
    float away = length(at - eye.xy);
    float grown = textureLod(cover, uv, 0.).b * (1. - smoothstep(20., 36., away));
    grown *= step(vec2(0.), at) == vec2(1.) && step(at, extent.xy) == vec2(1.) ? 1. : 0.;
    float tall = (.10 + .26 * dice(cell + 5.)) * step(.35, dice(cell + 9.) + .35) * grown;
    float turned = dice(cell + 3.) * 6.28;
    vec3 p = p3d_Vertex.xyz;
    p.xy = mat2(cos(turned), sin(turned), -sin(turned), cos(turned)) * p.xy;
    place = vec3(at, ground(at) - .02) + p * vec3(vec2(.35 * grown), tall);
    normal = vec3(0., 0., 1.);
    albedo = textureLod(paint, uv, 0.).rgb * (.72 + .50 * p3d_Vertex.z) * (.85 + .3 * dice(cell + 7.));
    low = 1.;
    gl_Position = p3d_ViewProjectionMatrix * vec4(place, 1.);
}
"""

SKY_VERTEX = """
uniform mat4 p3d_ProjectionMatrixInverse;
uniform mat4 to_world;
in vec4 p3d_Vertex; out vec3 ray;
void main() {
    vec4 q = p3d_ProjectionMatrixInverse * vec4(p3d_Vertex.xy, 1., 1.);
    vec3 v = q.xyz / q.w;
    ray = mat3(to_world) * vec3(v.x, -v.z, v.y);
    gl_Position = vec4(p3d_Vertex.xy, .99999, 1.);
}
"""

SKY_FRAGMENT = """
uniform sampler2D grain;
in vec3 ray; out vec4 o;
void main() {
    vec3 v = normalize(ray);
    float high = max(v.z, 0.), glow = max(dot(v, sun), 0.);
    vec3 c = mix(DISTANCE * 1.04, vec3(.085, .21, .50), 1. - exp(-high * 4.2));
    c += vec3(.5, .36, .18) * pow(glow, 6.) * .5 + vec3(1.2, 1., .7) * pow(glow, 600.);
    vec2 p = v.xy / (high + .16);
    float puff = texture(grain, p * .035).r * .55 + texture(grain, p * .10 + .3).r * .28
        + texture(grain, p * .31).r * .17;
    float cover = smoothstep(.50, .72, puff) * .80 * smoothstep(.015, .20, high);
    c = mix(c, mix(vec3(.55, .60, .68), vec3(1.55, 1.50, 1.42), smoothstep(.50, .80, puff)), cover);
    o = vec4(film(c), 1.);
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
    place = at.xyz + (across * (uv.x * 1.7 + .05) + vec3(0., 0., 3.5 + uv.y * 1.25 - uv.x * .12) + deep * wave) * scale;
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

_PARTS = {
    "ground": (GROUND_VERTEX, GROUND_FRAGMENT),
    "figure": (FIGURE_ROWS + FIGURE_VERTEX, BODY_FRAGMENT),
    "far": (FIGURE_ROWS + FAR_VERTEX, FAR_FRAGMENT),
    "cast": (FIGURE_ROWS + CAST_VERTEX, CAST_FRAGMENT),
    "prop": (PROP_VERTEX, BODY_FRAGMENT),
    "solid": (SOLID_VERTEX, BODY_FRAGMENT),
    "glass": (SOLID_VERTEX, GLASS_FRAGMENT),
    "grass": (GRASS_VERTEX, BODY_FRAGMENT),
    "sky": (SKY_VERTEX, SKY_FRAGMENT),
    "flag": (FLAG_VERTEX, FLAG_FRAGMENT),
    "pole": (POLE_VERTEX, BODY_FRAGMENT),
}


@cache
def shader(name: str, shadows: bool = False) -> Shader:
    """A shader by the thing that it draws; compiled once a program."""
    vertex, fragment = _PARTS[name]
    sunshine = SHADOW if shadows else NO_SHADOW
    return Shader.make(Shader.SL_GLSL, COMMON + vertex, COMMON + sunshine + fragment)
