// SPDX-License-Identifier: MIT
#include <pliant/scene/manual_intro.h>

// Text only. The example is read by a test.

namespace pliant {

std::string_view manual_intro()
{
    return R"(# Scene files

A scene says what bends, what it touches, how time goes on and what must come out. It is JSON with `//` and
`/* */` comments and trailing commas. Keys are strict: an unknown one is an error that names the nearest valid
one. All units are SI. Paths of meshes are relative to the scene's file.

This page is generated from the program: `pliant schema` prints the same as a JSON Schema, which editors use to
complete and check while you type. `pliant check SCENE` lists every problem of a file with its line, what was
found, what was expected and what to do. `pliant new KIND` prints a scene to start from.

## A small complete scene

```json
{
  // A balloon of latex full of air, falling on the floor.
  "description": "a balloon bounces",
  "world":  { "gravity": [0, -9.81, 0], "duration": 3 },
  "solver": { "kind": "rk4", "substeps": "auto" },
  "bodies": {
    "balloon": {
      "kind": "springs",
      "mesh": { "icosphere": 3, "radius": 0.12, "translate": [0, 0.5, 0] },
      "material": { "preset": "latex" },
      "springs": { "rest_scale": 0.95 },                 // starts stretched
      "gas": { "law": "isothermal", "pressure": 101825, "outside": 101325 },
      "restitution": 0.6, "friction": 0.5
    }
  },
  "colliders": { "floor": { "plane": [0, 1, 0, 0] } },
  "inputs": [ { "time": 2, "set": { "bodies.balloon.gas.leak": 0.005 } } ],
  "record": { "probes": { "top": { "body": "balloon", "vertex": 0 } } },
  "expect": { "balloon.volume": [0.005, 0.009], "balloon.center.y.min": [0, null] }
}
```

## Changing a scene from outside: --set

`--set path=value` changes or adds one value before the scene is read, as often as you like:

```
pliant run scene.json --set world.gravity=[0,-20,0] --set solver.substeps=auto --set bodies.balloon.gas.enabled=false
```

Dots lead into objects, numbers into lists (`inputs.0.time`); the value is JSON, or plain words. `null` takes an
optional object such as `gas` away. A body can be changed by name or given whole
(`--set 'bodies.ball={"kind": "rigid", "sphere": 0.1, "mass": 1}'`). Keys with dots of their own work too:
`--set expect.box.volume=[1,2]`.

## Changing a running scene: inputs

`inputs` is a list of times and what changes then. Every member marked *live* below can be set, by the same path
as in the file; a value is a number, true or false, a name, or `[x, y, z]`. Steps end exactly at the time of an
input, and the energy that a switch puts in or takes out is booked as `energy.switched`. Pins and loads are
addressed by their `name`, or by the group they select: `bodies.box.pins.rim.enabled`.

## Selecting vertices

`select` of pins and loads is the name of a group of the mesh (`"rim"`, `"left_edge"`), `"all"`, a list of vertex
indices `[0, 7]`, a region in the coordinates of the start, or a list of regions, which are taken together:

- a box `{"low": [x, y, z], "high": [x, y, z]}`;
- rings of neighbours `{"around": [x, y, z], "rings": 2}` about the vertex nearest to a point, or `{"vertex": 7, "rings": 2}`;
- the corners of faces `{"faces": [3, 4]}`, or of those nearest to points `{"faces_at": [[x, y, z]]}`: polygons of a
  simplex mesh, else triangles.

## What must come out: expect

`expect` bounds measures by `[low, high]`; `null` leaves an end open. A plain name bounds the last value,
`NAME.min`, `NAME.max`, `NAME.first` and `NAME.mean` the others. `pliant run` exits with 5 when a bound is not met.

## Names

Bodies, colliders, pins, loads and probes are named by you: no `.`, `/` or `\`. A collider cannot have the name of
a body.
)";
}

}  // namespace pliant
