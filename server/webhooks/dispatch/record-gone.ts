import { queuePool } from "@/server/core/db";
import { publicId } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import { log } from "@/server/core/log";
import type { Attempt } from "./attempt";
import { disableByJob } from "@/server/webhooks/endpoints/disable";
import { recordAttempts } from "./record";
import type { EndpointRow } from "@/server/webhooks/endpoints/view";

type Found = Pick<EndpointRow, "id" | "status" | "url" | "enabled_at">;

/**
 * Logs an attempt that was answered with 410, disables its endpoint and parks its delivery, in one transaction: if it
 * fails, the attempt is made again. Waits for the lock on the endpoint's row. A 410 from an old URL, or from before the
 * endpoint was enabled, is a failure like any other.
 * @param now when the endpoint is disabled. Not when the attempt began, because the endpoint may have changed since.
 */
export async function recordGone(attempt: Attempt, now: Date): Promise<void> {
  const {
    delivery: { orgId, endpointId, destination },
    startedAt,
  } = attempt;
  const disabled = await transaction(async (tx) => {
    const [row] = await tx.sql<Found>(
      `SELECT id, status, url, enabled_at FROM webhook_endpoints WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE`,
      [orgId, endpointId],
    );
    const ends =
      row !== undefined && row.status !== "disabled" && row.url === destination.url && row.enabled_at <= startedAt;
    if (ends) await disableByJob(tx, { orgId, ...row }, "gone", now);
    await recordAttempts([attempt], tx.sql);
    return ends;
  }, queuePool());
  if (disabled)
    log().warn(
      { orgId: publicId("org", orgId), endpointId: publicId("whe", endpointId), reason: "gone" },
      "a webhook endpoint was disabled",
    );
}
