import { z } from "zod";
import { audit } from "@/server/access/audit";
import type { TxCtx } from "@/server/core/context";
import { count, giveBack, type Limit } from "@/server/core/limiter";
import { emailAddress } from "@/server/core/email-address";
import { DomainError } from "@/server/core/errors";
import { newId, publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { rateLimited } from "@/server/core/rate-limited";
import { loadForChange } from "@/server/credentials/load";
import type { CredentialRow } from "@/server/credentials/view";
import { subjectErased } from "@/server/subjects/erased";
import { waitsMs } from "@/server/messages/view";
import { channelColumns, channelView, type ChannelRow } from "./view";

/** The most addresses to which one credential can be sent. */
const mostAddresses = 10;

/** The time between two messages about one credential to one address, in milliseconds. */
const pauseMs = 5 * 60_000;

/** Messages of an organisation to one address, about all credentials. */
const ofAddress: Limit = { name: "credential-mail-address", points: 20, seconds: 24 * 3600 };
/** Messages of an organisation in all. */
const ofOrganisation: Limit = { name: "credential-mail-organisation", points: 1000, seconds: 3600 };

/**
 * Queues an e-mail with the link to the credential's public page: to the holder's address, or to another one. Sending
 * to an address again renews its channel; while a message waits, nothing more is queued. Leaves an audit entry.
 * credential.channel.provisioned or .failed follows when a mail server accepted or refused the message
 * (server/notifications/send-messages.ts).
 *
 * @throws DomainError credential_state unless it is pending or active; email_missing; limit_reached beyond ten
 * addresses; rate_limited; subject_erased
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
    if (before?.status === "pending" && ctx.now.getTime() - before.asked_at.getTime() < waitsMs)
      return channelView(before);
    if (before) requirePause(before, ctx.now);
    admitMessage(ctx.orgId, address);
    const row = await queue(ctx, credential, address);
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
  throw new DomainError(
    "email_missing",
    "The holder has no e-mail address. Add one to the person, or send another address as to.",
  );
}

/** The channel of an address. The credential is locked, so no concurrent request creates another. */
async function channelTo(ctx: TxCtx, credentialId: Id<"crd">, address: string): Promise<ChannelRow | undefined> {
  const rows = await ctx.tx.sql<ChannelRow>(
    `SELECT ${channelColumns} FROM credential_channels WHERE org_id = $1 AND credential_id = $2 AND type = 'email'`,
    [ctx.orgId, credentialId],
  );
  const found = rows.find((row) => row.address.toLowerCase() === address.toLowerCase());
  if (!found && rows.length >= mostAddresses)
    throw new DomainError("limit_reached", `A credential is sent to at most ${mostAddresses} addresses.`);
  return found;
}

function requirePause({ asked_at }: ChannelRow, now: Date): void {
  const waitMs = asked_at.getTime() + pauseMs - now.getTime();
  if (waitMs > 0) throw rateLimited("A message to this address was asked for less than five minutes ago.", waitMs);
}

/** Counts a message against the limits of its address and organisation. @throws DomainError rate_limited */
function admitMessage(orgId: Id<"org">, address: string): void {
  const toAddress = count(ofAddress, `${orgId} ${address.toLowerCase()}`);
  if (toAddress.isOver)
    throw rateLimited(
      `${ofAddress.points} messages went to this address within a day, the most.`,
      toAddress.msBeforeNext,
    );
  const ofAll = count(ofOrganisation, `${orgId}`);
  if (!ofAll.isOver) return;
  giveBack(ofAddress, `${orgId} ${address.toLowerCase()}`);
  throw rateLimited(
    `Your organisation sent ${ofOrganisation.points} credentials by e-mail within an hour, the most.`,
    ofAll.msBeforeNext,
  );
}

/** Makes the channel wait, and puts a message into the queue. */
async function queue(ctx: TxCtx, credential: CredentialRow, address: string): Promise<ChannelRow> {
  const [row] = await ctx.tx.sql<ChannelRow>(
    `INSERT INTO credential_channels AS ch (org_id, id, credential_id, type, address, status, asked_at, created_at, updated_at)
     VALUES ($1, $2, $3, 'email', $4, 'pending', $5, $5, $5)
     ON CONFLICT (org_id, credential_id, type, lower(address)) DO UPDATE SET status = 'pending', error = NULL, asked_at = excluded.asked_at, updated_at = excluded.updated_at
     RETURNING ${channelColumns}`,
    [ctx.orgId, newId("chn"), credential.id, address, ctx.now],
  );
  ctx.tx.send(
    `INSERT INTO messages (org_id, id, kind, credential_id, subject_id, template_id, address, next_attempt_at, asked_at, created_at, updated_at)
     VALUES ($1, $2, 'sent', $3, $4, $5, $6, $7, $7, $7, $7)`,
    [ctx.orgId, newId("msg"), credential.id, credential.subject_id, credential.template_id, address, ctx.now],
  );
  return row!;
}
