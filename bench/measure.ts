import { setTimeout as pause } from "node:timers/promises";

/** One measured thing. `reference` is what it is held against, measured in the same run. */
export interface Row {
  name: string;
  value: number;
  unit: string;
  reference?: { name: string; value: number };
  /** What was aimed for: of value / reference where there is one, else of the value. `max` where less is better. */
  target?: { min: number } | { max: number };
}

/** A warm-up as long as a compiler needs: what it compiles late would be counted as ours. */
const warmUpMs = 2000;

/** Runs `work` on `lanes` lanes for `seconds`, after a warm-up that does not count. @returns how many a second. */
export async function rate(lanes: number, seconds: number, work: (lane: number, n: number) => Promise<unknown>): Promise<number> {
  let done = 0;
  let stopped = false;
  const all = Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let n = 0; !stopped; n++) {
        await work(lane, n);
        done++;
      }
    }),
  );
  // What fails ends the measurement at once.
  await Promise.race([all, pause(warmUpMs)]);
  const [before, started] = [done, performance.now()];
  await Promise.race([all, pause(seconds * 1000)]);
  const result = ((done - before) / (performance.now() - started)) * 1000;
  stopped = true;
  await all;
  return result;
}

/** How long `work` takes, one after the other, in milliseconds; what is run before does not count. */
export async function timings(times: number, work: (n: number) => Promise<unknown>): Promise<{ p50: number; p99: number }> {
  for (let n = 0; n < Math.min(times, 10); n++) await work(n);
  const taken: number[] = [];
  for (let n = 0; n < times; n++) {
    const started = performance.now();
    await work(n);
    taken.push(performance.now() - started);
  }
  return { p50: percentile(taken, 0.5), p99: percentile(taken, 0.99) };
}

export function percentile(values: number[], p: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * p)] ?? NaN;
}

/**
 * Two things measured in turns, so that what else the machine does falls on both alike.
 * @returns the median of each.
 */
export async function inTurns(rounds: number, one: () => Promise<number>, other: () => Promise<number>): Promise<[number, number]> {
  const values: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    values[0].push(await one());
    values[1].push(await other());
  }
  return [percentile(values[0], 0.5), percentile(values[1], 0.5)];
}
