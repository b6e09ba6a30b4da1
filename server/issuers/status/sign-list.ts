import { sql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { eddsaRdfc2022 } from "@/server/standards/data-integrity/eddsa-rdfc-2022";
import { signDocument } from "@/server/standards/data-integrity/sign-document";
import { signJwt } from "@/server/standards/jose/sign-jwt";
import { Bitstring } from "@/server/standards/status-list/bitstring";
import { statusListCredential } from "@/server/standards/status-list/list-credential";
import { issuerDid } from "../did";
import { signingKeyOf, underDid, type SigningKey } from "../signing-key";
import { lanes } from "./claim";
import { endedSince } from "./ended-early";
import { statusListUrl, type StatusPurpose } from "./purposes";
import { listTtlMs, listValidMs, type SignedList } from "./signed-list";

/** How far the clocks of verifiers may be behind ours. */
const clockSkewMs = 60_000;

/**
 * SQL: the credentials that are set in the list of each purpose. A credential that ended earlier than one of its
 * documents says is set as revoked, because other verifiers see only that document and the list (decision 527).
 */
const isSet: Record<StatusPurpose, string> = {
  revocation: `(c.state = 'revoked' OR c.shortened AND c.expires_at <= $4)`,
  suspension: `c.state = 'suspended'`,
};

/** The result of one statement, so that all of it belongs to the same moment. */
interface Snapshot {
  revision: number;
  /** The list that was signed last; null if `set` contains every set index. */
  bits: Buffer | null;
  entries: number;
  /** The ids of the changes that the snapshot contains. */
  seen: string[];
  set: number[];
  cleared: number[];
}

/**
 * Signs a status list in the database's present state, and stores it unless somebody stored a newer one meanwhile.
 * Reads, signs and stores without a transaction, so that no lock is held while it signs.
 */
export async function signList(orgId: Id<"org">, slug: string, purpose: StatusPurpose, now: Date): Promise<SignedList> {
  const [own, snapshot] = await Promise.all([signingKeyOf({ orgId, now }), read(orgId, purpose, now)]);
  const key = underDid(own, issuerDid(slug));
  const bits = listOf(snapshot);
  const url = statusListUrl(slug, purpose);
  const { document, jwt } = await signBits(bits, key, { url, purpose, now });
  await sql(store, [
    orgId,
    purpose,
    snapshot.revision,
    Buffer.from(bits.bytes),
    document,
    jwt,
    key.id,
    url,
    now,
    snapshot.seen,
  ]);
  return { document, jwt };
}

/** Signs a list with these bits. */
export async function signBits(
  bits: Bitstring,
  key: SigningKey,
  { url, purpose, now }: { url: string; purpose: StatusPurpose; now: Date },
): Promise<SignedList> {
  const unsigned = statusListCredential(bits, {
    url,
    issuer: key.did,
    purpose,
    validFrom: new Date(now.getTime() - clockSkewMs),
    validUntil: new Date(now.getTime() + listValidMs),
    ttlMs: listTtlMs,
  });
  const document = JSON.stringify(await signDocument(unsigned, eddsaRdfc2022, key, { created: now }));
  return { document, jwt: await signJwt(unsigned, "vc", key) };
}

/** Applies the changes to the list that was signed last. */
function listOf({ bits, entries, set, cleared }: Snapshot): Bitstring {
  const list = Bitstring.ofLength(entries);
  if (bits) list.bytes.set(bits);
  for (const index of set) list.set(index, true);
  for (const index of cleared) list.set(index, false);
  return list;
}

async function read(orgId: Id<"org">, purpose: StatusPurpose, now: Date): Promise<Snapshot> {
  const values = [orgId, purpose, lanes, now];
  const { changesOnly, wholeList } = statements[purpose];
  const [changed] = await sql<Snapshot>(changesOnly, values);
  return changed!.bits ? changed! : (await sql<Snapshot>(wholeList, values))[0]!;
}

const snapshotOf = (bits: string, indexes: string) => `
WITH pending AS MATERIALIZED (SELECT id, credential_ids FROM status_changes WHERE org_id = $1 AND purpose = $2),
touched AS MATERIALIZED (${indexes})
SELECT coalesce(l.revision, 0) AS revision, ${bits} AS bits,
  (SELECT max(capacity) * $3::int FROM status_lanes WHERE org_id = $1) AS entries,
  ARRAY(SELECT id::text FROM pending) AS seen,
  ARRAY(SELECT index FROM touched WHERE is_set) AS set,
  ARRAY(SELECT index FROM touched WHERE NOT is_set) AS cleared
FROM (SELECT) AS one LEFT JOIN status_lists l ON l.org_id = $1 AND l.purpose = $2`;

/**
 * Read the state of the changed or ended credentials instead of using the changes themselves, so that the order of
 * changes does not matter.
 */
const changesOnlyOf = (purpose: StatusPurpose) =>
  snapshotOf(
    "l.bits",
    `SELECT e.index, c.is_set FROM (
       SELECT unnest(credential_ids) AS id FROM pending UNION ${endedSince(`coalesce((SELECT signed_at FROM status_lists WHERE org_id = $1 AND purpose = $2), '-infinity')`, "$4")}
     ) AS changed
     CROSS JOIN LATERAL (SELECT ${isSet[purpose]} AS is_set FROM credentials c WHERE org_id = $1 AND id = changed.id OFFSET 0) c
     CROSS JOIN LATERAL (SELECT index FROM status_entries WHERE org_id = $1 AND credential_id = changed.id OFFSET 0) e`,
  );

const written: Record<StatusPurpose, string> = { revocation: "revoked", suspension: "suspended" };

const wholeListOf = (purpose: StatusPurpose) =>
  snapshotOf(
    "NULL::bytea",
    `SELECT e.index, ${isSet[purpose]} AS is_set FROM (
       SELECT id FROM credentials WHERE org_id = $1 AND state = '${written[purpose]}' AND listed
       UNION ${endedSince("'-infinity'", "$4")}
     ) AS known
     JOIN credentials c ON c.org_id = $1 AND c.id = known.id
     JOIN status_entries e ON e.org_id = $1 AND e.credential_id = known.id`,
  );

const statementsOf = (purpose: StatusPurpose) => ({
  changesOnly: changesOnlyOf(purpose),
  wholeList: wholeListOf(purpose),
});
const statements = { revocation: statementsOf("revocation"), suspension: statementsOf("suspension") };

const store = `
WITH stored AS (
  INSERT INTO status_lists (org_id, purpose, revision, bits, document, jwt, key_id, url, signed_at)
  VALUES ($1, $2, $3::int + 1, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (org_id, purpose) DO UPDATE SET revision = excluded.revision, bits = excluded.bits, document = excluded.document,
    jwt = excluded.jwt, key_id = excluded.key_id, url = excluded.url, signed_at = excluded.signed_at
  WHERE status_lists.revision = $3
  RETURNING 1
)
DELETE FROM status_changes WHERE org_id = $1 AND purpose = $2 AND id = ANY($10::bigint[]) AND EXISTS (SELECT FROM stored)`;
