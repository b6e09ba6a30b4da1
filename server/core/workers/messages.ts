/** The messages of a worker process to its parent. */
export type FromWorker =
  /** The code is loaded; the process accepts jobs. */
  | { ready: true }
  | { result: unknown }
  /** The job threw: a bug of ours, since expected failures are part of a job's result. */
  | { fault: string };
