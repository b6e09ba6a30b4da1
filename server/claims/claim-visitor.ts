import type { TxCtx, Visitor } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import type { Scope } from "@/server/core/scopes";
import type { Tx } from "@/server/core/transaction";

/**
 * The context of a visitor of a public page in the organisation of that page. The link, or the proven address, authorises
 * the visitor.
 * @param scopes the scopes that issuing requires
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

/** The scopes with which a claim issues. They are fixed, because a claim link outlives whoever created it (decision 465). */
export const claimVisitorScopes: readonly Scope[] = ["credentials:issue", "subjects:write"];
