// SPDX-License-Identifier: MIT
// Surfaces as they are drawn: a vertex for each smooth part around a point, and normals for each frame.
//
// As in apps/viewer/surface_mesh.cpp: what is sharper than 40 degrees in the first frame is cut there, so that boxes have
// edges and sheets have none; what folds later is drawn smooth.

const sharp = 0.766; // cosine of 40 degrees

export interface Surface {
    points: Uint32Array; // the point that each vertex shows
    triangles: Uint32Array; // of vertices
}

/** Twice the area of the triangle of three points, along its normal. */
function faceNormal(x: Float32Array, a: number, b: number, c: number): [number, number, number] {
    const [i, j, k] = [3 * a, 3 * b, 3 * c];
    const [ux, uy, uz] = [x[j] - x[i], x[j + 1] - x[i + 1], x[j + 2] - x[i + 2]];
    const [vx, vy, vz] = [x[k] - x[i], x[k + 1] - x[i + 1], x[k + 2] - x[i + 2]];
    return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

function areEven(a: number[], b: number[]): boolean {
    const dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    return dot > sharp * Math.hypot(...a) * Math.hypot(...b);
}

/** Joins the corners at one point whose faces are nearly even; gives each its part, from 0. */
function smoothParts(normals: number[][]): number[] {
    const parts = new Array<number>(normals.length).fill(-1);
    let count = 0;
    for (let first = 0; first < normals.length; ++first) {
        if (parts[first] >= 0) continue;
        const queue = [first];
        parts[first] = count;
        for (let i = queue.pop(); i !== undefined; i = queue.pop())
            for (let j = 0; j < normals.length; ++j)
                if (parts[j] < 0 && areEven(normals[i], normals[j])) {
                    parts[j] = count;
                    queue.push(j);
                }
        ++count;
    }
    return parts;
}

/** `triangles` of points, `x` their places in the first frame. */
export function cutSurface(triangles: Uint32Array, x: Float32Array): Surface {
    const corners = new Map<number, number[]>();
    triangles.forEach((point, corner) => {
        const list = corners.get(point);
        if (list) list.push(corner);
        else corners.set(point, [corner]);
    });
    const points: number[] = [];
    const cut = new Uint32Array(triangles.length);
    for (const [point, list] of corners) {
        const normals = list.map((corner) => {
            const t = corner - (corner % 3);
            return faceNormal(x, triangles[t], triangles[t + 1], triangles[t + 2]);
        });
        const parts = smoothParts(normals);
        const first = points.length;
        for (let part = Math.max(...parts); part >= 0; --part) points.push(point);
        list.forEach((corner, c) => (cut[corner] = first + parts[c]));
    }
    return { points: Uint32Array.from(points), triangles: cut };
}

function add(normals: Float32Array, at: number, x: number, y: number, z: number): void {
    normals[at] += x;
    normals[at + 1] += y;
    normals[at + 2] += z;
}

/** Weighted by area; of any length. */
export function addNormals(normals: Float32Array, places: Float32Array, triangles: Uint32Array): void {
    normals.fill(0);
    for (let t = 0; t < triangles.length; t += 3) {
        const i = 3 * triangles[t];
        const j = 3 * triangles[t + 1];
        const k = 3 * triangles[t + 2];
        const ux = places[j] - places[i];
        const uy = places[j + 1] - places[i + 1];
        const uz = places[j + 2] - places[i + 2];
        const vx = places[k] - places[i];
        const vy = places[k + 1] - places[i + 1];
        const vz = places[k + 2] - places[i + 2];
        const nx = uy * vz - uz * vy;
        const ny = uz * vx - ux * vz;
        const nz = ux * vy - uy * vx;
        add(normals, i, nx, ny, nz);
        add(normals, j, nx, ny, nz);
        add(normals, k, nx, ny, nz);
    }
    normalise(normals);
}

function normalise(normals: Float32Array): void {
    for (let i = 0; i < normals.length; i += 3) {
        const length = Math.sqrt(normals[i] ** 2 + normals[i + 1] ** 2 + normals[i + 2] ** 2);
        if (length > 0) {
            normals[i] /= length;
            normals[i + 1] /= length;
            normals[i + 2] /= length;
        } else normals[i + 1] = 1;
    }
}
