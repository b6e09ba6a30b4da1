import type { NudgeTopic } from "@/server/core/nudge";

/**
 * What the server asks the job thread for. `alive` is answered at once by a thread that does not hang, `stop` after
 * release() (server/release.ts).
 */
export type Question = "alive" | "status" | "figures" | "stop";

/** The messages of the server's main thread to the job thread. */
export type ToJobThread = { nudge: NudgeTopic; at: Date | undefined } | { id: number; question: Question };

/** The messages of the job thread. */
export type FromJobThread =
  /** The engine runs. */
  | { ready: true }
  | { id: number; answer: unknown }
  /** The question failed: what is known of the error after it crossed threads. */
  | { id: number; failure: { message: string; code: unknown } };
