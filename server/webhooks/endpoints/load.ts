import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { DomainError, notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { endpointColumns, type EndpointRow } from "./view";

/** @throws DomainError not_found, also for one that was deleted or is another organisation's. */
export async function loadEndpoint(ctx: Ctx, id: Id<"whe">, lock: "" | "FOR UPDATE" = ""): Promise<EndpointRow> {
  const [row] = await reading(ctx).sql<EndpointRow>(
    `SELECT ${endpointColumns} FROM webhook_endpoints WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL ${lock}`,
    [ctx.orgId, id],
  );
  if (!row) throw notFound("webhook endpoint", publicId("whe", id));
  return row;
}

/**
 * For commands that send. Not locked: what they do can take seconds. @throws DomainError endpoint_state where it is
 * paused or disabled.
 */
export async function loadActiveEndpoint(ctx: Ctx, id: Id<"whe">): Promise<EndpointRow> {
  const row = await loadEndpoint(ctx, id);
  if (row.status !== "active")
    throw new DomainError("endpoint_state", `The endpoint is ${row.status}. Enable it first.`);
  return row;
}
