// SPDX-License-Identifier: MIT
// The page's fixed parts: title, canvas, place for panels, words about troubles, help.

import { element } from "./dom";
import { keyWords } from "./keyboard";
import style from "./style.css";
import type { Take } from "./take";

export interface Layout {
    root: HTMLElement;
    view: HTMLElement; // holds the canvas, as large as it
    canvas: HTMLCanvasElement;
    panel: HTMLElement;
    remark: HTMLElement;
    help: HTMLDialogElement;
}

function helpDialog(version: string): HTMLDialogElement {
    const list = element("dl");
    for (const [keys, words] of keyWords) list.append(element("dt", {}, keys), element("dd", {}, words));
    const close = element("button", { class: "plain" }, "Close");
    const made = element("p", { class: "faint" }, `Made by pliant ${version}; drawn by three.js.`);
    return element("dialog", { "aria-label": "Keys and mouse" }, element("form", { method: "dialog" }, list, made, close));
}

export function addStyle(): void {
    document.head.append(element("style", {}, style));
}

export function buildLayout(take: Take): Layout {
    const canvas = element("canvas", { class: "stage", tabindex: "0", "aria-label": "The simulation; drag to turn it" });
    const remark = element("p", { class: "remark", role: "status", hidden: "" });
    const title = element("header", { class: "title" }, element("h1", {}, take.name === "" ? "a take" : take.name));
    if (take.description !== "") title.append(element("p", { title: take.description }, take.description));
    title.append(remark);
    const view = element("div", { class: "view" }, canvas, title);
    const panel = element("aside", { class: "panel", "aria-label": "Bodies and plots" });
    const help = helpDialog(take.version);
    const root = element("main", { class: "pliant" }, view, panel, help);
    document.body.append(root);
    return { root, view, canvas, panel, remark, help };
}

/** Instead of everything else: what went wrong. */
export function showFailure(words: string): void {
    addStyle();
    document.body.append(element("p", { class: "failure", role: "alert" }, words));
}
