import { randomBytes } from "node:crypto";
import type { Ctx } from "@/server/core/context";
import { readId } from "@/server/core/ids";
import { sql } from "@/server/testing/sql";
import { addChannel } from "../../add-channel";
import type { PassRow } from "../pass-row";
import { registerDevice } from "../register-device";
import { openPassToken } from "../sealed";
import { setAppleSettings } from "../set-settings";
import { unregisterDevice } from "../unregister-device";
import { appleCertificates } from "./certificates";

/** Configures Apple Wallet, then adds the pass of a credential to a phone and removes it again. */
export async function addedAndRemoved(ctx: Ctx, id: string): Promise<void> {
  await setAppleSettings(ctx, await appleCertificates());
  await addChannel(ctx, { id, type: "apple_wallet" });
  const [row] = await sql<PassRow>(`SELECT * FROM apple_passes WHERE org_id = $1 AND credential_id = $2`, [
    ctx.orgId,
    readId("crd", id),
  ]);
  const request = {
    deviceId: randomBytes(16).toString("hex"),
    passTypeId: row!.pass_type_id,
    serial: row!.serial,
    authorization: `ApplePass ${openPassToken(row!)}`,
    requestId: "phone",
    now: ctx.now,
  };
  await registerDevice(request, { pushToken: "0123456789abcdef" });
  await unregisterDevice(request);
}
