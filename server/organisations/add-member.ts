import { audit } from "@/server/access/audit";
import type { Role } from "@/server/access/roles";
import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { newId, publicId, type Id } from "@/server/core/ids";

/**
 * Makes a person a member of the context's organisation. Leaves an audit entry.
 *
 * @throws DomainError already_member.
 */
export async function addMember(ctx: TxCtx, { userId, role }: { userId: Id<"usr">; role: Role }): Promise<Id<"mem">> {
  const id = newId("mem");
  const made = await ctx.tx.sql(
    `INSERT INTO memberships (org_id, id, user_id, role, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (org_id, user_id) DO NOTHING RETURNING id`,
    [ctx.orgId, id, userId, role, ctx.now],
  );
  if (made.length === 0)
    throw new DomainError("already_member", "This person is a member of the organisation already.");
  await audit(
    ctx,
    "member.joined",
    { type: "member", id: publicId("mem", id) },
    { userId: publicId("usr", userId), role },
  );
  return id;
}
