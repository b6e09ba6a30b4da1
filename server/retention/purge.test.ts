import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { listClaims } from "@/server/claims/list-claims";
import { rejectClaims } from "@/server/claims/reject-claims";
import { waitingClaim } from "@/server/claims/testing/claims";
import { consoleSession } from "@/server/access/console-session";
import { endSession } from "@/server/access/end-session";
import { earliestId, uuidOf, type Id } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import { inviteMember } from "@/server/organisations/invite-member";
import { person, visitor } from "@/server/testing/person";
import { call } from "@/server/testing/request";
import { fallBackFromDeleted } from "@/server/connectors/fall-back-from-deleted";
import { Directory } from "@/server/scim/testing/directory";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { ownDatabase } from "@/server/testing/own-database";
import { refuseWrites } from "@/server/testing/refuse-writes";
import { sql } from "@/server/testing/sql";
import { waitingForLock } from "@/server/testing/waiting-for-lock";
import { world } from "@/server/testing/world";
import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";
import { resendWebhookDelivery } from "@/server/webhooks/deliveries/resend";
import { useStage } from "@/server/webhooks/testing/stage";
import { preparePartitions } from "./partitions";
import { purgeExpired } from "./purge";

beforeAll(ownDatabase);
// Tests drop the partitions of this week.
beforeEach(() => preparePartitions(new Date()));
const stage = useStage();
const day = 86_400_000;
const later = (days: number) => new Date(Date.now() + days * day);
const soon = () => new Date(Date.now() + 60_000);
const count = async (table: string) => (await sql<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))[0]!.n;

it("keeps rows of each kind for their lifetime, and removes deliveries last", async () => {
  const s = stage();
  const token = await s.world.key("webhooks:write");
  const { id } = await s.endpoint();
  await s.happen(3);
  await s.send();
  await call("POST", "/v1/webhook_endpoints", {
    token,
    body: { url: "https://example.edu/" },
    headers: { "idempotency-key": "one" },
  });
  await sql(
    `INSERT INTO access_tokens (hash, org_id, client_ref, scopes, expires_at) VALUES ('h', $1, $1, '{}', now())`,
    [s.world.orgId],
  );
  await s.sequence();
  const before = [await count("events"), await count("webhook_attempts"), await count("webhook_deliveries")];
  const left = async () => [await count("events"), await count("webhook_attempts"), await count("webhook_deliveries")];
  expect(await purgeExpired(later(0.9), soon())).toMatchObject({
    partitions: 0,
    idempotencyRecords: 0,
    accessTokens: 1,
  });
  expect(await purgeExpired(later(29.9), soon())).toMatchObject({
    partitions: 0,
    statistics: 0,
    idempotencyRecords: 1,
  });
  expect(await left()).toEqual(before);
  // Up to a week later than their lifetime: with the last day of their week.
  await purgeExpired(later(37), soon());
  expect(await left()).toEqual([0, 0, before[2]]);
  expect(await count("event_log")).toBe(0);
  const [delivery] = await s.deliveries(id);
  await expect(resendWebhookDelivery(s.ctx, { id: delivery!.id })).rejects.toMatchObject({ code: "event_expired" });
  await purgeExpired(later(67), soon());
  // The delivery of the endpoint's own event is pending.
  expect(await left()).toEqual([0, 0, 1]);
  expect(await count("webhook_statistics")).toBe(0);
});

it("keeps events without a number and pending deliveries, which are cancelled when they are due", async () => {
  const s = stage();
  const { id } = await s.endpoint();
  await s.happen();
  await createWebhookEndpoint(s.ctx, { url: "https://example.edu/", eventTypes: ["group.*"] });
  const left = async () => [await count("events"), await count("webhook_deliveries")];
  await purgeExpired(later(100), soon());
  // The event of the other endpoint has no number, and the week is removed as a whole.
  expect(await left()).toEqual([3, 1]);
  await s.sequence();
  await purgeExpired(later(100), soon());
  expect(await left()).toEqual([0, 1]);
  await s.send();
  expect([s.listener.received.length, (await s.deliveries(id)).map((d) => [d.status, d.attemptCount])]).toEqual([
    0,
    [["cancelled", 0]],
  ]);
});

