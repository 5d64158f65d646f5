// SPDX-License-Identifier: MIT
// What is seen and from where: renderer, lights, ground, bodies, and a camera that orbits, pans and zooms.
// It draws only when something changed.

import {
    Color,
    DirectionalLight,
    HemisphereLight,
    PCFShadowMap,
    PerspectiveCamera,
    Raycaster,
    Scene,
    Vector2,
    Vector3,
    WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Body } from "./body";
import { groundOf, type GroundColours } from "./ground";
import type { Take } from "./take";

const degree = Math.PI / 180;
const startAzimuth = 35 * degree;
const startElevation = 20 * degree;
const viewAngle = 35; // degrees, from the lower to the upper border
const margin = 1.08;

interface Bounds {
    low: Vector3;
    high: Vector3;
}

const paper = { light: new Color(0xf6f6f7), dark: new Color(0x17191d) };
const ground = {
    light: { plain: new Color(0xe4e4e3), line: new Color(0xc9c9c8) },
    dark: { plain: new Color(0x3a3d43), line: new Color(0x55585f) },
};

export class Stage {
    readonly camera = new PerspectiveCamera(viewAngle, 1, 0.01, 100);
    readonly controls: OrbitControls;
    private readonly renderer: WebGLRenderer;
    private readonly scene = new Scene();
    private readonly sun = new DirectionalLight(0xfffaf2, 1.75);
    private readonly sky = new HemisphereLight(0xffffff, 0xc4bcb2, 1.75);
    private readonly up: Vector3;
    private readonly whole: Bounds;
    private readonly groundColours: GroundColours = { plain: new Color(), line: new Color() };
    private needsDrawing = true;
    private sharpness = 1;
    private hasOwnView = false; // somebody moved the camera

    constructor(
        private readonly take: Take,
        private readonly frame: HTMLElement,
        canvas: HTMLCanvasElement,
        private readonly bodies: Body[],
    ) {
        this.renderer = new WebGLRenderer({ canvas, antialias: true });
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = PCFShadowMap;
        this.up = take.up === "z" ? new Vector3(0, 0, 1) : new Vector3(0, 1, 0);
        this.camera.up.copy(this.up);
        this.whole = { low: new Vector3(...take.low), high: new Vector3(...take.high) };
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.zoomToCursor = true;
        this.controls.screenSpacePanning = true;
        this.controls.addEventListener("change", () => this.invalidate());
        this.controls.addEventListener("start", () => (this.hasOwnView = true));
        this.fillScene();
        this.lookFromTheStart();
        this.listen(canvas);
    }

    /** Something changed: the next tick draws. */
    invalidate(): void {
        this.needsDrawing = true;
    }

    drawIfNeeded(): boolean {
        if (!this.needsDrawing) return false;
        this.needsDrawing = false;
        const distance = this.camera.position.distanceTo(this.controls.target);
        this.camera.near = distance / 200;
        this.camera.far = distance + 60 * this.radius();
        this.camera.updateProjectionMatrix();
        this.renderer.render(this.scene, this.camera);
        return true;
    }

    /** Shows all visible bodies where they are now, from the present side. */
    fit(): void {
        this.hasOwnView = false;
        this.fitTo(this.visibleBounds());
    }

    /** As the page began. */
    lookFromTheStart(): void {
        this.hasOwnView = false;
        const flat = Math.cos(startElevation);
        const [side, ahead, high] = [flat * Math.sin(startAzimuth), flat * Math.cos(startAzimuth), Math.sin(startElevation)];
        this.camera.position.copy(this.center());
        this.camera.position.add(this.take.up === "z" ? new Vector3(side, -ahead, high) : new Vector3(side, high, ahead));
        this.controls.target.copy(this.center());
        this.fitTo(this.whole);
        this.placeSun();
    }

    setDark(isDark: boolean): void {
        const which = isDark ? "dark" : "light";
        this.scene.background = paper[which];
        this.groundColours.plain.copy(ground[which].plain);
        this.groundColours.line.copy(ground[which].line);
        this.sky.intensity = isDark ? 1.3 : 1.75;
        this.invalidate();
    }

    /** Pixels along each side, as a share of the screen's. */
    setSharpness(sharpness: number): void {
        if (sharpness === this.sharpness) return;
        this.sharpness = sharpness;
        this.setPixels();
    }

    private setPixels(): void {
        this.renderer.setPixelRatio(this.sharpness * Math.min(window.devicePixelRatio, 2));
        this.renderer.setSize(this.frame.clientWidth, this.frame.clientHeight, false);
        this.invalidate();
    }

