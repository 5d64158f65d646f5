// SPDX-License-Identifier: MIT
// From packed text to numbers: base64, zlib, planes of bytes, zigzag.

export async function unpacked(text: string): Promise<Uint8Array> {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** `count` 32-bit words that lie as four planes of bytes from `at` on, the lowest bytes first. */
export function joinedPlanes(bytes: Uint8Array, at: number, count: number): Uint32Array {
    const a = bytes.subarray(at, at + count);
    const b = bytes.subarray(at + count, at + 2 * count);
    const c = bytes.subarray(at + 2 * count, at + 3 * count);
    const d = bytes.subarray(at + 3 * count, at + 4 * count);
    if (d.length !== count) throw new Error("the page's arrays are cut off: export it again");
    const words = new Uint32Array(count);
    for (let i = 0; i < count; ++i) words[i] = a[i] | (b[i] << 8) | (c[i] << 16) | (d[i] << 24);
    return words;
}

/** 0, 1, 2, 3 … stand for 0, -1, 1, -2 … */
export function unzigzag(word: number): number {
    return (word >>> 1) ^ -(word & 1);
}

/** Indices of triangles and lines, each told as its difference from the one before. */
export function unpackedIndices(bytes: Uint8Array): Uint32Array {
    const words = joinedPlanes(bytes, 0, bytes.length / 4);
    let last = 0;
    for (let i = 0; i < words.length; ++i) words[i] = last = (last + unzigzag(words[i])) | 0;
    return words;
}

/** Columns of float32, one of `rows` numbers after the other. */
export function unpackedColumns(bytes: Uint8Array, rows: number): Float32Array[] {
    const numbers = new Float32Array(joinedPlanes(bytes, 0, bytes.length / 4).buffer);
    const columns: Float32Array[] = [];
    for (let at = 0; at < numbers.length; at += rows) columns.push(numbers.subarray(at, at + rows));
    return columns;
}