it("removes one-time links once they have expired, used or not, and sessions a month later", async () => {
  const s = stage();
  const browser = await person(s.world, "viewer");
  await inviteMember(s.ctx, { email: "late@example.edu", role: "viewer" });
  await endSession(visitor(), (await consoleSession(browser.headers))!, {});
  expect(await purgeExpired(later(0.4), soon())).toMatchObject({ links: 0, sessions: 0 });
  expect(await consoleSession(browser.headers)).toBeNull();
  expect(await purgeExpired(later(6.9), soon())).toMatchObject({ links: 0, sessions: 0 });
  expect(await purgeExpired(later(7.1), soon())).toMatchObject({ links: 2 });
  expect(await count("one_time_links")).toBe(0);
  expect(await purgeExpired(later(30.9), soon())).toMatchObject({ sessions: 0 });
  expect(await purgeExpired(later(31.1), soon())).toMatchObject({ sessions: 1 });
});

it("removes a directory's decided removals after a month, and keeps those that wait for approval", async () => {
  const directory = await Directory.open(await world());
  const user = await directory.user("ada@purge.org");
  await directory.scim("PATCH", `/Users/${user.id}`, {
    Operations: [{ op: "replace", path: "active", value: false }],
  });
  const states = async () =>
    (await sql<{ state: string }>(`SELECT state FROM scim_removals WHERE org_id = $1`, [directory.world.orgId])).map(
      ({ state }) => state,
    );
  expect(await states()).toEqual(["applied"]);
  await sql(
    `INSERT INTO scim_removals (org_id, connector_id, subject_id, cause, state, staged_at) SELECT org_id, connector_id, subject_id, cause, 'staged', staged_at FROM scim_removals WHERE org_id = $1`,
    [directory.world.orgId],
  );
  await sql(
    `INSERT INTO scim_removals (org_id, connector_id, subject_id, cause, state, staged_at, discarded_at)
     SELECT org_id, connector_id, subject_id, cause, 'dropped', staged_at, $2 FROM scim_removals WHERE org_id = $1 AND state = 'applied'`,
    [directory.world.orgId, later(30.5)],
  );
  expect(await purgeExpired(later(29), soon())).toMatchObject({ directoryRemovals: 0 });
  expect(await purgeExpired(later(31), soon())).toMatchObject({ directoryRemovals: 1 });
  expect((await states()).toSorted()).toEqual(["dropped", "staged"]);
  expect(await purgeExpired(later(32), soon())).toMatchObject({ directoryRemovals: 1 });
  expect(await states()).toEqual(["staged"]);
});

it("removes a deleted connector only once the people whom another directory has too have its values", async () => {
  const w = await world();
  const [left] = [await Directory.open(w), await Directory.open(w)];
  await left.rest("DELETE", `/connectors/${left.id}`);
  const connectors = () => sql(`SELECT id FROM connectors WHERE org_id = $1`, [w.orgId]);
  await purgeExpired(later(400), soon());
  expect(await connectors()).toHaveLength(2);
  while (await fallBackFromDeleted(new Date()));
  await purgeExpired(later(400), soon());
  expect(await connectors()).toHaveLength(1);
});

it("removes nothing after its time limit", async () => {
  const s = stage();
  await s.happen(3);
  await s.sequence();
  expect(await purgeExpired(later(37), new Date(Date.now() - 1))).toMatchObject({ partitions: 0, events: 0 });
});

