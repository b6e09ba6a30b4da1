import { roleScopes } from "./roles";
import type { TxCtx } from "@/server/core/context";
import type { Tx } from "@/server/core/transaction";

/** Someone who has not signed in. What they may do, a password or a one-time link admits. */
export interface Visitor {
  /** The caller's address, as far as TRUST_PROXY lets it be known. */
  address: string;
  requestId: string;
  now: Date;
}

/** The context of what a visitor does once it is known who they are: as an owner would, in the given organisation. */
export function admitted(visitor: Visitor, tx: Tx, orgId: string, userId: string): TxCtx {
  return { orgId, actor: { type: "user", id: userId }, scopes: roleScopes.owner, requestId: visitor.requestId, now: visitor.now, tx };
}
