import { randomBytes } from "node:crypto";
import { env } from "@/server/core/env";
import { DomainError } from "@/server/core/errors";
import { newId, type Id } from "@/server/core/ids";
import { lookUp } from "@/server/core/look-up";
import type { Actor } from "@/server/core/context";
import { sql, type Query } from "@/server/core/db";
import type { Tx } from "@/server/core/transaction";
import { hashToken } from "@/server/core/secrets";
import type { Role } from "./roles";

export type LinkPurpose = "setup" | "invite" | "password_reset" | "email_verification";

/** The console's page for each purpose; it takes the token as `?token=`. */
const pages: Record<LinkPurpose, string> = {
  setup: "/setup",
  invite: "/invite",
  password_reset: "/reset-password",
  email_verification: "/verify-email",
};

const lifetimeMs: Record<LinkPurpose, number> = {
  setup: 7 * 86_400_000,
  invite: 7 * 86_400_000,
  password_reset: 86_400_000,
  email_verification: 7 * 86_400_000,
};

/**
 * Lifetime in ms of a mailed password reset link, shorter because anybody can request one and it stays in a mailbox.
 */
export const mailedResetMs = 30 * 60_000;

export interface Link {
  id: Id<"inv">;
  purpose: LinkPurpose;
  orgId: Id<"org"> | null;
  email: string | null;
  role: Role | null;
  /** True if the link was only sent to `email` and never displayed: using it proves the address. */
  mailed: boolean;
  /** The inviter, for an invitation. */
  createdBy: Actor | null;
  expiresAt: Date;
}

interface NewLink {
  purpose: LinkPurpose;
  orgId?: Id<"org">;
  email?: string;
  role?: Role;
  mailed?: boolean;
  createdBy?: Actor;
  lifetimeMs?: number;
}

/** Creates a link that works once and returns its URL once. Stores only the hash of its token. */
export async function createLink(
  tx: Tx,
  now: Date,
  link: NewLink,
): Promise<{ id: Id<"inv">; url: string; expiresAt: Date }> {
  const token = randomBytes(32).toString("base64url");
  const id = newId("inv");
  const expiresAt = new Date(now.getTime() + (link.lifetimeMs ?? lifetimeMs[link.purpose]));
  await tx.sql(
    `INSERT INTO one_time_links (token_hash, id, purpose, org_id, email, role, mailed, created_by, expires_at, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      hashToken(token),
      id,
      link.purpose,
      link.orgId ?? null,
      link.email ?? null,
      link.role ?? null,
      link.mailed ?? false,
      link.createdBy ?? null,
      expiresAt,
      now,
    ],
  );
  return { id, url: `${env().PUBLIC_URL}${pages[link.purpose]}?token=${token}`, expiresAt };
}

const columns = `id, purpose, org_id AS "orgId", email, role, mailed, created_by AS "createdBy", expires_at AS "expiresAt"`;

/**
 * Finds the link of a token without using it up.
 *
 * @throws DomainError link_unusable for a link that is unknown, used, withdrawn, expired or meant for another purpose.
 */
export const findLink = (token: string, now: Date, purpose?: LinkPurpose): Promise<Link> =>
  findLinkIn(sql, token, now, purpose);

/** The same as findLink, within a transaction. */
export async function findLinkIn(query: Query, token: string, now: Date, purpose?: LinkPurpose): Promise<Link> {
  return usable(
    await lookUp<Link>(
      query,
      `SELECT ${columns} FROM one_time_links WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2 AND purpose = coalesce($3, purpose)`,
      [hashToken(token), now, purpose ?? null],
    ),
  );
}

/**
 * Uses up a link, in the transaction of the action that it permits. Of concurrent uses, one succeeds.
 *
 * @throws DomainError link_unusable.
 */
export async function redeemLink(tx: Tx, token: string, now: Date, purpose: LinkPurpose): Promise<Link> {
  return usable(
    await lookUp<Link>(
      tx.sql,
      `UPDATE one_time_links SET used_at = $2 WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2 AND purpose = $3 RETURNING ${columns}`,
      [hashToken(token), now, purpose],
    ),
  );
}

function usable([link]: Link[]): Link {
  if (!link)
    throw new DomainError(
      "link_unusable",
      "This link was used already, has expired or was withdrawn. Ask for a new one.",
    );
  return link;
}
