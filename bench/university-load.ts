import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { httpClient } from "./http-client";
import { percentile } from "./measure";
import type { Server } from "./processes";

const lanes = 20;
const sampleMs = 500;
/** As in other benchmarks (measure.ts), the first requests are not measured: they wait for the compiler. */
const warmUpMs = 2000;

/**
 * Verifies credentials publicly at a steady rate, from a warm-up until it is stopped, and watches the resident memory of the server. A
 * verification that begins late because the one before is slow counts from when it was due.
 * @param path of the server, before a code
 */
export async function publicLoad(server: Server, codes: string[], perSecond: number, path = "/public/verify?code=") {
  const http = await httpClient(server.origin, lanes);
  const everyMs = (1000 / perSecond) * lanes;
  const taken: number[] = [];
  let stopped = false;
  let peakMemory = 0;
  const started = performance.now();
  const lane = async (n: number) => {
    let due = started + (n * everyMs) / lanes;
    for (let turn = 0; !stopped; turn++, due += everyMs) {
      const early = due - performance.now();
      if (early > 0) await pause(early);
      await http.send(n, "GET", `${path}${codes[(turn * lanes + n) % codes.length]}`);
      taken.push(performance.now() - due);
    }
  };
  const watch = async () => {
    while (!stopped) {
      peakMemory = Math.max(peakMemory, residentMemory(server.pid));
      await pause(sampleMs);
    }
  };
  const running = Promise.all([watch(), ...Array.from({ length: lanes }, (_, n) => lane(n))]);
  // A failure is thrown by stop(), not as a rejection that nobody waits for.
  running.catch(() => undefined);
  await Promise.race([running, pause(warmUpMs)]);
  taken.length = 0;
  return {
    async stop() {
      stopped = true;
      await running;
      http.close();
    },
    result: () => ({ p50: percentile(taken, 0.5), p99: percentile(taken, 0.99), done: taken.length, peakMemory }),
  };
}

/** The resident memory of a process in bytes, as Linux tells it. */
const residentMemory = (pid: number): number =>
  Number(/VmRSS:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) * 1024;
