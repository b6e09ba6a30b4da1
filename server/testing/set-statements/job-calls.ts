import { randomUUID } from "node:crypto";
import { enqueue, readTicks } from "@/inngest/embedded/enqueue";
import { purge } from "@/inngest/embedded/housekeeping";
import type { Registered } from "@/inngest/embedded/registry";
import { extendLeases as extendRuns, release } from "@/inngest/embedded/run-outcomes";
import { claimNotifications } from "@/server/notifications/claim";
import { purgeExpired } from "@/server/retention/purge";
import { arrange, type Given, type Call } from "./given";

/** Runs of jobs, and deletions. */
export function jobCalls(given: Given): Call[] {
  const { store, span, n, numbers, many, later } = given;
  const run = (f: Registered) => new Map([[f.id, f]]);
  const f: Registered = {
    id: `f${span.from}`,
    maxAttempts: 1,
    events: ["e"],
    schedules: [{ cron: "* * * * *" } as Registered["schedules"][number]],
  };
  return [
    { name: "claim notifications", given: 5, run: () => claimNotifications(later) },
    {
      name: "queue runs",
      given: n,
      run: () =>
        enqueue(
          store,
          run(f),
          new Set(["e"]),
          numbers().map((each) => ({
            id: `sent-${each}`,
            name: "e",
            data: { each },
            ts: 0,
            deduplicated: each % 2 === 0,
            delayMs: 0,
          })),
          randomUUID(),
        ),
    },
    { name: "read ticks", given: 1, run: () => readTicks(store, f) },
    { name: "extend runs", given: n, run: async () => extendRuns(store, await runs(given, n), 1000) },
    { name: "release runs", given: n, run: async () => release(store, await runs(given, n)) },
    { name: "remove old runs", given: n, run: () => purge(store) },
    { name: "remove what is old", given: 10 * many, run: () => purgeExpired(later, new Date(Date.now() + 60_000)) },
  ];
}

function runs(given: Given, some: number): Promise<{ id: string; claimId: string }[]> {
  return arrange(
    `INSERT INTO engine_runs (function_id, event, state, due_at, claim_id, lease_until, created_at)
     SELECT 'g', '{}', 'running', now(), gen_random_uuid(), now(), now() FROM generate_series(1, $1) RETURNING id, claim_id AS "claimId"`,
    [some],
  );
}
