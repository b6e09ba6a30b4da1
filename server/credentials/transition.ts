import type { TxCtx } from "@/server/core/context";
import { newId, type Id } from "@/server/core/ids";
import { appendAll } from "@/server/events/append";
import { nextState, type CredentialAction } from "./states";
import { credentialColumns, credentialFactsOf, joinSubject, type CredentialRow } from "./view";

/** What each action writes beside the state, and what it is called afterwards in events and history. */
const steps = {
  issue: { to: "active", done: "issued", set: ", issued_at = c.valid_from" },
  suspend: { to: "suspended", done: "suspended", set: ", suspended_at = $4, suspension_reason = $5" },
  resume: { to: "active", done: "resumed", set: ", suspended_at = NULL, suspension_reason = NULL" },
  expire: { to: "expired", done: "expired", set: "" },
  revoke: {
    to: "revoked",
    done: "revoked",
    set: ", revoked_at = $4, revocation_reason = $5, superseded_by = coalesce(target.superseded_by, c.superseded_by), linked_publicly = c.linked_publicly OR $9",
  },
} as const satisfies Record<CredentialAction, { to: string; done: string; set: string }>;

interface Detail {
  /** Public. */
  reason?: string | null | undefined;
  /** For the organisation alone. */
  note?: string | null | undefined;
  /** The ids of the credentials that take the place of those with these ids. */
  supersededBy?: ReadonlyMap<Id<"crd">, Id<"crd">>;
  /** The public may know which credential supersedes it. */
  linkPublicly?: boolean;
}

/**
 * Takes locked rows through one action of the table in states.ts: the rows, their history and their events, in three
 * statements however many rows they are. A row for which the action changes nothing stays as it is and emits nothing.
 * @returns the rows as they are now, in the order given.
 * @throws DomainError credential_state where the table refuses the action for one of them.
 */
export async function transition(
  ctx: TxCtx,
  all: CredentialRow[],
  action: CredentialAction,
  detail: Detail = {},
): Promise<CredentialRow[]> {
  const rows = all.filter((row) => nextState(row, action) !== row.state);
  if (rows.length === 0) return all;
  const { done } = steps[action];
  const values: unknown[] = [
    ctx.orgId,
    rows.map((row) => row.id),
    rows.map(() => newId("crh")),
    ctx.now,
    detail.reason ?? null,
    detail.note ?? null,
    ctx.actor,
  ];
  if (action === "revoke")
    values.push(
      rows.map((row) => detail.supersededBy?.get(row.id) ?? null),
      detail.linkPublicly ?? false,
    );
  const written = await ctx.tx.sql<CredentialRow>(statement(action), values);
  await appendAll(
    ctx,
    written.map((row, i) => ({
      type: `credential.${done}` as const,
      resourceId: row.id,
      object: { ...credentialFactsOf(row), ...(action === "resume" && { resumptionReason: detail.reason ?? null }) },
      previous: changedFacts(rows[i]!, row),
    })),
  );
  const byId = new Map(written.map((row) => [row.id, row]));
  return all.map((row) => byId.get(row.id) ?? row);
}

/**
 * The facts that an action changed. externalId is none: a row that waited for the holder's erasure was read with the
 * former one.
 */
function changedFacts(before: CredentialRow, after: CredentialRow): Record<string, unknown> {
  const { externalId: _, ...was } = credentialFactsOf(before);
  const now: Record<string, unknown> = credentialFactsOf(after);
  return Object.fromEntries(Object.entries(was).filter(([field, value]) => value !== now[field]));
}

function statement(action: CredentialAction): string {
  const { to, done, set } = steps[action];
  const target =
    action === "revoke"
      ? "unnest($2::uuid[], $3::uuid[], $8::uuid[]) WITH ORDINALITY AS target (id, history_id, superseded_by, n)"
      : "unnest($2::uuid[], $3::uuid[]) WITH ORDINALITY AS target (id, history_id, n)";
  return `
WITH changed AS (
  UPDATE credentials c SET state = '${to}', updated_at = $4${set}
  FROM ${target}
  CROSS JOIN LATERAL (SELECT ctid AS tid FROM credentials WHERE org_id = $1 AND id = target.id OFFSET 0) locked
  WHERE c.ctid = locked.tid
  RETURNING c.*, old.state AS from_state, target.history_id, target.n
), noted AS (
  INSERT INTO credential_history (org_id, id, credential_id, action, from_state, to_state, reason, note, actor, created_at)
  SELECT $1, history_id, id, '${done}', from_state, state, $5, $6, $7, $4 FROM changed
)
SELECT ${credentialColumns} FROM changed c ${joinSubject} ORDER BY c.n`;
}
