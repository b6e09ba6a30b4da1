import { queueSql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { log } from "@/server/core/log";
import { processState } from "@/server/core/process-state";
import type { Effect } from "./effect";

/** A request of a directory, as the console shows it. Queries and bodies are not stored, because they identify people. */
export interface RecordedRequest {
  id: Id<"req">;
  orgId: Id<"org">;
  /** Null if the request was refused before its connection was known; the key's connection is used then. */
  connectorId: Id<"con"> | null;
  keyId: Id<"key"> | null;
  at: Date;
  method: string;
  endpoint: string;
  resourceId: Id | null;
  status: number;
  error: string | null;
  effect: Effect;
  isRead: boolean;
  durationMs: number;
}

/** How many requests of a connection are stored: those that write or were refused, and those that only read. */
export const mostKept = { written: 2_000, read: 500 };

/** The size of the buffer. While it is full, requests are not recorded. */
const maxWaiting = 5_000;
const flushAfterMs = 500;

interface Buffer {
  waiting: RecordedRequest[];
  timer: NodeJS.Timeout | undefined;
}
// One buffer per process, so that the stop of the server writes the requests that every bundle recorded.
const buffer = processState("SCIM requests", (): Buffer => ({ waiting: [], timer: undefined }));

/**
 * Records a request. Requests are buffered and written in batches, so that no request waits for the write. A process that
 * is killed loses its buffer.
 */
export function recordRequest(request: RecordedRequest): void {
  if (buffer.waiting.length >= maxWaiting) return;
  buffer.waiting.push(request);
  buffer.timer ??= setTimeout(() => {
    void flushRequests().catch((error: unknown) => log().warn({ err: error }, "SCIM requests were not recorded"));
  }, flushAfterMs).unref();
}

/** Writes the buffered requests, and deletes the oldest requests of connections that have too many. */
export async function flushRequests(): Promise<void> {
  clearTimeout(buffer.timer);
  buffer.timer = undefined;
  const requests = buffer.waiting.splice(0);
  for (const [orgId, own] of Map.groupBy(requests, (each) => each.orgId)) {
    const written = await queueSql<{ connector_id: Id<"con"> }>(insert, [
      orgId,
      JSON.stringify(own.map(({ orgId: _, at, ...each }) => ({ ...each, at: at.toISOString() }))),
    ]);
    for (const id of new Set(written.map((row) => row.connector_id)))
      for (const [isRead, most] of [
        [false, mostKept.written],
        [true, mostKept.read],
      ] as const)
        await queueSql(trim, [orgId, id, isRead, most]);
  }
}

// A connection may have been deleted for good in the meantime.
const insert = `
INSERT INTO scim_requests (org_id, id, connector_id, at, method, endpoint, resource_id, status, error, effect, is_read, duration_ms)
SELECT $1, given.id, c.id, given.at, given.method, given.endpoint, given."resourceId", given.status, given.error, given.effect, given."isRead", given."durationMs"
FROM jsonb_to_recordset($2::jsonb) AS given (id uuid, "connectorId" uuid, "keyId" uuid, at timestamptz, method text, endpoint text, "resourceId" uuid, status int, error text, effect jsonb, "isRead" boolean, "durationMs" int)
CROSS JOIN LATERAL (
  SELECT id FROM connectors WHERE org_id = $1 AND id = coalesce(given."connectorId",
    (SELECT connector_id FROM api_keys WHERE org_id = $1 AND id = given."keyId"),
    (SELECT id FROM connectors WHERE org_id = $1 AND is_default AND deleted_at IS NULL))
) c
ON CONFLICT DO NOTHING RETURNING connector_id`;

const trim = `
DELETE FROM scim_requests WHERE org_id = $1 AND connector_id = $2 AND is_read = $3 AND id <= (
  SELECT id FROM scim_requests WHERE org_id = $1 AND connector_id = $2 AND is_read = $3 ORDER BY id DESC OFFSET $4 LIMIT 1)`;
