// SPDX-License-Identifier: MIT
// The panel of bodies: their names with a box to hide each.

import type { Body } from "./body";
import { bodyColour, css } from "./colours";
import { element } from "./dom";

export function bodyPanel(bodies: Body[], onChange: () => void): HTMLElement {
    const list = element("ul", { class: "bodies" });
    for (const body of bodies) {
        const box = element("input", { type: "checkbox" });
        box.checked = true;
        box.addEventListener("change", () => {
            body.isVisible = box.checked;
            onChange();
        });
        const swatch = element("span", { class: "swatch" });
        swatch.style.background = css(bodyColour(body.info));
        const kind = element("span", { class: "faint" }, body.info.kind);
        list.append(element("li", {}, element("label", {}, box, swatch, element("span", { class: "body-name" }, body.info.name), kind)));
    }
    return element("section", { class: "panel-part", "aria-label": "Bodies" }, element("h2", {}, "Bodies"), list);
}
