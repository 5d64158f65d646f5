// SPDX-License-Identifier: MIT
// Colours of bodies and of numbers: the same as in apps/viewer/colour_map.cpp.
//
// Numbers: viridis (Smith and van der Walt, 2015) as nine of its colours with straight lines between them. Bodies: the
// palette of Okabe and Ito (2008), softened. Shares of red, green and blue as a screen has them (sRGB).

import { Color, SRGBColorSpace } from "three";
import type { BodyInfo, Triple } from "./take";

const stops: Triple[] = [
    [0.267, 0.005, 0.329],
    [0.278, 0.175, 0.483],
    [0.23, 0.322, 0.546],
    [0.173, 0.449, 0.558],
    [0.128, 0.567, 0.551],
    [0.158, 0.684, 0.502],
    [0.369, 0.789, 0.383],
    [0.678, 0.864, 0.19],
    [0.993, 0.906, 0.144],
];

const bodies: Triple[] = [
    [0.82, 0.36, 0.22],
    [0.2, 0.48, 0.72],
    [0.92, 0.68, 0.25],
    [0.15, 0.6, 0.47],
    [0.75, 0.5, 0.65],
    [0.42, 0.68, 0.86],
    [0.86, 0.82, 0.4],
];

const obstacle: Triple = [0.62, 0.61, 0.59];
const noNumber: Triple = [0.55, 0.55, 0.55];

function colourAt(share: number): Triple {
    const place = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
    const low = Math.min(Math.floor(place), stops.length - 2);
    const part = place - low;
    return [0, 1, 2].map((k) => stops[low][k] * (1 - part) + stops[low + 1][k] * part) as Triple;
}

export function css(colour: Triple): string {
    return `rgb(${colour.map((part) => Math.round(255 * part)).join(" ")})`;
}

/** For three.js, which computes with light. */
export function light(colour: Triple): Color {
    return new Color().setRGB(...colour, SRGBColorSpace);
}

export function bodyColour(body: BodyInfo): Triple {
    return body.kind === "collider" ? obstacle : bodies[body.index % bodies.length];
}

/** Of the n-th line of a plot. */
export function lineColour(line: number): Triple {
    return bodies[line % bodies.length];
}

/** Light of all field codes, three numbers each; code 0 is grey. */
export function codeLights(): Float32Array {
    const lights = new Float32Array(3 * 256);
    for (let code = 0; code < 256; ++code)
        light(code === 0 ? noNumber : colourAt((code - 1) / 254)).toArray(lights, 3 * code);
    return lights;
}

/** For the bar of a legend. */
export function gradientCss(): string {
    return `linear-gradient(to right, ${stops.map(css).join(", ")})`;
}
