import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { connectorColumns, type ConnectorRow } from "./view";

/** @throws DomainError not_found, also for a connector of another organisation and for a deleted one */
export async function loadConnector(
  ctx: Ctx,
  id: Id<"con">,
  lock: "" | "FOR UPDATE" | "FOR SHARE" = "",
): Promise<ConnectorRow> {
  const [row] = await reading(ctx).sql<ConnectorRow>(
    `SELECT ${connectorColumns} FROM connectors WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL ${lock}`,
    [ctx.orgId, id],
  );
  if (!row) throw notFound("connector", publicId("con", id));
  return row;
}
