import { hash } from "node:crypto";
import { sql } from "@/server/core/db";
import type { Ctx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { signingKeyOf } from "@/server/issuers/signing-key";
import { statusEntriesOf, statusPlacesOf } from "@/server/issuers/status/entries";
import { signJwt } from "@/server/standards/jose/sign-jwt";
import { badgeDocument } from "./document";
import type { BadgeFacts } from "./facts";
import { signBadge } from "./sign-badge";

/** The signed document of a credential. */
export interface SignedBadge {
  /** With a Data Integrity proof (`eddsa-rdfc-2022`), as JSON. */
  document: string;
  /** The same credential as `vc+jwt`. */
  jwt: string;
}

/**
 * Returns the signed document of an academic credential. The first call signs and stores it. Later calls return the
 * same bytes until its content changes, such as the expiry, a result or the name of the issuer. A rotation of the
 * issuer's key changes nothing, because the retired key still verifies; a document with a revoked key is signed again.
 * Call it outside of transactions, because it signs and writes.
 *
 * @throws DomainError `wrong_kind` for another kind of credential; `holder_erased` after the holder was erased
 */
export async function signedBadge(ctx: Pick<Ctx, "orgId" | "now">, facts: BadgeFacts): Promise<SignedBadge> {
  if (facts.kind !== "academic")
    throw new DomainError(
      "wrong_kind",
      `Only academic credentials have a document that other verifiers read. This one is of the kind ${facts.kind}.`,
    );
  if (facts.erased_at) throw erased();
  const key = await signingKeyOf(ctx);
  const place = (await statusPlacesOf(ctx, [facts.id])).get(facts.id);
  const unsigned = badgeDocument(facts, key.did, place ? statusEntriesOf(place, key.domain) : []);
  const digest = hash("sha256", JSON.stringify(unsigned), "base64url");
  const stored = await read(ctx, facts, digest);
  if (stored) return stored;
  const [signed, jwt] = await Promise.all([signBadge(unsigned, key, ctx.now), signJwt(unsigned, "vc", key)]);
  await sql(storeStatement, [ctx.orgId, facts.id, digest, signed, jwt, ctx.now, key.id]);
  // If several calls signed concurrently, one document was stored.
  const kept = await read(ctx, facts, digest);
  if (!kept) throw erased();
  return kept;
}

const erased = () =>
  new DomainError(
    "holder_erased",
    "The holder asked for erasure, so the document of this credential is no longer given out.",
  );

async function read(
  { orgId }: Pick<Ctx, "orgId">,
  { id }: BadgeFacts,
  digest: string,
): Promise<SignedBadge | undefined> {
  const [row] = await sql<SignedBadge>(
    `SELECT document, jwt FROM badge_documents d WHERE org_id = $1 AND credential_id = $2 AND digest = $3 AND ${trusted}`,
    [orgId, id, digest],
  );
  return row;
}

/** SQL: whether the key that signed the document `d` has not been revoked since. */
const trusted = `NOT EXISTS (SELECT FROM issuer_keys k WHERE k.org_id = $1 AND k.id = d.key_id AND k.revoked_at IS NOT NULL)`;

// The lock on the subject waits for a running erasure, and stores nothing after it.
const storeStatement = `
INSERT INTO badge_documents AS d (org_id, credential_id, digest, document, jwt, signed_at, key_id)
SELECT $1, c.id, $3, $4, $5, $6, $7::uuid FROM credentials c JOIN subjects s ON s.org_id = c.org_id AND s.id = c.subject_id
WHERE c.org_id = $1 AND c.id = $2 AND s.erased_at IS NULL FOR SHARE OF s
ON CONFLICT (org_id, credential_id) DO UPDATE SET digest = excluded.digest, document = excluded.document, jwt = excluded.jwt, signed_at = excluded.signed_at, key_id = excluded.key_id
WHERE d.digest <> excluded.digest OR NOT ${trusted}`;
