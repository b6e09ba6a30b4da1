import type { FromWorker } from "./messages";

/** Runs in a worker process: takes one job after another from the parent, and ends with it. */
export function serveJobs(run: (job: never) => Promise<unknown>): void {
  const tell = (message: FromWorker) => process.send!(message);
  process.on("message", (job) => {
    run(job as never).then(
      (result) => tell({ result }),
      (error: unknown) => tell({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
  process.once("disconnect", () => process.exit());
  // A terminal sends Ctrl-C to the whole group. The parent finishes what is in flight, and needs this process for it.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
  tell({ ready: true });
}
