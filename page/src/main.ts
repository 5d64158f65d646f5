// SPDX-License-Identifier: MIT
// The page of one take: reads what pliant wrote into it, shows it, and lets it play.

import { Body } from "./body";
import { bodyPanel } from "./bodies";
import { codeLights } from "./colours";
import { ControlBar } from "./controls";
import { Frames } from "./frames";
import { listenToKeys } from "./keyboard";
import { addStyle, buildLayout, showFailure, type Layout } from "./layout";
import { Legend } from "./legend";
import { MeasurePanel } from "./measures";
import { Pace } from "./pace";
import { Player } from "./player";
import { Stage } from "./stage";
import { packedCount, packedTexts, readTake, type Take } from "./take";
import { unpacked, unpackedColumns, unpackedIndices } from "./unpack";

/** For whoever embeds the page, and for its tests: window.pliant. */
export interface PageInterface {
    readonly take: Take;
    readonly frames: number; // decoded so far
    readonly frame: number;
    readonly time: number; // [s]
    readonly isPlaying: boolean;
    readonly drawn: number; // pictures since the start
    readonly loadSeconds: number; // until all frames were there; 0 before
    readonly view: number[]; // position of the camera [m]
    play(): void;
    pause(): void;
    seek(time: number): void;
    colourBy(name: string | null): void;
}

declare global {
    interface Window {
        pliant?: PageInterface;
    }
}

async function onlyPacked(name: string): Promise<Uint8Array> {
    for (const text of packedTexts(name)) return await unpacked(text);
    throw new Error(`the page holds no '${name}': it is cut off or was changed`);
}

/** Bodies share one list of indices: the triangles of all of them, then the lines. */
function makeBodies(take: Take, indices: Uint32Array, x: Float32Array): Body[] {
    let triangle = 0;
    let line = 3 * take.bodies.reduce((sum, body) => sum + body.triangles, 0);
    return take.bodies.map((info) => {
        const triangles = indices.subarray(triangle, (triangle += 3 * info.triangles));
        const lines = indices.subarray(line, (line += 2 * info.lines));
        return new Body(info, triangles, lines, x);
    });
}

class Page {
    private readonly player: Player;
    private readonly stage: Stage;
    private readonly bar: ControlBar;
    private readonly measures: MeasurePanel;
    private readonly legend = new Legend();
    private readonly pace = new Pace();
    private readonly bodies: Body[];
    private readonly lights = codeLights();
    private readonly x: Float32Array;
    private field: number | null = null;
    private isPanelOpen = false;
    private isStale = true;
    private lastTick = 0;
    private drawn = 0;
    private loadSeconds = 0;

    constructor(
        private readonly take: Take,
        private readonly frames: Frames,
        private readonly layout: Layout,
        indices: Uint32Array,
        columns: Float32Array[],
    ) {
        this.x = new Float32Array(3 * frames.points);
        frames.place(this.x, 0, 0);
        this.bodies = makeBodies(take, indices, this.x);
        this.player = new Player(take.times, () => frames.count);
        this.stage = new Stage(take, layout.view, layout.canvas, this.bodies);
        this.bar = new ControlBar(take, this.player, {
            colourBy: (field) => this.colourBy(field),
            fit: () => this.stage.fit(),
            restart: () => this.player.restart(),
            togglePanel: () => this.setPanelOpen(!this.isPanelOpen),
            help: () => this.toggleHelp(),
        });
        this.measures = new MeasurePanel(take, columns, (time) => this.player.seek(time));
        layout.panel.append(bodyPanel(this.bodies, () => this.stage.invalidate()));
        if (take.measures.length > 0) layout.panel.append(this.measures.root);
        layout.view.append(this.legend.root);
        layout.root.append(this.bar.root);
        this.setPanelOpen(window.innerWidth >= 760 && window.innerHeight >= 380);
        this.player.onChange(() => (this.isStale = true));
        this.listen();
        window.pliant = this.asInterface();
        requestAnimationFrame((now) => this.tick(now));
    }

    /** All frames are there. */
    loaded(seconds: number): void {
        this.loadSeconds = seconds;
        this.isStale = true;
    }

