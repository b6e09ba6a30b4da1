import { sql } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { lookUp } from "@/server/core/look-up";
import { hashToken } from "@/server/core/secrets";
import type { LinkPurpose } from "./one-time-link";
import { recordSecurityEvent } from "./security-events";
import type { Visitor } from "./visitor";

interface Row {
  id: Id<"inv">;
  purpose: LinkPurpose;
  orgId: Id<"org"> | null;
  email: string | null;
  isUsed: boolean;
  isExpired: boolean;
}

/** Records that somebody tried a link that does not work: used, expired, meant for another purpose, or unknown. */
export async function noteMisusedLink(visitor: Visitor, token: string): Promise<void> {
  const [link] = await lookUp<Row>(
    sql,
    `SELECT id, purpose, org_id AS "orgId", email, used_at IS NOT NULL AS "isUsed", expires_at <= $2 AS "isExpired" FROM one_time_links WHERE token_hash = $1`,
    [hashToken(token), visitor.now],
  );
  const reason = !link ? "unknown" : link.isUsed ? "used" : link.isExpired ? "expired" : "other_purpose";
  recordSecurityEvent({
    type: "link_misused",
    orgId: link?.orgId ?? null,
    // A link to reset a password or verify an address concerns an account. An invitation concerns its organisation,
    // even if its address has an account.
    ...(link && !link.orgId && link.email && { account: { email: link.email } }),
    ...(link && { target: { type: "invitation", id: publicId("inv", link.id) } }),
    detail: { reason, ...(link && { purpose: link.purpose }) },
    address: visitor.address,
    requestId: visitor.requestId,
    at: visitor.now,
  });
}
