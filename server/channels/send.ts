import { z } from "zod";
import { audit } from "@/server/access/audit";
import type { TxCtx } from "@/server/core/context";
import { emailAddress } from "@/server/core/email-address";
import { DomainError } from "@/server/core/errors";
import { newId, publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { loadForChange } from "@/server/credentials/load";
import type { CredentialRow } from "@/server/credentials/view";
import { subjectErased } from "@/server/subjects/erased";
import { channelColumns, channelView, type ChannelRow } from "./view";

/** The most addresses that one credential is sent to. */
const mostAddresses = 10;

/** The time between two messages about one credential to one address, in milliseconds. */
const pauseMs = 5 * 60_000;

/**
 * Queues an e-mail with the link to the credential's public page: to the holder's address, or to another one. Sending
 * to an address again renews its channel. Leaves an audit entry; credential.channel.provisioned or .failed follows
 * when a mail server took or refused the message (server/notifications/send-credential-mail.ts).
 *
 * @throws DomainError credential_state unless it is pending or active; conflict without an address; rate_limited;
 *   subject_erased
 */
export const sendCredential = command({
  name: "credentials.send",
  scope: "credentials:issue",
  input: z.strictObject({
    id: id("crd"),
    to: emailAddress.optional().meta({
      description: "Without it, the holder's address. The subject is left as it is.",
    }),
  }),
  async run(ctx, input) {
    const credential = await loadForChange(ctx, input.id);
    if (credential.subject_erased_at) throw subjectErased();
    requireShowable(credential);
    const address = input.to ?? (await addressOf(ctx, credential.subject_id));
    const before = await channelTo(ctx, credential.id, address);
    if (before && before.status === "provisioned") requirePause(before, ctx.now);
    const row = await queue(ctx, credential.id, address);
    await audit(
      ctx,
      "credential.sent",
      { type: "credential", id: publicId("crd", credential.id) },
      { channelId: publicId("chn", row.id) },
    );
    ctx.tx.nudgeAfterCommit("mails");
    return channelView(row);
  },
});

function requireShowable({ id, state }: CredentialRow): void {
  if (state === "active" || state === "pending") return;
  throw new DomainError(
    "credential_state",
    `The credential is ${state}. Only one that is active, or will be, is sent to its holder.`,
    { members: { credentialId: publicId("crd", id), state, action: "send" } },
  );
}

async function addressOf(ctx: TxCtx, subjectId: Id<"sub">): Promise<string> {
  const [subject] = await ctx.tx.sql<{ email: string | null }>(
    `SELECT email FROM subjects WHERE org_id = $1 AND id = $2`,
    [ctx.orgId, subjectId],
  );
  if (subject?.email) return subject.email;
  throw new DomainError("conflict", "The holder has no e-mail address. Write one to the person, or send it as to.");
}

/** The channel to an address. The credential is locked, so no other request makes one meanwhile. */
async function channelTo(ctx: TxCtx, credentialId: Id<"crd">, address: string): Promise<ChannelRow | undefined> {
  const rows = await ctx.tx.sql<ChannelRow>(
    `SELECT ${channelColumns} FROM credential_channels WHERE org_id = $1 AND credential_id = $2 AND type = 'email'`,
    [ctx.orgId, credentialId],
  );
  const found = rows.find((row) => row.address.toLowerCase() === address.toLowerCase());
  if (!found && rows.length >= mostAddresses)
    throw new DomainError("conflict", `A credential is sent to at most ${mostAddresses} addresses.`);
  return found;
}

function requirePause({ asked_at }: ChannelRow, now: Date): void {
  const seconds = Math.ceil((asked_at.getTime() + pauseMs - now.getTime()) / 1000);
  if (seconds > 0)
    throw new DomainError("rate_limited", "A message went to this address less than five minutes ago.", {
      headers: { "retry-after": String(seconds) },
    });
}

async function queue(ctx: TxCtx, credentialId: Id<"crd">, address: string): Promise<ChannelRow> {
  const [row] = await ctx.tx.sql<ChannelRow>(
    `INSERT INTO credential_channels AS ch (org_id, id, credential_id, type, address, status, next_attempt_at, asked_at, created_at, updated_at)
     VALUES ($1, $2, $3, 'email', $4, 'pending', $5, $5, $5, $5)
     ON CONFLICT (org_id, credential_id, type, lower(address)) DO UPDATE SET status = 'pending', error = NULL, attempts = 0,
       next_attempt_at = excluded.next_attempt_at, asked_at = excluded.asked_at, claim_id = NULL, lease_until = NULL, updated_at = excluded.updated_at
     RETURNING ${channelColumns}`,
    [ctx.orgId, newId("chn"), credentialId, address, ctx.now],
  );
  return row!;
}
