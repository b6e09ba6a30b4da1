import type { FromWorker } from "./messages";

/** Runs in a worker process: does the parent's jobs one after another, and ends with the parent. */
export function serveJobs(run: (job: never) => Promise<unknown>): void {
  const tell = (message: FromWorker) => process.send!(message);
  process.on("message", (job) => {
    run(job as never).then(
      (result) => tell({ result }),
      (error: unknown) => tell({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
  process.once("disconnect", () => process.exit());
  // A terminal sends Ctrl-C to the whole process group. The parent still needs this process to finish requests in
  // flight.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
  tell({ ready: true });
}
