import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { requireScope } from "@/server/core/operation";
import type { Draft } from "./draft";
import { transition } from "./transition";
import type { CredentialRow } from "./view";

/**
 * Checks that a credential may be replaced. Replacing a suspended one also takes the scope credentials:revoke, and its
 * suspension can be carried over only to a credential that is valid now (docs/decisions/180).
 * @throws DomainError insufficient_scope, credential_state
 */
export function requireReplaceable(ctx: TxCtx, before: CredentialRow, next: Draft): void {
  if (before.state === "suspended") requireScope(ctx, "credentials:revoke");
  if (before.suspended_at !== null && next.state === "pending") {
    throw new DomainError(
      "credential_state",
      before.state === "suspended"
        ? "The credential is suspended, and one that starts later cannot carry the suspension on. Resume it first, or leave validFrom out."
        : `The credential was suspended when it ${before.state === "revoked" ? "was revoked" : "expired"}, and one that starts later cannot carry the suspension on. Leave validFrom out, or issue a credential of its own.`,
      {
        members: { credentialId: publicId("crd", before.id), state: before.state, action: "reissue" },
      },
    );
  }
}

/**
 * Suspends credentials that replaced suspended ones, with the reason of each: replacing a card does not end a
 * suspension, and what a policy has suspended is still the policy's to resume. The same holds if the predecessor was suspended when it expired or was revoked. Emits
 * credential.suspended.
 * @returns the rows as they are now, in the order given.
 */
export async function carrySuspensions(
  ctx: TxCtx,
  pairs: { before: CredentialRow; row: CredentialRow }[],
): Promise<CredentialRow[]> {
  const carried = pairs.filter(({ before }) => before.suspended_at !== null);
  const rows = await transition(
    ctx,
    carried.map(({ before, row }) => ({ row, reason: before.suspension_reason, byPolicy: before.suspended_by_policy })),
    "suspend",
  );
  const suspended = new Map(rows.map((row) => [row.id, row]));
  return pairs.map(({ row }) => suspended.get(row.id) ?? row);
}
