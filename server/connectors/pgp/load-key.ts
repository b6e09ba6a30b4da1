import type { PrivateKey } from "openpgp";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { openPgpKey } from "./key";

/** The private key of a connector; null if it has none. */
export async function loadPgpKey(ctx: Ctx, connectorId: Id<"con">): Promise<PrivateKey | null> {
  const [row] = await reading(ctx).sql<{ pgp_key: Buffer | null }>(
    `SELECT pgp_key FROM connectors WHERE org_id = $1 AND id = $2`,
    [ctx.orgId, connectorId],
  );
  return row?.pgp_key ? openPgpKey(connectorId, row.pgp_key) : null;
}
