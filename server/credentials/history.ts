import { z } from "zod";
import type { Actor } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { loadCredential } from "./load";
import { credentialStates, type CredentialState } from "./states";

const actions = ["created", "issued", "updated", "suspended", "resumed", "expired", "revoked"] as const;

export const historyEntrySchema = z
  .object({
    id: z.string(),
    object: z.literal("credential_history_entry"),
    credentialId: z.string(),
    action: z.enum(actions),
    fromState: z.enum(credentialStates).nullable(),
    toState: z.enum(credentialStates),
    reason: z.string().nullable().meta({ description: "Public." }),
    note: z.string().nullable().meta({ description: "Private." }),
    actor: z.object({ type: z.string(), id: z.string() }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "CredentialHistoryEntry" });

interface HistoryRow {
  id: Id<"crh">;
  credential_id: Id<"crd">;
  action: (typeof actions)[number];
  from_state: CredentialState | null;
  to_state: CredentialState;
  reason: string | null;
  note: string | null;
  actor: Actor;
  created_at: Date;
}

/** Lists every change in a credential's life, newest first. The history is kept as long as the credential. */
export const listCredentialHistory = query({
  name: "credentials.history",
  scope: "credentials:read",
  input: z.strictObject({ id: id("crd"), ...page }),
  async run(ctx, input) {
    const credential = await loadCredential(ctx, input.id);
    const { sql } = reading(ctx);
    const found = await paginate(input, {
      binding: [ctx.orgId, "credential_history", credential.id],
      fetch: ({ after, take, skip }) =>
        sql<HistoryRow>(
          `SELECT id, credential_id, action, from_state, to_state, reason, note, actor, created_at FROM credential_history
           WHERE org_id = $1 AND credential_id = $2 AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT $4 OFFSET $5`,
          [ctx.orgId, credential.id, after, take, skip],
        ),
      count: async () =>
        (
          await sql<{ n: number }>(
            `SELECT count(*) AS n FROM credential_history WHERE org_id = $1 AND credential_id = $2`,
            [ctx.orgId, credential.id],
          )
        )[0]!.n,
      keyOf: (row) => row.id,
    });
    return { ...found, data: found.data.map(entryView) };
  },
});

function entryView(row: HistoryRow): z.output<typeof historyEntrySchema> {
  return {
    id: publicId("crh", row.id),
    object: "credential_history_entry",
    credentialId: publicId("crd", row.credential_id),
    action: row.action,
    fromState: row.from_state,
    toState: row.to_state,
    reason: row.reason,
    note: row.note,
    actor: row.actor,
    createdAt: row.created_at.toISOString(),
  };
}
