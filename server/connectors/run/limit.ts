import { shareOf } from "@/server/core/blast-radius";
import type { RunConfig } from "./config";

/** SQL: how many active people connector $2 provides. People whom it no longer lists do not count. */
export const countActive = `(SELECT count(*) FROM subject_sources o
        CROSS JOIN LATERAL (SELECT status FROM subjects WHERE org_id = $1 AND id = o.subject_id OFFSET 0) s
        WHERE o.org_id = $1 AND o.source_id = $2 AND o.key IS NOT NULL AND o.missing_since IS NULL AND s.status = 'active')`;

/**
 * How many deactivations within 24 hours need no approval.
 * @param counted `recent`, the deactivations of the last 24 hours; `active`, the active people that are left
 */
export function limitFor(limits: RunConfig["limits"], { recent, active }: { recent: number; active: number }): number {
  return Math.max(limits.deactivations, shareOf({ left: active, removed: recent }, limits.deactivationPercent));
}
