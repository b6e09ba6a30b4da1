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

interface JobThread {
  read?: (() => Promise<ThreadFigures>) | undefined;
  /** The question that waits for its answer: one scrape needs the figures several times. */
  reading?: Promise<ThreadFigures> | undefined;
  /** What it answered last. */
  last?: ThreadFigures | undefined;
}

const state = processState("figures of the job thread", (): JobThread => ({}));

/** Called once by the server when it has started the thread that runs its jobs. */
export function setJobThreadFigures(read: JobThread["read"]): void {
  state.read = read;
  state.reading = undefined;
  state.last = undefined;
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

/**
 * The figures of each thread of this process. A job thread that does not answer counts with its last figures: a counter
 * of Prometheus must not fall.
 */
export async function allFigures(): Promise<ThreadFigures[]> {
  if (!state.read) return [ownFigures()];
  try {
    state.reading ??= state.read().finally(() => (state.reading = undefined));
    state.last = await state.reading;
  } catch (error) {
    log().warn({ err: error }, "the metrics show the last figures of the jobs");
  }
  return state.last ? [ownFigures(), state.last] : [ownFigures()];
}

function connectionsOf({ totalCount, idleCount, waitingCount }: pg.Pool) {
  return { active: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}
