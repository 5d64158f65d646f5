// SPDX-License-Identifier: MIT
#pragma once

// The shaders of the painter, GLSL 3.30.
//
// Surfaces: a hemisphere of light from the sky, a sun with a shadow map, a soft highlight (Blinn and Phong). Both sides are
// lit; the inner side is darker. Colours of a field come from the stops of colour_map.h.

namespace pliant::viewer {

inline constexpr const char* kShadowVertex = R"(#version 330 core
layout(location = 0) in vec3 place;
uniform mat4 light;
void main() { gl_Position = light * vec4(place, 1); }
)";

inline constexpr const char* kShadowFragment = R"(#version 330 core
void main() {}
)";

// Put before fragments that ask how much of the sun arrives.
inline constexpr const char* kSunlight = R"(#version 330 core
uniform sampler2DShadow shadow_map;
float sunlight(vec4 at, float bias)
{
    vec3 p = at.xyz / at.w * 0.5 + 0.5;
    if (p.x < 0 || p.x > 1 || p.y < 0 || p.y > 1 || p.z > 1) return 1.0;
    float sum = 0.0;
    vec2 texel = 1.0 / vec2(textureSize(shadow_map, 0));
    for (int i = -1; i <= 1; ++i)
        for (int j = -1; j <= 1; ++j) sum += texture(shadow_map, vec3(p.xy + vec2(i, j) * 1.2 * texel, p.z - bias));
    return sum / 9.0;
}
)";

inline constexpr const char* kSurfaceVertex = R"(#version 330 core
layout(location = 0) in vec3 place;
layout(location = 1) in vec3 normal;
layout(location = 2) in float value;
layout(location = 3) in vec3 colour;
uniform mat4 view;
uniform mat4 light;
out vec3 at;
out vec3 upright;
out float number;
out vec3 tint;
out vec4 in_light;
void main()
{
    at = place, upright = normal, number = value, tint = colour;
    in_light = light * vec4(place, 1);
    gl_Position = view * vec4(place, 1);
}
)";

inline constexpr const char* kSurfaceFragment = R"(
in vec3 at;
in vec3 upright;
in float number;
in vec3 tint;
in vec4 in_light;
uniform vec3 eye;
uniform vec3 sun;
uniform vec3 sky;
uniform bool has_field;
uniform vec2 range;
uniform vec3 stops[9];
uniform float opacity;
uniform vec4 clip;
uniform float checker;
uniform vec4 lamp;
uniform vec4 beam;
out vec4 pixel;
// A lamp at a place, shining everywhere or in a cone of this cosine about a direction.
float lamplight(vec3 n)
{
    vec3 to = lamp.xyz - at;
    float far = length(to);
    float inside = beam.w > -1.0 ? smoothstep(beam.w, mix(beam.w, 1.0, 0.25), dot(-to / far, beam.xyz)) : 1.0;
    return lamp.w * max(dot(n, to / far), 0.0) * inside;
}
// Even in size on all sides: the plane that the surface faces most.
float checked(vec3 n)
{
    vec3 a = abs(n);
    vec2 p = a.x > a.y && a.x > a.z ? at.yz : a.y > a.z ? at.xz : at.xy;
    vec2 cell = floor(p / checker);
    return mod(cell.x + cell.y, 2.0) < 0.5 ? 0.78 : 1.0;
}
vec3 field_colour(float share)
{
    float place = clamp(share, 0.0, 1.0) * 8.0;
    int low = min(int(place), 7);
    return mix(stops[low], stops[low + 1], place - float(low));
}
void main()
{
    if (dot(clip.xyz, at) > clip.w) discard;
    vec3 n = normalize(upright);
    vec3 towards = normalize(eye - at);
    float side = dot(n, towards) < 0.0 ? -1.0 : 1.0;
    n *= side;
    vec3 base = has_field ? field_colour((number - range.x) / max(range.y - range.x, 1e-30)) : tint;
    if (!gl_FrontFacing && !has_field) base *= 0.86;
    if (checker > 0.0 && !has_field) base *= checked(n);
    float lit = max(dot(n, sun), 0.0);
    float shade = lit > 0.0 ? sunlight(in_light, 0.0006 + 0.0025 * (1.0 - lit)) : 1.0;
    float ambient = 0.42 + 0.16 * dot(n, sky);
    float glint = pow(max(dot(n, normalize(sun + towards)), 0.0), 40.0) * 0.10;
    float direct = lamp.w > 0.0 ? lamplight(n) : 0.62 * lit * shade;
    pixel = vec4(base * (ambient + direct) + glint * shade, opacity);
}
)";

inline constexpr const char* kGroundVertex = R"(#version 330 core
uniform mat4 view;
uniform mat4 light;
uniform vec3 center;
uniform vec3 side;
uniform vec3 ahead;
out vec2 place;
out vec4 in_light;
void main()
{
    vec2 corner = vec2(gl_VertexID % 2, gl_VertexID / 2) * 2.0 - 1.0;
    vec3 at = center + side * corner.x + ahead * corner.y;
    place = corner, in_light = light * vec4(at, 1);
    gl_Position = view * vec4(at, 1);
}
)";

inline constexpr const char* kGroundFragment = R"(
in vec2 place;
in vec4 in_light;
uniform float cells;
out vec4 pixel;
void main()
{
    vec2 p = place * cells;
    vec2 width = fwidth(p);
    vec2 line = smoothstep(vec2(0.0), width * 1.2, abs(fract(p - 0.5) - 0.5));
    vec3 base = mix(vec3(0.80), vec3(0.86), min(line.x, line.y));
    float away = length(place);
    pixel = vec4(base * (0.62 + 0.38 * sunlight(in_light, 0.0015)), 1.0 - smoothstep(0.35, 1.0, away));
}
)";

inline constexpr const char* kEdgeVertex = R"(#version 330 core
layout(location = 0) in vec3 place;
layout(location = 2) in float value;
layout(location = 3) in vec3 colour;
uniform mat4 view;
uniform bool own_colour;
uniform bool has_field;
uniform vec2 range;
uniform vec3 stops[9];
out vec3 tint;
void main()
{
    float share = clamp((value - range.x) / max(range.y - range.x, 1e-30), 0.0, 1.0) * 8.0;
    int low = min(int(share), 7);
    vec3 by_field = mix(stops[low], stops[low + 1], share - float(low));
    tint = !own_colour ? vec3(0.10) : has_field ? by_field : colour;
    gl_Position = view * vec4(place, 1);
}
)";

inline constexpr const char* kMarkVertex = R"(#version 330 core
layout(location = 0) in vec3 place;
layout(location = 3) in vec3 colour;
uniform mat4 view;
out vec3 tint;
void main()
{
    tint = colour;
    gl_Position = view * vec4(place, 1);
}
)";

inline constexpr const char* kEdgeFragment = R"(#version 330 core
in vec3 tint;
uniform float opacity;
out vec4 pixel;
void main() { pixel = vec4(tint, opacity); }
)";

}  // namespace pliant::viewer
