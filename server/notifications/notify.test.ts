import type { ServerResponse } from "node:http";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cancelConnectorRun } from "@/server/connectors/cancel-run";
import { person as sourcePerson, Source } from "@/server/connectors/http/testing/source";
import { listConnectorRuns } from "@/server/connectors/list-runs";
import { startDueConnector } from "@/server/connectors/run/start-due";
import { Fetched } from "@/server/connectors/sftp/testing/fetched";
import { held } from "@/server/connectors/testing/runs";
import { type PublicId } from "@/server/core/ids";
import { parseEnv } from "@/server/core/env";
import { applyPolicy } from "@/server/policies/apply";
import { discardPolicyRun } from "@/server/policies/discard-run";
import { getPolicy } from "@/server/policies/get";
import { pausePolicy } from "@/server/policies/pause";
import { failScheduledRun } from "@/server/policies/testing/failing";
import { haltedPolicy, policy } from "@/server/policies/testing/halted";
import { updatePolicy } from "@/server/policies/update";
import { purgeExpired } from "@/server/retention/purge";
import { ownDatabase } from "@/server/testing/own-database";
import { person } from "@/server/testing/person";
import { refuseWrites } from "@/server/testing/refuse-writes";
import { sql } from "@/server/testing/sql";
import { disableWebhookEndpoint } from "@/server/webhooks/endpoints/disable";
import { enableWebhookEndpoint } from "@/server/webhooks/endpoints/enable";
import { getWebhookEndpoint } from "@/server/webhooks/endpoints/get";
import { useStage, type Stage } from "@/server/webhooks/testing/stage";
import { discardStagedRemovals } from "@/server/scim/removals/discard";
import { Directory } from "@/server/scim/testing/directory";
import { changeRole } from "@/server/organisations/change-role";
import { removeMember } from "@/server/organisations/remove-member";
import { claimNotifications } from "./claim";
import { notify } from "./notify";
import { mailSettings, type MailSettings } from "./settings";
import { MailServer } from "./testing/mail-server";

beforeAll(ownDatabase);
const stage = useStage();
const minute = 60_000;
const hour = 60 * minute;

let server: MailServer;
let settings: MailSettings;
beforeEach(async () => {
  await sql(`DELETE FROM webhook_endpoints`);
  await sql(`DELETE FROM notifications`);
  server = new MailServer();
  settings = await server.start();
});
afterEach(() => server.close());

const run = (s: Stage) => notify(settings, () => s.now);

/** Makes an endpoint that answers with this status, and sends it a first delivery. */
async function failing(s: Stage, status = 500, more = {}) {
  s.listener.answer = (_, response) => response.writeHead(status).end();
  const endpoint = await s.endpoint("/hooks?token=hush", { description: "Campus <cards>", ...more });
  await s.happen();
  await s.send();
  return endpoint;
}

/** Lets hours pass. Each has an event and an attempt, and ends with a run of notify(). */
async function pass(s: Stage, hours: number): Promise<void> {
  for (let i = 0; i < hours; i++) {
    s.advance(hour);
    await s.happen();
    await s.send();
    await run(s);
  }
}

describe("removals that a directory asked for and that wait for approval", () => {
  it("are reported once to owners and admins, until none waits", async () => {
    const s = stage();
    const [owner, viewer] = await Promise.all((["owner", "viewer"] as const).map((role) => person(s.world, role)));
    const directory = await Directory.open(s.world, { limits: { deactivations: 0, deactivationPercent: 0 } });
    for (const name of ["a", "b"]) {
      const { id } = await directory.user(`${name}@example.org`);
      await directory.patch(id, [{ op: "replace", path: "active", value: false }]);
    }
    s.now = new Date();
    await run(s);
    await run(s);
    expect([owner!, viewer!].map(({ email }) => server.subjectsTo(email))).toEqual([
      ["Directory: 2 people would be removed"],
      [],
    ]);
    expect(server.received[0]!.source.replaceAll("=\r\n", "")).toContain(
      `http://localhost:3000/connectors/${directory.id}`,
    );
    await discardStagedRemovals(s.ctx, { id: directory.id });
    const other = await person(s.world, "owner");
    await run(s);
    expect(server.subjectsTo(other.email)).toEqual([]);
  });
});

