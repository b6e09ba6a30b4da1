import type { TxCtx } from "@/server/core/context";
import { newId, uuidOf, type Id } from "@/server/core/ids";
import { hashToken } from "@/server/core/secrets";
import { randomBase62 } from "./token-format";

/**
 * Creates a client id. Its characters are unreserved in form encoding and in Basic authentication, so no client can
 * encode them wrongly (contract section 3).
 */
export const newClientId = () => `svc_cl_${randomBase62(24)}`;

/** Creates a secret of a client and returns it once. Stores only its hash. */
export async function storeNewSecret(ctx: TxCtx, clientRef: Id<"ocl">): Promise<{ id: Id<"ocs">; secret: string }> {
  const secret = `svc_cs_${randomBase62(40)}`;
  const id = newId("ocs");
  await ctx.tx.db.oAuthClientSecret.create({
    data: {
      orgId: uuidOf(ctx.orgId),
      id: uuidOf(id),
      clientRef: uuidOf(clientRef),
      hash: hashToken(secret),
      lastFour: secret.slice(-4),
      createdAt: ctx.now,
    },
  });
  return { id, secret };
}
