import { z } from "zod";
import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { parseInput } from "@/server/core/input";
import { transaction } from "@/server/core/transaction";
import { recordEnded, recordInstalled } from "./device-channel";
import { findPass, type FoundPass, type PassPath } from "./find-pass";

/**
 * The most phones that can be registered for one pass. A further phone replaces the oldest phone that no message has
 * reached, or the oldest of all: anyone who has the public code can register invented phones, and these must not lock out
 * the holder's phone (docs/decisions/494).
 */
export const maxDevices = 100;

const deviceId = z.string().regex(/^[\w-]{1,128}$/, "must be the identifier that Wallet sends");
const body = z.object({ pushToken: z.string().regex(/^[0-9A-Fa-f]{8,200}$/, "must be hexadecimal digits") });

export interface DeviceRequest extends PassPath {
  deviceId: string;
  authorization: string | null;
  requestId: string;
  now: Date;
}

/**
 * Registers a phone for the changes of a pass (Wallet Passes, "Register a Pass for Update Notifications"). Emits
 * credential.channel.installed. If the pass has ever changed, a message to the phone is queued at once, because the phone
 * may have downloaded the pass before the change.
 *
 * @returns whether the phone was not registered before
 * @throws DomainError invalid_token; invalid_request
 */
export async function registerDevice(request: DeviceRequest, sent: unknown): Promise<{ isNew: boolean }> {
  const pass = await findPass(request, request.authorization);
  const input = {
    deviceId: parseInput(deviceId, request.deviceId),
    pushToken: parseInput(body, sent).pushToken.toLowerCase(),
  };
  return transaction(async (tx) => {
    const ctx = contextOf(pass, request, tx);
    const known = await tx.sql<{ is_this: boolean; is_changed: boolean; erased: boolean }>(lockPass, [
      pass.org_id,
      pass.credential_id,
      input.deviceId,
      pass.serial,
    ]);
    const [row] = known;
    // The pass was removed or replaced after findPass.
    if (!row) throw new DomainError("invalid_token", "The pass does not exist.");
    const values = [pass.org_id, pass.credential_id, input.deviceId];
    for (const { device_id } of await tx.sql<{ device_id: string }>(deleteExcessDevices, [...values, maxDevices - 1]))
      await recordEnded(ctx, { credentialId: pass.credential_id, deviceId: device_id }, "removed");
    await tx.sql(upsert, [...values, pass.pass_type_id, input.pushToken, row.is_changed ? "pending" : "idle", ctx.now]);
    if (row.is_changed) tx.nudgeAfterCommit("wallets");
    if (!row.erased) await recordInstalled(ctx, pass.credential_id, input.deviceId);
    return { isNew: !row.is_this };
  });
}

export function contextOf(pass: FoundPass, { requestId, now }: DeviceRequest, tx: TxCtx["tx"]): TxCtx {
  return { orgId: pass.org_id, actor: { type: "public", id: "apple_wallet" }, scopes: new Set(), requestId, now, tx };
}

/** Locks the pass, so that its registrations run one after another and the limit of phones holds. */
const lockPass = `
SELECT p.revision > 0 AS is_changed, s.erased_at IS NOT NULL AS erased,
  EXISTS (SELECT FROM apple_devices d WHERE d.org_id = $1 AND d.credential_id = $2 AND d.device_id = $3) AS is_this
FROM apple_passes p
JOIN credentials c ON c.org_id = p.org_id AND c.id = p.credential_id
JOIN subjects s ON s.org_id = c.org_id AND s.id = c.subject_id
WHERE p.org_id = $1 AND p.credential_id = $2 AND p.serial = $4 FOR UPDATE OF p`;

/** Keeps `$4` phones besides this one. Deletes phones that no message has reached first, the oldest of them first. */
const deleteExcessDevices = `
DELETE FROM apple_devices WHERE org_id = $1 AND credential_id = $2 AND device_id IN (
  SELECT device_id FROM apple_devices WHERE org_id = $1 AND credential_id = $2 AND device_id <> $3
  ORDER BY reached_at IS NULL, created_at DESC, device_id DESC OFFSET $4)
RETURNING device_id`;

const upsert = `
INSERT INTO apple_devices AS d (org_id, credential_id, device_id, pass_type_id, push_token, state, next_attempt_at, wanted_at, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $7)
ON CONFLICT (org_id, credential_id, device_id) DO UPDATE SET push_token = excluded.push_token, pass_type_id = excluded.pass_type_id,
  state = CASE WHEN excluded.state = 'pending' THEN 'pending' ELSE d.state END, attempts = 0, next_attempt_at = excluded.next_attempt_at,
  wanted_at = excluded.wanted_at, reached_at = CASE WHEN d.push_token = excluded.push_token THEN d.reached_at END, claim_id = NULL, lease_until = NULL`;
