// SPDX-License-Identifier: MIT
// One body as three.js draws it: a lit surface with both sides, or lines and their ends where it has no faces.

import {
    BufferAttribute,
    BufferGeometry,
    DoubleSide,
    DynamicDrawUsage,
    LineBasicMaterial,
    LineSegments,
    Mesh,
    MeshStandardMaterial,
    Points,
    PointsMaterial,
} from "three";
import { bodyColour, light } from "./colours";
import { addNormals, cutSurface } from "./surface";
import type { BodyInfo } from "./take";

/** The inner side is a little darker, so that one sees which it is. */
function surfaceMaterial(body: BodyInfo): MeshStandardMaterial {
    const material = new MeshStandardMaterial({ color: light(bodyColour(body)), roughness: 0.72, side: DoubleSide });
    material.onBeforeCompile = (shader) => {
        shader.fragmentShader = shader.fragmentShader.replace(
            "#include <color_fragment>",
            "#include <color_fragment>\nif (!gl_FrontFacing) diffuseColor.rgb *= 0.8;",
        );
    };
    return material;
}

export class Body {
    readonly object: Mesh | LineSegments;
    private readonly points: Uint32Array; // that the vertices show
    private readonly triangles: Uint32Array;
    private readonly geometry = new BufferGeometry();
    private readonly materials: (MeshStandardMaterial | LineBasicMaterial | PointsMaterial)[];

    /** `triangles` and `lines` of points, `x` the places of all points in the first frame. */
    constructor(
        readonly info: BodyInfo,
        triangles: Uint32Array,
        lines: Uint32Array,
        x: Float32Array,
    ) {
        const surface = triangles.length > 0 ? cutSurface(triangles, x) : { points: lines, triangles: lines.subarray(0, 0) };
        this.points = surface.points;
        this.triangles = surface.triangles;
        this.addAttribute("position");
        this.addAttribute("color");
        if (triangles.length > 0) {
            this.addAttribute("normal");
            this.geometry.setIndex(new BufferAttribute(this.triangles, 1));
            const material = surfaceMaterial(info);
            this.materials = [material];
            this.object = new Mesh(this.geometry, material);
            this.object.castShadow = this.object.receiveShadow = true;
        } else {
            const line = new LineBasicMaterial({ color: light(bodyColour(info)) });
            const end = new PointsMaterial({ color: light(bodyColour(info)), size: 6, sizeAttenuation: false });
            this.materials = [line, end];
            this.object = new LineSegments(this.geometry, line);
            const ends = new Points(this.geometry, end);
            ends.frustumCulled = false;
            this.object.add(ends);
        }
        this.object.frustumCulled = false; // its bounds change with each frame
    }

    get isVisible(): boolean {
        return this.object.visible;
    }

    set isVisible(visible: boolean) {
        this.object.visible = visible;
    }

    private addAttribute(name: string): void {
        const attribute = new BufferAttribute(new Float32Array(3 * this.points.length), 3);
        this.geometry.setAttribute(name, attribute.setUsage(DynamicDrawUsage));
    }

    private array(name: string): Float32Array {
        const attribute = this.geometry.getAttribute(name) as BufferAttribute;
        attribute.needsUpdate = true;
        return attribute.array as Float32Array;
    }

    /** Moves all vertices to where their points are. */
    place(x: Float32Array): void {
        const places = this.array("position");
        for (let v = 0, o = 0; v < this.points.length; ++v, o += 3) {
            const i = 3 * this.points[v];
            places[o] = x[i];
            places[o + 1] = x[i + 1];
            places[o + 2] = x[i + 2];
        }
        if (this.triangles.length > 0) addNormals(this.array("normal"), places, this.triangles);
        this.geometry.boundingSphere = null; // for picking
        this.geometry.boundingBox = null;
    }

    /** Colours vertices by the codes of their points, or the body as a whole. */
    paint(codes: Uint8Array | null, lights: Float32Array): void {
        for (const material of this.materials) {
            if (material.vertexColors === (codes !== null)) continue;
            material.vertexColors = codes !== null;
            material.color = codes === null ? light(bodyColour(this.info)) : light([1, 1, 1]);
            material.needsUpdate = true;
        }
        if (codes === null) return;
        const colours = this.array("color");
        for (let v = 0, o = 0; v < this.points.length; ++v, o += 3) {
            const i = 3 * codes[this.points[v]];
            colours[o] = lights[i];
            colours[o + 1] = lights[i + 1];
            colours[o + 2] = lights[i + 2];
        }
    }
}