describe("a collapse that a directory sends person by person", () => {
  it("is reported with one person at first, and again with ten times as many, but not while it shrinks", async () => {
    const s = stage();
    const owner = await person(s.world, "owner");
    const directory = await Directory.open(s.world, { limits: { deactivations: 0, deactivationPercent: 0 } });
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) ids.push((await directory.user(`p${n}@example.org`)).id);
    for (const id of ids) {
      await directory.patch(id, [{ op: "replace", path: "active", value: false }]);
      s.now = new Date();
      await run(s);
    }
    const told = ["Directory: 1 person would be removed", "Directory: 10 people would be removed"];
    expect(server.subjectsTo(owner.email)).toEqual(told);
    for (const id of ids.slice(4)) await directory.patch(id, [{ op: "replace", path: "active", value: true }]);
    await run(s);
    expect(server.subjectsTo(owner.email)).toEqual(told);
    await discardStagedRemovals(s.ctx, { id: directory.id });
  });
});

describe("a held run of a connector", () => {
  it("is reported once to owners and admins, with the number of people and the reason, and not after a decision", async () => {
    const s = stage();
    const [owner, admin, viewer] = await Promise.all(
      (["owner", "admin", "viewer"] as const).map((role) => person(s.world, role)),
    );
    const at = await held(s.ctx);
    s.now = new Date();
    await run(s);
    await run(s);
    expect([owner!, admin!, viewer!].map(({ email }) => server.subjectsTo(email))).toEqual([
      ["Registry: 19 people would be deactivated"],
      ["Registry: 19 people would be deactivated"],
      [],
    ]);
    for (const words of [
      "Organisation: Test Organisation",
      "Connector: Registry",
      "Up to 10 within 24 hours need no approval.",
      `http://localhost:3000/connectors/${at.id}/runs/${at.run}`,
    ])
      expect(server.received[0]!.source.replaceAll("=\r\n", "")).toContain(words);
    await cancelConnectorRun(s.ctx, at);
    const other = await person(s.world, "owner");
    await run(s);
    expect(server.subjectsTo(other.email)).toEqual([]);
  });
});

describe("a connector whose scheduled run failed or rejected every row", () => {
  it("is reported to owners and admins once until a run ends well", async () => {
    const s = stage();
    const [owner, admin, viewer] = await Promise.all(
      (["owner", "admin", "viewer"] as const).map((role) => person(s.world, role)),
    );
    const source = await Source.open(s.world, {}, { schedule: { cron: "0 5 * * *" } });
    /** Lets the schedule start a run, and returns how many e-mails each person has then. */
    const night = async (answer: Source["answer"]) => {
      source.answer = answer;
      while (await startDueConnector(new Date(Date.now() + 25 * hour)));
      const { data } = await listConnectorRuns(s.ctx, { id: source.id as PublicId<"con"> });
      await source.finish(data[0]!.id);
      await sql(`UPDATE connectors SET next_run_at = now() - interval '1 second' WHERE org_id = $1`, [s.world.orgId]);
      s.now = new Date();
      await run(s);
      return [owner!, admin!, viewer!].map(({ email }) => server.subjectsTo(email).length);
    };
    const json = (people: object[]) => (_: unknown, response: ServerResponse) =>
      void response.setHeader("content-type", "application/json").end(JSON.stringify(people));
    const down: Source["answer"] = (_, response) => response.writeHead(401).end();
    const rejected = json([{ ...sourcePerson(1), state: "gone fishing" }]);
    try {
      expect(await night(down)).toEqual([1, 1, 0]);
      expect(await night(down)).toEqual([1, 1, 0]);
      expect(await night(json([sourcePerson(1)]))).toEqual([1, 1, 0]);
      expect(await night(rejected)).toEqual([2, 2, 0]);
      // A run without a new file does not show whether rows are accepted again.
      await sql(`UPDATE connectors SET mode = 'delta' WHERE org_id = $1`, [s.world.orgId]);
      expect(await night(json([]))).toEqual([2, 2, 0]);
      expect(await night(rejected)).toEqual([2, 2, 0]);
      expect(await night(json([sourcePerson(2)]))).toEqual([2, 2, 0]);
      expect(await night(rejected)).toEqual([3, 3, 0]);
      expect(server.subjectsTo(owner!.email)).toEqual([
        "API: the run failed",
        "API: all rows were rejected",
        "API: all rows were rejected",
      ]);
      const letter = server.received[0]!.source.replaceAll("=\r\n", "").replaceAll("=3D", "=");
      expect(letter).toContain(`http://localhost:3000/connectors/${source.id}/runs/run_`);
    } finally {
      await sql(`UPDATE connectors SET deleted_at = now() WHERE org_id = $1`, [s.world.orgId]);
      await source.close();
    }
  });

  it("is not reported if a person asked for the run", async () => {
    const s = stage();
    const owner = await person(s.world, "owner");
    const source = await Source.open(s.world);
    source.answer = (_, response) => response.writeHead(401).end();
    try {
      expect(await source.sync()).toMatchObject({ status: "failed" });
      s.now = new Date();
      await run(s);
      expect(server.subjectsTo(owner!.email)).toEqual([]);
    } finally {
      await source.close();
    }
  });
});

