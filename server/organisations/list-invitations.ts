import { z } from "zod";
import type { Role } from "@/server/access/roles";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { query } from "@/server/core/operation";
import { maxInvitations } from "./invite-member";

/**
 * Lists the invitations that still work, without their links. `mail` is the state of the e-mail; null if the link was
 * not mailed.
 */
export const listInvitations = query({
  name: "members.invitations",
  scope: "members:read",
  input: z.strictObject({}),
  async run(ctx) {
    const rows = await reading(ctx).sql<{
      id: Id<"inv">;
      email: string;
      role: Role;
      mail: "pending" | "sent" | "failed" | null;
      expires_at: Date;
      created_at: Date;
    }>(
      `SELECT l.id, l.email, l.role, l.expires_at, l.created_at, m.state AS mail FROM one_time_links l LEFT JOIN account_mails m ON m.link_id = l.id
       WHERE l.org_id = $1 AND l.purpose = 'invite' AND l.used_at IS NULL AND l.expires_at > $2 ORDER BY l.id DESC LIMIT ${maxInvitations}`,
      [ctx.orgId, ctx.now],
    );
    return rows.map((row) => ({
      id: publicId("inv", row.id),
      object: "invitation" as const,
      email: row.email,
      role: row.role,
      mail: row.mail,
      expiresAt: row.expires_at.toISOString(),
      createdAt: row.created_at.toISOString(),
    }));
  },
});
