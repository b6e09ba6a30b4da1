import { join } from "node:path";
import { outboundRequest } from "@/server/outbound/request";
import { processState } from "@/server/core/process-state";
import { WorkerPool, type Client } from "@/server/core/workers/worker-pool";
import { ownDocument } from "./own-documents";
import { requestKey, type Answers, type ForeignJobs, type Job, type JobName, type Round } from "./foreign-messages";

// Once per process: pages and the API share the processes, and the server's stop ends them.
const { pool } = processState("foreign verification", () => ({
  pool: new WorkerPool<Job, unknown>({
    // npm runs every command in the project's folder.
    entry: join(process.cwd(), ".build", "foreign-worker.mjs"),
    // A hostile document can need any amount of memory; an honest one needs a few megabytes.
    memoryMb: 256,
    // A credential of 9,000 values takes 0.4 s.
    jobMs: 5_000,
    idleMs: 60_000,
    turns: {
      doing: "credentials are being verified",
      // Anonymous callers leave one of them free, also on a machine of one or two cores.
      atOnce: 2,
      each: 16,
      all: 128,
      waitMs: 15_000,
    },
  }),
}));

/**
 * Runs one job in a worker process. Its input is built when its turn has come.
 *
 * @throws WorkerEnded; DomainError rate_limited, unavailable
 */
export function runJob<Name extends JobName>(
  client: Client,
  name: Name,
  give: () => Promise<ForeignJobs[Name]["given"]>,
): Promise<ForeignJobs[Name]["result"]> {
  return pool.run(client, async () => ({ name, given: await give() }) as Job) as Promise<ForeignJobs[Name]["result"]>;
}

/**
 * Runs a job that needs documents: fetches the documents that it asks for, or reads those of this service, and runs the
 * job again, until it asks for no more.
 * No worker process waits for the network, so a slow issuer does not block others.
 * @throws WorkerEnded; DomainError rate_limited, unavailable
 */
export async function runWithDocuments<Name extends "examine" | "statuses">(
  client: Client,
  name: Name,
  given: Omit<ForeignJobs[Name]["given"], "answers" | "ownUrls">,
): Promise<Extract<ForeignJobs[Name]["result"], { done: unknown }>["done"]> {
  const answers: Answers = {};
  const ownUrls: string[] = [];
  for (;;) {
    const round = (await runJob(client, name, async () => ({ ...given, answers, ownUrls }) as never)) as Round<never>;
    if ("done" in round) return round.done;
    await Promise.all(
      round.wanted.map(async (request) => {
        const own = await ownDocument(request, given.now);
        if (own) ownUrls.push(request.url);
        answers[requestKey(request)] = own ?? (await outboundRequest(request));
      }),
    );
  }
}

/** Figures of the worker processes, for /metrics. */
export const foreignFigures = () => ({ ...pool.counts, ended: pool.ended });

/** Ends the worker processes. Called on a clean stop. */
export const stopForeignWorkers = (): Promise<void> => pool.stop();
