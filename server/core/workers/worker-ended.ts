/** Thrown where the process of a job was ended before it answered, by its time limit or by itself. */
export class WorkerEnded extends Error {
  override readonly name = "WorkerEnded";
  constructor(
    /** `crash` is mostly the memory limit. */
    readonly because: "time" | "crash",
    message: string,
  ) {
    super(message);
  }

  /** A pool is shared by Next's bundle and the server's, of which each has a class of its own (process-state.ts). */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "WorkerEnded";
  }
}
