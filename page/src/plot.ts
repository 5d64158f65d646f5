// SPDX-License-Identifier: MIT
// One plot of measures of one unit over time, with a cursor at the present moment; a click or a drag seeks.

import { css, lineColour } from "./colours";
import { element } from "./dom";
import { shown, ticks } from "./numbers";
import { labelled } from "./take";

export interface Line {
    name: string;
    values: Float32Array;
}

interface Range {
    low: number;
    high: number;
}

const left = 46;
const right = 8;
const top = 6;
const bottom = 18;

function rangeOf(lines: Line[]): Range {
    let [low, high] = [Infinity, -Infinity];
    for (const line of lines)
        for (const value of line.values)
            if (Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
    if (!(low <= high)) return { low: 0, high: 1 };
    const room = high > low ? 0.04 * (high - low) : Math.abs(high) * 0.1 + 1e-12;
    return { low: low - room, high: high + room };
}

export class Plot {
    readonly root: HTMLElement;
    private readonly canvas = element("canvas", { class: "plot-canvas", role: "img" });
    private readonly values: HTMLElement[] = [];
    private readonly range: Range;
    private frame = 0;
    private time = 0;

    constructor(
        label: string,
        unit: string,
        private readonly times: number[],
        private readonly lines: Line[],
        private readonly seek: (time: number) => void,
    ) {
        this.range = rangeOf(lines);
        const list = element("ul", { class: "plot-lines" });
        lines.forEach((line, i) => {
            const swatch = element("span", { class: "swatch" });
            swatch.style.background = css(lineColour(i));
            const value = element("span", { class: "plot-value" });
            this.values.push(value);
            list.append(element("li", {}, swatch, element("span", { class: "plot-name" }, line.name), value));
        });
        const title = labelled(label, unit);
        this.canvas.setAttribute("aria-label", `${title} over time; click to go there`);
        this.root = element("section", { class: "plot" }, element("h3", {}, title), this.canvas, list);
        this.canvas.addEventListener("pointerdown", (event) => {
            this.canvas.setPointerCapture(event.pointerId);
            this.seekTo(event);
        });
        this.canvas.addEventListener("pointermove", (event) => {
            if (event.buttons & 1) this.seekTo(event);
        });
    }

    /** Moves the cursor; `frame` gives the numbers beside the names. */
    show(frame: number, time: number): void {
        this.frame = frame;
        this.time = time;
        this.lines.forEach((line, i) => (this.values[i].textContent = shown(line.values[this.frame])));
        this.draw();
    }

    draw(): void {
        const { clientWidth: width, clientHeight: height } = this.canvas;
        if (width === 0 || height === 0) return;
        const scale = window.devicePixelRatio;
        this.canvas.width = Math.round(width * scale);
        this.canvas.height = Math.round(height * scale);
        const ink = this.canvas.getContext("2d");
        if (!ink) return;
        ink.scale(scale, scale);
        const style = getComputedStyle(this.canvas);
        this.drawAxes(ink, width, height, style);
        this.lines.forEach((line, i) => this.drawLine(ink, width, height, line, css(lineColour(i))));
        ink.strokeStyle = style.getPropertyValue("--accent");
        ink.lineWidth = 1.5;
        ink.beginPath();
        ink.moveTo(this.xOf(this.time, width), top);
        ink.lineTo(this.xOf(this.time, width), height - bottom);
        ink.stroke();
    }

    private xOf(time: number, width: number): number {
        const [first, last] = [this.times[0], this.times[this.times.length - 1]];
        return left + ((width - left - right) * (time - first)) / Math.max(last - first, 1e-300);
    }

    private yOf(value: number, height: number): number {
        const share = (value - this.range.low) / (this.range.high - this.range.low);
        return height - bottom - share * (height - top - bottom);
    }

    private drawAxes(ink: CanvasRenderingContext2D, width: number, height: number, style: CSSStyleDeclaration): void {
        ink.strokeStyle = style.getPropertyValue("--line");
        ink.fillStyle = style.getPropertyValue("--faint");
        ink.font = `10px ${style.fontFamily}`;
        ink.lineWidth = 1;
        ink.textAlign = "right";
        ink.textBaseline = "middle";
        for (const value of ticks(this.range.low, this.range.high, 3)) {
            const y = Math.round(this.yOf(value, height)) + 0.5;
            ink.beginPath();
            ink.moveTo(left, y);
            ink.lineTo(width - right, y);
            ink.stroke();
            ink.fillText(shown(value), left - 5, y);
        }
        ink.textBaseline = "alphabetic";
        const last = this.times[this.times.length - 1];
        for (const time of ticks(this.times[0], last, 4)) {
            ink.textAlign = time >= last - 1e-9 ? "right" : "center";
            ink.fillText(time === 0 ? "0 s" : shown(time), this.xOf(time, width), height - 5);
        }
    }

    /** Of all values in one column of pixels only the lowest and the highest are drawn: no peak is lost. */
    private drawLine(ink: CanvasRenderingContext2D, width: number, height: number, line: Line, colour: string): void {
        ink.strokeStyle = colour;
        ink.lineWidth = 1.5;
        ink.lineJoin = "round";
        ink.beginPath();
        let isDown = false;
        for (let i = 0; i < line.values.length; ) {
            const x = this.xOf(this.times[i], width);
            let [low, high] = [Infinity, -Infinity];
            let isBroken = false;
            for (; i < line.values.length && this.xOf(this.times[i], width) < x + 0.5; ++i) {
                const value = line.values[i];
                if (Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
                else isBroken = true;
            }
            if (low <= high) {
                if (isDown) ink.lineTo(x, this.yOf(low, height));
                else ink.moveTo(x, this.yOf(low, height));
                ink.lineTo(x, this.yOf(high, height));
            }
            isDown = low <= high && !isBroken;
        }
        ink.stroke();
    }

    private seekTo(event: PointerEvent): void {
        const box = this.canvas.getBoundingClientRect();
        const share = (event.clientX - box.left - left) / Math.max(box.width - left - right, 1);
        const [first, last] = [this.times[0], this.times[this.times.length - 1]];
        this.seek(first + Math.min(Math.max(share, 0), 1) * (last - first));
    }
}
