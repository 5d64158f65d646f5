// SPDX-License-Identifier: MIT
// Planes of the scene: a disc with a grid of round lengths that fades out and takes shadows. Where the scene has no
// plane to stand on, only the shadow is drawn, below everything.

import {
    CircleGeometry,
    Mesh,
    MeshLambertMaterial,
    ShadowMaterial,
    Vector2,
    Vector3,
    type Color,
    type Object3D,
} from "three";
import type { Take } from "./take";

/** They follow the theme: materials hold these very objects. */
export interface GroundColours {
    plain: Color;
    line: Color;
}

/** A length of 1, 2 or 5 times a power of ten, about a quarter of the size. */
function gridCell(size: number): number {
    const power = 10 ** Math.floor(Math.log10(size / 4));
    const times = size / 4 / power;
    return power * (times < 2 ? 1 : times < 5 ? 2 : 5);
}

const gridCode = `
#include <color_fragment>
vec2 gridPlace = vPlace / gridCell;
vec2 gridWidth = fwidth(gridPlace);
vec2 gridLine = smoothstep(vec2(0.0), gridWidth * 1.3, abs(fract(gridPlace - 0.5) - 0.5));
diffuseColor.rgb = mix(gridColour, diffuseColor.rgb, min(gridLine.x, gridLine.y));
diffuseColor.a *= 1.0 - smoothstep(0.3, 1.0, length(vPlace - gridCenter) / gridRadius);
`;

function gridMaterial(take: Take, radius: number, center: Vector2, colours: GroundColours): MeshLambertMaterial {
    const material = new MeshLambertMaterial({ transparent: true });
    material.color = colours.plain;
    material.polygonOffset = true; // what rests on it is drawn over it
    material.polygonOffsetFactor = material.polygonOffsetUnits = 1;
    material.onBeforeCompile = (shader) => {
        shader.uniforms.gridCell = { value: gridCell(take.size) };
        shader.uniforms.gridColour = { value: colours.line };
        shader.uniforms.gridRadius = { value: radius };
        shader.uniforms.gridCenter = { value: center };
        shader.vertexShader = "uniform vec2 gridCenter;\nvarying vec2 vPlace;\n" + shader.vertexShader.replace(
            "#include <begin_vertex>", "#include <begin_vertex>\nvPlace = position.xy + gridCenter;");
        shader.fragmentShader = `uniform float gridCell, gridRadius;\nuniform vec2 gridCenter;
uniform vec3 gridColour;\nvarying vec2 vPlace;\n` + shader.fragmentShader.replace("#include <color_fragment>", gridCode);
    };
    return material;
}

function disc(take: Take, plane: [number, number, number, number], center: Vector3, colours: GroundColours): Mesh {
    const normal = new Vector3(plane[0], plane[1], plane[2]);
    const radius = 4 * Math.max(take.size, center.distanceTo(new Vector3(...take.high)));
    const mesh = new Mesh(new CircleGeometry(radius, 96));
    mesh.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), normal);
    mesh.position.copy(center).addScaledVector(normal, plane[3] - normal.dot(center));
    // Along the disc's own axes, so that lines go through multiples of the cell.
    const own = mesh.position.clone().applyQuaternion(mesh.quaternion.clone().invert());
    mesh.material = gridMaterial(take, radius, new Vector2(own.x, own.y), colours);
    mesh.receiveShadow = true;
    return mesh;
}

function shadowOnly(take: Take, up: Vector3, center: Vector3): Mesh {
    const lowest = up.dot(new Vector3(...take.low)) - 0.01 * take.size;
    const mesh = new Mesh(new CircleGeometry(20 * take.size, 48), new ShadowMaterial({ opacity: 0.16 }));
    mesh.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), up);
    mesh.position.copy(center).addScaledVector(up, lowest - up.dot(center));
    mesh.receiveShadow = true;
    return mesh;
}

export function groundOf(take: Take, up: Vector3, center: Vector3, colours: GroundColours): Object3D[] {
    const objects: Object3D[] = take.planes.map((plane) => {
        const mesh = disc(take, plane, center, colours);
        const isFloor = new Vector3(plane[0], plane[1], plane[2]).dot(up) > 0.3;
        const material = mesh.material as MeshLambertMaterial;
        if (!isFloor) material.opacity = 0.3;
        if (!isFloor) material.depthWrite = false;
        return mesh;
    });
    const hasFloor = take.planes.some((plane) => new Vector3(plane[0], plane[1], plane[2]).dot(up) > 0.3);
    if (!hasFloor) objects.push(shadowOnly(take, up, center));
    return objects;
}
