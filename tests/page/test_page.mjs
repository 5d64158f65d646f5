// SPDX-License-Identifier: MIT
// The page of a take in a real browser, used as a person would: node test_page.mjs --program PLIANT --scenes DIR
// --packages DIR --scratch DIR. Exits with 77 where there is no browser or no page; pictures are left in the scratch folder.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { exportedPage, hueShare, launcher, openPage, scratch, watched } from "./browser.mjs";

const launch = launcher();
const box = exportedPage("pneumatic_box_drop", "world.duration=2");
const bar = exportedPage("solid_plastic");
const explosion = exportedPage("pneumatic_box_explosion");

const orange = 14;
const blue = 208;
let browser;
let page;
let troubles;

const state = () =>
    page.evaluate(() => {
        const { frame, time, isPlaying, drawn, view } = window.pliant;
        return { frame, time, isPlaying, drawn, view };
    });
/** Does something and waits until it is drawn. */
const redrawn = async (action) => {
    const { drawn } = await state();
    await action();
    await page.waitForFunction((before) => window.pliant.drawn > before, drawn);
};
const picture = (name) => page.locator(".view").screenshot({ path: join(scratch, `${name}.png`) });

before(async () => {
    browser = await launch();
    ({ page, troubles } = await openPage(browser, box));
});
after(async () => {
    await browser?.close();
});

test("shows the scene's words, its bodies in their colours, and time", async () => {
    assert.equal(await page.locator("h1").textContent(), "pneumatic_box_drop");
    assert.match(await page.locator(".title p").first().textContent(), /ball rests in the hollow/);
    assert.equal(await page.locator(".clock").textContent(), "0.00 / 2.00 s");
    const png = await picture("start");
    assert.ok((await hueShare(page, png, orange)) > 0.08, "the box is seen");
    assert.ok((await hueShare(page, png, blue)) > 0.005, "the ball is seen");
});

test("plays, and pauses on a frame", async () => {
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.waitForFunction(() => window.pliant.frame > 5);
    await page.getByRole("button", { name: "Pause" }).click();
    const now = await state();
    assert.equal(now.isPlaying, false);
    const times = await page.evaluate(() => window.pliant.take.times);
    assert.equal(now.time, times[now.frame]);
    await page.waitForTimeout(300);
    assert.equal((await state()).frame, now.frame);
});

test("is driven by keys: space, arrows, R, End", async () => {
    await page.locator("canvas.stage").focus();
    await page.keyboard.press("r");
    assert.equal((await state()).frame, 0);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    assert.equal((await state()).frame, 2);
    await page.keyboard.press("ArrowLeft");
    assert.equal((await state()).frame, 1);
    await page.keyboard.press("Shift+ArrowRight");
    assert.equal((await state()).frame, 11);
    await page.keyboard.press(" ");
    assert.equal((await state()).isPlaying, true);
    await page.keyboard.press(" ");
    assert.equal((await state()).isPlaying, false);
    await page.keyboard.press("End");
    assert.equal((await state()).time, 2);
});

test("scrubs, and shows another picture there", async () => {
    const slider = page.getByLabel("Frame", { exact: true });
    await redrawn(() => slider.fill("0"));
    const first = await picture("scrub-0");
    await redrawn(() => slider.fill("30"));
    assert.equal((await state()).frame, 30);
    assert.equal(await page.locator(".clock").textContent(), "0.50 / 2.00 s");
    assert.notDeepEqual(await picture("scrub-30"), first);
});

test("plays faster and slower", async () => {
    await page.getByLabel("Speed").selectOption("0.05");
    await page.evaluate(() => (window.pliant.seek(0), window.pliant.play()));
    await page.waitForTimeout(600);
    const slow = (await state()).time;
    await page.evaluate(() => window.pliant.pause());
    await page.getByLabel("Speed").selectOption("1");
    assert.ok(slow > 0 && slow < 0.1, `after 0.6 s at a twentieth it is ${slow} s`);
});

test("turns by dragging, moves nearer by the wheel, fits by F", async () => {
    const before = await state();
    const view = await page.locator("canvas.stage").boundingBox();
    const [x, y] = [view.x + view.width / 2, view.y + view.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 120, y + 20, { steps: 5 });
    await page.mouse.up();
    const turned = await state();
    const distance = (v) => Math.hypot(...v);
    assert.ok(distance(turned.view.map((c, k) => c - before.view[k])) > 0.1, "the camera moved");
    await picture("turned");
    await page.mouse.wheel(0, -400);
    await page.waitForFunction((v) => window.pliant.view[0] !== v[0], turned.view);
    const near = await state();
    await redrawn(() => page.keyboard.press("f"));
    assert.notDeepEqual((await state()).view, near.view);
    await picture("fitted");
});

test("hides a body", async () => {
    await redrawn(() => page.evaluate(() => window.pliant.seek(0)));
    const name = page.locator(".bodies").getByText("ball", { exact: true });
    await redrawn(() => name.click());
    assert.ok((await hueShare(page, await picture("no-ball"), blue)) < 0.001, "the ball is gone");
    await redrawn(() => name.click());
    assert.ok((await hueShare(page, await picture("ball-again"), blue)) > 0.005, "the ball is back");
});

