import { channelColumns, channelFactsOf, type ChannelRow } from "@/server/channels/view";
import type { TxCtx } from "@/server/core/context";
import { newId, type Id } from "@/server/core/ids";
import type { Tx } from "@/server/core/transaction";
import { append } from "@/server/events/append";
import type { MessageKind, MessageState } from "@/server/message-texts/kinds";
import type { ClaimedMessage, MessageResult } from "./attempt-message";
import { nextState } from "./hand-over";
import { leases } from "./message-leases";

/** When a message is retried to an address that has reached its daily limit, in milliseconds. */
const laterMs = 3_600_000;

const waitedADay = "The mail server did not take the message within a day.";

/**
 * Records the result of an attempt, unless another process claimed the message, or it was cancelled, resent or blanked
 * meanwhile. The mail server's answer about an address becomes the channel of the credential to that address:
 * credential.channel.provisioned for a message that delivers the credential, credential.channel.failed for any other
 * message that did not arrive.
 */
export async function recordMessage(tx: Tx, claimed: ClaimedMessage, result: MessageResult, now: Date): Promise<void> {
  // Lock the subject of the message first, in the same order as an erasure.
  tx.send(`SELECT FROM credentials WHERE org_id = $1 AND id = $2 FOR NO KEY UPDATE`, [
    claimed.org_id,
    claimed.credential_id,
  ]);
  tx.send(`SELECT FROM name_confirmations WHERE org_id = $1 AND id = $2 FOR NO KEY UPDATE`, [
    claimed.org_id,
    claimed.confirmation_id,
  ]);
  const { state, dueAt, attempts } = next(claimed, result, now);
  const gaveUp = state === "failed" && (result.outcome === "retry" || result.outcome === "unwilling");
  const error = gaveUp ? waitedADay : result.error;
  const held = await tx.sql(release, [
    ...leases.columns([claimed]),
    state,
    dueAt,
    error && result.reply ? `${error} It said: ${result.reply}` : error,
    now,
    attempts,
    result.outcome === "overtaken" ? claimed.address : result.address,
  ]);
  if (held.length === 0) return;
  const address = result.address;
  if (address === null || state === "cancelled" || claimed.credential_id === null) return;
  await recordChannel(
    {
      orgId: claimed.org_id,
      actor: { type: "job", id: "credential_mail" },
      scopes: new Set(),
      requestId: "credential_mail",
      now,
      tx,
    },
    { kind: claimed.kind, credential_id: claimed.credential_id },
    { address, state, error },
  );
}

function next(
  { attempts }: ClaimedMessage,
  { outcome }: MessageResult,
  now: Date,
): { state: MessageState; dueAt: Date; attempts: number } {
  if (outcome === "overtaken") return { state: "cancelled", dueAt: now, attempts };
  if (outcome === "unknown") return { state: "failed", dueAt: now, attempts };
  if (outcome === "bounced") return { state: "bounced", dueAt: now, attempts };
  if (outcome === "later")
    return { state: "pending", dueAt: new Date(now.getTime() + laterMs), attempts: attempts - 1 };
  return { ...nextState(outcome, attempts, now), attempts };
}

const [state, dueAt, error, now, attempts, address] = [0, 1, 2, 3, 4, 5].map((n) => `$${leases.next + n}`);
const release = leases.release(
  `state = ${state}, next_attempt_at = ${dueAt}, error = ${error}, updated_at = ${now}, attempts = ${attempts}::int, address = ${address},
   sent_at = CASE WHEN ${state} = 'sent' THEN ${now}::timestamptz ELSE leased.sent_at END`,
);

/** Writes the outcome of the message to the channel of its address, and reports it once it is final. */
async function recordChannel(
  ctx: TxCtx,
  { kind, credential_id: credentialId }: { kind: MessageKind; credential_id: Id<"crd"> },
  result: { address: string; state: MessageState; error: string | null },
): Promise<void> {
  const brings = kind === "sent" || kind === "issued";
  if (result.state === "sent" ? !brings : result.state === "pending" ? kind !== "sent" : false) return;
  const status = result.state === "sent" ? "provisioned" : result.state === "pending" ? "pending" : "failed";
  const [channel] = await ctx.tx.sql<ChannelRow>(
    `INSERT INTO credential_channels AS ch (org_id, id, credential_id, type, address, status, error, asked_at, provisioned_at, created_at, updated_at)
     VALUES ($1, $2, $3, 'email', $4, $5, $6, $7, CASE WHEN $5 = 'provisioned' THEN $7::timestamptz END, $7, $7)
     ON CONFLICT (org_id, credential_id, type, lower(address)) DO UPDATE SET status = excluded.status, error = excluded.error,
       provisioned_at = coalesce(excluded.provisioned_at, ch.provisioned_at), updated_at = excluded.updated_at
     RETURNING ${channelColumns}`,
    [ctx.orgId, newId("chn"), credentialId, result.address, status, result.error, ctx.now],
  );
  if (status === "pending") return;
  await append(ctx, {
    type: `credential.channel.${status}`,
    resourceId: channel!.id,
    object: channelFactsOf(channel!),
  });
}
