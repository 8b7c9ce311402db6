/** Pacing of a simulation by the clock: how far to go in each tick, and how fast it went. */

/** Longest span of clock time that one tick makes up for [ms]; a page that was away does not race. */
const LONGEST_TICK = 250;
/** Span over which the speed is measured [ms]. */
const WINDOW = 500;

export class Pace {
  private last = 0;
  private goal = 0;
  private readonly marks: { wall: number; time: number }[] = [];

  /** Starts to run from a simulated time [s]. */
  start(wall: number, time: number): void {
    this.last = wall;
    this.goal = time;
    this.marks.length = 0;
    this.marks.push({ wall, time });
  }

  /** The simulated time to reach in a tick that begins now. */
  aim(wall: number, speed: number): number {
    const span = Math.min(Math.max(wall - this.last, 0), LONGEST_TICK);
    this.last = wall;
    this.goal += (span / 1000) * speed;
    return this.goal;
  }

  /** Notes what was reached; whether it kept up. What is left behind is not caught up later. */
  reached(wall: number, time: number, dt: number): boolean {
    const keepsUp = time > this.goal - 1.5 * dt;
    if (!keepsUp) this.goal = time;
    this.marks.push({ wall, time });
    while (this.marks.length > 2 && wall - this.marks[1]!.wall > WINDOW) this.marks.shift();
    return keepsUp;
  }

  /** Simulated seconds per second of clock over the last half second. */
  speed(): number {
    const first = this.marks[0];
    const last = this.marks[this.marks.length - 1];
    if (!first || !last || last.wall <= first.wall) return 0;
    return ((last.time - first.time) * 1000) / (last.wall - first.wall);
  }
}
