import { transaction } from "@/server/core/transaction";
import { recordEnded } from "./device-channel";
import { findPass } from "./find-pass";
import { contextOf, type DeviceRequest } from "./register-device";

/**
 * Unregisters a phone whose holder removed the pass (Wallet Passes, "Unregister a Pass for Update Notifications"). Emits
 * credential.channel.removed. Does nothing if the phone is not registered.
 *
 * @throws DomainError invalid_token
 */
export async function unregisterDevice(request: DeviceRequest): Promise<void> {
  const pass = await findPass(request, request.authorization);
  const { deviceId } = request;
  await transaction(async (tx) => {
    const ctx = contextOf(pass, request, tx);
    const removed = await tx.sql(
      `DELETE FROM apple_devices WHERE org_id = $1 AND credential_id = $2 AND device_id = $3 RETURNING 1`,
      [pass.org_id, pass.credential_id, deviceId],
    );
    if (removed.length > 0) await recordEnded(ctx, { credentialId: pass.credential_id, deviceId }, "removed");
  });
}
