import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { transaction, type Tx } from "@/server/core/transaction";
import { DomainError } from "@/server/core/errors";
import { decrypt, encrypt } from "@/server/core/secrets";

/** An answer as it is stored and repeated. */
export interface Answer {
  status: number;
  body: string;
  headers: Record<string, string>;
}

const lifetimeMs = 24 * 60 * 60 * 1000;

/** 1 to 255 printable characters; the quoted form of the IETF draft is unquoted. */
export function readKey(header: string): string {
  const key = /^"(.*)"$/s.exec(header)?.[1] ?? header;
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) throw new DomainError("invalid_idempotency_key", "An Idempotency-Key has 1 to 255 printable ASCII characters.");
  return key;
}

/** Method, path, query and canonical JSON of the body (RFC 8785). */
export function fingerprint(request: Request, body: unknown): string {
  const { pathname, search } = new URL(request.url);
  return createHash("sha256").update(`${request.method}\n${pathname}${search}\n${canonicalize(body) ?? ""}`).digest("hex");
}

/**
 * One transaction that does the work and stores its answer (contract section 2): a process killed at any moment leaves
 * all of it or none of it. 2xx and the domain's own refusals are stored; what another try could change is not.
 * @param work does the work in the transaction that it is given.
 * @param refusal turns a refusal of the domain into the answer to store.
 */
export async function idempotent(
  request: { orgId: string; key: string; fingerprint: string; now: Date },
  work: (tx: Tx) => Promise<Answer>,
  refusal: (error: DomainError) => Answer,
): Promise<Answer & { replayed: boolean }> {
  return transaction(async (tx) => {
    const bound = `${request.orgId}\n${request.key}`;
    // Sent together, done one after the other: what is stored is read once the lock is ours.
    const [[lock], [stored]] = await Promise.all([
      tx.sql<{ locked: boolean }>(`SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked`, [bound]),
      tx.sql<{ fingerprint: string; status: number; answer: Buffer }>(
        `SELECT fingerprint, status, answer FROM idempotency_records WHERE org_id = $1 AND key = $2 AND expires_at > $3`,
        [request.orgId, request.key, request.now],
      ),
    ]);
    if (!lock?.locked) {
      throw new DomainError("idempotency_in_progress", "An earlier request with this Idempotency-Key is still running. Try again shortly.", { headers: { "retry-after": "1" } });
    }
    if (stored) return replay(stored, request.fingerprint, bound);
    const answer = await tx.savepoint(() => work(tx)).catch((error: unknown) => {
      if (error instanceof DomainError && isFinal(error)) return refusal(error);
      throw error;
    });
    tx.send(
      `INSERT INTO idempotency_records (org_id, key, fingerprint, status, answer, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (org_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, status = excluded.status, answer = excluded.answer, expires_at = excluded.expires_at`,
      [
        request.orgId, request.key, request.fingerprint, answer.status,
        Buffer.from(encrypt(JSON.stringify({ body: answer.body, headers: answer.headers }), bound)),
        new Date(request.now.getTime() + lifetimeMs),
      ],
    );
    return { ...answer, replayed: false };
  });
}

function replay(stored: { fingerprint: string; status: number; answer: Buffer }, wanted: string, bound: string) {
  if (stored.fingerprint !== wanted) {
    throw new DomainError("idempotency_key_reused", "This Idempotency-Key was used for a different request. Use a new key for a new request.");
  }
  const { body, headers } = JSON.parse(decrypt(stored.answer, bound)) as Omit<Answer, "status">;
  return { status: stored.status, body, headers, replayed: true };
}

/** The domain's own 4xx. Authentication, scopes, limits and validation failures are not stored: a corrected try may follow. */
function isFinal(error: DomainError): boolean {
  return [404, 409, 410].includes(error.status) && error.code !== "idempotency_in_progress";
}
