import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { DomainError, notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { endpointColumns, type EndpointRow } from "./view";

/** @throws DomainError `not_found`, also for a deleted endpoint or one of another organisation. */
export async function loadEndpoint(ctx: Ctx, id: Id<"whe">, lock: "" | "FOR UPDATE" = ""): Promise<EndpointRow> {
  const [row] = await reading(ctx).sql<EndpointRow>(
    `SELECT ${endpointColumns} FROM webhook_endpoints WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL ${lock}`,
    [ctx.orgId, id],
  );
  if (!row) throw notFound("webhook endpoint", publicId("whe", id));
  return row;
}

/**
 * Loads the endpoint for a command that sends. The row is not locked, because sending can take seconds.
 *
 * @throws DomainError `endpoint_state` if the endpoint is paused or disabled.
 */
export async function loadActiveEndpoint(ctx: Ctx, id: Id<"whe">): Promise<EndpointRow> {
  const row = await loadEndpoint(ctx, id);
  if (row.status !== "active")
    throw new DomainError("endpoint_state", `The endpoint is ${row.status}. Enable it first.`);
  return row;
}
