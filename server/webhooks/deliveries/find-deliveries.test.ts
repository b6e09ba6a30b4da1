import { beforeAll, describe, expect, it } from "vitest";
import { publicId, readId, uuidOf, type Id } from "@/server/core/ids";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";
import type { DeliveryView } from "./delivery-view";
import { findDeliveries, type DeliveryFilter } from "./find-deliveries";
import { listWebhookDeliveries } from "./list-deliveries";
import { rowsLookedAt } from "@/server/webhooks/testing/rows-looked-at";

beforeAll(ownDatabase);

const count = 20_000;
const minute = 60_000;
let w: World;
let endpoints: string[];
let endpointIds: Id<"whe">[];
let all: DeliveryView[];

// One delivery a minute: to a busy endpoint, a less busy one, and one with few deliveries; and the same in another
// organisation.
beforeAll(async () => {
  w = await world();
  const other = await world();
  const register = async (of: World) => (await createWebhookEndpoint(of.ctx, { url: "https://example.edu/hooks" })).id;
  endpoints = [await register(w), await register(w), await register(w)];
  endpointIds = endpoints.map((id) => readId("whe", id));
  await fill(w.orgId, endpoints);
  await fill(other.orgId, [await register(other), await register(other), await register(other)]);
  await sql(`VACUUM ANALYZE webhook_deliveries`);
  all = await everything({});
  expect(all).toHaveLength(count);
});

const typeOf = `CASE WHEN n % 5000 = 7 THEN 'credential.revoked' WHEN n % 3 = 0 THEN 'credential.issued' ELSE 'subject.updated' END`;
const statusOf = `CASE n % 1000 WHEN 1 THEN 'failed' WHEN 2 THEN 'parked' WHEN 3 THEN 'cancelled' WHEN 4 THEN 'pending' ELSE 'succeeded' END`;

const fill = (orgId: Id<"org">, [busy, quiet, single]: string[]) =>
  sql(
    `INSERT INTO webhook_deliveries (org_id, id, endpoint_id, event_id, event_type, sequence, status, next_attempt_at, created_at)
     SELECT $1, uuidv7(age), CASE WHEN n % 4000 = 11 THEN $3::uuid WHEN n % 3 = 2 THEN $4::uuid ELSE $2::uuid END, uuidv7(age), ${typeOf}, n, ${statusOf}, CASE n % 1000 WHEN 4 THEN now() END, date_trunc('second', now()) + age
     FROM generate_series(1, ${count}) AS n, LATERAL (SELECT (n - ${count}) * interval '1 minute') AS made (age)`,
    [orgId, busy, quiet, single],
  );

/** Reads every page of a list by its cursors. */
async function everything(filter: Parameters<typeof listWebhookDeliveries>[1]): Promise<DeliveryView[]> {
  const found: DeliveryView[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await listWebhookDeliveries(w.ctx, { ...filter, limit: 100, ...(cursor && { cursor }) });
    found.push(...page.data);
    if (page.nextCursor === null) return found;
    cursor = page.nextCursor;
  }
}

/** Returns the cursor for the page that follows the nth row. */
const after = (n: number) => uuidOf(readId("dlv", all[n]!.id));
const ago = (minutes: number) => new Date(Date.parse(all[0]!.createdAt) - minutes * minute);
const statuses: DeliveryFilter["status"][] = [
  undefined,
  ["succeeded"],
  ["failed"],
  ["parked"],
  ["cancelled"],
  ["pending"],
  ["failed", "parked"],
  ["pending", "cancelled"],
  ["pending", "succeeded"],
];
const types = [undefined, ["credential.revoked"], ["credential.issued", "credential.revoked"], ["group.deleted"]];
const spans = () => [
  {},
  { createdAfter: ago(30) },
  { createdAfter: ago(12_000), createdBefore: ago(11_000) },
  { createdBefore: ago(100_000) },
];
const filters = (): DeliveryFilter[] =>
  statuses.flatMap((status) =>
    types.flatMap((type) =>
      [undefined, ...endpointIds.map((id) => [id]), endpointIds.slice(1)].flatMap((endpointId) =>
        spans().map((span) => ({ status, type, endpointId, ...span })),
      ),
    ),
  );

