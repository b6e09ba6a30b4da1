import { Pool, type Dispatcher } from "undici";

/** One measured thing. `reference` is what it is compared with, measured in the same run; `ratio` is value / reference. */
export interface Row {
  name: string;
  value: number;
  unit: string;
  reference?: { name: string; value: number };
  /** The ratio or value that was aimed for, e.g. "≥ 40 %" or "< 50 ms". */
  target?: string;
}

/** Runs `work` on `concurrency` lanes for `seconds`, after a warm-up of a second that does not count. @returns how many a second. */
export async function rate(concurrency: number, seconds: number, work: (lane: number, n: number) => Promise<unknown>): Promise<number> {
  let counting = false;
  let done = 0;
  let stopped = false;
  const lanes = Array.from({ length: concurrency }, async (_, lane) => {
    for (let n = 0; !stopped; n++) {
      await work(lane, n);
      if (counting) done++;
    }
  });
  await pause(1000);
  counting = true;
  const started = performance.now();
  await pause(seconds * 1000);
  const elapsed = performance.now() - started;
  counting = false;
  stopped = true;
  await Promise.all(lanes);
  return (done / elapsed) * 1000;
}

/** The middle, and the 99th of 100, of how long `work` takes, in milliseconds. */
export async function timings(times: number, work: (n: number) => Promise<unknown>): Promise<{ p50: number; p99: number }> {
  const taken: number[] = [];
  for (let n = 0; n < times; n++) {
    const started = performance.now();
    await work(n);
    taken.push(performance.now() - started);
  }
  taken.sort((a, b) => a - b);
  return { p50: taken[Math.floor(times / 2)]!, p99: taken[Math.floor(times * 0.99)]! };
}

export interface Client {
  send(method: Dispatcher.HttpMethod, path: string, body?: unknown, headers?: Record<string, string>): Promise<unknown>;
  close(): Promise<void>;
}

/** An HTTP client with keep-alive. Throws where the answer is not a 2xx: a benchmark of refusals would measure nothing. */
export function client(origin: string, token: string | null, connections: number): Client {
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const common: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  return {
    async send(method, path, body, headers) {
      const answer = await pool.request({
        method,
        path,
        headers: { ...common, ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.body.text();
      if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text.slice(0, 300)}`);
      return text === "" ? null : JSON.parse(text);
    },
    close: () => pool.close(),
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
