import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { deliveryColumns, type DeliveryRow } from "./delivery-view";

/** @throws DomainError `not_found`, also for a delivery of another organisation. */
export async function loadDelivery(ctx: Ctx, id: Id<"dlv">): Promise<DeliveryRow> {
  const [row] = await reading(ctx).sql<DeliveryRow>(
    `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE org_id = ${opaque("$1")} AND id = $2`,
    [ctx.orgId, id],
  );
  if (!row) throw notFound("webhook delivery", publicId("dlv", id));
  return row;
}