    private listen(): void {
        listenToKeys({
            toggle: () => this.player.toggle(),
            step: (frames) => this.player.step(frames),
            restart: () => this.player.restart(),
            end: () => this.player.seek(this.player.end),
            fit: () => this.stage.fit(),
            loop: () => this.bar.toggleLoop(),
            panel: () => this.setPanelOpen(!this.isPanelOpen),
            help: () => this.toggleHelp(),
        });
        window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.measures.redraw());
    }

    private asInterface(): PageInterface {
        const page = this;
        return {
            take: this.take,
            get frames() {
                return page.frames.count;
            },
            get frame() {
                return page.player.moment.frame;
            },
            get time() {
                return page.player.moment.time;
            },
            get isPlaying() {
                return page.player.isPlaying;
            },
            get drawn() {
                return page.drawn;
            },
            get loadSeconds() {
                return page.loadSeconds;
            },
            get view() {
                return page.stage.camera.position.toArray();
            },
            play: () => this.player.play(),
            pause: () => this.player.pause(),
            seek: (time) => this.player.seek(time),
            colourBy: (name) => this.colourBy(name === null ? null : this.take.fields.findIndex((f) => f.name === name)),
        };
    }

    private tick(now: number): void {
        const seconds = (now - this.lastTick) / 1000;
        this.lastTick = now;
        if (this.player.isPlaying) this.pace.note(seconds);
        this.stage.setSharpness(this.pace.sharpness(this.player.isPlaying));
        this.player.advance(Math.min(seconds, 0.25)); // a tab that slept does not jump
        if (this.isStale) this.showMoment();
        if (this.stage.drawIfNeeded()) ++this.drawn;
        requestAnimationFrame((next) => this.tick(next));
    }

    private showMoment(): void {
        this.isStale = false;
        const { frame, share, time } = this.player.moment;
        this.frames.place(this.x, frame, share);
        const codes = this.field === null ? null : this.frames.fieldCodes(this.field, frame);
        for (const body of this.bodies) {
            body.place(this.x);
            body.paint(codes, this.lights);
        }
        this.bar.show(frame, time);
        this.measures.show(frame, time);
        this.showRemark(frame);
        this.stage.invalidate();
    }

    /** What the simulation said of this frame, points that are nowhere, and how far loading is. */
    private showRemark(frame: number): void {
        const words: string[] = [];
        for (const remark of this.take.remarks)
            if (remark.frame === frame) words.unshift(remark.message === "" ? remark.status : `${remark.status}: ${remark.message}`);
        const lost = this.frames.lostPoints(frame);
        if (lost > 0) words.push(`${lost} points are not numbers here, or too far away: they stay where they last were`);
        const loading = this.frames.count < this.take.times.length;
        if (loading) words.push(`loading, ${Math.floor((100 * this.frames.count) / this.take.times.length)} %`);
        this.layout.remark.hidden = words.length === 0;
        const text = words.join("; ");
        if (this.layout.remark.textContent !== text) this.layout.remark.textContent = this.layout.remark.title = text;
    }

    private colourBy(field: number | null): void {
        this.field = field !== null && field >= 0 ? field : null;
        this.bar.showField(this.field);
        this.legend.show(this.field === null ? null : this.take.fields[this.field]);
        this.isStale = true;
    }

    private setPanelOpen(isOpen: boolean): void {
        this.isPanelOpen = isOpen;
        this.layout.panel.hidden = !isOpen;
        this.bar.setPanelOpen(isOpen);
        if (isOpen) this.measures.redraw();
    }

    private toggleHelp(): void {
        if (this.layout.help.open) this.layout.help.close();
        else this.layout.help.showModal();
    }
}

async function start(): Promise<void> {
    if (!("DecompressionStream" in window))
        throw new Error("this browser is too old for it; one of 2023 or later will do");
    const begin = performance.now();
    const take = readTake();
    const frames = new Frames(take);
    const indices = unpackedIndices(await onlyPacked("mesh"));
    const columns = unpackedColumns(await onlyPacked("measures"), take.times.length);
    let page: Page | undefined;
    const chunks = packedCount("frames");
    for (const text of packedTexts("frames")) {
        frames.addChunk(await unpacked(text));
        if (!page) {
            addStyle();
            page = new Page(take, frames, buildLayout(take), indices, columns);
        }
        if (chunks > 1) await new Promise((done) => setTimeout(done)); // lets the page answer meanwhile
    }
    page?.loaded((performance.now() - begin) / 1000);
}

start().catch((error: unknown) => {
    const words = error instanceof Error ? error.message : String(error);
    showFailure(`This take cannot be shown: ${words}.`);
    throw error;
});
