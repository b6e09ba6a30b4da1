import { sql } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import { parseInput } from "@/server/core/input";
import { lookUp } from "@/server/core/look-up";
import { transaction } from "@/server/core/transaction";
import { callbackKeys } from "./callback-keys";
import { recordAdded, recordRemoved } from "./pass-channel";
import { googleService, type GoogleService } from "./service";
import { callbackBody, verifyCallback, type CallbackMessage } from "./verify-callback";

/**
 * Receives a callback of Google: the holder added or removed a pass. Emits credential.channel.installed or .removed.
 * Google repeats a callback until it is accepted, so a repeated callback changes nothing, and one for an unknown pass is
 * accepted without effect.
 *
 * @throws DomainError invalid_request; invalid_token for a message that Google did not sign; unavailable if Google's keys
 *   cannot be downloaded
 */
export async function receiveGoogleCallback(
  sent: unknown,
  { requestId, now }: { requestId: string; now: Date },
  service: GoogleService = googleService(),
): Promise<void> {
  const message = await verified(sent, service, now);
  const [pass] = await lookUp<{ org_id: Id<"org">; credential_id: Id<"crd"> }>(
    sql,
    `SELECT org_id, credential_id FROM google_passes WHERE object_id = $1`,
    [message.objectId],
  );
  if (!pass) return;
  const actor = { type: "public", id: "google_wallet" } as const;
  await transaction((tx) => {
    const ctx = { orgId: pass.org_id, actor, scopes: new Set<never>(), requestId, now, tx };
    return message.eventType === "save" ? recordAdded(ctx, pass.credential_id) : recordRemoved(ctx, pass.credential_id);
  });
}

async function verified(sent: unknown, service: GoogleService, now: Date): Promise<CallbackMessage> {
  const body = parseInput(callbackBody, sent);
  const keys = await callbackKeys(service, { now });
  if (!keys) throw new DomainError("unavailable", "Google's keys cannot be downloaded at the moment.");
  const message = verifyCallback(body, keys, now);
  if (message) return message;
  // Google may have changed its keys since they were cached.
  const fresh = await callbackKeys(service, { now, isFresh: true });
  const second = fresh && verifyCallback(body, fresh, now);
  if (second) return second;
  throw new DomainError("invalid_token", "Google did not sign this message, or it has expired.");
}
