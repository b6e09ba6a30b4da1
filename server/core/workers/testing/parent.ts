import { WorkerPool } from "../worker-pool";
import type { TestJob } from "./jobs";

// Starts a worker process, prints its id, and waits to be killed.
const turns = { doing: "jobs are done", atOnce: 1, each: 1, all: 1, waitMs: 60_000 };
const pool = new WorkerPool<TestJob, number>({
  entry: process.argv[2]!,
  memoryMb: 64,
  jobMs: 60_000,
  idleMs: 60_000,
  turns,
});
console.log(String(await pool.run({ caller: "a" }, { do: "pid" })));
setInterval(() => undefined, 60_000);
