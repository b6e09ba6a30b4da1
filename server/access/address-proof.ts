import { createHmac, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import type { Query } from "@/server/core/db";
import { env } from "@/server/core/env";
import { DomainError } from "@/server/core/errors";
import { newId, uuidOf, type Id } from "@/server/core/ids";
import { lookUp } from "@/server/core/look-up";
import { deriveKeys, hashToken } from "@/server/core/secrets";
import type { Tx } from "@/server/core/transaction";
import { queueAccountMail, sendsMail } from "./account-mail";

const minute = 60_000;

/** How long a mailed code or link works, and how long a browser may continue after the right code was entered. */
export const codeMs = 15 * minute;
export const provedMs = 60 * minute;

/** After this many wrong codes, a new code is needed. */
export const maxGuesses = 5;

/** The maximum number of mails to one address, so that nobody can fill a stranger's mailbox. */
export const mailsPerHour = 5;
export const mailsPerDay = 15;

/** A proof, not yet given, that a person reads the mail of an address. */
export interface AddressProof {
  id: Id<"prf">;
  orgId: Id<"org"> | null;
  claimLinkId: Id<"clk"> | null;
  email: string;
  fromEmail: string | null;
  codeHash: string | null;
  guesses: number;
  provedAt: Date | null;
}

const columns = `id, org_id AS "orgId", claim_link_id AS "claimLinkId", email, from_email AS "fromEmail", code_hash AS "codeHash", guesses, proved_at AS "provedAt"`;

const newToken = () => randomBytes(32).toString("base64url");

/** @throws DomainError mail_not_configured where the operator configured no SMTP server. */
export function requireMail(): void {
  if (sendsMail()) return;
  throw new DomainError(
    "mail_not_configured",
    "This service sends no e-mail yet, so it cannot check addresses. Ask the organisation, or whoever runs the service.",
  );
}

/**
 * Mails a code of six digits for a claim. The browser keeps the token: a code works only in the browser that requested
 * it.
 *
 * @returns the token; null if the address got too many mails
 */
export async function mailCode(
  tx: Tx,
  now: Date,
  proof: { email: string; orgId: Id<"org">; claimLinkId: Id<"clk">; locale: string },
): Promise<string | null> {
  if (await hasEnoughMails(tx, now, proof.email)) return null;
  const token = newToken();
  const id = newId("prf");
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  await tx.sql(
    `INSERT INTO address_proofs (id, purpose, org_id, claim_link_id, email, token_hash, code_hash, expires_at, created_at) VALUES ($1, 'claim', $2, $3, $4, $5, $6, $7, $8)`,
    [
      id,
      proof.orgId,
      proof.claimLinkId,
      proof.email,
      hashToken(token),
      hashesOf(id, code)[0],
      new Date(now.getTime() + codeMs),
      now,
    ],
  );
  await queueAccountMail(tx, now, "claim_code", proof.email, { id, url: code }, proof.locale);
  return token;
}

/**
 * Mails a link to an address that opens the holder's home, or adds the address to it. An address that got too many
 * mails gets none, and the caller is not told.
 *
 * @param fromEmail the proven address of the person who adds this one
 */
export async function mailHomeLink(
  tx: Tx,
  now: Date,
  email: string,
  fromEmail: string | null,
  locale: string,
): Promise<void> {
  if (await hasEnoughMails(tx, now, email)) return;
  const token = newToken();
  const id = newId("prf");
  const purpose = fromEmail === null ? "home" : "home_address";
  await lookUp(
    tx.sql,
    `INSERT INTO address_proofs (id, purpose, email, from_email, token_hash, expires_at, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [id, purpose, email, fromEmail, hashToken(token), new Date(now.getTime() + provedMs), now],
  );
  const url = `${env().PUBLIC_URL}/home/enter?token=${token}`;
  await queueAccountMail(tx, now, fromEmail === null ? "home_link" : "home_address", email, { id, url }, locale);
}

/** The lock makes concurrent requests count one after another. */
async function hasEnoughMails(tx: Tx, now: Date, email: string): Promise<boolean> {
  await tx.sql(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [`proofs of ${email}`]);
  const [sent] = await lookUp<{ hour: number; day: number }>(
    tx.sql,
    `SELECT count(*) FILTER (WHERE created_at > $2)::int AS hour, count(*)::int AS day FROM address_proofs WHERE email = $1 AND created_at > $3`,
    [email, new Date(now.getTime() - 60 * minute), new Date(now.getTime() - 24 * 60 * minute)],
  );
  return sent!.hour >= mailsPerHour || sent!.day >= mailsPerDay;
}

/**
 * The proof of a live token: that of a claim, which the browser keeps, or that of a link to the holder's home or a new
 * address.
 */
export async function findProof(
  query: Query,
  token: string,
  now: Date,
  purpose: "claim" | "home",
  lock: "" | "FOR UPDATE" = "",
): Promise<AddressProof | undefined> {
  const [proof] = await lookUp<AddressProof>(
    query,
    `SELECT ${columns} FROM address_proofs WHERE token_hash = $1 AND expires_at > $2 AND (purpose = 'claim') = $3 ${lock}`,
    [hashToken(token), now, purpose === "claim"],
  );
  return proof;
}

/**
 * Tries a code. Each try counts, even concurrent ones, because the row is locked.
 *
 * @returns the result; `over`: the code is used up by wrong tries
 */
export async function tryCode(tx: Tx, token: string, code: string, now: Date): Promise<"right" | "wrong" | "over"> {
  const proof = await findProof(tx.sql, token, now, "claim", "FOR UPDATE");
  if (!proof) return "over";
  if (proof.provedAt) return "right";
  if (proof.guesses >= maxGuesses) return "over";
  const isRight = hashesOf(proof.id, code).some((hash) => equal(hash, proof.codeHash!));
  await lookUp(
    tx.sql,
    isRight
      ? `UPDATE address_proofs SET proved_at = $2, code_hash = NULL, expires_at = $3 WHERE id = $1`
      : `UPDATE address_proofs SET guesses = guesses + 1 WHERE id = $1`,
    isRight ? [proof.id, now, new Date(now.getTime() + provedMs)] : [proof.id],
  );
  if (isRight) return "right";
  return proof.guesses + 1 >= maxGuesses ? "over" : "wrong";
}

/** Uses up the link of a mail. Of concurrent uses, one succeeds. */
export async function redeemHomeLink(tx: Tx, token: string, now: Date): Promise<AddressProof | undefined> {
  const [proof] = await lookUp<AddressProof>(
    tx.sql,
    `UPDATE address_proofs SET proved_at = $2, expires_at = $2 WHERE token_hash = $1 AND expires_at > $2 AND proved_at IS NULL AND purpose IN ('home', 'home_address') RETURNING ${columns}`,
    [hashToken(token), now],
  );
  return proof;
}

/**
 * Hashed with a key, because a plain hash could be tried against all million codes. Tries the current secret, then the
 * previous one.
 */
const hashesOf = (id: Id<"prf">, code: string): string[] =>
  deriveKeys("address-proof").map((key) =>
    createHmac("sha256", key)
      .update(`${uuidOf(id)} ${code}`)
      .digest("hex"),
  );

const equal = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
