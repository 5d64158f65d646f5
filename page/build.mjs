// SPDX-License-Identifier: MIT
// Builds the page's script and writes it as C++: node build.mjs OUT.cpp
//
// One minified script for all of src/, three.js included, which carries its licence at the end. It is written as pieces,
// since compilers need not take string literals of any length. Beside OUT.cpp the plain script is left as OUT.js.
import { writeFileSync } from "node:fs";
import { build } from "esbuild";

const pieceLength = 8000;

/** The script without anything that could end the element around it. */
function scriptSafe(text) {
    return text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
}

/** A C++ string literal, as many bytes as the text has characters; anything but plain ASCII is octal. */
function literal(text) {
    const escaped = text.replace(/[^ -~]|["\\?]/g, (c) => `\\${c.charCodeAt(0).toString(8).padStart(3, "0")}`);
    return `"${escaped}"`;
}

function asCpp(script) {
    const pieces = [];
    for (let at = 0; at < script.length; at += pieceLength) pieces.push(script.slice(at, at + pieceLength));
    return `// Written by page/build.mjs.
#include <pliant/record/page_script.h>

namespace pliant {

namespace {
constexpr std::string_view kPieces[] = {
${pieces.map((piece) => `{${literal(piece)}, ${piece.length}}`).join(",\n")}};
}  // namespace

PageScript page_script()
{
    return {kPieces, ""};
}

}  // namespace pliant
`;
}

const output = process.argv[2];
const result = await build({
    entryPoints: [new URL("src/main.ts", import.meta.url).pathname],
    bundle: true,
    minify: true,
    format: "iife",
    target: ["chrome109", "firefox115", "safari16.4"],
    charset: "ascii",
    legalComments: "eof",
    loader: { ".css": "text" },
    logLevel: "warning",
    write: false,
});
const script = scriptSafe(result.outputFiles[0].text);
writeFileSync(output.replace(/\.cpp$/, ".js"), script);
writeFileSync(output, asCpp(script));
