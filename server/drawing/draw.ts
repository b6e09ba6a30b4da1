import { join } from "node:path";
import { DomainError } from "@/server/core/errors";
import { processState } from "@/server/core/process-state";
import { WorkerEnded } from "@/server/core/workers/worker-ended";
import { WorkerPool, type Client } from "@/server/core/workers/worker-pool";
import type { DrawingJobs, Job, JobName } from "./jobs";

/** The entry point of the drawing processes. npm runs every command in the project's folder. */
export const drawingProgram = join(process.cwd(), ".build", "drawing-worker.mjs");

// Once per process: pages and the API share the process that draws, and the server's stop ends it.
const { pool } = processState("drawing", () => ({
  pool: new WorkerPool<Job, unknown>({
    entry: drawingProgram,
    // Fonts of every script that was drawn stay open: some 40 MB with Chinese, Japanese and Korean.
    memoryMb: 256,
    // A first drawing opens fonts, which takes half a second; later ones take some 50 ms.
    jobMs: 10_000,
    idleMs: 60_000,
    turns: { doing: "files are being drawn", atOnce: 1, each: 16, all: 64, waitMs: 15_000 },
  }),
}));

/**
 * Draws a file in a separate process, so that no other request waits for it. Callers take turns, and callers who have
 * not signed in come after those who have.
 *
 * @throws DomainError unavailable if it cannot be drawn now; rate_limited if the caller has many waiting
 */
export async function draw<Name extends JobName>(
  client: Client,
  name: Name,
  given: DrawingJobs[Name]["given"],
): Promise<DrawingJobs[Name]["result"]> {
  try {
    return (await pool.run(client, { name, given } as Job)) as DrawingJobs[Name]["result"];
  } catch (error) {
    if (!(error instanceof WorkerEnded)) throw error;
    throw new DomainError("unavailable", "The file could not be drawn in time. Try again shortly.", {
      headers: { "retry-after": "5" },
    });
  }
}

/** Figures of the drawing process, for /metrics. */
export const drawingFigures = () => ({ ...pool.counts, ended: pool.ended });

/** Ends the drawing process. Called on a clean stop. */
export const stopDrawing = (): Promise<void> => pool.stop();