it("does not stop the other notifications if one cannot be written and some cannot be queued", async () => {
  const s = stage();
  const owner = await person(s.world, "owner");
  const at = await held(s.ctx);
  s.now = new Date();
  const allow = await refuseWrites("INSERT", "notifications", "new.kind = 'connector_run_held'");
  await failing(s);
  s.advance(25 * hour);
  await sql(
    `INSERT INTO notifications (org_id, dedupe_key, user_id, kind, facts, next_attempt_at, created_at)
     SELECT org_id, 'broken', user_id, 'policy_failed', '{}', $2, $2 FROM memberships WHERE org_id = $1 AND role = 'owner'`,
    [s.world.orgId, new Date(s.now.getTime() - hour)],
  );
  await pass(s, 1).catch(() => undefined);
  await expect(run(s)).rejects.toThrow();
  expect(server.subjectsTo(owner!.email)).toEqual(["Campus <cards> is failing"]);
  await allow();
  // The other tests of this file need to start without due notices.
  await cancelConnectorRun(s.ctx, at);
});

describe("a server with another key than the approved one", () => {
  it("is reported once to owners and admins, until the connector is changed", async () => {
    const s = stage();
    const owner = await person(s.world, "owner");
    const fetched = await Fetched.open(s.world);
    try {
      await fetched.office.changeKey();
      await fetched.moveTo(fetched.office.port);
      for (let n = 0; n < 2; n++) expect((await fetched.sync()).errorSummary!.code).toBe("host_key_changed");
      s.now = new Date();
      await run(s);
      await run(s);
      expect(server.subjectsTo(owner!.email)).toEqual(["Drop: the SFTP server has another key"]);
      await fetched.patch({ name: "Drop 2" });
      await fetched.sync();
      s.now = new Date();
      await run(s);
      expect(server.subjectsTo(owner!.email)).toHaveLength(2);
    } finally {
      // The other tests of this file need to start without due notices.
      await fetched.delete();
      await fetched.office.close();
    }
  });
});

describe("a halted policy", () => {
  it("is reported once to owners and admins, with the numbers and the likely cause, however often it runs", async () => {
    const s = stage();
    const [owner, viewer] = await Promise.all((["owner", "viewer"] as const).map((role) => person(s.world, role)));
    const { id } = await haltedPolicy(s.ctx);
    s.now = new Date();
    await run(s);
    await applyPolicy(s.ctx, { id });
    await run(s);
    expect([owner!, viewer!].map(({ email }) => server.subjectsTo(email))).toEqual([
      ["Members: 1 credential would be ended"],
      [],
    ]);
    const letter = server.received[0]!.source.replaceAll("=\r\n", "").replaceAll("=3D", "=");
    for (const words of [
      "Policy: Members",
      "Nobody matches the rule any more, and 1 person holds a credential by it.",
      "attributes.in is missing for 1 of the 1 people",
      `http://localhost:3000/policies/${id}`,
    ])
      expect(letter).toContain(words);
    const { lastRun } = await getPolicy(s.ctx, { id });
    await discardPolicyRun(s.ctx, { id, run: lastRun!.id });
    const other = await person(s.world, "owner");
    await run(s);
    expect(server.subjectsTo(other.email)).toEqual([]);
  });
});