const fits = (filter: DeliveryFilter) => (d: DeliveryView) =>
  (filter.status === undefined || filter.status.includes(d.status)) &&
  (filter.type === undefined || filter.type.includes(d.eventType)) &&
  (filter.endpointId === undefined || filter.endpointId.includes(readId("whe", d.endpointId))) &&
  (filter.eventId === undefined || filter.eventId.includes(readId("evt", d.eventId))) &&
  (filter.createdAfter === undefined || Date.parse(d.createdAt) > filter.createdAfter.getTime()) &&
  (filter.createdBefore === undefined || Date.parse(d.createdAt) < filter.createdBefore.getTime());

describe("a page of deliveries", () => {
  it("holds exactly the deliveries that match its filters, in every combination, newest first", async () => {
    for (const filter of filters()) {
      const rows = await findDeliveries(sql, w.orgId, filter, { after: null, take: 26, skip: 10 });
      expect([filter, rows.map((row) => publicId("dlv", row.id))]).toEqual([
        filter,
        all
          .filter(fits(filter))
          .slice(10, 36)
          .map((d) => d.id),
      ]);
    }
  });

  it("is read from an index or from the newest deliveries, so that few rows are read for any filter", async () => {
    for (const filter of filters()) {
      const rows = await rowsLookedAt((explaining) =>
        findDeliveries(explaining, w.orgId, filter, { after: after(15_000), take: 26, skip: 0 }),
      );
      const isLookedFor =
        filter.status?.includes("pending") ||
        (filter.type && filter.endpointId?.length !== 1) ||
        (filter.endpointId?.length ?? 0) > 1;
      expect([filter, rows < (isLookedFor ? 1900 : 800)]).toEqual([filter, true]);
    }
  });

  it("holds the deliveries of the given events and reads few others", async () => {
    const eventId = [all[7]!, all[9_000]!, all[3]!].map((d) => readId("evt", d.eventId));
    for (const filter of [
      { eventId },
      { eventId: [...eventId, readId("evt", "evt_none")], status: ["succeeded" as const] },
      { eventId: eventId.slice(1), endpointId: [readId("whe", all[3]!.endpointId)] },
    ]) {
      const read = (query: typeof sql) =>
        findDeliveries(query, w.orgId, filter, { after: after(3), take: 26, skip: 0 });
      expect((await read(sql)).map((row) => publicId("dlv", row.id))).toEqual(
        all
          .filter(fits(filter))
          .filter((d) => d.id < all[3]!.id)
          .map((d) => d.id),
      );
      expect(await rowsLookedAt(read)).toBeLessThan(30);
    }
  });

  it("accepts several comma-separated values of a filter and refuses unknown or empty ones", async () => {
    const ids = async (query: string) => {
      const answer = await call("GET", `/v1/webhook_deliveries?limit=100&${query}`, { token: await w.key() });
      expect([query, answer.status]).toEqual([query, 200]);
      return answer.json<{ data: DeliveryView[] }>().data.map((d) => d.id);
    };
    const first = (filter: DeliveryFilter) =>
      all
        .filter(fits(filter))
        .slice(0, 100)
        .map((d) => d.id);
    expect(await ids("status=failed,%20parked")).toEqual(first({ status: ["failed", "parked"] }));
    expect(await ids(`endpointId=${endpoints[1]},${endpoints[2]}&status=failed,pending`)).toEqual(
      first({ endpointId: endpointIds.slice(1), status: ["failed", "pending"] }),
    );
    expect(await ids(`eventId=${all[4]!.eventId},${all[2]!.eventId}`)).toEqual([all[2]!.id, all[4]!.id]);
    const refused = async (path: string) =>
      (await call("GET", path, { token: await w.key() })).json<Record<string, unknown>>();
    for (const path of ["/v1/webhook_deliveries", `/v1/webhook_endpoints/${endpoints[0]}/deliveries`]) {
      for (const query of ["status=", "status=failed,", "status=lost", "eventId=", "eventId=a,,b"])
        expect([query, await refused(`${path}?${query}`)]).toEqual([
          query,
          expect.objectContaining({ status: 400, code: "invalid_request" }),
        ]);
    }
    expect(await refused("/v1/webhook_deliveries?endpointId=")).toMatchObject({
      status: 400,
      detail: expect.stringContaining("endpointId must not be empty"),
    });
  });

  it("the pages of a list together hold every matching delivery, for common and for rare values", async () => {
    const ids = async (filter: Parameters<typeof everything>[0]) => (await everything(filter)).map((d) => d.id);
    const [busy, quiet] = endpoints;
    expect(await ids({ endpointId: quiet! })).toEqual(all.filter((d) => d.endpointId === quiet).map((d) => d.id));
    expect(await ids({ type: "credential.*", endpointId: busy! })).toEqual(
      all.filter((d) => d.endpointId === busy && d.eventType.startsWith("credential.")).map((d) => d.id),
    );
    expect(await ids({ status: "failed" })).toEqual(all.filter((d) => d.status === "failed").map((d) => d.id));
  });

  it("with offset it has the total of matching deliveries, and it refuses a cursor from other filters", async () => {
    const { total } = await listWebhookDeliveries(w.ctx, { status: "parked", offset: 0 });
    expect(total).toBe(all.filter((d) => d.status === "parked").length);
    const { nextCursor } = await listWebhookDeliveries(w.ctx, { type: "credential.*" });
    await listWebhookDeliveries(w.ctx, { type: "credential.*", cursor: nextCursor! });
    for (const other of [
      {},
      { type: "subject.*" },
      { type: "credential.*", endpointId: endpoints[0]! },
      { type: "credential.*", createdAfter: ago(5).toISOString() },
    ]) {
      await expect(listWebhookDeliveries(w.ctx, { ...other, cursor: nextCursor! })).rejects.toMatchObject({
        code: "invalid_cursor",
      });
    }
  });
});

