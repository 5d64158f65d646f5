// SPDX-License-Identifier: MIT
// What the page knows of its take: the description that pliant wrote into it, and its packed arrays.
// docs/formats.md (Pages) has the same in words; src/pliant/record/export_html.cpp writes it.

export interface BodyInfo {
    name: string;
    kind: string;
    index: number; // among all bodies of the scene: chooses the colour
    points: number;
    triangles: number;
    lines: number;
}

export interface FieldInfo {
    name: string;
    unit: string; // "1" for pure numbers
    low: number;
    high: number;
}

export interface MeasureInfo {
    name: string;
    quantity: string;
    unit: string;
    sentence: string;
}

export interface Remark {
    frame: number;
    status: string;
    message: string;
}

export type Triple = [number, number, number];

export interface Take {
    format: number;
    version: string;
    name: string;
    description: string;
    up: "y" | "z";
    origin: Triple; // [m]
    step: number; // [m] between two whole numbers
    size: number; // [m] of what is seen in most frames
    low: Triple; // [m] what is worth looking at, over all frames
    high: Triple;
    planes: [number, number, number, number][]; // unit normal and offset: solid where n . x < d
    bodies: BodyInfo[];
    fields: FieldInfo[];
    measures: MeasureInfo[];
    times: number[]; // [s]
    remarks: Remark[];
}

const knownFormat = 1;

function elements(name: string): Element[] {
    return [...document.querySelectorAll(`script[data-pliant="${name}"]`)];
}

export function readTake(): Take {
    const [element] = elements("take");
    if (!element) throw new Error("the page holds no take: it is cut off or was changed");
    const take = JSON.parse(element.textContent ?? "") as Take;
    if (take.format !== knownFormat)
        throw new Error(`the take has format ${take.format}, this page reads ${knownFormat}: export it again`);
    return take;
}

/** The packed texts of a name, each taken out of the page when it is asked for, which frees its memory. */
export function* packedTexts(name: string): Generator<string> {
    for (const element of elements(name)) {
        yield element.textContent ?? "";
        element.remove();
    }
}

export function packedCount(name: string): number {
    return elements(name).length;
}

export function pointCount(take: Take): number {
    return take.bodies.reduce((sum, body) => sum + body.points, 0);
}

/** "speed [m/s]", or the name alone of a pure number. */
export function labelled(name: string, unit: string): string {
    return unit === "1" || unit === "" ? name : `${name} [${unit}]`;
}
