import { Problem } from '../../recovery/src/problem.js';

/** Sends a request; `globalThis.fetch`, or a replacement. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

const PATIENCE_MS = 60_000;
/** Waits after each "too many requests". */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000];

/** Reads JSON over HTTP, and counts the requests. */
export class Server {
  requests = 0;

  /**
   * @param fetch Sends a request.
   * @param wait Waits for milliseconds.
   */
  constructor(
    private readonly fetch: Fetch,
    private readonly wait: (milliseconds: number) => Promise<void> = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); }),
  ) {}

  /**
   * Reads an answer.
   *
   * @returns `undefined` if the server answers 404.
   * @throws {@link Problem} if it does not answer, or not with JSON.
   */
  async json<T>(address: string): Promise<T | undefined> {
    let answer = await this.ask(address);
    for (const pause of PAUSES_MS) {
      if (answer.status !== 429) break;
      await this.wait(pause);
      answer = await this.ask(address);
    }
    if (answer.status === 404) return undefined;
    const json: unknown = answer.ok ? await answer.json().catch(() => undefined) : undefined;
    if (json === undefined) throw new Problem(`${address} does not answer as it should (status ${answer.status}). Check the address, or use another server.`);
    return json as T;
  }

  private async ask(address: string): Promise<Response> {
    this.requests += 1;
    try {
      return await this.fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS), referrerPolicy: 'no-referrer' });
    } catch {
      throw new Problem(`${address} does not answer. Check the address and your connection. A service may also refuse pages that are opened from a disk: save its answers as files then.`);
    }
  }
}
