import type { TxCtx } from "@/server/core/context";
import { DomainError, notFound } from "@/server/core/errors";
import { asId, publicId, uuidOf, type Id } from "@/server/core/ids";
import { withLiveSecrets, type ClientWithSecrets } from "./oauth-client-view";

/**
 * Loads a client and locks it for a change.
 *
 * @throws DomainError not_found.
 */
export async function loadClientToChange(ctx: TxCtx, id: Id<"ocl">): Promise<ClientWithSecrets> {
  await ctx.tx.sql(`SELECT 1 FROM oauth_clients WHERE org_id = $1 AND id = $2 FOR UPDATE`, [ctx.orgId, id]);
  return loadClient(ctx, id);
}

export async function loadClient(ctx: TxCtx, id: Id<"ocl">): Promise<ClientWithSecrets> {
  const client = await ctx.tx.db.oAuthClient.findUnique({
    where: { orgId_id: { orgId: uuidOf(ctx.orgId), id: uuidOf(id) } },
    include: withLiveSecrets(ctx.now),
  });
  if (!client) throw notFound("OAuth client", publicId("ocl", id));
  return { ...client, id: asId(client.id) };
}

/**
 * Refuses a revoked client.
 *
 * @throws DomainError client_revoked
 */
export function refuseRevoked(client: ClientWithSecrets): void {
  if (client.revokedAt) throw new DomainError("client_revoked", "This OAuth client is revoked. Make another one.");
}