describe("a policy whose run failed", () => {
  it("is reported to owners and admins once until a run succeeds, and not if somebody paused it", async () => {
    const s = stage();
    const [owner, viewer] = await Promise.all((["owner", "viewer"] as const).map((role) => person(s.world, role)));
    const { id } = await policy(s.ctx);
    await updatePolicy(s.ctx, { id, schedule: { cron: "0 5 * * *" } });
    s.now = new Date();
    const day = async (work: () => Promise<unknown>) => {
      await work();
      s.advance(24 * hour);
      await run(s);
      return [owner!, viewer!].map(({ email }) => server.subjectsTo(email).length);
    };
    const fail = () => failScheduledRun(id, s.now);
    expect(await day(fail)).toEqual([1, 0]);
    expect(server.subjectsTo(owner!.email)).toEqual(["Members: the policy failed"]);
    const letter = server.received[0]!.source.replaceAll("=\r\n", "").replaceAll("=3D", "=");
    const { lastRun } = await getPolicy(s.ctx, { id });
    for (const words of ["tried 10 times", `http://localhost:3000/policies/${id}/runs/${lastRun!.id}`])
      expect(letter).toContain(words);
    expect(await day(fail)).toEqual([1, 0]);
    expect(await day(() => applyPolicy(s.ctx, { id }))).toEqual([1, 0]);
    expect(await day(fail)).toEqual([2, 0]);
    await applyPolicy(s.ctx, { id });
    expect(
      await day(async () => {
        await fail();
        await pausePolicy(s.ctx, { id });
      }),
    ).toEqual([2, 0]);
  });
});

describe("an endpoint that keeps failing", () => {
  it("is reported to owners and admins after 24 h, 24 h before it is disabled and when it is disabled, each once", async () => {
    const s = stage();
    const [owner, admin, viewer, issuer] = await Promise.all(
      (["owner", "admin", "viewer", "issuer"] as const).map((role) => person(s.world, role)),
    );
    const { id } = await failing(s);
    const letters = [
      "Campus <cards> is failing",
      "Campus <cards> is about to be disabled",
      "Campus <cards> was disabled",
    ];
    const told = () => server.subjectsTo(owner!.email);
    await pass(s, 23);
    expect(told()).toEqual([]);
    await pass(s, 1);
    expect(told()).toEqual(letters.slice(0, 1));
    await pass(s, 71);
    expect(told()).toEqual(letters.slice(0, 1));
    const { willBeDisabledAt } = await getWebhookEndpoint(s.ctx, { id });
    await pass(s, 1);
    expect(told()).toEqual(letters.slice(0, 2));
    expect(Date.parse(willBeDisabledAt!) - s.now.getTime()).toBe(24 * hour);
    await pass(s, 23);
    expect(told()).toEqual(letters.slice(0, 2));
    await pass(s, 2);
    expect((await getWebhookEndpoint(s.ctx, { id })).status).toBe("disabled");
    expect(told()).toEqual(letters);
    expect(server.subjectsTo(admin!.email)).toEqual(letters);
    expect([viewer!, issuer!].map(({ email }) => server.subjectsTo(email))).toEqual([[], []]);
  });

  it("is reported with its name, since when and why it fails, when it will be disabled and a link, without secrets", async () => {
    const s = stage();
    const { email } = await person(s.world, "owner");
    s.now = new Date("2026-03-01T10:00:00Z");
    const { id } = await failing(s);
    await pass(s, 24);
    const [{ from, to, source }] = server.received as [MailServer["received"][number]];
    expect([from, to]).toEqual(["bonafide@example.edu", [email]]);
    for (const words of [
      "From: Bonafide <bonafide@example.edu>",
      "Organisation: Test Organisation",
      `URL: ${s.listener.url("/***")}`,
      "since 1 March 2026 at 10:00 UTC",
      "disabled on 6 March 2026 at 10:00 UTC",
      "The server answered with status 500.",
      `http://localhost:3000/webhooks/${id}`,
      "Campus &lt;cards&gt;",
      "Auto-Submitted: auto-generated",
    ])
      expect(source).toContain(words);
    expect(source).not.toMatch(/hush|whsec_|<cards><\/h1>/);
  });

  it("is not reported while it succeeds now and then, or after a single failure", async () => {
    const s = stage();
    await person(s.world, "owner");
    await failing(s);
    for (let i = 0; i < 4; i++) {
      await pass(s, 20);
      s.listener.answer = (_, response) => response.writeHead(204).end();
      await pass(s, 1);
      s.listener.answer = (_, response) => response.writeHead(500).end();
    }
    await sql(`DELETE FROM webhook_deliveries`);
    await sql(`DELETE FROM webhook_endpoints`);
    await failing(s);
    s.advance(30 * hour);
    await run(s);
    expect(server.received).toEqual([]);
  });

  it("gets the last warning first if it was quiet for days, since it is disabled after 12 h", async () => {
    const s = stage();
    const { email } = await person(s.world, "admin");
    s.listener.answer = (_, response) => response.writeHead(500).end();
    await s.endpoint("/hooks", { description: "Quiet" });
    s.advance(200 * hour);
    await s.happen();
    await s.send();
    await run(s);
    expect(server.received).toEqual([]);
    await pass(s, 2);
    expect(server.subjectsTo(email)).toEqual(["Quiet is about to be disabled"]);
  });
});

