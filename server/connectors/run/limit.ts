import { shareOf } from "@/server/core/blast-radius";
import type { RunConfig } from "./config";

/** SQL: the active people whom connector $2 provides, as FROM … WHERE …. People whom it no longer lists do not count. */
const activePeople = `FROM subject_sources o
        CROSS JOIN LATERAL (SELECT status FROM subjects WHERE org_id = $1 AND id = o.subject_id OFFSET 0) s
        WHERE o.org_id = $1 AND o.source_id = $2 AND o.key IS NOT NULL AND o.missing_since IS NULL AND s.status = 'active'`;

/** SQL: how many active people connector $2 provides. */
export const countActive = `(SELECT count(*) ${activePeople})`;

/** SQL: counts like countActive, but reads at most $3 people. */
export const countActiveUpTo = `(SELECT count(*) FROM (SELECT ${activePeople} LIMIT $3) counted)`;

/**
 * How many deactivations within 24 hours need no approval.
 *
 * @param counted `recent`, the deactivations of the last 24 hours; `active`, the remaining active people
 */
export function limitFor(limits: RunConfig["limits"], { recent, active }: { recent: number; active: number }): number {
  return Math.max(limits.deactivations, shareOf({ left: active, removed: recent }, limits.deactivationPercent));
}

/**
 * Returns how many active people must be counted at most to decide whether `more` deactivations after `recent` ones
 * need an approval: counting further people would not change the answer. 0 if the answer does not depend on them.
 */
export function activeThatDecide(
  limits: RunConfig["limits"],
  { recent, more }: { recent: number; more: number },
): number {
  const { deactivationPercent: percent } = limits;
  return percent === 0 ? 0 : Math.max(0, Math.ceil(((recent + more) * 100) / percent) - recent + 1);
}
