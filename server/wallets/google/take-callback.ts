import { sql } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import { parseInput } from "@/server/core/input";
import { lookUp } from "@/server/core/look-up";
import { transaction } from "@/server/core/transaction";
import { callbackKeys } from "./callback-keys";
import { noteAdded, noteRemoved } from "./pass-channel";
import { googleService, type GoogleService } from "./service";
import { callbackBody, verifyCallback, type CallbackMessage } from "./verify-callback";

/**
 * Takes what Google tells of a holder: the pass was added, or removed. Emits credential.channel.installed or .removed.
 * Google repeats what was not taken, so a repeated message changes nothing, and neither does one about a pass that is
 * not here.
 *
 * @throws DomainError invalid_request; invalid_token for a message that Google did not sign; unavailable while Google's
 *   keys cannot be read
 */
export async function takeGoogleCallback(
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
    return message.eventType === "save" ? noteAdded(ctx, pass.credential_id) : noteRemoved(ctx, pass.credential_id);
  });
}

async function verified(sent: unknown, service: GoogleService, now: Date): Promise<CallbackMessage> {
  const body = parseInput(callbackBody, sent);
  const keys = await callbackKeys(service, { now });
  if (!keys) throw new DomainError("unavailable", "Google's keys cannot be read at the moment.");
  const message = verifyCallback(body, keys, now);
  if (message) return message;
  // Google may have changed its keys since they were read.
  const fresh = await callbackKeys(service, { now, isFresh: true });
  const second = fresh && verifyCallback(body, fresh, now);
  if (second) return second;
  throw new DomainError("invalid_token", "Google did not sign this message, or it has expired.");
}
