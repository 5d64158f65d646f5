// SPDX-License-Identifier: MIT
// Time of the take: where it is, whether it runs and how fast. Others are told when it changes.
//
// While it plays, time is between frames and positions are drawn between them; when it stops, it stands on a frame.

export interface Moment {
    frame: number;
    share: number; // of the way to the next frame
    time: number; // [s]
}

export class Player {
    speed = 1;
    isLooping = true;
    private isRunning = false;
    private now = 0;
    private readonly listeners: (() => void)[] = [];

    /** `available` says how many frames are there already. */
    constructor(
        private readonly times: number[],
        private readonly available: () => number,
    ) {
        this.now = times[0];
    }

    onChange(listener: () => void): void {
        this.listeners.push(listener);
    }

    get isPlaying(): boolean {
        return this.isRunning;
    }

    get moment(): Moment {
        const frame = this.frameAt(this.now);
        const next = Math.min(frame + 1, this.available() - 1);
        const length = this.times[next] - this.times[frame];
        const share = length > 0 ? Math.min(Math.max((this.now - this.times[frame]) / length, 0), 1) : 0;
        return { frame, share, time: this.now };
    }

    get end(): number {
        return this.times[this.times.length - 1];
    }

    toggle(): void {
        if (this.isRunning) this.pause();
        else this.play();
    }

    play(): void {
        if (this.times.length < 2) return;
        if (this.now >= this.lastTime()) this.now = this.times[0];
        this.isRunning = true;
        this.tell();
    }

    pause(): void {
        this.isRunning = false;
        this.showFrame(this.nearestFrame());
    }

    restart(): void {
        this.now = this.times[0];
        this.tell();
    }

    /** To the frame nearest to a time [s]. */
    seek(time: number): void {
        this.now = Math.min(Math.max(time, this.times[0]), this.lastTime());
        if (!this.isRunning) this.now = this.times[this.nearestFrame()];
        this.tell();
    }

    showFrame(frame: number): void {
        this.now = this.times[Math.min(Math.max(frame, 0), this.available() - 1)];
        this.tell();
    }

    /** Stops and goes some frames on, or back. */
    step(frames: number): void {
        this.isRunning = false;
        this.showFrame(this.nearestFrame() + frames);
    }

    /** Lets `seconds` of the clock pass. */
    advance(seconds: number): void {
        if (!this.isRunning) return;
        this.now += seconds * this.speed;
        const last = this.lastTime();
        const isComplete = this.available() === this.times.length;
        if (this.now >= last && !isComplete) this.now = last; // waits for more
        else if (this.now >= last && this.isLooping) this.now = this.times[0];
        else if (this.now >= last) {
            this.now = last;
            this.isRunning = false;
        }
        this.tell();
    }

    private lastTime(): number {
        return this.times[Math.max(this.available() - 1, 0)];
    }

    /** The last frame that is not later; halves the frames until it is found. */
    private frameAt(time: number): number {
        let low = 0;
        let high = Math.max(this.available() - 1, 0);
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (this.times[middle] <= time) low = middle;
            else high = middle - 1;
        }
        return low;
    }

    private nearestFrame(): number {
        const { frame, share } = this.moment;
        return Math.min(frame + (share >= 0.5 ? 1 : 0), this.available() - 1);
    }

    private tell(): void {
        for (const listener of this.listeners) listener();
    }
}
