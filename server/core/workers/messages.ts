/** What a worker process tells its parent. */
export type FromWorker =
  /** Its code is loaded: it takes jobs. */
  | { ready: true }
  | { result: unknown }
  /** The job threw: a fault of ours, since what jobs look for is in their results. */
  | { fault: string };
