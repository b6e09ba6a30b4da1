import { audit } from "@/server/access/audit";
import type { TxCtx } from "@/server/core/context";
import type { Told } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import type { Connection } from "./connection";

/**
 * Leaves an audit entry for a directory's write without an event: each command leaves a trace with its actor. The entry
 * contains names of attributes and counts, but no values, because values identify people.
 */
export function trace(
  ctx: TxCtx,
  connection: Pick<Connection, "id">,
  action: string,
  target: { user: Id<"sub"> } | { group: Id<"grp"> } | "connection",
  detail: Record<string, Told> = {},
): Promise<void> {
  const connectorId = publicId("con", connection.id);
  const [type, id] =
    target === "connection"
      ? ["connector", connectorId]
      : "user" in target
        ? ["subject", publicId("sub", target.user)]
        : ["group", publicId("grp", target.group)];
  return audit(ctx, action, { type, id }, { connectorId, ...detail });
}
