import type { TxCtx } from "@/server/core/context";
import type { TokenScope } from "@/server/core/scopes";
import { resumeCredential } from "./resume";
import { revokeCredential } from "./revoke";
import { suspendCredential } from "./suspend";
import { updateCredential } from "./update";
import type { CredentialView } from "./view";

/**
 * The actions of a bulk request (spec section 4). Each takes a row that is what the single endpoint takes, its id
 * included.
 */
export const bulkActions = ["issue", "suspend", "resume", "revoke", "update"] as const;
export type BulkAction = (typeof bulkActions)[number];

export const scopeOfAction: Record<BulkAction, TokenScope> = {
  issue: "credentials:issue",
  suspend: "credentials:suspend",
  resume: "credentials:suspend",
  revoke: "credentials:revoke",
  update: "credentials:issue",
};

type RowOperation = (ctx: TxCtx, item: unknown) => Promise<CredentialView>;

// A row is checked by the operation itself, so its type is not known before.
const operations: Record<Exclude<BulkAction, "issue">, RowOperation> = {
  suspend: (ctx, item) => suspendCredential(ctx, item as Parameters<typeof suspendCredential>[1]),
  resume: (ctx, item) => resumeCredential(ctx, item as Parameters<typeof resumeCredential>[1]),
  revoke: (ctx, item) => revokeCredential(ctx, item as Parameters<typeof revokeCredential>[1]),
  update: (ctx, item) => updateCredential(ctx, item as Parameters<typeof updateCredential>[1]),
};

/** Does an action to one credential. Credentials are issued as a set, see bulk-rows.ts. */
export function runAction(ctx: TxCtx, action: Exclude<BulkAction, "issue">, item: unknown): Promise<CredentialView> {
  return operations[action](ctx, item);
}
