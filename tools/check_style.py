#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What no formatter checks: licence lines, leftovers, and what a library must not do.

Every source opens with its licence, ends with a newline and holds no tab, no note to finish later
and no host of a package registry. The library (src/pliant) never ends the process and never writes
to standard output. Prints file:line for each offence, exits with 1; long files only warn.
"""

import re
import sys
from pathlib import Path

LONG_FILE = 600  # lines
TOPS = ("src", "apps", "tests", "fuzz", "bench", "examples", "python", "tools", "cmake", ".ci", "docs", "page")
SINGLE = ("CMakeLists.txt", "CMakePresets.json", "Makefile", "README.md", "CHANGELOG.md")
SOURCE = {".h", ".cpp", ".inl", ".py", ".sh", ".ts", ".mjs"}
CPP = {".h", ".cpp", ".inl"}
TEXT = SOURCE | {".md", ".cmake", ".txt", ".json", ".css", ".in", ""}

# In any text. Written so that this file does not match itself.
EVERYWHERE = [
    (re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b"), "finish it or open an issue"),
    (re.compile(r"\b(pypi|pythonhosted|npmjs|yarnpkg|crates|anaconda|rubygems|(?:deb|security)\.debian)"
                r"\.(org|com|io)\b"),
     "names the host of a package registry; say which package instead"),
]
# In the library, outside comments and strings: pattern, reason, files that may.
LIBRARY = [
    (re.compile(r"(?<![\w.>])(_exit|_Exit|exit|quick_exit)\s*\("), "a library never ends the process", ()),
    (re.compile(r"(?<![\w.>])(abort|terminate)\s*\("), "use PLIANT_ASSERT", ("base/error.cpp",)),
    (re.compile(r"\bstd::cout\b|(?<![\w.>])(v?printf|puts|putchar)\s*\(|\bf(printf|puts|write)\s*\([^;]*\bstdout\b"),
     "results on standard output belong to apps", ()),
    (re.compile(r"^using\s+namespace\b"), "no using-directive at file scope", ()),
    (re.compile(r"(?<![\w.>])rand\s*\("), "use a seeded generator", ()),
]
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\d)\'(?:\\.|[^\'\\\n])\'', re.S)


def code_only(text):
    """`text` with comments, strings and characters blanked, lines kept."""
    return NOT_CODE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def layout_offences(path, text):
    if path.suffix in SOURCE or (path.suffix == "" and text.startswith("#!")):
        if "SPDX-License-Identifier: MIT" not in "\n".join(text.splitlines()[:3]):
            yield 1, "no line 'SPDX-License-Identifier: MIT' at the top"
    if text and not text.endswith("\n"):
        yield line_of(text, len(text)), "no newline at the end"
    if "\r" in text:
        yield line_of(text, text.index("\r")), "carriage return"
    if "\t" in text and path.name != "Makefile":
        yield line_of(text, text.index("\t")), "tab"


def offences(root, path):
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        if path.suffix in SOURCE:
            yield 1, "not UTF-8"
        return
    yield from layout_offences(path, text)
    for pattern, why in EVERYWHERE:
        for match in pattern.finditer(text):
            yield line_of(text, match.start()), f"'{match[0]}': {why}"
    library = root / "src" / "pliant"
    if path.suffix in CPP and library in path.parents:
        inside = path.relative_to(library).as_posix()
        code = code_only(text)
        for number, line in enumerate(code.splitlines(), 1):
            for pattern, why, allowed in LIBRARY:
                if inside not in allowed and (match := pattern.search(line)):
                    yield number, f"'{match[0].strip()}': {why}"


def texts(root):
    for name in SINGLE:
        if (root / name).is_file():
            yield root / name
    for top in TOPS:
        for path in sorted((root / top).rglob("*")):
            if path.is_file() and path.suffix in TEXT and "__pycache__" not in path.parts \
                    and "corpus" not in path.parts and "data" not in path.parts:
                yield path


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    count = 0
    for path in texts(root):
        name = path.relative_to(root)
        for number, why in offences(root, path):
            print(f"{name}:{number}: {why}")
            count += 1
        if path.suffix in CPP:
            lines = path.read_bytes().count(b"\n")
            if lines > LONG_FILE:
                print(f"{name}: warning: {lines} lines; files stay under {LONG_FILE}")
    if count:
        print(f"style: {count} offence{'s' if count > 1 else ''}", file=sys.stderr)
        return 1
    print("style: ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
