import { queueSql, transaction } from "@/server/core/db";
import { newId } from "@/server/core/ids";
import { log } from "@/server/core/log";
import type { Attempt } from "./attempt";
import { disable } from "./disable";
import { disabledAfterMs, failuresSpanMs } from "./schedule";
import type { EndpointRow } from "./view";

/** Within this time the same news of an endpoint is not written again. */
const notedForMs = 10_000;

interface News {
  orgId: string;
  endpointId: string;
  /** When the last success began, and the first and last failure after it. */
  successAt: Date | null;
  failedFrom: Date | null;
  failedUntil: Date | null;
  /** The last failure, also one before the last success. */
  failedAt: Date | null;
  failureClass: Attempt["errorClass"];
  failureDetail: string | null;
  failedDeliveryId: string | null;
  gone: boolean;
}

/** Keeps last_success_at, failing_since and last_failure_at of endpoints, and disables those whose time is up. */
export class Health {
  readonly #noted = new Map<string, { tells: string; at: number }>();
  #last: Promise<void> = Promise.resolve();

  /** One after the other. Nothing is waited for but the database: who holds an endpoint's row has its news written with a later attempt. */
  note(attempts: Attempt[]): Promise<void> {
    const news = newsOf(attempts);
    const noted = this.#last.then(() => this.#write(news));
    this.#last = noted.catch(() => undefined);
    return noted;
  }

  async #write(news: News[]): Promise<void> {
    for (const each of news) {
      if (each.gone) await disableEndpoint(each, "gone");
      else if (this.#isNew(each)) {
        const row = await writeNews(each);
        if (!row) this.#noted.delete(each.endpointId);
        else if (row.due) await disableEndpoint(each, "failing");
      }
    }
  }

  #isNew(news: News): boolean {
    const tells = news.failedUntil ? "failing" : news.failedAt ? "failed and recovered" : "well";
    const at = (news.failedUntil ?? news.successAt!).getTime();
    const noted = this.#noted.get(news.endpointId);
    if (noted && noted.tells === tells && at - noted.at < notedForMs) return false;
    if (this.#noted.size > 10_000) this.#noted.clear();
    this.#noted.set(news.endpointId, { tells, at });
    return true;
  }
}

function newsOf(attempts: Attempt[]): News[] {
  const byEndpoint = new Map<string, News>();
  for (const { delivery, outcome, errorClass, errorDetail, startedAt: at } of inOrder(attempts)) {
    const { orgId, endpointId } = delivery;
    const news = byEndpoint.get(endpointId) ?? noNews(orgId, endpointId);
    if (outcome === "succeeded") Object.assign(news, { successAt: at, failedFrom: null, failedUntil: null });
    else Object.assign(news, { failedFrom: news.failedFrom ?? at, failedUntil: at, failedAt: at, failureClass: errorClass, failureDetail: errorDetail, failedDeliveryId: delivery.id, gone: news.gone || outcome === "gone" });
    byEndpoint.set(endpointId, news);
  }
  return [...byEndpoint.values()];
}

const noNews = (orgId: string, endpointId: string): News => ({
  orgId, endpointId, successAt: null, failedFrom: null, failedUntil: null, failedAt: null, failureClass: null, failureDetail: null, failedDeliveryId: null, gone: false,
});

function inOrder(attempts: Attempt[]) {
  return attempts
    .filter(({ outcome }) => outcome !== "cancelled")
    .toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime());
}

/** @returns whether the endpoint is to be disabled: no success for 120 h, and failures that span 12 h. Nothing where its row is locked. */
async function writeNews(news: News): Promise<{ due: boolean } | undefined> {
  const [row] = await queueSql<{ due: boolean }>(
    `UPDATE webhook_endpoints SET
       last_success_at = greatest(last_success_at, $3::timestamptz),
       failing_since = CASE WHEN $3::timestamptz IS NULL THEN coalesce(failing_since, $4) ELSE $4 END,
       (last_failure_at, last_failure_class, last_failure_detail, last_failure_delivery_id) = (
         SELECT * FROM (VALUES ($8::timestamptz, $9, $10, $11), (last_failure_at, last_failure_class, last_failure_detail, last_failure_delivery_id)) AS failure (at)
         ORDER BY at DESC NULLS LAST LIMIT 1
       )
     WHERE org_id = $1 AND id = (SELECT id FROM webhook_endpoints WHERE org_id = $1 AND id = $2 FOR UPDATE SKIP LOCKED)
     RETURNING status = 'active' AND $5::timestamptz IS NOT NULL AND failing_since <= $5::timestamptz - $6 * interval '1 millisecond'
       AND greatest(enabled_at, last_success_at) <= $5::timestamptz - $7 * interval '1 millisecond' AS due`,
    [news.orgId, news.endpointId, news.successAt, news.failedFrom, news.failedUntil, failuresSpanMs, disabledAfterMs, news.failedAt, news.failureClass, news.failureDetail, news.failedDeliveryId],
  );
  return row;
}

async function disableEndpoint({ orgId, endpointId, successAt, failedUntil }: News, reason: "failing" | "gone"): Promise<void> {
  const now = failedUntil ?? successAt!;
  await transaction(async (tx) => {
    const [row] = await tx.sql<Pick<EndpointRow, "id" | "status">>(
      `SELECT id, status FROM webhook_endpoints WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE SKIP LOCKED`,
      [orgId, endpointId],
    );
    if (!row || row.status === "disabled") return;
    await disable({ orgId, actor: { type: "job", id: "webhooks" }, scopes: new Set(), requestId: newId("req"), now, tx }, row, reason);
    log().warn({ orgId, endpointId, reason }, "a webhook endpoint was disabled");
  });
}
