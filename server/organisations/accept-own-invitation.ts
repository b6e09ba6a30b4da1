import { z } from "zod";
import type { ConsoleSession } from "@/server/access/console-session";
import { requireInviter } from "@/server/access/invitations";
import type { Link } from "@/server/access/one-time-link";
import { admitted } from "@/server/access/visitor";
import { DomainError, notFound } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { lookUp } from "@/server/core/look-up";
import { personCommand } from "@/server/core/operation";
import { addMember } from "./add-member";

/**
 * Joins the organisation of an invitation to the person's own address, which must be verified. Leaves audit entries.
 *
 * @throws DomainError not_found; link_unusable if its inviter may no longer invite; already_member.
 */
export const acceptOwnInvitation = personCommand({
  name: "members.accept_own_invitation",
  input: z.strictObject({ id: id("inv") }),
  async run(visitor, tx, { user }: ConsoleSession, input) {
    const [link] = await lookUp<Pick<Link, "orgId" | "role" | "createdBy">>(
      tx.sql,
      `SELECT l.org_id AS "orgId", l.role, l.created_by AS "createdBy" FROM one_time_links l JOIN users u ON u.email = l.email AND u.email_verified_at IS NOT NULL
       WHERE l.id = $1 AND u.id = $2 AND l.purpose = 'invite' AND l.used_at IS NULL AND l.expires_at > $3`,
      [input.id, user.id, visitor.now],
    );
    if (!link) throw notFound("invitation", publicId("inv", input.id));
    await requireInviter(tx, link, visitor.now);
    const used = await tx.sql(
      `UPDATE one_time_links SET used_at = $2 WHERE id = $1 AND org_id = $3 AND used_at IS NULL RETURNING 1`,
      [input.id, visitor.now, link.orgId],
    );
    if (used.length === 0) throw new DomainError("link_unusable", "This invitation was used already or was withdrawn.");
    await addMember(admitted(visitor, tx, link.orgId!, user.id), { userId: user.id, role: link.role! });
    return { orgId: publicId("org", link.orgId!) };
  },
});
