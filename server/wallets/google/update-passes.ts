import { randomUUID } from "node:crypto";
import type { TxCtx } from "@/server/core/context";
import { queuePool, queueSql } from "@/server/core/db";
import { transaction, type Tx } from "@/server/core/transaction";
import { LeasedTable } from "@/server/reactions/leased-table";
import { failedAfterMs, retryAfterMs } from "../retries";
import { GoogleApi } from "./api";
import { recordFailed, recordReached } from "./pass-channel";
import { noteGoogleProblem } from "./note-problem";
import { picturesProblem } from "./send-content";
import type { GoogleService } from "./service";
import { googleSettingsColumns, issuerOf, type GoogleSettingsRow } from "./settings";
import { updatePass, type HeldPass, type Updated } from "./update-pass";

/** How many passes of one organisation are claimed at once. */
const batch = 20;

/** How many of them are updated at the same time. Google allows 20 requests a second. */
const parallel = 4;

/**
 * Longer than a batch can take: five rounds of four requests of ten seconds (service.ts). So two processes never update
 * one pass at once, and old content never overwrites newer content.
 */
const leaseMs = 4 * 60_000;

/** A call claims no further batch after this time; the next call continues. */
const withinMs = 10_000;

interface Claimed extends HeldPass {
  attempts: number;
  wanted_at: Date;
  revision: number;
}

/** The leases of updates that are due. */
const leases = new LeasedTable<Pick<Claimed, "org_id" | "credential_id" | "claim_id">>({
  table: "google_passes",
  key: {
    org_id: { type: "uuid", of: (row) => row.org_id },
    credential_id: { type: "uuid", of: (row) => row.credential_id },
  },
  claimId: { type: "uuid", of: (row) => row.claim_id },
  status: "state",
  due: "next_attempt_at",
});

/**
 * Updates the passes in Google Wallet whose credentials changed. An update that Google does not accept is retried without
 * end, finally once a day, because an outdated pass would look valid forever. After 30 days its channel is marked as
 * failed. Updates of an organisation without a service account wait until it has one.
 *
 * @returns how many passes Google accepted
 */
export async function updateGooglePasses(service: GoogleService, now: () => Date): Promise<{ updated: number }> {
  const until = now().getTime() + withinMs;
  let updated = 0;
  for (
    let claimed = await claim(now());
    claimed.length > 0;
    claimed = now().getTime() < until ? await claim(now()) : []
  )
    updated += await updateAll(service, claimed, now);
  return { updated };
}

function claim(now: Date): Promise<Claimed[]> {
  return queueSql<Claimed>(claimStatement, [now, batch, randomUUID(), new Date(now.getTime() + leaseMs)]);
}

/** Claims updates of one organisation: the one with the update that has been due longest. */
const claimStatement = `
WITH first AS MATERIALIZED (
  SELECT p.org_id FROM google_passes p
  CROSS JOIN LATERAL (SELECT FROM organisations WHERE id = p.org_id AND suspended_at IS NULL OFFSET 0) o
  CROSS JOIN LATERAL (SELECT FROM google_wallet_settings s WHERE s.org_id = p.org_id AND p.object_id LIKE s.issuer_id || '.%' OFFSET 0) s
  WHERE ${leases.claimable("p", "$1", "$3")} ORDER BY p.next_attempt_at LIMIT 1
), due AS MATERIALIZED (
  SELECT p.ctid AS tid FROM first JOIN google_passes p ON p.org_id = first.org_id
  JOIN google_wallet_settings s ON s.org_id = p.org_id AND p.object_id LIKE s.issuer_id || '.%'
  WHERE ${leases.claimable("p", "$1", "$3")} ORDER BY p.next_attempt_at LIMIT $2 FOR UPDATE OF p SKIP LOCKED
), claimed AS (
  ${leases.claim("due", "$3", "$4", ", attempts = leased.attempts + 1")}
  RETURNING leased.org_id, leased.credential_id, leased.object_id, leased.claim_id, leased.told, leased.notified_at, leased.attempts, leased.wanted_at, leased.revision
)
SELECT claimed.*, c.code FROM claimed JOIN credentials c ON c.org_id = claimed.org_id AND c.id = claimed.credential_id`;

async function updateAll(service: GoogleService, claimed: Claimed[], now: () => Date): Promise<number> {
  const [{ org_id: orgId }] = claimed as [Claimed];
  const [settings] = await queueSql<GoogleSettingsRow>(
    `SELECT ${googleSettingsColumns} FROM google_wallet_settings WHERE org_id = $1`,
    [orgId],
  );
  // The settings were removed after the claim. The leases expire, and the updates wait for a new service account.
  if (!settings) return 0;
  const api = new GoogleApi(service, issuerOf(orgId, settings));
  const results: Updated[] = [];
  const waiting = [...claimed];
  const work = async () => {
    for (let each = waiting.shift(); each; each = waiting.shift()) {
      const pass = each;
      const result = await updatePass(api, pass, now);
      await transaction((tx) => record(tx, pass, result, now()), queuePool());
      results.push(result);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  await noteGoogleProblem(orgId, problemOf(results));
  return results.filter((result) => "told" in result).length;
}

/**
 * The problem to show to admins: a refusal if there was one, else another failure if no update succeeded, else that
 * pictures could not be loaded.
 */
function problemOf(results: Updated[]): string | null {
  const failures = results.filter((result) => "words" in result);
  const [worst] = failures.toSorted((a, b) => Number(b.isRefusal) - Number(a.isRefusal));
  if (worst && (worst.isRefusal || failures.length === results.length)) return worst.words;
  return results.some((result) => "told" in result && result.lacksPictures) ? picturesProblem() : null;
}

/**
 * Records the result of an update, unless another process claimed the pass since. If the pass changed again during the
 * update, another update stays due.
 */
async function record(tx: Tx, pass: Claimed, result: Updated, now: Date): Promise<void> {
  const isDone = "told" in result;
  const held = await tx.sql(isDone ? releaseDone : releaseFailed, [
    ...leases.columns([pass]),
    ...(isDone ? [pass.revision, now, result.told] : [new Date(now.getTime() + retryAfterMs(pass.attempts))]),
  ]);
  if (held.length === 0) return;
  const ctx: TxCtx = {
    orgId: pass.org_id,
    actor: { type: "job", id: "wallets" },
    scopes: new Set(),
    requestId: "wallets",
    now,
    tx,
  };
  if (isDone) return recordReached(ctx, pass.credential_id);
  if (now.getTime() - pass.wanted_at.getTime() > failedAfterMs)
    await recordFailed(ctx, pass.credential_id, result.words);
}

const [first, second, third] = [0, 1, 2].map((n) => `$${leases.next + n}`);
const releaseDone = leases.release(
  `state = CASE WHEN leased.revision = ${first} THEN 'idle' ELSE 'pending' END, attempts = 0, next_attempt_at = ${second}, made_at = coalesce(made_at, ${second}), told = ${third}`,
);
const releaseFailed = leases.release(`next_attempt_at = ${first}`);
