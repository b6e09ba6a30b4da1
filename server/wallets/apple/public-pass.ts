import type { Download } from "@/server/core/download";
import type { TxCtx } from "@/server/core/context";
import { sql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import type { Caller } from "@/server/core/turns";
import { loadPassFacts } from "../load-pass-facts";
import { requireOffered } from "../require-offered";
import { ensurePass } from "./ensure-pass";
import { passFile } from "./pass-file";
import { requireIdentity } from "./settings";

/**
 * Returns the Apple pass of a credential to anyone who has its code, if the template offers Apple Wallet and the
 * credential is valid. The first call creates the pass and emits credential.channel.provisioned.
 *
 * @throws DomainError not_found; wallet_not_offered; wallet_not_configured; credential_state if the credential is not
 *   valid; unavailable
 */
export async function publicApplePass(
  code: string,
  { caller, requestId, now }: { caller: Caller; requestId: string; now: Date },
): Promise<{ orgId: Id<"org">; file: Download }> {
  const facts = await loadPassFacts(code, now);
  requireOffered(facts, "apple");
  const { org_id: orgId, id } = facts.evidence;
  const { passTypeId } = await requireIdentity(sql, orgId, now);
  const row = await transaction((tx) => {
    const ctx: TxCtx = { orgId, actor: { type: "public", id: "anonymous" }, scopes: new Set(), requestId, now, tx };
    return ensurePass(ctx, id, passTypeId);
  });
  // Load the facts again: a change before the row of the pass was committed made no new revision, so phones would miss it.
  return { orgId, file: await passFile(await loadPassFacts(code, now), row, { caller, now }) };
}
