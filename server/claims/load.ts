import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { linkColumns, type ClaimLinkRow } from "./view";

/** @throws DomainError not_found, also for a link of another organisation and for a deleted link */
export async function loadLink(ctx: Ctx, id: Id<"clk">, lock: "" | "FOR UPDATE" = ""): Promise<ClaimLinkRow> {
  const [row] = await reading(ctx).sql<ClaimLinkRow>(
    `SELECT ${linkColumns} FROM claim_links l WHERE l.org_id = ${opaque("$1")} AND l.id = $2 AND l.deleted_at IS NULL ${lock && `${lock} OF l`}`,
    [ctx.orgId, id],
  );
  if (!row) throw notFound("claim link", publicId("clk", id));
  return row;
}
