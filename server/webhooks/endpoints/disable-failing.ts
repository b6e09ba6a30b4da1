import { sql } from "@/server/core/db";
import { publicId } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import { log } from "@/server/core/log";
import { disableByJob } from "./disable";
import type { EndpointRef } from "./endpoint-ref";
import { disabledAfterMs, failuresSpanMs } from "./health-limits";
import type { EndpointRow } from "./view";

const ms = (duration: number) => `interval '${duration} milliseconds'`;

/**
 * Builds the SQL condition for an endpoint that must be disabled (contract section 10): no success for 120 h at time
 * `at`, and failures that span at least 12 h.
 */
export const isDue = (at: string, e: string, lastFailureAt = `${e}.last_failure_at`) =>
  `(${e}.status = 'active' AND ${e}.deleted_at IS NULL AND ${e}.failing_since <= ${lastFailureAt} - ${ms(failuresSpanMs)}
    AND greatest(${e}.enabled_at, ${e}.last_success_at) <= ${at} - ${ms(disabledAfterMs)})`;

/**
 * Disables the endpoints whose time has come, including those to which nothing is sent any more. A failure is logged
 * and does not stop the remaining endpoints.
 */
export async function disableFailing(now: Date): Promise<void> {
  const due = await sql<EndpointRef>(
    `SELECT e.org_id AS "orgId", e.id AS "endpointId" FROM webhook_endpoints e WHERE ${isDue("$1::timestamptz", "e")}`,
    [now],
  );
  for (const endpoint of due) {
    await disableWhereDue(endpoint, now).catch((error: unknown) =>
      log().error(
        { err: error, orgId: publicId("org", endpoint.orgId), endpointId: publicId("whe", endpoint.endpointId) },
        "a webhook endpoint could not be disabled",
      ),
    );
  }
}

/** Disables an endpoint if its time has come. If its row is locked, disableFailing does it later. */
export async function disableWhereDue({ orgId, endpointId }: EndpointRef, now: Date): Promise<void> {
  const disabled = await transaction(async (tx) => {
    const [row] = await tx.sql<Pick<EndpointRow, "id" | "status">>(
      `SELECT e.id, e.status FROM webhook_endpoints e WHERE e.org_id = $1 AND e.id = $2 AND ${isDue("$3::timestamptz", "e")} FOR UPDATE SKIP LOCKED`,
      [orgId, endpointId, now],
    );
    if (row) await disableByJob(tx, { orgId, ...row }, "failing", now);
    return row !== undefined;
  });
  if (disabled)
    log().warn(
      { orgId: publicId("org", orgId), endpointId: publicId("whe", endpointId), reason: "failing" },
      "a webhook endpoint was disabled",
    );
}
