import type { TxCtx, Visitor } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import type { Tx } from "@/server/core/transaction";

export type { Visitor } from "@/server/core/context";

/**
 * Builds the context of a visitor who has been identified, in the given organisation. It has no scopes, since no role
 * authorises the action.
 */
export function admitted(visitor: Visitor, tx: Tx, orgId: Id<"org">, userId: Id<"usr">): TxCtx {
  return {
    orgId,
    actor: { type: "user", id: publicId("usr", userId) },
    scopes: new Set(),
    requestId: visitor.requestId,
    now: visitor.now,
    tx,
  };
}
