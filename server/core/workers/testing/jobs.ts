import { serveJobs } from "../serve-jobs";

/** The jobs of the worker processes in tests. */
export type TestJob = { do: "echo"; what: unknown } | { do: keyof typeof jobs };

const jobs = {
  pid: () => process.pid,
  environment: () => process.env,
  throw: () => {
    throw new TypeError("a fault of ours");
  },
  exit: () => process.exit(3),
  spin: () => {
    for (;;);
  },
  // Ways to fill the heap. With a worker thread and resourceLimits, the last three end the whole process (decision
  // 305).
  objects: () => {
    const kept: object[] = [];
    for (;;) kept.push({ at: kept.length });
  },
  map: () => {
    const kept = new Map<number, number>();
    for (;;) kept.set(kept.size, 0);
  },
  array: () => {
    const kept: number[] = [1];
    for (;;) kept.push(...kept.slice(0, 1_000));
  },
  json: () => {
    const kept: unknown[] = [];
    for (;;) kept.push(JSON.parse(`[${"[],".repeat(3_000_000)}[]]`));
  },
};

serveJobs(async (job: TestJob) => (job.do === "echo" ? job.what : jobs[job.do]()));
