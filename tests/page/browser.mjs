// SPDX-License-Identifier: MIT
// What the tests of the page share: takes exported by the program, a headless browser, and looking at its pictures.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** ctest reads it as "skipped". */
const skipCode = 77;

export function skip(reason) {
    console.log(`skipped: ${reason}`);
    process.exit(skipCode);
}

function option(name) {
    const at = process.argv.indexOf(`--${name}`);
    if (at < 0) throw new Error(`--${name} is missing`);
    return process.argv[at + 1];
}

const program = option("program");
const scenes = option("scenes");
export const scratch = option("scratch");
const packages = option("packages");

const browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export function launcher() {
    const path = process.env.PLIANT_CHROMIUM ?? browsers.find(existsSync);
    if (!path) skip("there is no Chromium (tools/setup test installs it)");
    if (!existsSync(join(packages, "node_modules/playwright-core"))) skip(`playwright-core is not in ${packages}`);
    const { chromium } = createRequire(join(packages, "package.json"))("playwright-core");
    // Software GL, so that it is the same on machines without a graphics card; root has no sandbox.
    const args = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
    return () => chromium.launch({ executablePath: path, args });
}

/** Runs a scene and exports its page; gives the page's path. */
export function exportedPage(scene, ...settings) {
    mkdirSync(scratch, { recursive: true });
    const take = join(scratch, `${scene}.plrec`);
    const html = join(scratch, `${scene}.html`);
    const set = settings.flatMap((setting) => ["--set", setting]);
    try {
        execFileSync(program, ["run", join(scenes, `${scene}.json`), "-o", take, "--force", "--quiet", "--set", "expect={}", ...set], { stdio: "pipe" });
    } catch (error) {
        if (error.status !== 1) throw error; // an explosion is a take, too
    }
    try {
        execFileSync(program, ["export", take, "-o", html, "--force", "--quiet"], { stdio: "pipe" });
    } catch (error) {
        const words = String(error.stderr);
        if (/npm was not there|npm packages could not be had|PLIANT_PAGE is OFF/.test(words)) skip(words.trim());
        throw new Error(words);
    }
    return html;
}

/** Opens a file and waits until all its frames are there. `troubles` collects whatever goes wrong. */
export async function openPage(browser, html, { width = 960, height = 600, colorScheme = "light" } = {}) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme });
    const troubles = watched(page);
    await page.goto(`file://${html}`);
    await page.waitForFunction(() => window.pliant?.loadSeconds > 0, null, { timeout: 60000 });
    return { page, troubles };
}

/** Errors and warnings of the console, errors of scripts, and requests to anywhere but this file. */
export function watched(page) {
    const troubles = [];
    page.on("console", (message) => {
        // Chromium itself remarks that reading software GL pictures is slow.
        if (/GPU stall due to ReadPixels/.test(message.text())) return;
        if (["error", "warning"].includes(message.type())) troubles.push(`${message.type()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => troubles.push(`script: ${error.message}`));
    page.on("request", (request) => {
        if (!/^(file|data|blob|about):/.test(request.url())) troubles.push(`network: ${request.url()}`);
    });
    return troubles;
}

/** The share of a picture's pixels within 40 of a hue [degrees] and of clear colour. */
export async function hueShare(page, png, hue) {
    return page.evaluate(
        async ([data, wanted]) => {
            const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
            const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
            const ink = canvas.getContext("2d");
            ink.drawImage(bitmap, 0, 0);
            const { data: pixels } = ink.getImageData(0, 0, bitmap.width, bitmap.height);
            let count = 0;
            for (let i = 0; i < pixels.length; i += 4) {
                const [r, g, b] = [pixels[i], pixels[i + 1], pixels[i + 2]];
                const [low, high] = [Math.min(r, g, b), Math.max(r, g, b)];
                if (high - low < 0.3 * high) continue;
                const span = high - low;
                const angle = 60 * (high === r ? (g - b) / span : high === g ? 2 + (b - r) / span : 4 + (r - g) / span);
                const off = Math.abs(((angle - wanted + 540) % 360) - 180);
                if (off < 40) ++count;
            }
            return (4 * count) / pixels.length;
        },
        [png.toString("base64"), hue],
    );
}
