import type { TxCtx, Visitor } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import type { Scope } from "@/server/core/scopes";
import type { Tx } from "@/server/core/transaction";

/**
 * The context of somebody at a public page, in the organisation that it belongs to. The link, or the proven address,
 * authorises them.
 * @param scopes what issuing asks for
 */
export function visitorIn(visitor: Visitor, tx: Tx, orgId: Id<"org">, scopes: readonly Scope[] = []): TxCtx {
  return {
    orgId,
    actor: { type: "public", id: "claim" },
    scopes: new Set(scopes),
    requestId: visitor.requestId,
    now: visitor.now,
    tx,
  };
}

/** What a claim needs to issue. A claim link belongs to the organisation and outlives whoever made it (decision 465). */
export const claimVisitorScopes: readonly Scope[] = ["credentials:issue", "subjects:write"];
