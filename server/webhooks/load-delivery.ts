import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { notFound } from "@/server/core/errors";
import { isId } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { deliveryColumns, type DeliveryRow } from "./delivery-view";

/** @throws DomainError not_found, also for a delivery of another organisation. */
export async function loadDelivery(ctx: Ctx, id: string): Promise<DeliveryRow> {
  const [row] = isId("dlv", id)
    ? await reading(ctx).sql<DeliveryRow>(`SELECT ${deliveryColumns} FROM webhook_deliveries WHERE org_id = ${opaque("$1")} AND id = $2`, [ctx.orgId, id])
    : [];
  if (!row) throw notFound("webhook delivery", id);
  return row;
}
