/** The process of a job ended before it answered, by its time limit or by itself. */
export class WorkerEnded extends Error {
  override readonly name = "WorkerEnded";
  constructor(
    /** `crash` is usually the memory limit. */
    readonly because: "time" | "crash",
    message: string,
  ) {
    super(message);
  }

  /** Compares by name: Next's bundle and the server's share a pool, but each has its own class (process-state.ts). */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "WorkerEnded";
  }
}
