import { z } from "zod";
import { queueAccountMail, sendsMail } from "@/server/access/account-mail";
import { audit } from "@/server/access/audit";
import { scopeToInvite } from "@/server/access/invitations";
import { createLink } from "@/server/access/one-time-link";
import { emailAddress } from "@/server/access/password";
import { roles, type Role } from "@/server/access/roles";
import type { TxCtx } from "@/server/core/context";
import { env } from "@/server/core/env";
import { DomainError } from "@/server/core/errors";
import { earliestId, publicId } from "@/server/core/ids";
import { command, requireScope } from "@/server/core/operation";

/** Maximum number of invitations mailed to one address per hour, from all organisations together. */
const mailsPerAddress = 5;

/** Maximum number of invitations of an organisation that still work; all of them are listed. */
export const maxInvitations = 200;

const hourMs = 3_600_000;

/**
 * Invites a person to join the organisation. Withdraws earlier invitations of the same address; only owners can replace
 * one to become an owner. Leaves an audit entry.
 * If an SMTP server is configured, the link is mailed and `url` is null: a link known only to their mailbox proves that
 * the address is theirs. Otherwise, and for the operator, `url` is the link, returned once.
 * The invitation ends when its inviter leaves, is disabled or may no longer give the role (access/invitations.ts).
 *
 * @throws DomainError already_member; limit_reached if the organisation has as many open invitations as it may; rate_limited if the address or the organisation has reached its hourly number of
 * invitations.
 */
export const inviteMember = command({
  name: "members.invite",
  scope: (input) => scopeToInvite(input.role),
  input: z.strictObject({ email: emailAddress, role: z.enum(roles) }),
  async run(ctx, { email, role }) {
    await lockInvitations(ctx, email);
    const [member] = await ctx.tx.sql(
      `SELECT 1 FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.org_id = $1 AND u.email = $2`,
      [ctx.orgId, email],
    );
    if (member) throw new DomainError("already_member", "This person is a member of the organisation already.");
    const replaced = await ctx.tx.sql<{ role: Role; expired: boolean }>(
      `DELETE FROM one_time_links WHERE org_id = $1 AND purpose = 'invite' AND email = $2 AND used_at IS NULL RETURNING role, expires_at <= $3 AS expired`,
      [ctx.orgId, email, ctx.now],
    );
    if (replaced.some((earlier) => earlier.role === "owner" && !earlier.expired)) requireScope(ctx, "members:owners");
    await requireRoom(ctx);
    const mailed = sendsMail() && ctx.actor.type !== "operator";
    if (mailed) await requireMailLeft(ctx, email);
    const link = await createLink(ctx.tx, ctx.now, {
      purpose: "invite",
      orgId: ctx.orgId,
      email,
      role,
      mailed,
      createdBy: ctx.actor,
    });
    if (mailed) await queueAccountMail(ctx.tx, ctx.now, "invitation", email, link);
    await audit(ctx, "member.invited", { type: "invitation", id: publicId("inv", link.id) }, { role });
    return {
      id: publicId("inv", link.id),
      object: "invitation" as const,
      email,
      role,
      url: mailed ? null : link.url,
      expiresAt: link.expiresAt.toISOString(),
    };
  },
});

/**
 * Serialises invitations per organisation and per address. So an address has one live invitation, and concurrent
 * invitations cannot exceed the limits.
 */
async function lockInvitations({ tx, orgId }: TxCtx, email: string): Promise<void> {
  await tx.sql(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [`invitations of ${orgId}`]);
  await tx.sql(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [`invitations to ${email}`]);
}

async function requireRoom({ tx, orgId, now }: TxCtx): Promise<void> {
  const [row] = await tx.sql<{ open: number }>(
    `SELECT count(*) AS open FROM one_time_links WHERE org_id = $1 AND purpose = 'invite' AND used_at IS NULL AND expires_at > $2`,
    [orgId, now],
  );
  if (row!.open < maxInvitations) return;
  throw new DomainError(
    "limit_reached",
    `${maxInvitations} invitations of this organisation are open, as many as may be. Withdraw one that is no longer needed.`,
  );
}

async function requireMailLeft({ tx, orgId, now }: TxCtx, email: string): Promise<void> {
  const since = new Date(now.getTime() - hourMs);
  const [sent] = await tx.sql<{ to_address: number; of_organisation: number }>(
    `SELECT (SELECT count(*)::int FROM account_mails WHERE email = $1 AND kind = 'invitation' AND created_at > $2) AS to_address,
       (SELECT count(*)::int FROM audit_entries WHERE org_id = $3 AND id >= $4 AND action = 'member.invited' AND actor->>'type' <> 'operator') AS of_organisation`,
    [email, since, orgId, earliestId("aud", since)],
  );
  const ofOrganisation = env().INVITATIONS_PER_HOUR;
  const after = { headers: { "retry-after": String(hourMs / 1000) } };
  if (sent!.to_address >= mailsPerAddress)
    throw new DomainError(
      "rate_limited",
      `We sent ${mailsPerAddress} invitations to ${email} in the last hour. Ask them to look into their junk folder, or try again in an hour.`,
      after,
    );
  if (ofOrganisation > 0 && sent!.of_organisation >= ofOrganisation) {
    throw new DomainError(
      "rate_limited",
      `Your organisation sent ${ofOrganisation} invitations in the last hour, which is as many as it may. Try again in an hour, or ask the operator of this service to raise the limit.`,
      after,
    );
  }
}
