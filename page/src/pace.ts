// SPDX-License-Identifier: MIT
// How sharp pictures are while they move: machines without a graphics card draw fewer pixels then. What stands still is
// always sharp.

const slow = 0.08; // [s] between two pictures
const least = 0.4; // of the pixels along each side
const asleep = 1; // [s] the tab was not seen meanwhile

export class Pace {
    private share = 1;
    private average = 0.03; // [s]

    /** A picture came this long [s] after the one before. */
    note(seconds: number): void {
        if (seconds > asleep) return;
        this.average += 0.25 * (seconds - this.average);
        if (this.average < slow || this.share <= least) return;
        this.share = Math.max(0.7 * this.share, least);
        this.average = 0.5 * slow; // sees first what that brings
    }

    sharpness(isMoving: boolean): number {
        return isMoving ? this.share : 1;
    }
}