describe("an endpoint that was disabled", () => {
  it("is reported at once if it answered 410, and again if that happens again", async () => {
    const s = stage();
    const { email } = await person(s.world, "owner");
    const { id } = await failing(s, 410);
    await run(s);
    await run(s);
    expect(server.subjectsTo(email)).toEqual(["Campus <cards> was disabled"]);
    expect(server.received[0]!.source).toContain("It answered 410 Gone");
    s.advance(minute);
    await enableWebhookEndpoint(s.ctx, { id });
    await s.happen();
    await s.send();
    await run(s);
    expect(server.subjectsTo(email)).toHaveLength(2);
  });

  it("is not reported if a person disabled it, or later than a week", async () => {
    const s = stage();
    await person(s.world, "owner");
    const { id } = await failing(s);
    await disableWebhookEndpoint(s.ctx, { id });
    expect(await run(s)).toEqual({ queued: 0, sent: 0 });
    await failing(s, 410);
    s.advance(7 * 24 * hour);
    expect(await run(s)).toEqual({ queued: 0, sent: 0 });
  });
});

describe("sending", () => {
  it("is retried after a temporary refusal, which does not delay other recipients", async () => {
    const s = stage();
    const [first, second] = [
      await person(s.world, "owner"),
      await person(s.world, "admin"),
      await person(s.world, "viewer"),
    ];
    server.answer = (to) => (to === first.email ? 451 : 0);
    await failing(s, 410);
    expect(await run(s)).toEqual({ queued: 2, sent: 1 });
    expect([server.subjectsTo(second.email).length, server.refused]).toEqual([1, [first.email]]);
    server.answer = () => 0;
    expect(await run(s)).toEqual({ queued: 0, sent: 0 });
    s.advance(minute);
    expect(await run(s)).toEqual({ queued: 0, sent: 1 });
    expect([server.subjectsTo(first.email).length, server.subjectsTo(second.email).length]).toEqual([1, 1]);
  });

  it("fails after a day of temporary refusals, and at once after a permanent one", async () => {
    const s = stage();
    const [slow, never] = [await person(s.world, "owner"), await person(s.world, "admin")];
    server.answer = (to) => (to === never.email ? 550 : 451);
    await failing(s, 410);
    for (let i = 0; i < 30; i++) {
      await run(s);
      s.advance(hour);
    }
    expect([slow, never].map(({ email }) => server.refused.filter((to) => to === email).length)).toEqual([7, 1]);
    expect(await sql(`SELECT state, count(*) AS n FROM notifications GROUP BY state`)).toEqual([
      { state: "failed", n: 2 },
    ]);
  });

  it("happens once although several processes run at once", async () => {
    const s = stage();
    const people = await Promise.all(Array.from({ length: 8 }, () => person(s.world, "admin")));
    await failing(s, 410);
    await Promise.all([run(s), run(s), run(s)]);
    expect(people.map(({ email }) => server.subjectsTo(email).length)).toEqual(people.map(() => 1));
  });

  it("is taken over by another process when the lease of a killed one has ended", async () => {
    const s = stage();
    await person(s.world, "owner");
    await failing(s, 410);
    server.answer = () => 451;
    await run(s);
    server.answer = () => 0;
    s.advance(minute);
    expect(await claimNotifications(s.now)).toHaveLength(1);
    expect(await run(s)).toEqual({ queued: 0, sent: 0 });
    s.advance(5 * minute);
    expect(await run(s)).toEqual({ queued: 0, sent: 1 });
  });

  it("does not reach people who left or changed their role since", async () => {
    const s = stage();
    const [stays, leaves, issues] = [
      await person(s.world, "owner"),
      await person(s.world, "owner"),
      await person(s.world, "admin"),
    ];
    server.answer = () => 451;
    await failing(s, 410);
    await run(s);
    await removeMember(s.ctx, { id: leaves.memberId });
    await changeRole(s.ctx, { id: issues.memberId, role: "issuer" });
    server.answer = () => 0;
    s.advance(minute);
    expect(await run(s)).toEqual({ queued: 0, sent: 1 });
    expect(server.received.map(({ to }) => to)).toEqual([[stays.email]]);
  });

  it("leaves a record that is kept for 30 days", async () => {
    const s = stage();
    await person(s.world, "owner");
    await failing(s, 410);
    await run(s);
    const soon = new Date(Date.now() + minute);
    s.advance(30 * 24 * hour);
    expect(await purgeExpired(s.now, soon)).toMatchObject({ notifications: 0 });
    s.advance(1);
    expect(await purgeExpired(s.now, soon)).toMatchObject({ notifications: 1 });
  });
});

