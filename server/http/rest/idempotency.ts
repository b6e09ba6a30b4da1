import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { readId, type Id } from "@/server/core/ids";
import { retryDeadlock } from "@/server/core/retry-deadlock";
import { transaction, type Tx } from "@/server/core/transaction";
import type { Ctx, ScopeDemand, TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { requireScope } from "@/server/core/operation";
import { decrypt, encrypt } from "@/server/core/secrets";
import { problemBody } from "./problem";

/** A response as it is stored and repeated. */
export interface StoredResponse {
  status: number;
  body: string;
  headers: Record<string, string>;
}

const lifetimeMs = 24 * 60 * 60 * 1000;

/** Reads an Idempotency-Key: 1 to 255 printable characters. Removes the quotes of the IETF draft's form. */
export function readKey(header: string): string {
  const key = /^"(.*)"$/s.exec(header)?.[1] ?? header;
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw new DomainError("invalid_idempotency_key", "An Idempotency-Key has 1 to 255 printable ASCII characters.");
  return key;
}

/** Hashes what a repeat must have in common: method, path, query and canonical JSON of the body (RFC 8785). */
export function fingerprint(request: Request, body: unknown): string {
  const { pathname, search } = new URL(request.url);
  return createHash("sha256")
    .update(`${request.method}\n${pathname}${search}\n${canonicalize(body) ?? ""}`)
    .digest("hex");
}

/** What is stored encrypted, next to fingerprint and status. */
interface Sealed extends Omit<StoredResponse, "status"> {
  /** Every scope that was required during the work, including those that depend on the input or on stored data. */
  demands: ScopeDemand[];
}

/**
 * Does the work and stores its response in one transaction (contract section 2): a process killed at any moment leaves
 * all of it or none. A repeat gets the stored response if the caller has every scope that the work required. Responses
 * with 2xx and 410 are stored; any other refusal had no effect, and a repeat evaluates the request anew.
 *
 * @param work does the work in the context that it is given.
 * @param refusal turns a 410 into the response to store.
 * @throws DomainError `insufficient_scope`, `idempotency_key_reused`, `idempotency_in_progress`
 */
export async function idempotent(
  ctx: Ctx,
  request: { key: string; fingerprint: string },
  work: (ctx: Ctx) => Promise<StoredResponse>,
  refusal: (error: DomainError) => StoredResponse,
): Promise<StoredResponse & { replayed: boolean }> {
  return retryDeadlock(() => transaction((tx) => storeOrReplay(ctx, tx, request, work, refusal)));
}

async function storeOrReplay(
  ctx: Ctx,
  tx: Tx,
  request: { key: string; fingerprint: string },
  work: (ctx: Ctx) => Promise<StoredResponse>,
  refusal: (error: DomainError) => StoredResponse,
): Promise<StoredResponse & { replayed: boolean }> {
  const { orgId, now } = ctx;
  const bound = `${orgId}\n${request.key}`;
  // Sent together and executed in order: the stored response is read after the lock was taken.
  const [[lock], [stored]] = await Promise.all([
    tx.sql<{ locked: boolean }>(`SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked`, [bound]),
    tx.sql<{ fingerprint: string; status: number; answer: Buffer }>(
      `SELECT fingerprint, status, answer FROM idempotency_records WHERE org_id = $1 AND key = $2 AND expires_at > $3`,
      [orgId, request.key, now],
    ),
  ]);
  if (!lock?.locked) {
    throw new DomainError(
      "idempotency_in_progress",
      "An earlier request with this Idempotency-Key is still running. Try again shortly.",
      { headers: { "retry-after": "1" } },
    );
  }
  if (stored) return replay(ctx, stored, request.fingerprint, bound);
  const demands: ScopeDemand[] = [];
  const answer = await tx
    .savepoint(() => work({ ...ctx, tx, metDemands: demands }))
    .catch((error: unknown) => {
      if (error instanceof DomainError && error.status === 410) return refusal(error);
      throw error;
    });
  const sealed: Sealed = { body: answer.body, headers: answer.headers, demands };
  tx.send(
    `INSERT INTO idempotency_records (org_id, key, fingerprint, status, answer, expires_at, subject_ids) VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (org_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, status = excluded.status, answer = excluded.answer, expires_at = excluded.expires_at,
         subject_ids = excluded.subject_ids`,
    [
      orgId,
      request.key,
      request.fingerprint,
      answer.status,
      Buffer.from(encrypt(JSON.stringify(sealed), bound)),
      new Date(now.getTime() + lifetimeMs),
      subjectsIn(answer.body),
    ],
  );
  return { ...answer, replayed: false };
}

/** Finds the people in a response: everything that the API says about a person comes with their id. */
function subjectsIn(body: string): Id<"sub">[] {
  return [...new Set(Array.from(body.matchAll(/"(sub_[0-9a-z]{26})"/g), ([, id]) => id!))].map((id) =>
    readId("sub", id),
  );
}

function replay(
  ctx: Ctx,
  stored: { fingerprint: string; status: number; answer: Buffer },
  wanted: string,
  bound: string,
) {
  if (stored.fingerprint !== wanted) {
    throw new DomainError(
      "idempotency_key_reused",
      "This Idempotency-Key was used for a different request. Use a new key for a new request.",
    );
  }
  const { body, headers, demands } = JSON.parse(decrypt(stored.answer, bound)) as Sealed;
  for (const demand of demands) requireScope(ctx, demand);
  return { status: stored.status, body, headers, replayed: true };
}

/**
 * Turns every stored response into a 410 after the master secret that encrypted them was lost. The keys stay used,
 * because a lost response is no reason to do the work again.
 */
export async function replaceLostAnswers({ tx, requestId }: TxCtx): Promise<void> {
  const records = await tx.sql<{ orgId: Id<"org">; key: string }>(
    `SELECT org_id AS "orgId", key FROM idempotency_records FOR UPDATE`,
  );
  const lost = new DomainError(
    "answer_lost",
    "This request was carried out, and its stored answer was lost with the service's master secret. Read what it made or changed; do not send it again with another key.",
  );
  const sealed: Sealed = {
    body: problemBody(lost, requestId),
    headers: { "content-type": "application/problem+json" },
    demands: [],
  };
  for (const { orgId, key } of records) {
    tx.send(`UPDATE idempotency_records SET status = $3, answer = $4 WHERE org_id = $1 AND key = $2`, [
      orgId,
      key,
      lost.status,
      Buffer.from(encrypt(JSON.stringify(sealed), `${orgId}\n${key}`)),
    ]);
  }
}