describe("a page of deliveries to 100 endpoints, one of them paused with an old backlog,", () => {
  const range = { after: null, take: 26, skip: 0 };
  const backlog = 2000;
  let orgId: Id<"org">;
  let paused: Id<"whe">;
  let other: Id<"whe">;

  // Every second one of the oldest 4,000 waits for the paused endpoint; all the others have succeeded.
  beforeAll(async () => {
    const many = await world();
    const ids = await Promise.all(
      Array.from(
        { length: 100 },
        async () => (await createWebhookEndpoint(many.ctx, { url: "https://example.edu/hooks" })).id,
      ),
    );
    orgId = many.orgId;
    [paused, other] = [readId("whe", ids[0]!), readId("whe", ids[1]!)];
    await fill(orgId, [ids[0]!, ids[0]!, ids[0]!]);
    await sql(
      `UPDATE webhook_deliveries SET status = waits.status, endpoint_id = CASE waits.status WHEN 'pending' THEN $2 ELSE ($3::uuid[])[2 + sequence % 99] END, next_attempt_at = CASE waits.status WHEN 'pending' THEN created_at END
       FROM (VALUES (0, 'pending'), (1, 'succeeded')) AS waits (n, status) WHERE org_id = $1 AND waits.n = CASE WHEN sequence <= ${2 * backlog} THEN sequence % 2 ELSE 1 END`,
      [orgId, paused, ids],
    );
    await sql(`VACUUM ANALYZE webhook_deliveries`);
  });

  /** Runs the same filter as a plain query. */
  const expected = async ({ status, type, endpointId }: DeliveryFilter) =>
    (
      await sql<{ id: Id<"dlv"> }>(
        `SELECT id FROM webhook_deliveries WHERE org_id = $1 AND ($2::text[] IS NULL OR status = ANY ($2)) AND ($3::text[] IS NULL OR event_type = ANY ($3)) AND ($4::uuid[] IS NULL OR endpoint_id = ANY ($4)) ORDER BY id DESC LIMIT ${range.take}`,
        [orgId, status ?? null, type ?? null, endpointId ?? null],
      )
    ).map((row) => publicId("dlv", row.id));

  it.each([
    ["what is pending", () => ({ status: ["pending"] }), 40 * 26 + backlog + 300],
    [
      "what is pending for the paused one",
      () => ({ status: ["pending"], endpointId: [paused] }),
      40 * 26 + backlog + 300,
    ],
    [
      "what is pending or failed for the paused one and another",
      () => ({ status: ["pending", "failed"], endpointId: [paused, other] }),
      40 * 26 + backlog + 300,
    ],
    ["a common type", () => ({ type: ["credential.issued", "credential.revoked"] }), 200],
    [
      "what arrived of a common type",
      () => ({ type: ["credential.issued", "credential.revoked"], status: ["succeeded"] }),
      200,
    ],
    ["a rare type", () => ({ type: ["credential.revoked", "group.deleted"] }), 40 * 26 + 300],
  ] satisfies [string, () => DeliveryFilter, number][])("reads few other rows: %s", async (_, filter, most) => {
    const rows = await findDeliveries(sql, orgId, filter(), range);
    expect(rows.map((row) => publicId("dlv", row.id))).toEqual(await expected(filter()));
    expect(rows.length).toBeGreaterThan(0);
    expect(await rowsLookedAt((explaining) => findDeliveries(explaining, orgId, filter(), range))).toBeLessThan(most);
  });
});
