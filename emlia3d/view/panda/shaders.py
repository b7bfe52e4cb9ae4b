"""The shaders, GLSL 3.30: a common part, and a vertex and a fragment part for each kind of object.

Colours of models and paint are sRGB. Lighting is computed in linear light, and `film` converts it
back. All objects have the same sun, sky and haze, for a consistent look.
"""

from __future__ import annotations

from functools import cache

from panda3d.core import Shader

from emlia3d.force.figure_models import MODELS
from emlia3d.view.panda.land.glsl_land import (
    COUNTRY_VERTEX,
    GLASS_FRAGMENT,
    GRASS_VERTEX,
    GROUND_FRAGMENT,
    GROUND_VERTEX,
    OVERLAY_FRAGMENT,
    PROP_VERTEX,
    SKY_FRAGMENT,
    SKY_VERTEX,
    SOLID_VERTEX,
)
from emlia3d.view.panda.troops.glsl_troops import (
    CAST_FRAGMENT,
    CAST_VERTEX,
    FAR_FRAGMENT,
    FAR_VERTEX,
    FIGURE_FRAGMENT,
    FIGURE_ROWS,
    FIGURE_VERTEX,
    FLAG_FRAGMENT,
    FLAG_VERTEX,
    POLE_VERTEX,
    RANK_VERTEX,
)

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
const vec3 DEEP = vec3(.006, .008, .016);

float ground(vec2 place) {
    vec2 at = clamp(place / lattice.zw - .5, vec2(0.), lattice.xy - 1.);
    ivec2 sw = min(ivec2(at), ivec2(lattice.xy) - 2);
    vec2 f = at - vec2(sw);
    float a = texelFetch(heights, sw, 0).r, c = texelFetch(heights, sw + ivec2(1, 1), 0).r;
    float b = texelFetch(heights, sw + (f.x >= f.y ? ivec2(1, 0) : ivec2(0, 1)), 0).r;
    return f.x >= f.y ? a + f.x * (b - a) + f.y * (c - b) : a + f.y * (b - a) + f.x * (c - b);
}
vec3 lit(vec3 albedo, vec3 n, float sunshine) {
    vec3 light = mix(EARTHLIGHT, SKYLIGHT, .5 + .5 * n.z) + SUNLIGHT * sunshine * max(dot(n,
        sun), 0.);
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
uniform float shade_bias;
uniform float shade_step;  // off a surface, more than the map's texels rise and fall on it
float sunshine(vec3 place, vec3 n) {
    if (air.w < .5) return 1.;  // the map's own pass, or none
    vec4 q = shade_matrix * vec4(place + n * shade_step, 1.);
    vec3 p = q.xyz / q.w * .5 + .5;
    if (any(lessThan(p, vec3(0.))) || any(greaterThan(p, vec3(1.)))) return 1.;
    vec2 texel = 1. / vec2(textureSize(shade_map, 0));
    float sum = 0.;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            sum += texture(shade_map, vec3(p.xy + (vec2(i, j) - .5) * 1.2 * texel,
                p.z - shade_bias));
    return sum * .25;
}
"""

NO_SHADOW = """
float sunshine(vec3 place, vec3 n) { return 1.; }
"""


BODY_FRAGMENT = """
in vec3 albedo; in vec3 place; in vec3 normal; in float low; out vec4 o;
void main() {
    vec3 n = normalize(normal);
    float contact = .58 + .42 * smoothstep(0., .45, low);
    o = shown(lit(albedo * albedo, n, sunshine(place, n)) * 1.34 * contact, place);
}
"""


_PARTS = {
    "ground": (GROUND_VERTEX, GROUND_FRAGMENT),
    "country": (COUNTRY_VERTEX, GROUND_FRAGMENT),
    "overlay": (GROUND_VERTEX, OVERLAY_FRAGMENT),
    "figure": (FIGURE_ROWS + FIGURE_VERTEX, FIGURE_FRAGMENT),
    "far": (FIGURE_ROWS + FAR_VERTEX, FAR_FRAGMENT),
    "rank": (FIGURE_ROWS + RANK_VERTEX, FAR_FRAGMENT),
    "cast": (FIGURE_ROWS + CAST_VERTEX, CAST_FRAGMENT),
    "prop": (PROP_VERTEX, BODY_FRAGMENT),
    "solid": (SOLID_VERTEX, BODY_FRAGMENT),
    "glass": (SOLID_VERTEX, GLASS_FRAGMENT),
    "grass": (GRASS_VERTEX, BODY_FRAGMENT),
    "sky": (SKY_VERTEX, SKY_FRAGMENT),
    "flag": (FLAG_VERTEX, FLAG_FRAGMENT),
    "pole": (POLE_VERTEX, BODY_FRAGMENT),
}


SIZES = f"#define BODIES {len(MODELS)}\n"


@cache
def shader(name: str, shadows: bool = False) -> Shader:
    """Return the shader of a kind of object, compiled once in a program."""
    vertex, fragment = _PARTS[name]
    sunshine = SHADOW if shadows else NO_SHADOW
    return Shader.make(Shader.SL_GLSL, COMMON + SIZES + vertex, COMMON + sunshine + fragment)
