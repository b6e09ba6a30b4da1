import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import type { Mapping } from "../mapping";
import type { RunConfig } from "./config";

/** A connector with higher precedence, which writes the fields that both connectors map. */
export interface Precedence {
  id: Id<"con">;
  mapping: Mapping;
}

/**
 * Finds the connectors with higher precedence, that is, a lower priority number. A paused one remains a source of its
 * people: another file must not replace its values meanwhile, because its next file may be unchanged and be skipped.
 */
export const precedenceOf = (
  ctx: Ctx,
  { connector_id, config }: { connector_id: Id<"con">; config: Pick<RunConfig, "priority"> },
): Promise<Precedence[]> =>
  reading(ctx).sql<Precedence>(
    `SELECT id, mapping FROM connectors WHERE org_id = $1 AND id <> $2 AND priority < $3 AND deleted_at IS NULL`,
    [ctx.orgId, connector_id, config.priority],
  );
