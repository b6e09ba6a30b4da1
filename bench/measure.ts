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

/** How fast something went, and what it cost the process that did it. */
export interface Pace {
  /** Calls a second. */
  rate: number;
  /**
   * Processor time of that process a call, user and system, in milliseconds. Less noisy than the rate: what else the
   * machine does is not in it.
   */
  cpu: number;
}

/**
 * Runs `work` on `lanes` lanes for `seconds`, after a warm-up that does not count.
 * @param cpuTime of the process that serves it so far, in milliseconds
 */
export async function pace(
  lanes: number,
  seconds: number,
  cpuTime: () => Promise<number>,
  work: (lane: number, n: number) => Promise<unknown>,
): Promise<Pace> {
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
  const cpuBefore = await cpuTime();
  const [before, started] = [done, performance.now()];
  await Promise.race([all, pause(seconds * 1000)]);
  const [calls, elapsed] = [done - before, performance.now() - started];
  const cpu = ((await cpuTime()) - cpuBefore) / calls;
  stopped = true;
  await all;
  return { rate: (calls / elapsed) * 1000, cpu };
}

/** Processor time of this process so far, for what is measured in it. */
export async function ownCpuTime(): Promise<number> {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** How long `work` takes, one after the other, in milliseconds; what is run before does not count. */
export async function timings(
  times: number,
  work: (n: number) => Promise<unknown>,
): Promise<{ p50: number; p99: number }> {
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
 * @returns the medians of each.
 */
export async function inTurns(
  rounds: number,
  one: () => Promise<Pace>,
  other: () => Promise<Pace>,
): Promise<[Pace, Pace]> {
  const values: [Pace[], Pace[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    values[0].push(await one());
    values[1].push(await other());
  }
  return [medians(values[0]), medians(values[1])];
}

function medians(paces: Pace[]): Pace {
  return {
    rate: percentile(
      paces.map(({ rate }) => rate),
      0.5,
    ),
    cpu: percentile(
      paces.map(({ cpu }) => cpu),
      0.5,
    ),
  };
}
