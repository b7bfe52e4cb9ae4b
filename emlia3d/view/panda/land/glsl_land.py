"""Shader text of the land: ground, water, grass, what stands on it, and the sky."""

from __future__ import annotations

GROUND_VERTEX = """
uniform mat4 p3d_ViewProjectionMatrix;
uniform samplerBuffer chunks;  // first corner east and north, step, drop of the skirts
uniform vec4 extent;
in vec4 p3d_Vertex;
out vec3 place;
void main() {
    vec4 piece = texelFetch(chunks, gl_InstanceID);
    // Corner 0 lies on the field's edge, corner 1 in the middle of the first cell.
    vec2 corner = min(piece.xy + p3d_Vertex.xy * piece.z, lattice.xy + 1.);
    ivec2 cell = clamp(ivec2(corner) - 1, ivec2(0), ivec2(lattice.xy) - 1);
    place = vec3(clamp((corner - .5) * lattice.zw, vec2(0.), extent.xy),
        texelFetch(heights, cell, 0).r - p3d_Vertex.z * piece.w);
    gl_Position = p3d_ViewProjectionMatrix * vec4(place, 1.);
}
"""

COUNTRY_VERTEX = """
uniform mat4 p3d_ModelViewProjectionMatrix;
in vec4 p3d_Vertex;
out vec3 place;
void main() { place = p3d_Vertex.xyz; gl_Position = p3d_ModelViewProjectionMatrix * p3d_Vertex; }
"""

OVERLAY_FRAGMENT = """
uniform sampler2D laid;
uniform vec4 bounds;        // west, south, east, north
in vec3 place; out vec4 o;
void main() {
    vec2 at = (place.xy - bounds.xy) / (bounds.zw - bounds.xy);
    o = texture(laid, at);
    if (any(lessThan(at, vec2(0.))) || any(greaterThan(at, vec2(1.)))) discard;
}
"""

GROUND_FRAGMENT = """
uniform sampler2D paint; uniform sampler2D cover; uniform sampler2D grain;
uniform sampler2D slopes;   // rise over run east and north
uniform vec4 extent;        // size east, size north, contour interval, contour strength
uniform float dark;         // 1 between the stars
in vec3 place; out vec4 o;
float line(float level, float width) {
    float step = fwidth(level);
    float away = abs(fract(level - .5) - .5) / max(step, 1e-5);
    return (1. - smoothstep(width * .5, width * .5 + 1., away)) * (1. - smoothstep(.18, .45,
        step));
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
    vec2 far_away = place.xy / max(1900., 1.25 * max(extent.x, extent.y));
    float country = texture(grain, far_away).r + .5 * texture(grain, far_away * 3.7 + .3).r - .75;
    vec3 far_grass = mix(vec3(.36, .43, .26), vec3(.56, .53, .36),
        smoothstep(-.6, .8, country)) * (.94 + .3 * blot);
    float out_of_field = smoothstep(0., 1.5, beyond);
    if (dark > .5) {
        // What shines is not lit; outside only the sky's own stars are seen.
        vec3 shine = texture(paint, inside / extent.xy).rgb;
        float fade = exp(-beyond / (.10 * max(extent.x, extent.y)));
        vec3 edge = vec3(.03, .07, .13) * (1. - smoothstep(.3, .9, abs(beyond - .6)));
        o = vec4(film(mix(DEEP, shine * shine * .42, fade * (1. - .4 * out_of_field)) + edge), 1.);
        return;
    }
    colour = mix(colour, far_grass, out_of_field);
    here = mix(here, vec3(1., 0., 1.), out_of_field);
    colour *= 1. + near * (blade * .34 + speck * .42) * mix(.45, 1., here.b) * (1. - here.g);
    colour = max(colour, 0.);
    float level_out = smoothstep(0., .55 * max(extent.x, extent.y), beyond);
    vec2 slope = (texture(slopes, inside / extent.xy).rg - .5) * 8. * (1. - level_out);
    vec3 n = normalize(vec3(-slope * air.y, 1.));
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
        float ink = max(line(place.z / extent.z, .8) * .46, line(place.z / extent.z / 5.,
            1.5) * .72);
        c = mix(c, vec3(.13, .075, .03), ink * extent.w * (1. - out_of_field));
    }
    c *= mix(1., .86, out_of_field);
    float rim = fwidth(beyond) + .25;
    c = mix(c, vec3(.75, .70, .55), .5 * smoothstep(0., .2, beyond) * (1. - smoothstep(rim,
        rim * 2., beyond)));
    // Seen on a map, the country round the field is no distance that haze could hide.
    float level = 1. - .85 * clamp((eye.z - place.z) / away, 0., 1.);
    o = vec4(film(veiled(c, place, level * beyond / (.9 * max(extent.x, extent.y)))), 1.);
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
    albedo = p3d_Color.rgb * mix(vec3(1.), mix(vec3(.82, .92, .88), vec3(1.20, 1.08, .86),
        own), form.w);
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
    vec2 cell = floor(eye.xy / STEP) + vec2(gl_InstanceID % SIDE - SIDE / 2,
        gl_InstanceID / SIDE - SIDE / 2);
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
    albedo = textureLod(paint, uv,
        0.).rgb * (.72 + .50 * p3d_Vertex.z) * (.85 + .3 * dice(cell + 7.));
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
uniform float dark;
in vec3 ray; out vec4 o;
float dice(vec3 p) { return fract(sin(dot(p, vec3(12.9898, 78.233, 37.719))) * 43758.5453); }
vec3 night(vec3 v) {
    vec3 c = DEEP;
    float veil = texture(grain, v.xy * .21 + v.z * .13).r * .6 + texture(grain, v.yz * .55).r * .4;
    c += vec3(.020, .010, .040) * smoothstep(.45, .9, veil);
    c += vec3(.004, .022, .030) * smoothstep(.5, .95, texture(grain, v.zx * .3 + .4).r);
    for (int size = 0; size < 2; ++size) {
        float fine = size == 0 ? 90. : 210.;
        vec3 cell = floor(v * fine), at = fract(v * fine) - .5;
        float bright = step(.984, dice(cell)) * dice(cell + 7.);
        c += vec3(1., .95, .86) * bright * smoothstep(.30, .04, length(at)) * (size == 0 ? .9 : .4);
    }
    return c;
}
void main() {
    vec3 v = normalize(ray);
    if (dark > .5) { o = vec4(film(night(v)), 1.); return; }
    float high = max(v.z, 0.), glow = max(dot(v, sun), 0.);
    vec3 c = mix(DISTANCE * 1.04, vec3(.085, .21, .50), 1. - exp(-high * 4.2));
    c += vec3(.5, .36, .18) * pow(glow, 6.) * .5 + vec3(1.2, 1., .7) * pow(glow, 600.);
    vec2 p = v.xy / (high + .16);
    float puff = texture(grain, p * .035).r * .55 + texture(grain, p * .10 + .3).r * .28
        + texture(grain, p * .31).r * .17;
    float cover = smoothstep(.50, .72, puff) * .80 * smoothstep(.015, .20, high);
    c = mix(c, mix(vec3(.55, .60, .68), vec3(1.55, 1.50, 1.42), smoothstep(.50, .80, puff)),
        cover);
    o = vec4(film(c), 1.);
}
"""
