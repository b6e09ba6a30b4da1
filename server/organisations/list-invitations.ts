import { z } from "zod";
import type { Role } from "@/server/access/roles";
import { reading } from "@/server/core/db";
import { query } from "@/server/core/operation";

/** The invitations that still hold, without their links. */
export const listInvitations = query({
  name: "members.invitations",
  scope: "members:read",
  input: z.strictObject({}),
  async run(ctx) {
    const rows = await reading(ctx).sql<{ id: string; email: string; role: Role; expires_at: Date; created_at: Date }>(
      `SELECT id, email, role, expires_at, created_at FROM one_time_links
       WHERE org_id = $1 AND purpose = 'invite' AND used_at IS NULL AND expires_at > $2 ORDER BY id DESC LIMIT 200`,
      [ctx.orgId, ctx.now],
    );
    return rows.map((row) => ({
      id: row.id,
      object: "invitation" as const,
      email: row.email,
      role: row.role,
      expiresAt: row.expires_at.toISOString(),
      createdAt: row.created_at.toISOString(),
    }));
  },
});
