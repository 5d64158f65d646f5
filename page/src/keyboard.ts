// SPDX-License-Identifier: MIT
// Keys: those of most players, and of pliant's viewer.

export interface KeyActions {
    toggle(): void;
    step(frames: number): void;
    restart(): void;
    end(): void;
    fit(): void;
    loop(): void;
    panel(): void;
    help(): void;
}

export const keyWords: [string, string][] = [
    ["space", "play, pause"],
    ["← →", "one frame back, on; with shift ten"],
    ["R, Home", "back to the start"],
    ["End", "to the last frame"],
    ["F", "fit the view to what is there"],
    ["L", "play again at the end, or not"],
    ["P", "bodies and plots"],
    ["drag", "turn; right button or two fingers: move"],
    ["wheel", "nearer, farther"],
    ["double click", "turn about that point"],
];

/** Whether the element has its own use for the key. */
function keepsKey(target: EventTarget | null, key: string): boolean {
    if (!(target instanceof HTMLElement)) return false;
    if (target instanceof HTMLInputElement) return target.type === "search" || (target.type === "checkbox" && key === " ");
    if (target instanceof HTMLSelectElement) return true;
    return key === " " && (target instanceof HTMLButtonElement || target.tagName === "SUMMARY");
}

export function listenToKeys(actions: KeyActions): void {
    window.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || keepsKey(event.target, event.key)) return;
        const many = event.shiftKey ? 10 : 1;
        const known: Record<string, () => void> = {
            " ": () => actions.toggle(),
            ArrowLeft: () => actions.step(-many),
            ArrowRight: () => actions.step(many),
            ",": () => actions.step(-1),
            ".": () => actions.step(1),
            Home: () => actions.restart(),
            End: () => actions.end(),
            r: () => actions.restart(),
            f: () => actions.fit(),
            l: () => actions.loop(),
            p: () => actions.panel(),
            h: () => actions.help(),
            "?": () => actions.help(),
        };
        const action = known[event.key.length === 1 ? event.key.toLowerCase() : event.key];
        if (!action) return;
        event.preventDefault();
        action();
    });
}
