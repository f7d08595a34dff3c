/** Milliseconds that one call waits in all before its retries. The service works on a request for up to 20 seconds. */
export const RETRY_FOR = 24_000;
const FIRST_CEILING = 1_000;
const LAST_CEILING = 8_000;
/** The last of these waits lasts as long as the call may still wait. */
const MOST_WAITS = 8;

/** The waits between the attempts of one call: random, below a ceiling that doubles with each attempt. */
export class Waits {
  #count = 0;
  #left: number;

  /** @param total Milliseconds of all waits together. */
  constructor(total: number) {
    this.#left = total;
  }

  /**
   * Milliseconds to wait before the next attempt; `undefined` if there must be none.
   *
   * @param least Milliseconds that the response asks to wait, or `undefined` if there was no response. A page
   *   cannot see why: the gateway may have refused the call, and its refusals lack the headers that show them
   *   to pages. The client then waits for the whole ceiling, and a random time more.
   * @param pace Milliseconds that {@link Pace} asks to wait.
   */
  next(least: number | undefined, pace: number): number | undefined {
    if (this.#left <= 0 || (least ?? 0) > this.#left) return undefined;
    const ceiling = Math.min(LAST_CEILING, FIRST_CEILING * 2 ** this.#count);
    this.#count += 1;
    const wait = this.#count < MOST_WAITS ? Math.max(pace, (least ?? ceiling) + Math.random() * ceiling) : this.#left;
    const within = Math.min(wait, this.#left);
    this.#left -= within;
    return within;
  }
}

const WINDOW = 10_000;
const STRIKES = 3;
const LONGEST_PACE = 4_000;

/** Slows all calls of a client after three throttled attempts within ten seconds. */
export class Pace {
  #strikes: number[] = [];

  /** Counts an attempt that was throttled, or may have been. */
  strike(): void {
    this.#strikes.push(performance.now());
  }

  /** Milliseconds that the next attempt of any call has to wait. */
  wait(): number {
    const since = performance.now() - WINDOW;
    this.#strikes = this.#strikes.filter((at) => at > since);
    const over = this.#strikes.length - STRIKES;
    return over < 0 ? 0 : Math.min(LONGEST_PACE, 1_000 * 2 ** over) * (1 + Math.random()) / 2;
  }
}
