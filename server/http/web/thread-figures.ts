import type pg from "pg";
import { pool, queuePool } from "@/server/core/db";
import { failedJobs } from "@/server/core/failed-jobs";
import { log } from "@/server/core/log";
import { processState } from "@/server/core/process-state";
import { securityCounts, type SecurityEventType } from "@/server/core/security-counts";
import { drawingFigures } from "@/server/drawing/draw";
import { foreignFigures } from "@/server/verification/foreign-pool";

/** What a thread of the server knows of itself, for /metrics. It can be sent between threads. */
export interface ThreadFigures {
  connections: Record<"requests" | "queues", { active: number; idle: number; waiting: number }>;
  foreign: ReturnType<typeof foreignFigures>;
  drawing: ReturnType<typeof drawingFigures>;
  failedJobs: ReadonlyMap<string, number>;
  securityEvents: ReadonlyMap<SecurityEventType, number>;
}

const state = processState("figures of the job thread", (): { read?: () => Promise<ThreadFigures> } => ({}));

/** Called once by the server when it has started the thread that runs its jobs. */
export function setJobThreadFigures(read: () => Promise<ThreadFigures>): void {
  state.read = read;
}

/** The figures of the calling thread. */
export function ownFigures(): ThreadFigures {
  return {
    connections: { requests: connectionsOf(pool()), queues: connectionsOf(queuePool()) },
    foreign: foreignFigures(),
    drawing: drawingFigures(),
    failedJobs: failedJobs(),
    securityEvents: securityCounts(),
  };
}

/** The figures of each thread of this process. Those of a job thread that does not answer are left out. */
export async function allFigures(): Promise<ThreadFigures[]> {
  const jobs = await state.read?.().catch((error: unknown) => {
    log().warn({ err: error }, "the figures of the jobs are missing from the metrics");
    return undefined;
  });
  return jobs ? [ownFigures(), jobs] : [ownFigures()];
}

function connectionsOf({ totalCount, idleCount, waitingCount }: pg.Pool) {
  return { active: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}
