// SPDX-License-Identifier: MIT
// Numbers for people: few digits, powers of ten where they are needed, round places for ticks.

/** Three or four digits: 0.0123, 12.3, 1.2e+6. */
export function shown(value: number): string {
    if (!Number.isFinite(value)) return "–";
    const size = Math.abs(value);
    if (size !== 0 && (size >= 1e5 || size < 1e-3)) return value.toExponential(2).replace("e+", "e");
    return Number(value.toPrecision(4)).toString();
}

/** Round numbers within a range, about `count` of them. */
export function ticks(low: number, high: number, count: number): number[] {
    const rough = (high - low) / Math.max(count, 1);
    if (!(rough > 0) || !Number.isFinite(rough)) return [];
    const power = 10 ** Math.floor(Math.log10(rough));
    const times = rough / power;
    const step = power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
    const places: number[] = [];
    for (let k = Math.ceil(low / step); k * step <= high + 1e-9 * step; ++k) places.push(k * step);
    return places;
}
