import type { Actor, TxCtx } from "@/server/core/context";
import type { Query } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import type { Scope } from "@/server/core/scopes";
import type { Tx } from "@/server/core/transaction";
import { audit } from "./audit";
import { findLinkIn, redeemLink, type Link } from "./one-time-link";
import type { Role } from "./roles";
import { actorStanding } from "./standing";

/** The scope needed to invite somebody with this role. */
export const scopeToInvite = (role: Role): Scope => (role === "owner" ? "members:owners" : "members:write");

/** An invitation that is unused and still works. */
export interface GivenInvitation {
  id: Id<"inv">;
  email: string;
  role: Role;
}

/** Lists the invitations that this person made in the organisation and that still work, newest first. */
export function invitationsGivenBy(
  sql: Query,
  orgId: Id<"org">,
  userId: Id<"usr">,
  now: Date,
): Promise<GivenInvitation[]> {
  return sql<GivenInvitation>(
    `SELECT id, email, role FROM one_time_links
     WHERE org_id = $1 AND purpose = 'invite' AND used_at IS NULL AND expires_at > $3 AND created_by @> $2 ORDER BY id DESC LIMIT 1000`,
    [orgId, { type: "user", id: publicId("usr", userId) }, now],
  );
}

/**
 * Withdraws the invitations of a person that exceed `scopes`: someone who leaves or is demoted must not come back by an
 * invitation that they made before. Leaves an audit entry for each.
 *
 * @returns how many were withdrawn
 */
export async function withdrawInvitationsGivenBy(
  ctx: TxCtx,
  userId: Id<"usr">,
  scopes: ReadonlySet<Scope>,
): Promise<number> {
  const given = await invitationsGivenBy(ctx.tx.sql, ctx.orgId, userId, ctx.now);
  const ended = given.filter(({ role }) => !scopes.has(scopeToInvite(role)));
  for (const { id, role } of ended) {
    ctx.tx.send(`DELETE FROM one_time_links WHERE org_id = $1 AND id = $2 AND used_at IS NULL`, [ctx.orgId, id]);
    await audit(
      ctx,
      "member.invitation_withdrawn",
      { type: "invitation", id: publicId("inv", id) },
      { role, inviter: publicId("usr", userId) },
    );
  }
  return ended.length;
}

/**
 * Refuses an invitation whose inviter may no longer invite. This catches invitations that were made while the inviter
 * was being removed and so were not withdrawn. Locks the inviter's membership until the transaction ends.
 *
 * @throws DomainError link_unusable
 */
export async function requireInviter(
  tx: Tx,
  { orgId, role, createdBy }: Pick<Link, "orgId" | "role"> & { createdBy: Actor | null },
  now: Date,
): Promise<void> {
  if (!createdBy) return;
  const standing = await actorStanding(tx, orgId!, createdBy, now);
  if ("scopes" in standing && standing.scopes.has(scopeToInvite(role!))) return;
  throw new DomainError(
    "link_unusable",
    "Whoever sent this invitation may no longer invite people to the organisation. Ask one of its owners for a new one.",
  );
}

/**
 * Uses up an invitation whose inviter may still invite.
 *
 * @throws DomainError link_unusable.
 */
export async function redeemInvitation(tx: Tx, token: string, now: Date): Promise<Link> {
  // Lock the inviter's membership before the link, in the same order as removing a member does, so that the two cannot
  // deadlock.
  await requireInviter(tx, await findLinkIn(tx.sql, token, now, "invite"), now);
  return redeemLink(tx, token, now, "invite");
}
