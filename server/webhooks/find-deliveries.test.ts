import { beforeAll, describe, expect, it } from "vitest";
import { sql } from "@/server/core/db";
import { ownDatabase } from "@/server/testing/own-database";
import { world, type World } from "@/server/testing/world";
import { createWebhookEndpoint } from "./create";
import type { DeliveryView } from "./delivery-view";
import { findDeliveries, type DeliveryFilter } from "./find-deliveries";
import { listWebhookDeliveries } from "./list-deliveries";
import { rowsLookedAt } from "./testing/rows-looked-at";

beforeAll(ownDatabase);

const count = 20_000;
const minute = 60_000;
let w: World;
let endpoints: string[];
let all: DeliveryView[];

// One delivery a minute, to a busy endpoint, a quiet one and one that subscribes to a single type; and another organisation's between them.
beforeAll(async () => {
  w = await world();
  const other = await world();
  const register = async (of: World) => (await createWebhookEndpoint(of.ctx, { url: "https://example.edu/hooks" })).id;
  endpoints = [await register(w), await register(w), await register(w)];
  await fill(w.orgId, endpoints);
  await fill(other.orgId, [await register(other), await register(other), await register(other)]);
  await sql(`VACUUM ANALYZE webhook_deliveries`);
  all = await everything({});
  expect(all).toHaveLength(count);
});

const typeOf = `CASE WHEN n % 5000 = 7 THEN 'credential.revoked' WHEN n % 3 = 0 THEN 'credential.issued' ELSE 'subject.updated' END`;
const statusOf = `CASE n % 1000 WHEN 1 THEN 'failed' WHEN 2 THEN 'parked' WHEN 3 THEN 'cancelled' WHEN 4 THEN 'pending' ELSE 'succeeded' END`;

const fill = (orgId: string, [busy, quiet, single]: string[]) =>
  sql(
    `INSERT INTO webhook_deliveries (org_id, id, endpoint_id, event_id, event_type, sequence, status, next_attempt_at, created_at)
     SELECT $1, 'dlv_' || moment || '7' || tail, CASE WHEN n % 4000 = 11 THEN $3 WHEN n % 3 = 2 THEN $4 ELSE $2 END, 'evt_' || moment || '7' || tail, ${typeOf}, n, ${statusOf}, CASE n % 1000 WHEN 4 THEN now() END, to_timestamp(ms / 1000)
     FROM generate_series(1, ${count}) AS n, right($1, 15) AS tail,
       (SELECT extract(epoch FROM now())::bigint * 1000) AS clock (now), LATERAL (SELECT clock.now - (${count} - n) * ${minute}::bigint) AS at (ms),
       LATERAL (SELECT crockford_25_bits(ms >> 25) || crockford_25_bits(ms & 33554431)) AS id (moment)`,
    [orgId, busy, quiet, single],
  );

/** Every page of a list, by its cursors. */
async function everything(filter: Parameters<typeof listWebhookDeliveries>[1]): Promise<DeliveryView[]> {
  const found: DeliveryView[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await listWebhookDeliveries(w.ctx, { ...filter, limit: 100, ...(cursor && { cursor }) });
    found.push(...page.data);
    if (page.nextCursor === null) return found;
    cursor = page.nextCursor;
  }
}

const ago = (minutes: number) => new Date(Date.parse(all[0]!.createdAt) - minutes * minute);
const statuses = [undefined, "succeeded", "failed", "parked", "cancelled", "pending"] as const;
const types = [undefined, ["credential.revoked"], ["credential.issued", "credential.revoked"], ["group.deleted"]];
const spans = () => [{}, { createdAfter: ago(30) }, { createdAfter: ago(12_000), createdBefore: ago(11_000) }, { createdBefore: ago(100_000) }];
const filters = (): DeliveryFilter[] =>
  statuses.flatMap((status) => types.flatMap((type) => [undefined, ...endpoints].flatMap((endpointId) => spans().map((span) => ({ status, type, endpointId, ...span })))));

const fits = (filter: DeliveryFilter) => (d: DeliveryView) =>
  (filter.status === undefined || d.status === filter.status) && (filter.type === undefined || filter.type.includes(d.eventType)) && (filter.endpointId === undefined || d.endpointId === filter.endpointId) &&
  (filter.createdAfter === undefined || Date.parse(d.createdAt) > filter.createdAfter.getTime()) && (filter.createdBefore === undefined || Date.parse(d.createdAt) < filter.createdBefore.getTime());

