import { randomBytes } from "node:crypto";
import type { Query } from "@/server/core/db";
import type { Id } from "@/server/core/ids";

/** How long a link to confirm a name works, in milliseconds: 30 days. */
export const linkMs = 30 * 86_400_000;

export const newToken = () => randomBytes(18).toString("base64url");

/** SQL: whether the present link of the request `n` was mailed to another address than that of the person `s` (docs/decisions/548). */
export const isMisdirected = `EXISTS (
  SELECT FROM messages m WHERE m.org_id = n.org_id AND m.confirmation_id = n.id AND lower(m.address) <> lower(coalesce(s.email, ''))
    AND coalesce(m.sent_at, m.updated_at) >= n.link_expires_at - interval '${linkMs / 3_600_000} hours'
)`;

/**
 * Gives a request a new link if the present one was mailed to another address than the person's. The sender does so
 * before it mails the link, because a consumer of an event must not wait for the lock of the request.
 */
export async function replaceMisdirectedLink(sql: Query, orgId: Id<"org">, id: Id<"ncf">, now: Date): Promise<void> {
  await sql(
    `UPDATE name_confirmations n SET token = $3, link_expires_at = $4, updated_at = $5 FROM subjects s
     WHERE n.org_id = $1 AND n.id = $2 AND n.state = 'waiting' AND s.org_id = n.org_id AND s.id = n.subject_id AND ${isMisdirected}`,
    [orgId, id, newToken(), new Date(now.getTime() + linkMs), now],
  );
}
