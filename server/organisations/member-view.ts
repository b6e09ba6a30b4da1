import { hasFactorSql } from "@/server/access/second-factor/has-second-factor";
import type { Role } from "@/server/access/roles";
import { publicId, type Id } from "@/server/core/ids";

/** A row of the members query, as raw SQL returns it. */
export interface MemberRow {
  id: Id<"mem">;
  user_id: Id<"usr">;
  role: Role;
  email: string;
  name: string;
  has_second_factor: boolean;
  created_at: Date;
}

export const memberColumns = `m.id, m.user_id, m.role, u.email, u.name, ${hasFactorSql("m.user_id")} AS has_second_factor, m.created_at`;

export function memberView(row: MemberRow) {
  return {
    id: publicId("mem", row.id),
    object: "member" as const,
    userId: publicId("usr", row.user_id),
    name: row.name,
    email: row.email,
    role: row.role,
    hasSecondFactor: row.has_second_factor,
    createdAt: row.created_at.toISOString(),
  };
}
