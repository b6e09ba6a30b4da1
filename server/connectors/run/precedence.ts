import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import type { Mapping } from "../mapping";
import type { RunConfig } from "./config";

/** A connector that comes first where both map a field. */
export interface Precedence {
  id: Id<"con">;
  mapping: Mapping;
}

/** The connectors that come before this one (priority). */
export const precedenceOf = (
  ctx: Ctx,
  { connector_id, config }: { connector_id: Id<"con">; config: Pick<RunConfig, "priority"> },
): Promise<Precedence[]> =>
  reading(ctx).sql<Precedence>(
    `SELECT id, mapping FROM connectors WHERE org_id = $1 AND id <> $2 AND priority < $3 AND status = 'active' AND deleted_at IS NULL`,
    [ctx.orgId, connector_id, config.priority],
  );
