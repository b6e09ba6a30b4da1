import { createConnectorToken } from "@/server/scim/tokens/create";
import { listConnectorTokens } from "@/server/scim/tokens/list";
import type { Ctx } from "@/server/core/context";

/** The context of a directory that signs in with a token made for it. A connection has two at most. */
export async function asDirectory(ctx: Ctx, id: string): Promise<Ctx> {
  const [token] = (await listConnectorTokens(ctx, { id })).data;
  return { ...ctx, actor: { type: "api_key", id: token?.id ?? (await createConnectorToken(ctx, { id })).id } };
}
