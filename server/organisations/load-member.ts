import type { TxCtx } from "@/server/core/context";
import { DomainError, notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { requireScope } from "@/server/core/operation";
import { memberColumns, type MemberRow } from "./member-view";

/**
 * Loads a member whose role is about to change or end. Locks the organisation's owners first, so that two owners cannot
 * demote each other at the same time.
 *
 * @throws DomainError not_found; insufficient_scope if the member is an owner and the caller may not change owners;
 * last_owner.
 */
export async function loadMemberToChange(ctx: TxCtx, id: Id<"mem">, staysOwner: boolean): Promise<MemberRow> {
  const owners = await ctx.tx.sql<{ id: Id<"mem"> }>(
    `SELECT id FROM memberships WHERE org_id = $1 AND role = 'owner' ORDER BY id FOR UPDATE`,
    [ctx.orgId],
  );
  const [member] = await ctx.tx.sql<MemberRow>(
    `SELECT ${memberColumns} FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.org_id = $1 AND m.id = $2 FOR UPDATE OF m`,
    [ctx.orgId, id],
  );
  if (!member) throw notFound("member", publicId("mem", id));
  if (member.role !== "owner") return member;
  requireScope(ctx, "members:owners");
  if (!staysOwner && owners.length === 1) {
    const how = await howToAddOwner(ctx);
    throw new DomainError(
      "last_owner",
      `This is the organisation's last owner. Make someone else an owner first${how}.`,
    );
  }
  return member;
}

/** Tells an operator the command; others have the console or the API in front of them. */
async function howToAddOwner(ctx: TxCtx): Promise<string> {
  if (ctx.actor.type !== "operator") return "";
  const [row] = await ctx.tx.sql<{ slug: string }>(`SELECT slug FROM organisations WHERE id = $1`, [ctx.orgId]);
  return `: npm run admin -- user create --org ${row!.slug} --email <address> --role owner`;
}
