import type { ConsoleSession } from "@/server/access/console-session";
import type { Role } from "@/server/access/roles";
import type { Visitor } from "@/server/access/visitor";
import { sql } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";

/**
 * Lists the open invitations to a person's address, in all organisations. Returns none if the address is not verified,
 * because it may belong to somebody else.
 */
export async function listOwnInvitations({ now }: Visitor, { user }: ConsoleSession) {
  const rows = await sql<{ id: Id<"inv">; role: Role; organisation: string; expires_at: Date }>(
    `SELECT l.id, l.role, o.name AS organisation, l.expires_at FROM one_time_links l
     JOIN organisations o ON o.id = l.org_id JOIN users u ON u.email = l.email AND u.email_verified_at IS NOT NULL
     WHERE u.id = $1 AND l.purpose = 'invite' AND l.used_at IS NULL AND l.expires_at > $2
       AND NOT EXISTS (SELECT 1 FROM memberships m WHERE m.org_id = l.org_id AND m.user_id = u.id) ORDER BY l.id LIMIT 100`,
    [user.id, now],
  );
  return rows.map((row) => ({
    id: publicId("inv", row.id),
    organisationName: row.organisation,
    role: row.role,
    expiresAt: row.expires_at.toISOString(),
  }));
}
