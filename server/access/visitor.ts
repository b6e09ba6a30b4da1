import type { TxCtx, Visitor } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import type { Tx } from "@/server/core/transaction";

export type { Visitor } from "@/server/core/context";

/**
 * The context of what a visitor does once it is known who they are, in the given organisation: without any scope, since
 * no role admits it.
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
