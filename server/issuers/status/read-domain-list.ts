import { sql } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import { Bitstring } from "@/server/standards/status-list/bitstring";
import { domainDid } from "../did";
import { findBySlug } from "../find-by-slug";
import { signingKeyOf, underDid } from "../signing-key";
import { statusListUrl, type StatusPurpose } from "./purposes";
import { readStatusList } from "./read-list";
import { signBits } from "./sign-list";
import type { SignedList } from "./signed-list";

interface Row {
  revision: number;
  bits: Buffer;
  document: string | null;
  jwt: string | null;
}

/**
 * Returns a status list of the issuer with this slug, signed under a domain of the issuer. It shows every change that
 * was committed before the call: it is a copy of the list under the host of this service.
 *
 * @throws DomainError not_found, also for a domain under which the issuer never signed
 */
export async function readDomainStatusList(
  slug: string,
  purpose: StatusPurpose,
  domain: string,
  now: Date,
): Promise<SignedList> {
  const orgId = await findBySlug(slug);
  const [known] = await sql(
    `SELECT 1 FROM issuer_domains WHERE org_id = $1 AND domain = $2 AND activated_at IS NOT NULL`,
    [orgId, domain],
  );
  if (!known) throw new DomainError("not_found", `The issuer ${JSON.stringify(slug)} does not sign under this domain.`);
  await readStatusList(slug, purpose, now);
  const [row] = await sql<Row>(found, [orgId, purpose, domain]);
  if (row!.document !== null) return { document: row!.document, jwt: row!.jwt! };
  return sign(orgId, row!, { slug, purpose, domain, now });
}

/** Signs outside of any transaction. Each concurrent call returns its own signature. */
async function sign(
  orgId: Id<"org">,
  { revision, bits }: Row,
  { slug, purpose, domain, now }: { slug: string; purpose: StatusPurpose; domain: string; now: Date },
): Promise<SignedList> {
  const key = underDid(await signingKeyOf({ orgId, now }), domainDid(domain));
  const list = Bitstring.ofLength(bits.length * 8);
  list.bytes.set(bits);
  const signed = await signBits(list, key, { url: statusListUrl(slug, purpose, domain), purpose, now });
  await sql(store, [orgId, purpose, domain, revision, signed.document, signed.jwt, key.id]);
  return signed;
}

// A list without its document: it has an older revision, or its key no longer signs.
const found = `
SELECT l.revision, l.bits, c.document, c.jwt FROM status_lists l
LEFT JOIN status_list_copies c ON c.org_id = $1 AND c.purpose = l.purpose AND c.domain = $3 AND c.revision = l.revision
  AND EXISTS (SELECT FROM issuer_keys k WHERE k.org_id = $1 AND k.id = c.key_id AND k.retired_at IS NULL)
WHERE l.org_id = $1 AND l.purpose = $2`;

const store = `
INSERT INTO status_list_copies (org_id, purpose, domain, revision, document, jwt, key_id) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (org_id, purpose, domain) DO UPDATE SET revision = excluded.revision, document = excluded.document, jwt = excluded.jwt, key_id = excluded.key_id
WHERE status_list_copies.revision <= excluded.revision`;
