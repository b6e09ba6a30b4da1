import { afterAll, beforeAll, expect, it } from "vitest";
import { noOrganisation, publicId } from "@/server/core/ids";
import { sql } from "@/server/testing/sql";
import { runTrpc } from "@/server/testing/trpc";
import { liveMetricsText } from "@/server/http/web/request-metrics";
import { inviteMember } from "@/server/organisations/invite-member";
import { acceptInvitation } from "@/server/organisations/accept-invitation";
import { purgeExpired } from "@/server/retention/purge";
import { ownDatabase } from "@/server/testing/own-database";
import { password, person, tokenIn, visitor } from "@/server/testing/person";
import { call } from "@/server/testing/request";
import { codeOf, withApp } from "@/server/testing/second-factor";
import { world, type World } from "@/server/testing/world";
import { listSecurityEvents } from "./list-security-events";
import { completeSignIn } from "./second-factor/complete-sign-in";
import { flushSecurityEvents, recordSecurityEvent } from "./security-events";
import { SecondFactorNeeded, signIn } from "./sign-in";

// Events without an organisation are shared by all tests, so this file has a database of its own.
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await ownDatabase();
});
afterAll(() => drop());

async function eventsOf(w: World) {
  await flushSecurityEvents();
  return (await listSecurityEvents(w.ctx, { limit: 100 })).data;
}
const failing = (attempt: Promise<unknown>) =>
  attempt.then(
    () => null,
    (error: unknown) => error,
  );

it("failed and limited sign-ins are recorded in each organisation of the account, with address, request id and count", async () => {
  const [home, second, foreign] = [await world(), await world(), await world()];
  const { email, claims } = await person(home, "owner");
  await acceptInvitation(visitor(), {
    token: tokenIn((await inviteMember(second.ctx, { email, role: "viewer" })).url),
    password,
  });
  const guesser = { ...visitor(), address: "203.0.113.7" };
  for (let i = 0; i < 6; i++) await failing(signIn(guesser, { email, password: "wrong password" }));
  for (const w of [home, second]) {
    expect(await eventsOf(w)).toMatchObject([
      {
        type: "sign_in_limited",
        count: 1,
        address: "203.0.113.7",
        requestId: guesser.requestId,
        target: { type: "user", id: publicId("usr", claims.userId) },
      },
      { type: "sign_in_failed", count: 5, address: "203.0.113.7", requestId: guesser.requestId },
    ]);
  }
  expect(await eventsOf(foreign)).toEqual([]);
  const types = async (type: string) =>
    (await listSecurityEvents(home.ctx, { type, offset: 0 })).data.map((event) => event.type);
  expect(await types("sign_in_failed")).toEqual(["sign_in_failed"]);
  expect(await types("sign_in_failed, sign_in_limited")).toEqual(["sign_in_limited", "sign_in_failed"]);
  await expect(types("sign_in_failed,other")).rejects.toMatchObject({ code: "invalid_request" });
});

it("events that could not be written are written later, together with what came since", async () => {
  const home = await world();
  const { email } = await person(home, "owner");
  const guesser = { ...visitor(), address: "203.0.113.9" };
  const guess = () => failing(signIn(guesser, { email, password: "wrong password" }));
  await guess();
  await sql(`ALTER TABLE security_events RENAME TO security_events_away`);
  await expect(flushSecurityEvents()).rejects.toThrow("security_events");
  await guess();
  await expect(flushSecurityEvents()).rejects.toThrow("security_events");
  await sql(`ALTER TABLE security_events_away RENAME TO security_events`);
  expect(await eventsOf(home)).toMatchObject([{ type: "sign_in_failed", count: 2, address: "203.0.113.9" }]);
});

it("the address typed for an unknown account is not stored", async () => {
  await failing(signIn(visitor(), { email: "my-secret-password@example.edu", password: "x" }));
  await flushSecurityEvents();
  const rows = await sql<{ row: string }>(`SELECT to_jsonb(e)::text AS row FROM security_events e WHERE org_id = $1`, [
    noOrganisation,
  ]);
  expect(rows).toHaveLength(1);
  expect(rows[0]!.row).not.toContain("my-secret");
});

it("wrong second factors are recorded", async () => {
  const home = await world();
  const { email, headers, claims } = await person(home, "owner");
  const { secret } = await withApp(headers);
  const needed = (await failing(signIn(visitor(), { email, password }))) as SecondFactorNeeded;
  await failing(completeSignIn(visitor(), needed.token, { code: codeOf(secret) === "000000" ? "000001" : "000000" }));
  expect(await eventsOf(home)).toMatchObject([
    { type: "second_factor_failed", target: { id: publicId("usr", claims.userId) } },
  ]);
});

it("refused scopes are recorded for tokens and for people", async () => {
  const home = await world();
  const token = await home.key("verify");
  const refused = await call("GET", "/v1/subjects", { token, headers: { "x-forwarded-for": "198.51.100.4" } });
  const viewer = await person(home, "viewer");
  expect(await runTrpc("POST", "organisation.update", { name: "Mine" }, viewer.headers)).toMatchObject({
    code: "insufficient_scope",
  });
  expect(await eventsOf(home)).toMatchObject([
    {
      type: "scope_refused",
      target: { type: "user", id: publicId("usr", viewer.claims.userId), name: viewer.email },
      detail: { scope: "settings:write" },
    },
    {
      type: "scope_refused",
      target: { type: "api_key", name: "test" },
      detail: { scope: "subjects:read" },
      address: "198.51.100.4",
      requestId: refused.headers.get("request-id"),
    },
  ]);
});