    private center(): Vector3 {
        return this.whole.low.clone().add(this.whole.high).multiplyScalar(0.5);
    }

    private radius(): number {
        return Math.max(0.5 * this.whole.low.distanceTo(this.whole.high), 1e-6 * this.take.size, 1e-9);
    }

    private fillScene(): void {
        this.sky.position.copy(this.up);
        this.scene.add(this.sky, this.sun, this.sun.target);
        for (const body of this.bodies) this.scene.add(body.object);
        this.scene.add(...groundOf(this.take, this.up, this.center(), this.groundColours));
        this.sun.castShadow = true;
        this.sun.shadow.mapSize.set(2048, 2048);
        this.sun.shadow.radius = 4;
        this.sun.shadow.intensity = 0.85;
        this.sun.shadow.normalBias = 0.006 * this.radius();
        this.sun.shadow.bias = -0.0004;
    }

    /** Over the left shoulder of whoever looks, so that shadows are seen. */
    private placeSun(): void {
        const radius = this.radius();
        const back = this.camera.position.clone().sub(this.controls.target).normalize();
        const flat = back.addScaledVector(this.up, -back.dot(this.up)).normalize();
        const direction = this.up.clone().addScaledVector(flat, 0.35);
        direction.addScaledVector(flat.clone().cross(this.up), 0.55).normalize();
        this.sun.target.position.copy(this.center());
        this.sun.position.copy(this.center()).addScaledVector(direction, 3 * radius);
        const lens = this.sun.shadow.camera;
        lens.left = lens.bottom = -1.15 * radius;
        lens.right = lens.top = 1.15 * radius;
        lens.near = 0.5 * radius;
        lens.far = 12 * radius;
        lens.updateProjectionMatrix();
    }

    private visibleBounds(): Bounds {
        const low = new Vector3(Infinity, Infinity, Infinity);
        const high = low.clone().negate();
        for (const body of this.bodies) {
            if (!body.isVisible) continue;
            body.object.geometry.computeBoundingBox();
            const box = body.object.geometry.boundingBox;
            if (box) low.min(box.min), high.max(box.max);
        }
        return low.x <= high.x ? { low, high } : this.whole;
    }

    /** From as near as the box fits. */
    private fitTo(bounds: Bounds): void {
        const target = bounds.low.clone().add(bounds.high).multiplyScalar(0.5);
        const back = this.camera.position.clone().sub(this.controls.target).normalize();
        const side = this.up.clone().cross(back).normalize();
        const rise = back.clone().cross(side);
        const high = Math.tan(0.5 * viewAngle * degree) / margin;
        const wide = high * this.camera.aspect;
        let distance = 0.001 * this.take.size;
        for (let corner = 0; corner < 8; ++corner) {
            const from = new Vector3(
                corner & 1 ? bounds.high.x : bounds.low.x,
                corner & 2 ? bounds.high.y : bounds.low.y,
                corner & 4 ? bounds.high.z : bounds.low.z,
            ).sub(target);
            const across = Math.max(Math.abs(from.dot(side)) / wide, Math.abs(from.dot(rise)) / high);
            distance = Math.max(distance, from.dot(back) + across);
        }
        this.controls.target.copy(target);
        this.camera.position.copy(target).addScaledVector(back, distance);
        this.controls.update();
        this.invalidate();
    }

    private listen(canvas: HTMLCanvasElement): void {
        new ResizeObserver(() => this.resize()).observe(this.frame);
        this.resize();
        canvas.addEventListener("dblclick", (event) => this.turnAbout(event));
        const dark = window.matchMedia("(prefers-color-scheme: dark)");
        dark.addEventListener("change", () => this.setDark(dark.matches));
        this.setDark(dark.matches);
    }

    private resize(): void {
        const { clientWidth: width, clientHeight: height } = this.frame;
        if (width === 0 || height === 0) return;
        this.setPixels();
        this.camera.aspect = width / height;
        if (!this.hasOwnView) this.fitTo(this.whole);
    }

    /** The point under the mouse becomes what the camera turns about. */
    private turnAbout(event: MouseEvent): void {
        const box = this.renderer.domElement.getBoundingClientRect();
        const place = new Vector2(
            (2 * (event.clientX - box.left)) / box.width - 1,
            1 - (2 * (event.clientY - box.top)) / box.height,
        );
        const ray = new Raycaster();
        ray.setFromCamera(place, this.camera);
        const visible = this.bodies.filter((body) => body.isVisible).map((body) => body.object);
        const [hit] = ray.intersectObjects(visible, false);
        if (!hit) return;
        this.controls.target.copy(hit.point);
        this.controls.update();
        this.invalidate();
    }
}
