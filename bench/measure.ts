import { setTimeout as pause } from "node:timers/promises";

/** One measured value. `reference` is the value that it is compared with, measured in the same run. */
export interface Row {
  name: string;
  value: number;
  unit: string;
  reference?: { name: string; value: number };
  /** The target of value / reference or, without a reference, of the value. `max` if less is better. */
  target?: { min: number } | { max: number };
}

/** The warm-up, long enough for the compiler, so that compilation is not measured. */
const warmUpMs = 2000;

/** How fast something ran, and what it cost the process that did it. */
export interface Pace {
  /** Calls a second. */
  rate: number;
  /**
   * Processor time of that process for each call, user and system, in milliseconds. Less noisy than the rate, because
   * other work on the machine does not count.
   */
  cpu: number;
  /** How long the slowest of a hundred calls took, in milliseconds. */
  p99: number;
}

/**
 * Runs `work` on `lanes` lanes for `seconds`, after a warm-up that is not measured.
 * @param cpuTime returns the processor time so far of the process that serves `work`, in milliseconds
 */
export async function pace(
  lanes: number,
  seconds: number,
  cpuTime: () => Promise<number>,
  work: (lane: number, n: number) => Promise<unknown>,
): Promise<Pace> {
  let done = 0;
  let stopped = false;
  const taken: number[] = [];
  const all = Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let n = 0; !stopped; n++) {
        const began = performance.now();
        await work(lane, n);
        taken.push(performance.now() - began);
        done++;
      }
    }),
  );
  // A failure ends the measurement at once.
  await Promise.race([all, pause(warmUpMs)]);
  const cpuBefore = await cpuTime();
  const [before, started] = [done, performance.now()];
  await Promise.race([all, pause(seconds * 1000)]);
  const [calls, elapsed] = [done - before, performance.now() - started];
  const cpu = ((await cpuTime()) - cpuBefore) / calls;
  stopped = true;
  await all;
  return { rate: (calls / elapsed) * 1000, cpu, p99: percentile(taken.slice(before), 0.99) };
}

/** Returns the processor time of this process so far, in milliseconds, for work that is measured in this process. */
export async function ownCpuTime(): Promise<number> {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Measures the duration of `work` in milliseconds, one call after the other; the first calls are not measured. */
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
 * Measures two things in turns, so that other work on the machine affects both equally.
 * @returns the median of each.
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
    p99: percentile(
      paces.map(({ p99 }) => p99),
      0.5,
    ),
  };
}
