// SPDX-License-Identifier: MIT
// What the colours mean: a bar with the field's name, unit and range.

import { gradientCss } from "./colours";
import { element } from "./dom";
import { shown } from "./numbers";
import { labelled, type FieldInfo } from "./take";

export class Legend {
    readonly root = element("div", { class: "legend", role: "img", hidden: "" });
    private readonly title = element("div", { class: "legend-title" });
    private readonly numbers = [element("span"), element("span"), element("span")];

    constructor() {
        const bar = element("div", { class: "legend-bar" });
        bar.style.background = gradientCss();
        this.root.append(this.title, bar, element("div", { class: "legend-numbers" }, ...this.numbers));
    }

    show(field: FieldInfo | null): void {
        this.root.hidden = field === null;
        if (!field) return;
        this.title.textContent = labelled(field.name, field.unit);
        const [low, middle, high] = [field.low, 0.5 * (field.low + field.high), field.high].map((value) =>
            shown(Math.abs(value) < 1e-6 * (field.high - field.low) ? 0 : value),
        );
        [low, middle, high].forEach((value, i) => (this.numbers[i].textContent = value));
        const words = `from ${low}, dark blue, to ${high}, yellow`;
        this.root.setAttribute("aria-label", `${labelled(field.name, field.unit)} ${words}`);
    }
}