it("attempts with used, expired or unknown links are recorded", async () => {
  const home = await world();
  const [one, two] = [
    await inviteMember(home.ctx, { email: "one@example.edu", role: "viewer" }),
    await inviteMember(home.at(new Date(Date.now() - 8 * 86_400_000)), { email: "two@example.edu", role: "viewer" }),
  ];
  await acceptInvitation(visitor(), { token: tokenIn(one.url), password });
  for (const { url } of [one, two])
    expect(await runTrpc("POST", "links.inspect", { token: tokenIn(url) })).toMatchObject({ code: "link_unusable" });
  expect((await eventsOf(home)).map(({ type, detail, target }) => [type, detail, target?.id])).toEqual([
    ["link_misused", { reason: "expired", purpose: "invite" }, two.id],
    ["link_misused", { reason: "used", purpose: "invite" }, one.id],
  ]);
  await runTrpc("POST", "links.inspect", { token: "unknown" });
  await flushSecurityEvents();
  expect(
    await sql(`SELECT detail FROM security_events WHERE org_id = $1 AND type = 'link_misused'`, [noOrganisation]),
  ).toEqual([{ detail: { reason: "unknown" } }]);
});

it("beyond 100 rows of a type an hour, further events are counted in one row with the number of addresses", async () => {
  const home = await world();
  const at = new Date();
  const flood = (from: number, n: number) => {
    for (let i = from; i < from + n; i++)
      recordSecurityEvent({
        type: "scope_refused",
        orgId: home.orgId,
        address: `2001:db8:0:${i.toString(16)}::1`,
        requestId: "req_x",
        at,
      });
  };
  flood(0, 5000);
  await flushSecurityEvents();
  flood(5000, 1000);
  flood(5000, 1000);
  await flushSecurityEvents();
  const rows = await sql<{ address: string | null; count: number }>(
    `SELECT address, count FROM security_events WHERE org_id = $1`,
    [home.orgId],
  );
  expect(rows).toHaveLength(101);
  expect(rows.filter((row) => row.address === null)).toEqual([{ address: null, count: 7000 - 100 }]);
  const [more] = (await eventsOf(home)).filter((event) => event.address === null);
  expect(more!.addresses).toBeGreaterThan(5900 * 0.9);
  expect(more!.addresses).toBeLessThan(5900 * 1.1);
});

it("events from all addresses of one /64 share a row", async () => {
  const home = await world();
  for (let i = 0; i < 50; i++)
    recordSecurityEvent({
      type: "scope_refused",
      orgId: home.orgId,
      address: `2001:db8::${i.toString(16)}`,
      requestId: "req_x",
      at: new Date(),
    });
  expect(await eventsOf(home)).toMatchObject([{ address: "2001:db8::/64", count: 50, addresses: null }]);
});

it("a flood of wrong passwords at one account does not hide other types or other accounts", async () => {
  const home = await world();
  const [flooded, other, caller] = [
    await person(home, "viewer"),
    await person(home, "owner"),
    await person(home, "viewer"),
  ];
  const at = new Date();
  for (let i = 0; i < 520; i++)
    recordSecurityEvent({
      type: "sign_in_failed",
      account: { email: flooded.email },
      address: `127.3.${i >> 8}.${i & 255}`,
      requestId: "req_x",
      at,
    });
  await flushSecurityEvents();
  recordSecurityEvent({
    type: "sign_in_failed",
    account: { email: other.email },
    address: "203.0.113.9",
    requestId: "req_y",
    at,
  });
  await runTrpc("POST", "organisation.update", { name: "Mine" }, caller.headers);
  const events = await eventsOf(home);
  expect(events).toContainEqual(
    expect.objectContaining({
      type: "scope_refused",
      target: expect.objectContaining({ id: publicId("usr", caller.claims.userId) }),
    }),
  );
  expect(events).toContainEqual(
    expect.objectContaining({
      type: "sign_in_failed",
      count: 1,
      address: null,
      addresses: 1,
      target: expect.objectContaining({ id: publicId("usr", other.claims.userId) }),
    }),
  );
  const more = events.filter(
    ({ address, target }) => address === null && target?.id === publicId("usr", flooded.claims.userId),
  );
  expect(more.map(({ count }) => count)).toEqual([420]);
});

it("security events are counted on /metrics and are deleted with their addresses after 30 days", async () => {
  const home = await world();
  const failures = async () =>
    Number(/bonafide_security_events_total\{type="sign_in_failed"\} (\d+)/.exec(await liveMetricsText())![1]);
  const before = await failures();
  await failing(signIn(visitor(), { email: (await person(home, "owner")).email, password: "wrong" }));
  expect(await failures()).toBe(before + 1);
  await flushSecurityEvents();
  const later = (days: number) => new Date(Date.now() + days * 86_400_000);
  const soon = new Date(Date.now() + 60_000);
  expect((await purgeExpired(later(29.9), soon)).securityEvents).toBe(0);
  expect((await purgeExpired(later(30.1), soon)).securityEvents).toBeGreaterThan(0);
  expect(await sql(`SELECT 1 FROM security_events`)).toEqual([]);
});

it("security events are shown only with audit:read", async () => {
  await expect(listSecurityEvents((await world()).as("settings:write"), {})).rejects.toMatchObject({
    code: "insufficient_scope",
  });
});
