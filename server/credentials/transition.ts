import type { TxCtx } from "@/server/core/context";
import { newId, type Id } from "@/server/core/ids";
import { appendAll } from "@/server/events/append";
import { nextState, type CredentialAction } from "./states";
import { credentialColumns, credentialFactsOf, joinSubject, type CredentialRow } from "./view";

/** For each action: the new state, the word for it in events and history, and the columns that it also writes. */
const steps = {
  issue: { to: "active", done: "issued", set: ", issued_at = c.valid_from" },
  suspend: {
    to: "suspended",
    done: "suspended",
    set: ", suspended_at = $4, suspension_reason = target.reason, suspended_by_policy = target.by_policy",
  },
  resume: {
    to: "active",
    done: "resumed",
    set: ", suspended_at = NULL, suspension_reason = NULL, suspended_by_policy = false",
  },
  expire: { to: "expired", done: "expired", set: "" },
  revoke: {
    to: "revoked",
    done: "revoked",
    set: ", revoked_at = $4, revocation_reason = target.reason, superseded_by = coalesce(target.superseded_by, c.superseded_by), linked_publicly = c.linked_publicly OR target.linked_publicly",
  },
} as const satisfies Record<CredentialAction, { to: string; done: string; set: string }>;

/** A locked row and the details of its transition. */
export interface Transition {
  row: CredentialRow;
  /** Public. */
  reason?: string | null | undefined;
  /** Visible only to the organisation. */
  note?: string | null | undefined;
  /** For a suspension: whether a policy suspends it, which a policy may resume. False unless given. */
  byPolicy?: boolean;
  /** For a revocation: the id of the credential that replaces this one. */
  supersededBy?: Id<"crd">;
  /** For a revocation: whether the public may know which credential supersedes this one. */
  linkPublicly?: boolean;
}

/**
 * Applies one action of the table in states.ts to locked rows: writes the rows, their history and their events in two
 * statements for any number of rows. A row that the action does not change stays unchanged and emits nothing. A
 * policy's suspension is replaced when anyone else suspends the credential, with their reason, so that no policy
 * resumes it. Each row may occur once.
 *
 * @returns the rows as they are now, in the order given; rows that did not change are the same objects.
 * @throws DomainError credential_state if the table refuses the action for one of the rows.
 */
export async function transition(ctx: TxCtx, all: Transition[], action: CredentialAction): Promise<CredentialRow[]> {
  const changes = all.filter(
    ({ row, byPolicy }) =>
      nextState(row, action) !== row.state || (action === "suspend" && row.suspended_by_policy && !byPolicy),
  );
  if (changes.length === 0) return all.map(({ row }) => row);
  const { done } = steps[action];
  const values: unknown[] = [
    ctx.orgId,
    changes.map(({ row }) => row.id),
    changes.map(() => newId("crh")),
    ctx.now,
    changes.map(({ reason }) => reason ?? null),
    changes.map(({ note }) => note ?? null),
    ctx.actor,
  ];
  if (action === "revoke")
    values.push(
      changes.map(({ supersededBy }) => supersededBy ?? null),
      changes.map(({ linkPublicly }) => linkPublicly ?? false),
    );
  if (action === "suspend") values.push(changes.map(({ byPolicy }) => byPolicy ?? false));
  const written = await ctx.tx.sql<CredentialRow>(statement(action), values);
  await appendAll(
    ctx,
    written.map((row, i) => ({
      type: `credential.${done}` as const,
      resourceId: row.id,
      object: {
        ...credentialFactsOf(row),
        ...(action === "resume" && { resumptionReason: changes[i]!.reason ?? null }),
      },
      previous: changedFacts(changes[i]!.row, row),
    })),
  );
  const byId = new Map(written.map((row) => [row.id, row]));
  return all.map(({ row }) => byId.get(row.id) ?? row);
}

/**
 * Returns the facts that an action changed. externalId is never one of them: a row that waited for its holder's erasure
 * was read with the former externalId.
 */
function changedFacts(before: CredentialRow, after: CredentialRow): Record<string, unknown> {
  const { externalId: _, ...was } = credentialFactsOf(before);
  const now: Record<string, unknown> = credentialFactsOf(after);
  return Object.fromEntries(Object.entries(was).filter(([field, value]) => value !== now[field]));
}

/** What an action is told of each row beside what all are told: the arrays, and their names. */
const targetColumns: Partial<Record<CredentialAction, [arrays: string, names: string]>> = {
  suspend: [", $8::boolean[]", ", by_policy"],
  revoke: [", $8::uuid[], $9::boolean[]", ", superseded_by, linked_publicly"],
};

function statement(action: CredentialAction): string {
  const { to, done, set } = steps[action];
  const [arrays, names] = targetColumns[action] ?? ["", ""];
  const target = `unnest($2::uuid[], $3::uuid[], $5::text[], $6::text[]${arrays}) WITH ORDINALITY AS target (id, history_id, reason, note${names}, n)`;
  return `
WITH changed AS (
  UPDATE credentials c SET state = '${to}', updated_at = $4${set}
  FROM ${target}
  CROSS JOIN LATERAL (SELECT ctid AS tid FROM credentials WHERE org_id = $1 AND id = target.id OFFSET 0) locked
  WHERE c.ctid = locked.tid
  RETURNING c.*, old.state AS from_state, target.history_id, target.reason, target.note, target.n
), noted AS (
  INSERT INTO credential_history (org_id, id, credential_id, action, from_state, to_state, reason, note, actor, created_at)
  SELECT $1, history_id, id, '${done}', from_state, state, reason, note, $7, $4 FROM changed
)
SELECT ${credentialColumns} FROM changed c ${joinSubject} ORDER BY c.n`;
}