describe("a page of deliveries", () => {
  it("holds what fits its filters and nothing else, in every combination, newest first", async () => {
    for (const filter of filters()) {
      const rows = await findDeliveries(sql, w.orgId, filter, { after: null, take: 26, skip: 10 });
      expect([filter, rows.map((row) => row.id)]).toEqual([filter, all.filter(fits(filter)).slice(10, 36).map((d) => d.id)]);
    }
  });

  it("is read from an index, as few rows as the page holds of each endpoint and type or all of the few, or found among the newest", async () => {
    for (const filter of filters()) {
      const rows = await rowsLookedAt((explaining) => findDeliveries(explaining, w.orgId, filter, { after: all[15_000]!.id, take: 26, skip: 0 }));
      const isLookedFor = filter.status === "pending" || (filter.type && !filter.endpointId);
      expect([filter, rows < (isLookedFor ? 1900 : 800)]).toEqual([filter, true]);
    }
  });

  it("is followed by the next, also at the filters that many or few fit", async () => {
    const ids = async (filter: Parameters<typeof everything>[0]) => (await everything(filter)).map((d) => d.id);
    const [busy, quiet] = endpoints;
    expect(await ids({ endpointId: quiet! })).toEqual(all.filter((d) => d.endpointId === quiet).map((d) => d.id));
    expect(await ids({ type: "credential.*", endpointId: busy! })).toEqual(all.filter((d) => d.endpointId === busy && d.eventType.startsWith("credential.")).map((d) => d.id));
    expect(await ids({ status: "failed" })).toEqual(all.filter((d) => d.status === "failed").map((d) => d.id));
  });

  it("counts with offset what it would list, and takes a cursor of other filters for none", async () => {
    const { total } = await listWebhookDeliveries(w.ctx, { status: "parked", offset: 0 });
    expect(total).toBe(all.filter((d) => d.status === "parked").length);
    const { nextCursor } = await listWebhookDeliveries(w.ctx, { type: "credential.*" });
    await listWebhookDeliveries(w.ctx, { type: "credential.*", cursor: nextCursor! });
    for (const other of [{}, { type: "subject.*" }, { type: "credential.*", endpointId: endpoints[0]! }, { type: "credential.*", createdAfter: ago(5).toISOString() }]) {
      await expect(listWebhookDeliveries(w.ctx, { ...other, cursor: nextCursor! })).rejects.toMatchObject({ code: "invalid_cursor" });
    }
  });
});

describe("a page of deliveries to a hundred endpoints, one of which is paused before an old backlog,", () => {
  const range = { after: null, take: 26, skip: 0 };
  const backlog = 2000;
  let orgId: string;
  let paused: string;

  // Each second one of the oldest waits for the paused endpoint; the others have arrived since.
  beforeAll(async () => {
    const many = await world();
    const ids = await Promise.all(Array.from({ length: 100 }, async () => (await createWebhookEndpoint(many.ctx, { url: "https://example.edu/hooks" })).id));
    orgId = many.orgId;
    paused = ids[0]!;
    await fill(orgId, [paused, paused, paused]);
    await sql(
      `UPDATE webhook_deliveries SET status = waits.status, endpoint_id = CASE waits.status WHEN 'pending' THEN $2 ELSE ($3::text[])[2 + sequence % 99] END, next_attempt_at = CASE waits.status WHEN 'pending' THEN created_at END
       FROM (VALUES (0, 'pending'), (1, 'succeeded')) AS waits (n, status) WHERE org_id = $1 AND waits.n = CASE WHEN sequence <= ${2 * backlog} THEN sequence % 2 ELSE 1 END`,
      [orgId, paused, ids],
    );
    await sql(`VACUUM ANALYZE webhook_deliveries`);
  });

  /** The same without an index's help. */
  const expected = async ({ status, type, endpointId }: DeliveryFilter) =>
    (await sql<{ id: string }>(
      `SELECT id FROM webhook_deliveries WHERE org_id = $1 AND ($2::text IS NULL OR status = $2) AND ($3::text[] IS NULL OR event_type = ANY ($3)) AND ($4::text IS NULL OR endpoint_id = $4) ORDER BY id DESC LIMIT ${range.take}`,
      [orgId, status ?? null, type ?? null, endpointId ?? null],
    )).map((row) => row.id);

  it.each([
    ["what is pending", () => ({ status: "pending" }), 40 * 26 + backlog + 300],
    ["what is pending for the paused one", () => ({ status: "pending", endpointId: paused }), 40 * 26 + backlog + 300],
    ["a common type", () => ({ type: ["credential.issued", "credential.revoked"] }), 200],
    ["what arrived of a common type", () => ({ type: ["credential.issued", "credential.revoked"], status: "succeeded" }), 200],
    ["a rare type", () => ({ type: ["credential.revoked", "group.deleted"] }), 40 * 26 + 300],
  ] satisfies [string, () => DeliveryFilter, number][])("is read with few of the others: %s", async (_, filter, most) => {
    const rows = await findDeliveries(sql, orgId, filter(), range);
    expect(rows.map((row) => row.id)).toEqual(await expected(filter()));
    expect(rows.length).toBeGreaterThan(0);
    expect(await rowsLookedAt((explaining) => findDeliveries(explaining, orgId, filter(), range))).toBeLessThan(most);
  });
});
