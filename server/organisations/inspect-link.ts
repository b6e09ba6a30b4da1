import { z } from "zod";
import { requireInviter } from "@/server/access/invitations";
import { findLink } from "@/server/access/one-time-link";
import type { Visitor } from "@/server/access/visitor";
import { sql } from "@/server/core/db";
import { parseInput } from "@/server/core/input";
import { transaction } from "@/server/core/transaction";

const inspectInput = z.strictObject({ token: z.string().max(200) });

/**
 * Returns what the page of a one-time link needs to show and to ask for.
 *
 * @throws DomainError link_unusable.
 */
export async function inspectLink(visitor: Visitor, input: z.input<typeof inspectInput>) {
  const { token } = parseInput(inspectInput, input);
  const link = await findLink(token, visitor.now);
  if (link.purpose === "invite") await transaction((tx) => requireInviter(tx, link, visitor.now));
  const [about] = await sql<{ organisation: string | null; has_account: boolean; verified: boolean }>(
    `SELECT (SELECT name FROM organisations WHERE id = $1) AS organisation, EXISTS (SELECT 1 FROM users WHERE email = $2) AS has_account,
       EXISTS (SELECT 1 FROM users WHERE email = $2 AND email_verified_at IS NOT NULL) AS verified`,
    [link.orgId, link.email],
  );
  return {
    purpose: link.purpose,
    email: link.email,
    role: link.role,
    organisationName: about!.organisation,
    hasAccount: about!.has_account,
    /** True if the account's address is unverified and this link proves it: its reader may choose a new password. */
    canTakeOver: about!.has_account && !about!.verified && link.mailed && link.purpose === "invite",
    expiresAt: link.expiresAt.toISOString(),
  };
}
