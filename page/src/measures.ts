// SPDX-License-Identifier: MIT
// The panel of measures: which are drawn, and their plots, those of one unit in one plot.

import { element } from "./dom";
import { Plot } from "./plot";
import { labelled, type MeasureInfo, type Take } from "./take";

const mostAtStart = 7; // as many as there are colours

function varies(values: Float32Array): boolean {
    let [low, high] = [Infinity, -Infinity];
    for (const value of values)
        if (Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
    return high > low;
}

/** What shares a plot; pure numbers only do with their own kind. */
function panelKey(measure: MeasureInfo): string {
    return measure.unit === "1" ? `1 ${measure.quantity}` : measure.unit;
}

export class MeasurePanel {
    readonly root = element("section", { class: "panel-part", "aria-label": "Measures" });
    private readonly plots = element("div", { class: "plots" });
    private drawn: Plot[] = [];
    private readonly chosen = new Set<number>();
    private moment = { frame: 0, time: 0 };

    constructor(
        private readonly take: Take,
        private readonly columns: Float32Array[],
        private readonly seek: (time: number) => void,
    ) {
        this.chooseAtStart();
        this.root.append(element("h2", {}, "Measures"), this.chooser(), this.plots);
        this.rebuild();
        new ResizeObserver(() => this.redraw()).observe(this.plots);
    }

    show(frame: number, time: number): void {
        this.moment = { frame, time };
        if (this.root.offsetParent === null) return; // hidden
        for (const plot of this.drawn) plot.show(frame, time);
    }

    redraw(): void {
        this.show(this.moment.frame, this.moment.time);
    }

    /** Energies that change, or else whatever changes first. */
    private chooseAtStart(): void {
        const moving = this.take.measures.map((_, i) => i).filter((i) => varies(this.columns[i]));
        const energies = moving.filter((i) => {
            const { name, unit } = this.take.measures[i];
            return name.startsWith("energy.") && unit === "J";
        });
        const first = energies.length > 0 ? energies : moving.slice(0, 1);
        for (const i of first.slice(0, mostAtStart)) this.chosen.add(i);
    }

    private chooser(): HTMLElement {
        const filter = element("input", { type: "search", placeholder: "find a measure", "aria-label": "Find a measure" });
        const list = element("ul", { class: "choices" });
        this.take.measures.forEach((measure, i) => list.append(this.choice(measure, i)));
        filter.addEventListener("input", () => {
            const wanted = filter.value.toLowerCase();
            for (const item of list.children) (item as HTMLElement).hidden = !item.textContent?.toLowerCase().includes(wanted);
        });
        const summary = element("summary", {}, "Choose what is plotted");
        return element("details", { class: "chooser" }, summary, filter, list);
    }

    private choice(measure: MeasureInfo, i: number): HTMLElement {
        const box = element("input", { type: "checkbox" });
        box.checked = this.chosen.has(i);
        box.addEventListener("change", () => {
            if (box.checked) this.chosen.add(i);
            else this.chosen.delete(i);
            this.rebuild();
        });
        const label = element("label", { title: measure.sentence }, box, labelled(measure.name, measure.unit));
        return element("li", varies(this.columns[i]) ? {} : { class: "still" }, label);
    }

    private rebuild(): void {
        const groups = new Map<string, number[]>();
        for (const i of [...this.chosen].sort((a, b) => a - b)) {
            const key = panelKey(this.take.measures[i]);
            groups.set(key, [...(groups.get(key) ?? []), i]);
        }
        this.drawn = [...groups.values()].map((members) => {
            const { quantity, unit } = this.take.measures[members[0]];
            const lines = members.map((i) => ({ name: this.take.measures[i].name, values: this.columns[i] }));
            return new Plot(quantity, unit, this.take.times, lines, this.seek);
        });
        this.plots.replaceChildren(...this.drawn.map((plot) => plot.root));
        this.redraw();
    }
}
