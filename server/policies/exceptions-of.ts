import type { Query } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import type { Outcome } from "./outcome";

/** Returns the exceptions of these people in a policy that have not ended at `now`. */
export async function exceptionsOf(
  sql: Query,
  { orgId, policyId, now }: { orgId: Id<"org">; policyId: Id<"pol">; now: Date },
  subjectIds: Id<"sub">[],
): Promise<Map<Id<"sub">, NonNullable<Outcome["exception"]>>> {
  if (subjectIds.length === 0) return new Map();
  const rows = await sql<{ subject_id: Id<"sub">; effect: "grant" | "deny"; reason: string; until: Date | null }>(
    `SELECT e.subject_id, e.effect, e.reason, e.until FROM unnest($3::uuid[]) AS given (id)
     CROSS JOIN LATERAL (
       SELECT * FROM policy_exceptions WHERE org_id = $1 AND policy_id = $2 AND subject_id = given.id AND (until IS NULL OR until > $4) OFFSET 0
     ) e`,
    [orgId, policyId, subjectIds, now],
  );
  return new Map(
    rows.map(({ subject_id, effect, reason, until }) => [
      subject_id,
      { effect, reason, until: until?.toISOString() ?? null },
    ]),
  );
}
