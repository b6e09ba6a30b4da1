import { z } from "zod";
import type { TxCtx } from "@/server/core/context";
import { readId, type Id } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { credentialColumns, credentialFactsOf, joinSubject, type CredentialRow } from "@/server/credentials/view";
import { appendAll } from "@/server/events/append";
import { shareChannels, verificationFacts } from "@/server/events/facts";

const event = z.strictObject({
  type: z.enum(["credential.verified", "credential.verify_refused", "credential.viewed", "credential.shared"]),
  facts: verificationFacts,
  /** Of a share. */
  channel: z.enum(shareChannels).optional(),
});

/** Appends coalesced verification events (contract section 8), which webhooks and the event log show. */
export const recordVerificationEvents = command({
  name: "verification.record",
  scope: "verify",
  input: z.array(event).max(1000),
  async run(ctx, events) {
    const told = await factsOfShared(ctx, events);
    const made: Parameters<typeof appendAll>[1][number][] = [];
    for (const { type, facts, channel } of events) {
      const resourceId = readId("crd", facts.credentialId);
      const shared = told.get(resourceId);
      if (type !== "credential.shared") made.push({ type, resourceId, object: facts });
      else if (shared && channel) made.push({ type, resourceId, object: { ...shared, channel, count: facts.count } });
    }
    await appendAll(ctx, made);
  },
});

/** What events tell of the credentials that were shared, as they are now. */
async function factsOfShared(ctx: TxCtx, events: { type: string; facts: { credentialId: string } }[]) {
  const ids = events
    .filter(({ type }) => type === "credential.shared")
    .map(({ facts }) => readId("crd", facts.credentialId));
  if (ids.length === 0) return new Map<Id<"crd">, ReturnType<typeof credentialFactsOf>>();
  const rows = await ctx.tx.sql<CredentialRow>(
    `SELECT ${credentialColumns} FROM credentials c ${joinSubject} WHERE c.org_id = $1 AND c.id = ANY($2::uuid[])`,
    [ctx.orgId, ids],
  );
  return new Map(rows.map((row) => [row.id, credentialFactsOf(row)]));
}