describe("the configuration", () => {
  it("is optional: without it notifications are kept unsent", async () => {
    const s = stage();
    await person(s.world, "owner");
    await failing(s, 410);
    expect(await notify(mailSettings(parseEnv({ ...process.env, SMTP_URL: "", MAIL_FROM: "" })), () => s.now)).toEqual({
      queued: 1,
      sent: 0,
    });
    expect(await sql(`SELECT kind, state FROM notifications`)).toEqual([
      { kind: "endpoint_disabled", state: "unsent" },
    ]);
  });

  it.each([
    [{ SMTP_URL: "smtp://mail.example.edu" }, "SMTP_URL and MAIL_FROM go together"],
    [{ MAIL_FROM: "a@example.edu" }, "SMTP_URL and MAIL_FROM go together"],
    [{ SMTP_URL: "https://mail.example.edu", MAIL_FROM: "a@example.edu" }, "SMTP_URL: must be smtp://"],
    [{ SMTP_URL: "smtp://", MAIL_FROM: "a@example.edu" }, "SMTP_URL: must be smtp://"],
    [{ SMTP_URL: "smtp://mail.example.edu", MAIL_FROM: "nobody" }, "MAIL_FROM: must be an address"],
  ])("%j is refused", (some, problem) => {
    expect(() => parseEnv({ ...process.env, ...some })).toThrow(problem);
  });

  it.each([
    [
      "smtp://u:p@mail.example.edu",
      { host: "mail.example.edu", port: 587, secure: false, requireTLS: true, auth: { user: "u", pass: "p" } },
    ],
    ["smtps://u:p@mail.example.edu", { port: 465, secure: true, requireTLS: false }],
    ["smtp://[::1]:2525", { host: "::1", port: 2525, secure: false, requireTLS: false }],
  ])("%s is parsed, and sends no password over a network without TLS", (SMTP_URL, smtp) => {
    expect(mailSettings({ SMTP_URL, MAIL_FROM: "a@example.edu" })!.smtp).toMatchObject(smtp);
  });
});
