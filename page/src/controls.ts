// SPDX-License-Identifier: MIT
// The bar at the bottom: playing, scrubbing, speed, colours, and which panels are open.

import { element, iconButton, setIcon, setPressed } from "./dom";
import type { Player } from "./player";
import { labelled, type Take } from "./take";

const speeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];

export interface BarActions {
    colourBy(field: number | null): void;
    fit(): void;
    restart(): void;
    togglePanel(): void;
    help(): void;
}

function select(label: string, choices: [string, string][], chosen: string, onChange: (value: string) => void): HTMLSelectElement {
    const made = element("select", { "aria-label": label, title: label });
    for (const [value, text] of choices) made.append(element("option", { value }, text));
    made.value = chosen;
    made.addEventListener("change", () => onChange(made.value));
    return made;
}

export class ControlBar {
    readonly root = element("div", { class: "bar", role: "toolbar", "aria-label": "Playing" });
    private readonly play: HTMLButtonElement;
    private readonly loop: HTMLButtonElement;
    private readonly panels: HTMLButtonElement;
    private readonly scrub: HTMLInputElement;
    private readonly colours: HTMLSelectElement;
    private readonly clock = element("output", { class: "clock" });
    private readonly digits: number;

    constructor(
        private readonly take: Take,
        private readonly player: Player,
        actions: BarActions,
    ) {
        const frames = take.times.length;
        this.digits = frames > 1 && (player.end - take.times[0]) / frames < 0.005 ? 3 : 2;
        this.play = iconButton("play", "Play", "space", () => player.toggle());
        this.loop = iconButton("loop", "Play again at the end", "L", () => this.toggleLoop());
        this.panels = iconButton("plots", "Bodies and plots", "P", () => actions.togglePanel());
        this.scrub = element("input", { type: "range", min: "0", max: String(frames - 1), step: "1", "aria-label": "Frame" });
        this.scrub.classList.add("scrub");
        this.scrub.addEventListener("input", () => {
            player.pause();
            player.showFrame(Number(this.scrub.value));
        });
        this.colours = this.fieldChoice(actions);
        this.root.append(
            iconButton("restart", "Back to the start", "R", () => actions.restart()),
            iconButton("back", "One frame back", "←", () => player.step(-1)),
            this.play,
            iconButton("forth", "One frame on", "→", () => player.step(1)),
            this.scrub,
            this.clock,
            this.speedChoice(),
            this.colours,
            this.loop,
            iconButton("fit", "Fit the view", "F", () => actions.fit()),
            this.panels,
            iconButton("help", "Keys and mouse", "H", () => actions.help()),
        );
        this.toggleLoop(true);
    }

    toggleLoop(isLooping = !this.player.isLooping): void {
        this.player.isLooping = isLooping;
        setPressed(this.loop, isLooping);
    }

    showField(field: number | null): void {
        this.colours.value = field === null ? "" : String(field);
    }

    setPanelOpen(isOpen: boolean): void {
        setPressed(this.panels, isOpen);
    }

    show(frame: number, time: number): void {
        this.scrub.value = String(frame);
        this.scrub.setAttribute("aria-valuetext", `${time.toFixed(this.digits)} seconds`);
        this.clock.textContent = `${time.toFixed(this.digits)} / ${this.player.end.toFixed(this.digits)} s`;
        const label = this.player.isPlaying ? "Pause" : "Play";
        if (this.play.getAttribute("aria-label") === label) return;
        this.play.setAttribute("aria-label", label);
        this.play.title = `${label} (space)`;
        setIcon(this.play, this.player.isPlaying ? "pause" : "play");
    }

    private speedChoice(): HTMLElement {
        const choices = speeds.map((speed): [string, string] => [String(speed), `${speed}×`]);
        return select("Speed", choices, "1", (value) => (this.player.speed = Number(value)));
    }

    private fieldChoice(actions: BarActions): HTMLSelectElement {
        const choices = this.take.fields.map((field, i): [string, string] => [String(i), labelled(field.name, field.unit)]);
        const made = select("Colour by", [["", "colour: bodies"], ...choices], "", (value) =>
            actions.colourBy(value === "" ? null : Number(value)),
        );
        made.classList.add("colour-by");
        return made;
    }
}
