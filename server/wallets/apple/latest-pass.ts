import type { Download } from "@/server/core/download";
import type { Id } from "@/server/core/ids";
import type { Caller } from "@/server/core/turns";
import { loadPassFacts } from "../load-pass-facts";
import { findPass, type PassPath } from "./find-pass";
import { passFile } from "./pass-file";

export interface LatestPass {
  orgId: Id<"org">;
  /** As an HTTP date. */
  lastModified: string;
  /** Null if the phone has this revision already. */
  file: Download | null;
}

/**
 * Returns the current pass to a phone that has it, whatever the state of the credential (Wallet Passes, "Send an Updated
 * Pass").
 *
 * @param request.ifModifiedSince the header; the last-modified time of the phone's revision
 * @throws DomainError invalid_token; wallet_not_configured; unavailable
 */
export async function latestPass(
  request: PassPath & { authorization: string | null; ifModifiedSince: string | null; caller: Caller; now: Date },
): Promise<LatestPass> {
  const pass = await findPass(request, request.authorization);
  const { org_id: orgId, revised_at: revisedAt } = pass;
  const lastModified = revisedAt.toUTCString();
  const had = request.ifModifiedSince === null ? NaN : Date.parse(request.ifModifiedSince);
  if (had >= revisedAt.getTime()) return { orgId, lastModified, file: null };
  const facts = await loadPassFacts(pass.code, request.now);
  return { orgId, lastModified, file: await passFile(facts, pass, request) };
}
