#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks who includes whom: each room sees only the rooms before it (docs/architecture.md).

    base <- mesh <- energy, constraint, rigid <- contact <- model <- response <- solver <- world
         <- record <- lab <- apps, python;   io and audit see mesh; expression sees base;   scene knows names and parameters only

Also: other rooms are included as <pliant/room/file.h>, included files exist, and libraries stay
out of the headers and in the rooms that own them. Prints file:line for each offence, exits with 1.
"""

import re
import sys
from pathlib import Path

# What each room sees, besides itself.
BELOW_MODEL = {"base", "parameters", "expression", "mesh", "energy", "constraint", "rigid", "contact"}
SEES = {
    "base": set(),
    "parameters": {"base"},
    "expression": {"base"},
    "mesh": {"base"},
    "io": {"base", "mesh"},
    "audit": {"base", "mesh"},
    "energy": {"base", "mesh"},
    "constraint": {"base", "expression", "mesh"},
    "rigid": {"base", "mesh"},
    "contact": {"base", "parameters", "mesh", "energy", "constraint", "rigid"},
    "model": BELOW_MODEL,
    "response": BELOW_MODEL | {"model"},
    "solver": BELOW_MODEL | {"model", "response"},
    "scene": {"base", "parameters", "expression", "mesh", "io", "energy", "constraint", "rigid"},
}
# The judge of contact sees no geometry that it judges, and nothing that it judges asks it.
SEES["world"] = SEES["solver"] | {"solver", "scene", "io", "audit"}
SEES["record"] = SEES["world"] | {"world"}
SEES["lab"] = SEES["record"] | {"record"}
ALL = set(SEES)

# Libraries: the only places of src/pliant that may include them (as path prefixes).
OWNERS = {
    "tbb/": ["base/parallel"],
    "oneapi/": ["base/parallel"],
    "sqlite3.h": ["record/"],
    "zlib.h": ["io/", "record/packed_text"],
    "CLI/": [],
}
# Never in a header of the library: its users do not need them installed.
PRIVATE = ("tbb/", "oneapi/", "sqlite3.h", "png.h", "zlib.h", "fmt/", "nlohmann/", "Eigen/", "CLI/")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SUFFIXES = {".h", ".cpp", ".inl"}


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match[1], match[2]


def room_rule(room, target):
    """Why `room` may not include <pliant/target>, or None."""
    if "/" not in target:
        return f"the umbrella header is for users, not for {room}/" if room in ALL else None
    other = target.split("/")[0]
    if other not in ALL:
        return f"there is no room '{other}'"
    if room not in SEES or other == room or other in SEES[room]:
        return None
    return f"{room}/ sees only: {', '.join(sorted(SEES[room])) or 'itself'}"


def library_rule(inside, target):
    """Why a file of src/pliant may not include the library header, or None."""
    if inside.endswith(".h") and target.startswith(PRIVATE):
        return "libraries stay out of public headers"
    for library, places in OWNERS.items():
        if target.startswith(library) and not any(inside.startswith(p) for p in places):
            return "only in: " + (", ".join(f"src/pliant/{p}" for p in places) or "apps/")
    return None


def offences(root):
    library = root / "src" / "pliant"
    for top in (library, root / "apps", root / "tests", root / "python", root / "fuzz", root / "bench"):
        for path in sorted(p for p in top.rglob("*") if p.suffix in SUFFIXES):
            inside = path.relative_to(top).as_posix()
            # A file of apps, tests … sees every room; so does the umbrella header.
            room = inside.split("/")[0] if top == library and "/" in inside else None
            if room and room not in ALL:
                yield path, 1, inside, f"there is no room '{room}': add it to tools/check_layers.py"
                continue
            for number, quote, target in includes(path):
                why = None
                if target.startswith("pliant/"):
                    target_inside = target.removeprefix("pliant/")
                    why = room_rule(room, target_inside)
                    if not why and not (library / target_inside).is_file():
                        why = "there is no such file"
                elif top == library:
                    if quote == '"':
                        why = "write <pliant/room/file.h>"
                    else:
                        why = library_rule(inside, target)
                if why:
                    yield path, number, target, why


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    count = 0
    for path, number, target, why in offences(root):
        print(f"{path.relative_to(root)}:{number}: {target}: {why}")
        count += 1
    if count:
        print(f"layers: {count} include{'s' if count > 1 else ''} against the rules", file=sys.stderr)
        return 1
    print("layers: ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