it("continues with the other kinds if one fails, and throws in the end", async () => {
  const s = stage();
  await sql(
    `INSERT INTO access_tokens (hash, org_id, client_ref, scopes, expires_at) SELECT 'h' || n, $1, $1, '{}', now() FROM generate_series(1, 5001) AS n`,
    [s.world.orgId],
  );
  await sql(
    `INSERT INTO idempotency_records (org_id, key, fingerprint, status, answer, expires_at) SELECT $1, n::text, 'f', 201, '', now() FROM generate_series(1, 5001) AS n`,
    [s.world.orgId],
  );
  await sql(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'cannot be removed'; END $$`,
  );
  await sql(`CREATE TRIGGER refuse BEFORE DELETE ON access_tokens EXECUTE FUNCTION refuse()`);
  try {
    await expect(purgeExpired(later(0.9), soon())).rejects.toThrow("cannot be removed");
    expect([await count("access_tokens"), await count("idempotency_records")]).toEqual([5001, 0]);
  } finally {
    await sql(`DROP FUNCTION refuse CASCADE`);
  }
  expect(await purgeExpired(later(0.9), soon())).toMatchObject({ accessTokens: 5001 });
});

it("removes old rows of other organisations if those of one cannot be removed, and throws in the end", async () => {
  const [broken, other] = [await world(), await world()];
  const kept = ({ orgId }: typeof other) => sql(`SELECT 1 FROM messages WHERE org_id = $1`, [orgId]);
  for (const { ctx, orgId } of [broken, other]) {
    const template = await publishedTemplate(ctx);
    await issued(ctx, template.id);
    await sql(
      `INSERT INTO messages (org_id, id, kind, state, credential_id, subject_id, template_id, next_attempt_at, asked_at, created_at, updated_at)
       SELECT $1, $2, 'issued', 'sent', id, subject_id, template_id, now(), now(), now(), now() FROM credentials WHERE org_id = $1`,
      [orgId, earliestId("msg", later(-100))],
    );
  }
  const allow = await refuseWrites("DELETE", "messages", `old.org_id = '${broken.orgId}'`);
  await expect(purgeExpired(new Date(), soon())).rejects.toThrow("refused");
  expect([(await kept(broken)).length, (await kept(other)).length]).toEqual([1, 0]);
  await allow();
  await purgeExpired(new Date(), soon());
  expect(await kept(broken)).toEqual([]);
});

it("leaves a week that a transaction uses to the next purge, and blocks nobody", async () => {
  const s = stage();
  await s.endpoint();
  await s.happen(3);
  await s.send();
  await transaction(async (tx) => {
    await tx.sql(`SELECT FROM events WHERE org_id = $1 LIMIT 1 FOR SHARE`, [s.world.orgId]);
    await purgeExpired(later(37), soon());
    expect(await count("events")).toBeGreaterThanOrEqual(3);
    await s.happen(2);
  });
  await s.send();
  expect(s.listener.received).toHaveLength(5);
  await purgeExpired(later(37), soon());
  expect([await count("events"), await count("event_log"), await count("webhook_attempts")]).toEqual([0, 0, 0]);
});

it("removes other deliveries of a week in which one is pending", async () => {
  const s = stage();
  const { id } = await s.endpoint();
  await s.happen(2);
  await s.send();
  await call("POST", `/v1/webhook_endpoints/${id}/pause`, { token: await s.world.key("webhooks:write"), body: {} });
  await s.happen(1);
  await s.sequence();
  expect(await purgeExpired(later(67), soon())).toMatchObject({ deliveries: 2 });
  expect((await s.deliveries(id)).map(({ status }) => status)).toEqual(["pending"]);
});

it("removes rows that are older than their partition, and rows from long ago, to the day", async () => {
  const { orgId } = await world();
  const write = (daysAgo: number) =>
    sql(
      `INSERT INTO event_log (org_id, id, sequence, type, resource_id, created_at) VALUES ($1, $2, 1, 'subject.created', uuidv7(), now())`,
      [orgId, uuidOf(earliestId("evt", later(-daysAgo)))],
    );
  const inDefault = async () => (await sql(`SELECT FROM event_log_default WHERE org_id = $1`, [orgId])).length;
  await write(-50);
  await write(31);
  await write(29);
  expect(await inDefault()).toBe(3);
  await preparePartitions(later(50));
  expect(await inDefault()).toBe(2);
  expect(await purgeExpired(new Date(), soon())).toMatchObject({ events: 1 });
  expect((await sql(`SELECT FROM event_log WHERE org_id = $1`, [orgId])).length).toBe(2);
});

describe("with one organisation that has much to remove", () => {
  const kinds = ["attempts", "events", "deliveries"] as const;
  const tables = {
    attempts: {
      table: "webhook_attempts",
      prefix: "att",
      columns: "delivery_id, endpoint_id, number, trigger, url, request_headers, duration_ms",
      values: "uuidv7(), uuidv7(), 1, 'event', 'u', '{}', 1",
    },
    events: {
      table: "event_log",
      prefix: "evt",
      columns: "sequence, type, resource_id, created_at",
      values: "-number, 'subject.created', uuidv7(), now()",
    },
    deliveries: {
      table: "webhook_deliveries",
      prefix: "dlv",
      columns: "endpoint_id, event_id, event_type, sequence, status",
      values: "uuidv7(), uuidv7(), 'subject.created', 1, 'succeeded'",
    },
  } as const;
  const today = new Date();
  const head = (kind: (typeof kinds)[number], daysAgo: number) =>
    uuidOf(earliestId(tables[kind].prefix, new Date(today.getTime() - daysAgo * day))).slice(0, -6);
  const insert = (kind: (typeof kinds)[number], orgId: Id<"org">, daysAgo: number, rows: number) => {
    const { table, columns, values } = tables[kind];
    return sql(
      `INSERT INTO ${table} (org_id, id, ${columns}) SELECT $1, ($2 || lpad(number::text, 6, '0'))::uuid, ${values} FROM generate_series(1, $3::int) AS number`,
      [orgId, head(kind, daysAgo), rows],
    );
  };
  const left = (orgId: Id<"org">) =>
    Promise.all(
      kinds.map(async (kind) => (await sql(`SELECT FROM ${tables[kind].table} WHERE org_id = $1`, [orgId])).length),
    );
  beforeEach(async () => {
    for (const kind of kinds) await sql(`DELETE FROM ${tables[kind].table}`);
  });

  const old = "01d00000-0000-7000-8000-000000000000";
  /**
   * For each kind that is not removed by organisation: its table, its key column, and the INSERT of one expired row.
   * The row's key is the text `old`, or the UUID in the constant `old` if the column holds UUIDs.
   */
  const expired = {
    statistics: [
      "webhook_statistics",
      "endpoint_id",
      `INSERT INTO webhook_statistics (org_id, endpoint_id, hour, ok, bucket, attempts) VALUES ('${old}', '${old}', now() - interval '400 days', true, 1, 1)`,
    ],
    actionCounts: [
      "credential_action_counts",
      "action",
      `INSERT INTO credential_action_counts (org_id, period, action, count) VALUES ('${old}', now() - interval '36 days', 'old', 1)`,
    ],
    idempotencyRecords: [
      "idempotency_records",
      "key",
      `INSERT INTO idempotency_records (org_id, key, fingerprint, status, answer, expires_at) VALUES ('${old}', 'old', 'f', 200, '', now() - interval '1 day')`,
    ],
    accessTokens: [
      "access_tokens",
      "hash",
      `INSERT INTO access_tokens (hash, org_id, client_ref, expires_at) VALUES ('old', '${old}', '${old}', now() - interval '1 day')`,
    ],
    links: [
      "one_time_links",
      "id",
      `INSERT INTO one_time_links (token_hash, id, purpose, expires_at) VALUES ('old', '${old}', 'setup', now() - interval '1 day')`,
    ],
    challenges: [
      "challenges",
      "token_hash",
      `INSERT INTO challenges (token_hash, purpose, expires_at) VALUES ('old', 'sso', now() - interval '1 day')`,
    ],
    securityEvents: [
      "security_events",
      "id",
      `INSERT INTO security_events (org_id, id, dedupe_key, type, request_id, count, hour, first_at, last_at) SELECT '${old}', '${old}', 'd', 't', 'r', 1, at, at, at FROM (SELECT now() - interval '400 days' AS at) AS ago`,
    ],
    accountMails: [
      "account_mails",
      "id",
      `INSERT INTO account_mails (id, kind, email, next_attempt_at, created_at) VALUES ('${old}', 'invitation', 'a@example.edu', now(), now() - interval '400 days')`,
    ],
  } as const;
  const expiredLeft = async () =>
    (
      await Promise.all(
        Object.values(expired).map(([table, key]) =>
          sql(`SELECT FROM ${table} WHERE ${key}::text IN ('old', $1)`, [old]),
        ),
      )
    ).flat().length;

  it.each(kinds)("purges the other organisations and all kinds before its second batch of %s", async (kind) => {
    const [big, ...small] = await Promise.all([world(), world(), world()]);
    await insert(kind, big.orgId, 300, 5_100);
    for (const { orgId } of small) for (const each of kinds) await insert(each, orgId, 100, 3);
    for (const [, , statement] of Object.values(expired)) await sql(statement);
    const purged = await transaction(async (tx) => {
      const locked = await tx.sql(`SELECT FROM ${tables[kind].table} WHERE org_id = $1 AND id = $2 FOR UPDATE`, [
        big.orgId,
        `${head(kind, 300)}005001`,
      ]);
      expect(locked).toHaveLength(1);
      const purging = purgeExpired(new Date(), soon());
      await vi.waitFor(async () => expect(await waitingForLock()).toHaveLength(1), { timeout: 10_000 });
      expect(await Promise.all(small.map(({ orgId }) => left(orgId)))).toEqual([
        [0, 0, 0],
        [0, 0, 0],
      ]);
      expect(await expiredLeft()).toBe(0);
      expect((await left(big.orgId))[kinds.indexOf(kind)]).toBe(100);
      return { purging };
    });
    expect(await purged.purging).toMatchObject({
      statistics: 1,
      idempotencyRecords: 1,
      attempts: 6,
      events: 6,
      deliveries: 6,
      [kind]: 5_106,
    });
  });

  it("begins with the organisation that has the oldest rows, so that none waits behind the same ones in each run", async () => {
    const worlds = await Promise.all([world(), world(), world()]);
    for (const [i, { orgId }] of worlds.entries()) await insert("events", orgId, 100 + i, 2);
    const order: Id<"org">[] = [];
    for (let i = 0; i < worlds.length; i++) {
      const ended = await transaction(async (tx) => {
        // This lock on the oldest row is released once the run's time is up.
        await tx.sql(`SELECT FROM event_log ORDER BY id LIMIT 1 FOR UPDATE`);
        const until = soon();
        const purging = purgeExpired(new Date(), until);
        await vi.waitFor(async () => expect(await waitingForLock()).toHaveLength(1), 20_000);
        // The purge looks at this date before each batch.
        until.setTime(0);
        return { purging };
      });
      expect(await ended.purging).toMatchObject({ events: 2 });
      const done = await Promise.all(worlds.map(async ({ orgId }) => ({ orgId, none: (await left(orgId))[1] === 0 })));
      order.push(...done.filter(({ orgId, none }) => none && !order.includes(orgId)).map(({ orgId }) => orgId));
    }
    expect(order).toEqual(worlds.map(({ orgId }) => orgId).toReversed());
  });
});

it("removes proofs of an address after a day, and rejected claims after 90 days", async () => {
  const { ctx } = await world();
  const { id } = await waitingClaim(ctx);
  await waitingClaim(ctx);
  await rejectClaims(ctx, { ids: [id], reason: "Not a member" });
  expect(await purgeExpired(later(0.9), soon())).toMatchObject({ addressProofs: 0 });
  expect(await purgeExpired(later(1.1), soon())).toMatchObject({ addressProofs: 2, rejectedClaims: 0 });
  expect(await purgeExpired(later(89.9), soon())).toMatchObject({ rejectedClaims: 0 });
  expect(await purgeExpired(later(90.1), soon())).toMatchObject({ rejectedClaims: 1 });
  // A waiting claim stays until somebody decides.
  expect((await listClaims(ctx, {})).data).toMatchObject([{ state: "waiting" }]);
});