test("colours by speed, with a legend", async () => {
    await redrawn(() => page.evaluate(() => window.pliant.seek(0.2)));
    const colours = page.getByLabel("Colour by");
    await redrawn(() => colours.selectOption({ label: "speed [m/s]" }));
    assert.equal(await page.locator(".legend-title").textContent(), "speed [m/s]");
    assert.ok((await hueShare(page, await picture("speed"), orange)) < 0.01, "the box has no colour of its own");
    await redrawn(() => colours.selectOption({ label: "colour: bodies" }));
    assert.equal(await page.locator(".legend").isVisible(), false);
    assert.ok((await hueShare(page, await picture("bodies"), orange)) > 0.08);
});

test("plots a measure that is picked; a click in the plot goes there", async () => {
    await page.getByText("Choose what is plotted").click();
    await page.getByLabel("Find a measure").fill("box.volume");
    await page.getByLabel(/^box\.volume/).check();
    const plot = page.locator(".plot").filter({ hasText: "box.volume" });
    await plot.waitFor();
    assert.equal(await plot.locator("h3").textContent(), "volume [m³]");
    const canvas = plot.locator("canvas");
    await canvas.scrollIntoViewIfNeeded();
    const { width, height } = await canvas.boundingBox();
    await canvas.click({ position: { x: 46 + (width - 54) / 2, y: height / 2 } });
    assert.ok(Math.abs((await state()).time - 1) < 0.02, `in the middle it is ${(await state()).time} s`);
    const shown = Number(await plot.locator(".plot-value").textContent());
    assert.ok(shown > 0, "its value is shown");
    await page.screenshot({ path: join(scratch, "plots.png") });
});

test("tells its keys, and every control has a name", async () => {
    await page.getByRole("button", { name: "Keys and mouse" }).click();
    assert.ok(await page.getByRole("dialog").isVisible());
    await page.keyboard.press("Escape");
    for (const control of await page.locator("button, select, input").all()) {
        const named = await control.evaluate((e) => Boolean(e.ariaLabel || e.labels?.length || e.textContent?.trim()));
        assert.ok(named, await control.evaluate((e) => e.outerHTML));
    }
});

test("nothing went wrong, and nothing was asked of a network", () => {
    assert.deepEqual(troubles, []);
});

test("shows fields of solids, in the dark too", async () => {
    const own = await openPage(browser, bar, { colorScheme: "dark" });
    await own.page.getByLabel("Colour by").selectOption({ label: "stress [Pa]" });
    await own.page.evaluate(() => window.pliant.seek(0.6));
    await own.page.waitForTimeout(300);
    await own.page.screenshot({ path: join(scratch, "stress-dark.png") });
    assert.equal(await own.page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(23, 25, 29)");
    assert.deepEqual(own.troubles, []);
    await own.page.close();
});

test("a take that explodes plays to its end and says why", async () => {
    const own = await openPage(browser, explosion);
    await own.page.keyboard.press("End");
    const remark = own.page.locator(".remark");
    await remark.waitFor({ state: "visible" });
    assert.match(await remark.textContent(), /unstable|non_finite|not_converged/);
    await own.page.screenshot({ path: join(scratch, "explosion.png") });
    assert.deepEqual(own.troubles, []);
    await own.page.close();
});

test("plays in a notebook: a low frame of another page", async () => {
    const outer = await browser.newPage({ viewport: { width: 640, height: 400 } });
    const seen = watched(outer);
    const escaped = readFileSync(box, "utf8").replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    const notebook = join(scratch, "notebook.html");
    writeFileSync(notebook, `<!DOCTYPE html><meta charset="utf-8"><p>In [1]: take.show()</p>
<iframe srcdoc="${escaped}" style="width: 600px; height: 260px; border: 1px solid gray"></iframe>`);
    await outer.goto(`file://${notebook}`);
    await outer.waitForFunction(() => frames[0]?.pliant?.loadSeconds > 0, null, { timeout: 60000 });
    const frame = outer.frameLocator("iframe");
    await frame.getByRole("button", { name: "Play", exact: true }).click();
    await outer.waitForFunction(() => frames[0].pliant.frame > 5);
    const playing = await frame.locator(".bar").boundingBox();
    const view = await frame.locator("canvas.stage").boundingBox();
    assert.ok(playing.height < 50, `the bar is ${playing.height} high`);
    assert.ok(view.height > 180, `the view is ${view.height} high`);
    await outer.screenshot({ path: join(scratch, "notebook.png") });
    assert.deepEqual(seen, []);
    await outer.close();
});

test("a page that was cut off says so", async () => {
    const broken = join(scratch, "broken.html");
    writeFileSync(broken, readFileSync(box, "utf8").replace(/<script type="text\/plain" data-pliant="mesh">.*?<\/script>/, ""));
    const own = await browser.newPage();
    await own.goto(`file://${broken}`);
    const words = own.getByRole("alert");
    await words.waitFor();
    assert.match(await words.textContent(), /holds no 'mesh'/);
    await own.close();
});
