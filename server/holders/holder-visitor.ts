import type { TxCtx, Visitor } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import type { Tx } from "@/server/core/transaction";

/** The context of a holder at their home page, in one of the organisations that have them on record. It has no scopes. */
export function holderIn(visitor: Visitor, tx: Tx, orgId: Id<"org">): TxCtx {
  return {
    orgId,
    actor: { type: "public", id: "holder" },
    scopes: new Set(),
    requestId: visitor.requestId,
    now: visitor.now,
    tx,
  };
}
