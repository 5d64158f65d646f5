// SPDX-License-Identifier: MIT
// All frames of the take, decoded chunk after chunk: whole numbers on the grid, and field codes.
//
// A number is what the frames before predict plus what the prediction missed, in 32-bit arithmetic that wraps around, so
// that it is exactly what src/pliant/record/page_frames.cpp put in. A chunk is
//   uint32 frames, uint32 n, n times (uint32 frame of the chunk, uint32 point): points that are nowhere,
//   a byte for each frame and body: 2 * order + (1 if misses are told as differences from the point before),
//   misses as zigzag words in four planes of bytes: frame, axis, point,
//   for each field a byte for each frame and point: code minus the code in the frame before.

import { pointCount, type Take } from "./take";
import { joinedPlanes, unzigzag } from "./unpack";

type Numbers = Int32Array; // x of all points, then y, then z

function predicted(before: Numbers[], order: number, at: number): number {
    if (order === 0) return 0;
    if (order === 1) return before[0][at];
    if (order === 2) return 2 * before[0][at] - before[1][at];
    return 3 * before[0][at] - 3 * before[1][at] + before[2][at];
}

export class Frames {
    readonly points: number;
    private readonly numbers: Numbers[] = [];
    private readonly codes: Uint8Array[][] = []; // [field][frame]
    private readonly lost = new Map<number, number>();

    constructor(private readonly take: Take) {
        this.points = pointCount(take);
        for (let f = 0; f < take.fields.length; ++f) this.codes.push([]);
    }

    /** How many are there already. */
    get count(): number {
        return this.numbers.length;
    }

    addChunk(bytes: Uint8Array): void {
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        const frames = view.getUint32(0, true);
        const lost = view.getUint32(4, true);
        for (let i = 0; i < lost; ++i) {
            const frame = this.count + view.getUint32(8 + 8 * i, true);
            this.lost.set(frame, (this.lost.get(frame) ?? 0) + 1);
        }
        const modes = 8 + 8 * lost;
        const misses = modes + frames * this.take.bodies.length;
        const words = joinedPlanes(bytes, misses, 3 * this.points * frames);
        for (let f = 0; f < frames; ++f) this.addFrame(bytes, modes + f * this.take.bodies.length, words, f);
        const fields = misses + 12 * this.points * frames;
        this.codes.forEach((codes, k) => this.addCodes(codes, bytes, fields + k * frames * this.points, frames));
    }

    private addFrame(bytes: Uint8Array, modes: number, words: Uint32Array, frame: number): void {
        const n = this.points;
        const now = new Int32Array(3 * n);
        const before = this.numbers.slice(-3).reverse();
        const start = 3 * n * frame;
        let first = 0;
        this.take.bodies.forEach((body, b) => {
            const mode = bytes[modes + b];
            for (let axis = 0; axis < 3; ++axis) {
                let miss = 0;
                for (let i = axis * n + first, end = i + body.points; i < end; ++i) {
                    const told = unzigzag(words[start + i]);
                    miss = mode & 1 ? (miss + told) | 0 : told;
                    now[i] = (predicted(before, mode >> 1, i) + miss) | 0;
                }
            }
            first += body.points;
        });
        this.numbers.push(now);
    }

    private addCodes(codes: Uint8Array[], bytes: Uint8Array, at: number, frames: number): void {
        for (let f = 0; f < frames; ++f, at += this.points) {
            const now = bytes.slice(at, at + this.points);
            const before = codes[codes.length - 1];
            if (before) for (let p = 0; p < now.length; ++p) now[p] += before[p];
            codes.push(now);
        }
    }

    /** Positions [m] as x y z of each point, `share` of the way from a frame to the next. */
    place(out: Float32Array, frame: number, share: number): void {
        const { origin, step } = this.take;
        const a = this.numbers[frame];
        const b = share > 0 && frame + 1 < this.count ? this.numbers[frame + 1] : a;
        const n = this.points;
        for (let axis = 0; axis < 3; ++axis) {
            const from = origin[axis];
            for (let p = 0, i = axis * n, o = axis; p < n; ++p, ++i, o += 3)
                out[o] = from + step * (a[i] + (b[i] - a[i]) * share);
        }
    }

    /** Of a field, a code for each point: 0 is no number, 1 to 255 divide its range. */
    fieldCodes(field: number, frame: number): Uint8Array {
        return this.codes[field][frame];
    }

    /** How many points are not numbers, or too far away, in a frame: they stay where they were. */
    lostPoints(frame: number): number {
        return this.lost.get(frame) ?? 0;
    }
}
