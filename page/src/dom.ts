// SPDX-License-Identifier: MIT
// Making elements of the page, and its icons.

type Attributes = Record<string, string>;

/** An element with attributes and children; "text" is its text. */
export function element<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Attributes = {},
    ...children: (HTMLElement | string)[]
): HTMLElementTagNameMap[K] {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
}

// Paths in a square of 24.
const icons = {
    play: "M7 4.5v15l12-7.5z",
    pause: "M7 5h4v14H7zM13 5h4v14h-4z",
    restart: "M5 5h2.5v14H5zM19 5v14L8.5 12z",
    back: "M15.5 5v14L6 12zM17 5h2v14h-2z",
    forth: "M8.5 5v14l9.500-7zM5 5h2v14H5z",
    loop: "M7 7h9V4l5 4.500-5 4.500v-3H9v4H7zM17 17H8v3l-5-4.500 5-4.500v3h7v-4h2z",
    bodies: "M12 3l8 4.500v9L12 21l-8-4.500v-9zM12 5.300L7 8.100l5 2.800 5-2.800zM6 9.800v5.600l5 2.800v-5.600zM18 9.800l-5 2.800v5.600l5-2.800z",
    plots: "M4 4h2v14h14v2H4zM7.500 15l4-5 3 2.500 4-6 1.600 1.100-5.200 7.700-3.100-2.600-2.800 3.500z",
    fit: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z",
    help: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2a7 7 0 1 1 0 14 7 7 0 0 1 0-14zm-1 10h2v2h-2zM9 10a3 3 0 1 1 4.500 2.600c-.4.200-.5.400-.5.900V14h-2v-.5c0-1.300.6-2 1.500-2.500A1 1 0 1 0 11 10z",
};

export type Icon = keyof typeof icons;

export function setIcon(button: HTMLButtonElement, icon: Icon): void {
    button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path fill-rule="evenodd" d="${icons[icon]}"/></svg>`;
}

/** A button that is known by its label and shows it when asked; `key` is its shortcut. */
export function iconButton(icon: Icon, label: string, key: string, action: () => void): HTMLButtonElement {
    const title = key === "" ? label : `${label} (${key})`;
    const button = element("button", { type: "button", "aria-label": label, title, "data-icon": icon });
    setIcon(button, icon);
    button.addEventListener("click", action);
    return button;
}

/** A button that stays down. */
export function setPressed(button: HTMLButtonElement, isPressed: boolean): void {
    button.setAttribute("aria-pressed", String(isPressed));
}
