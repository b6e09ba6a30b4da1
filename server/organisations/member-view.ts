import type { Role } from "@/server/access/roles";

/** A row of members, as raw SQL returns it. */
export interface MemberRow {
  id: string;
  user_id: string;
  role: Role;
  email: string;
  name: string;
  created_at: Date;
}

export const memberColumns = "m.id, m.user_id, m.role, u.email, u.name, m.created_at";

export function memberView(row: MemberRow) {
  return {
    id: row.id,
    object: "member" as const,
    userId: row.user_id,
    name: row.name,
    email: row.email,
    role: row.role,
    createdAt: row.created_at.toISOString(),
  };
}
