import { queueSql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { log } from "@/server/core/log";
import type { Attempt } from "./attempt";
import { disableWhereDue, isDue } from "@/server/webhooks/endpoints/disable-failing";

const againMs = 1000;

/** Results of an endpoint's attempts that are not yet written to its row. */
interface HealthChange {
  orgId: Id<"org">;
  endpointId: Id<"whe">;
  url: string;
  /** Start of the last success, and of the first failure after it. */
  successAt: Date | null;
  failedFrom: Date | null;
  /** The last failure, even if a success followed. */
  failed: Failure | null;
}

interface Failure {
  at: Date;
  errorClass: Attempt["errorClass"];
  detail: string | null;
  deliveryId: Id<"dlv">;
}

/**
 * Maintains last_success_at, failing_since and last_failure_* of endpoints, and disables endpoints whose time has come.
 * Other processes write the same rows, so the SQL compares with the row; it leaves the row alone if its times are at
 * most 10 s older and nothing else would change.
 */
export class Health {
  #changes = new Map<string, HealthChange>();
  #writing: Promise<void> = Promise.resolve();
  #again: NodeJS.Timeout | undefined;

  constructor(private readonly clock: () => Date) {}

  /** Collects results for the next write. */
  note(attempts: Attempt[]): void {
    for (const { delivery, outcome, errorClass, errorDetail, startedAt: at } of attempts) {
      if (outcome === "cancelled") continue;
      const change = this.#of(delivery.orgId, delivery.endpointId, delivery.destination.url);
      if (outcome === "succeeded") succeeded(change, at);
      else failed(change, at, { at, errorClass, detail: errorDetail, deliveryId: delivery.id });
    }
  }

  /**
   * Writes all collected results, one write at a time. Results for an endpoint whose row is locked are written a second
   * later, and the returned promise does not wait for them.
   */
  write(): Promise<void> {
    const written = this.#writing.then(() => this.#write());
    this.#writing = written.catch(() => undefined);
    return written;
  }

  #of(orgId: Id<"org">, endpointId: Id<"whe">, url: string): HealthChange {
    const key = `${endpointId} ${url}`;
    let change = this.#changes.get(key);
    if (!change)
      this.#changes.set(key, (change = { orgId, endpointId, url, successAt: null, failedFrom: null, failed: null }));
    return change;
  }

  async #write(): Promise<void> {
    const changes = [...this.#changes.values()];
    if (changes.length === 0) return;
    this.#changes = new Map();
    const found = await queueSql<{ n: number; written: boolean; due: boolean }>(write, columns(changes)).catch(
      (error: unknown) => {
        this.#putBack(changes);
        throw error;
      },
    );
    this.#putBack(found.filter(({ written }) => !written).map(({ n }) => changes[n - 1]!));
    for (const { n, due } of found) if (due) await disableWhereDue(changes[n - 1]!, this.clock());
  }

  #putBack(left: HealthChange[]): void {
    for (const { orgId, endpointId, url, successAt, failedFrom, failed: failure } of left) {
      const change = this.#of(orgId, endpointId, url);
      if (successAt) succeeded(change, successAt);
      if (failure) failed(change, failedFrom ?? failure.at, failure);
    }
    if (left.length > 0 && !this.#again) this.#again = setTimeout(() => this.#retry(), againMs).unref();
  }

  #retry(): void {
    this.#again = undefined;
    this.write().catch((error: unknown) =>
      log().error({ err: error }, "the health of webhook endpoints could not be noted; trying again"),
    );
  }
}

function succeeded(change: HealthChange, at: Date): void {
  if (change.successAt && change.successAt >= at) return;
  change.successAt = at;
  if (change.failedFrom && change.failedFrom <= at)
    change.failedFrom = change.failed!.at > at ? change.failed!.at : null;
}

/** @param since start of the first of the failures of which `failure` is the last. */
function failed(change: HealthChange, since: Date, failure: Failure): void {
  if (!change.failed || change.failed.at < failure.at) change.failed = failure;
  const from = [since, failure.at].find((at) => !change.successAt || at > change.successAt);
  if (from && (!change.failedFrom || from < change.failedFrom)) change.failedFrom = from;
}

function columns(changes: HealthChange[]): unknown[] {
  const column = <T>(of: (change: HealthChange) => T) => changes.map(of);
  return [
    column((n) => n.orgId),
    column((n) => n.endpointId),
    column((n) => n.url),
    column((n) => n.successAt),
    column((n) => n.failedFrom),
    column((n) => n.failed?.at ?? null),
    column((n) => n.failed?.errorClass ?? null),
    column((n) => n.failed?.detail ?? null),
    column((n) => n.failed?.deliveryId ?? null),
  ];
}

/**
 * SQL: start of the first failure of a change that counts, i.e. since the endpoint was enabled and after its last
 * success.
 */
const from = `CASE
  WHEN n.failed_from IS NULL OR n.failed_at < e.enabled_at OR n.failed_at <= e.last_success_at THEN NULL
  WHEN n.failed_from < e.enabled_at OR n.failed_from <= e.last_success_at THEN n.failed_at
  ELSE n.failed_from END`;

// Answers of an old URL, or from before the endpoint was enabled, say nothing about the endpoint as it is now.
const write = `
WITH changes AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[], $7::text[], $8::text[], $9::uuid[])
    WITH ORDINALITY AS n (org_id, endpoint_id, url, success_at, failed_from, failed_at, failure_class, failure_detail, failed_delivery_id, n)
), wanted AS MATERIALIZED (
  SELECT n.* FROM changes n
  CROSS JOIN LATERAL (SELECT * FROM webhook_endpoints e WHERE e.org_id = n.org_id AND e.id = n.endpoint_id OFFSET 0) AS e
  WHERE e.deleted_at IS NULL AND e.url = n.url AND greatest(n.success_at, n.failed_at) >= e.enabled_at AND (
    n.success_at >= e.failing_since
    OR n.success_at > coalesce(e.last_success_at + interval '10 seconds', '-infinity')
    OR n.failed_at > coalesce(e.last_failure_at + interval '10 seconds', '-infinity')
    OR ${from} IS NOT NULL AND (e.failing_since IS NULL OR ${isDue("n.failed_at", "e", "n.failed_at")})
  )
), free AS MATERIALIZED (
  SELECT w.* FROM wanted w
  CROSS JOIN LATERAL (
    SELECT FROM webhook_endpoints e WHERE e.org_id = w.org_id AND e.id = w.endpoint_id AND e.url = w.url FOR UPDATE SKIP LOCKED
  ) AS e
), written AS (
  UPDATE webhook_endpoints e SET
    last_success_at = greatest(e.last_success_at, n.success_at),
    failing_since = coalesce(CASE WHEN n.success_at >= e.failing_since THEN NULL ELSE e.failing_since END, ${from}),
    (last_failure_at, last_failure_class, last_failure_detail, last_failure_delivery_id) = (
      SELECT * FROM (VALUES
        (n.failed_at, n.failure_class, n.failure_detail, n.failed_delivery_id),
        (e.last_failure_at, e.last_failure_class, e.last_failure_detail, e.last_failure_delivery_id)
      ) AS failure (at) ORDER BY at DESC NULLS LAST LIMIT 1
    )
  FROM free n WHERE e.org_id = n.org_id AND e.id = n.endpoint_id
  RETURNING n.n, ${isDue("n.failed_at", "e")} AS due
)
SELECT n::int, true AS written, coalesce(due, false) AS due FROM written
UNION ALL SELECT n::int, false, false FROM wanted WHERE n NOT IN (SELECT n FROM written)`;
