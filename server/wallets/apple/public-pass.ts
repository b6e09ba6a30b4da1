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
 * Returns the pass of a credential to anyone who has its code, where the template offers Apple Wallet and the credential
 * is valid. The first call makes the pass and emits credential.channel.provisioned.
 *
 * @throws DomainError not_found; wallet_not_offered; wallet_not_configured; credential_state unless it is valid;
 *   unavailable
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
  // Read again: a change after the first look and before the pass was made would tell no phone.
  return { orgId, file: await passFile(await loadPassFacts(code, now), row, { caller, now }) };
}
