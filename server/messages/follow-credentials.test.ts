import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sequencer } from "@/server/consumers";
import { sendMessages } from "@/server/notifications/send-messages";
import type { MailSettings } from "@/server/notifications/settings";
import { MailServer } from "@/server/notifications/testing/mail-server";
import { eventsOf } from "@/server/testing/events";
import { ownDatabase } from "@/server/testing/own-database";
import { refuseWrites } from "@/server/testing/refuse-writes";
import { sql } from "@/server/testing/sql";
import { queueExpiringMessages } from "./sweep-expiring";
import { withMessages } from "./testing/with-messages";

const server = new MailServer();
let settings: MailSettings;
beforeAll(async () => {
  settings = await server.start();
  const drop = await ownDatabase();
  return async () => {
    await drop();
    await server.close();
  };
});
beforeEach(async () => {
  await sql(`DELETE FROM messages`);
  await sql(`UPDATE templates SET message_kinds = '{}'`);
  server.received.length = 0;
  server.refused.length = 0;
  server.answer = () => 0;
});

const day = 86_400_000;
const send = (afterMs = 0) => sendMessages(settings, () => new Date(Date.now() + afterMs));
const sweep = (afterMs = 0) => queueExpiringMessages(new Date(Date.now() + afterMs), new Date(Date.now() + 60_000));
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();

describe("the messages that a template asks for", () => {
  it("are sent once for each change of a credential, with its link", async () => {
    const { issue, change, outbox } = await withMessages([
      "issued",
      "suspended",
      "resumed",
      "revoked",
      "expiry_changed",
    ]);
    const { id, verifyUrl } = await issue();
    await send();
    await change(id, "suspend", { reason: "Fees are open" });
    await send();
    await change(id, "resume");
    await send();
    await change(id, null, { expiresAt: "2990-01-01T00:00:00Z" });
    await change(id, null, { data: { room: "4" } });
    await send();
    await change(id, "revoke", { reason: "Left" });
    expect([await send(), await send()]).toEqual([{ sent: 1 }, { sent: 0 }]);
    expect(server.subjectsTo("ada@example.edu")).toEqual([
      "Your credential “Student card” is ready",
      "Your credential “Student card” is suspended",
      "Your credential “Student card” is valid again",
      "Your credential “Student card” has a new expiry date",
      "Your credential “Student card” was revoked",
    ]);
    const sources = server.received.map(({ source }) => source);
    expect(sources.every((source) => source.includes(verifyUrl))).toBe(true);
    expect(sources[1]).toContain("Reason: Fees are open");
    expect(sources[3]).toContain("31 December 2989");
    expect((await outbox()).map(({ kind, state, to }) => [kind, state, to])).toEqual(
      ["revoked", "expiry_changed", "resumed", "suspended", "issued"].map((kind) => [kind, "sent", "ada@example.edu"]),
    );
  });

  it("are not sent unless the template asks for them", async () => {
    const { issue, change, outbox, template } = await withMessages([]);
    expect((template as { messages?: unknown }).messages).toMatchObject({ automatic: [], expiringDays: 30 });
    const { id } = await issue();
    await change(id, "suspend");
    expect(await outbox()).toEqual([]);
  });

  it("are not sent to people who are inactive or have no address", async () => {
    const { issue, change, outbox, request } = await withMessages(["issued", "revoked"]);
    await issue({ email: undefined });
    expect(await outbox()).toEqual([]);
    const { id } = await issue({ externalId: "s-9" });
    await request("PUT", "/v1/subjects", { externalId: "s-9", status: "inactive" });
    await send();
    await change(id, "revoke", { reason: "Left" });
    await send();
    expect(server.received).toEqual([]);
    expect(await outbox()).toMatchObject([
      { kind: "issued", state: "cancelled", to: null, error: "The person is inactive, so the message was not sent." },
    ]);
  });

  it("are sent to the person's address at the time of sending", async () => {
    const { issue, request, outbox } = await withMessages(["issued"]);
    await issue({ externalId: "s-1" });
    expect(await outbox()).toMatchObject([{ state: "pending", to: "ada@example.edu" }]);
    await request("PUT", "/v1/subjects", { externalId: "s-1", email: "new@example.edu" });
    await send();
    expect(server.received.map(({ to }) => to)).toEqual([["new@example.edu"]]);
  });

  it("do not report the revocation of a replaced credential", async () => {
    const { issue, change, outbox } = await withMessages(["issued", "revoked"]);
    const { id } = await issue();
    await change(id, "reissue");
    expect((await outbox()).map(({ kind }) => kind)).toEqual(["issued", "issued"]);
  });

  it("are not sent if they are no longer true", async () => {
    const { issue, change, outbox } = await withMessages(["suspended", "resumed"]);
    const { id } = await issue();
    await change(id, "suspend");
    await change(id, "resume");
    await send();
    expect(server.subjectsTo("ada@example.edu")).toEqual(["Your credential “Student card” is valid again"]);
    expect(await outbox("?state=cancelled")).toMatchObject([
      { kind: "suspended", error: "The credential is now active, so the message was not sent." },
    ]);
  });
});

describe("the message that a credential expires soon", () => {
  it("is sent the set number of days before the expiry, once, and again after a renewal", async () => {
    const { issue, change } = await withMessages(["expiring"], { expiringDays: 10 });
    const { id } = await issue({}, { expiresAt: inDays(20) });
    expect([await sweep(), await sweep(9 * day)]).toEqual([0, 0]);
    expect([await sweep(11 * day), await sweep(11 * day), await sweep(12 * day)]).toEqual([1, 0, 0]);
    await send(11 * day);
    expect(server.subjectsTo("ada@example.edu")).toEqual(["Your credential “Student card” expires soon"]);
    await change(id, null, { expiresAt: inDays(60) });
    expect([await sweep(49 * day), await sweep(51 * day), await sweep(52 * day)]).toEqual([0, 1, 0]);
  });

  it("is sent for other credentials even if those of one template cannot be searched", async () => {
    const [broken, other] = [await withMessages(["expiring"]), await withMessages(["expiring"])];
    for (const { issue } of [broken, other]) await issue({}, { expiresAt: inDays(20) });
    const allow = await refuseWrites("UPDATE", "message_sweeps", `new.org_id = '${broken.home.orgId}'`);
    await expect(sweep()).rejects.toThrow("refused");
    expect((await other.outbox()).map(({ kind }) => kind)).toEqual(["expiring"]);
    await allow();
    expect(await sweep()).toBe(1);
  });

  it("is sent at once if the expiry is moved to a date within these days", async () => {
    const { issue, change, outbox } = await withMessages(["expiring"], { expiringDays: 10 });
    const { id } = await issue({}, { expiresAt: inDays(400) });
    expect(await sweep()).toBe(0);
    await change(id, null, { expiresAt: inDays(5) });
    expect((await outbox()).map(({ kind }) => kind)).toEqual(["expiring"]);
    expect(await sweep()).toBe(0);
  });

  it("is sent to more people than one batch holds, and not for suspended credentials", async () => {
    const { issue, home, change } = await withMessages(["expiring"], { expiringDays: 30 });
    const ends = inDays(20);
    const { id } = await issue({}, { expiresAt: ends });
    const { id: suspended } = await issue({}, { expiresAt: ends });
    await change(suspended, "suspend");
    await sql(
      `WITH people AS (
         INSERT INTO subjects (org_id, id, external_id, display_name, email, status, attributes)
         SELECT org_id, uuidv7(), 'copy-' || n, 'Copy', 'copy' || n || '@example.edu', 'active', '{}' FROM subjects, generate_series(1, 2400) n WHERE org_id = $1 AND external_id = 's-1' RETURNING id, external_id
       )
       INSERT INTO credentials (org_id, id, code, subject_id, template_id, template_version_id, kind, state, valid_from, issued_at, expires_at, source_type)
       SELECT c.org_id, uuidv7(), upper(substr(md5(people.external_id || $1), 1, 16)), people.id, c.template_id, c.template_version_id, c.kind, 'active', c.valid_from, c.issued_at, c.expires_at, c.source_type
       FROM people, credentials c WHERE c.org_id = $1 AND c.state = 'active'`,
      [home.orgId],
    );
    expect([await sweep(), await sweep()]).toEqual([2401, 0]);
    expect(id).toBeTruthy();
  });
});

describe("a refused address", () => {
  it("is shown as bounced in the outbox and on the credential, and emits an event", async () => {
    const { issue, outbox, request, home } = await withMessages(["issued", "revoked"]);
    server.answer = () => 550;
    const { id, subjectId } = await issue();
    await send();
    expect(await outbox(`?subjectId=${subjectId}&state=bounced`)).toMatchObject([
      {
        kind: "issued",
        to: "ada@example.edu",
        error: expect.stringMatching(/^The mail server refused the address\. It said: 550/),
      },
    ]);
    const channels = (await request("GET", `/v1/credentials/${id}/channels`)).json<{ data: unknown[] }>().data;
    expect(channels).toMatchObject([
      { type: "email", address: "ada@example.edu", status: "failed", error: "The mail server refused the address." },
    ]);
    const events = await eventsOf(home.orgId);
    expect(events.at(-1)).toMatchObject({ type: "credential.channel.failed" });
  });
});

describe("a message in the outbox", () => {
  it("waits seven days for a mail server, shows its link, and can be cancelled and sent again", async () => {
    const { issue, outbox, request } = await withMessages(["issued"]);
    const { verifyUrl } = await issue();
    await sendMessages(undefined, () => new Date());
    const [waiting] = await outbox();
    expect(waiting).toMatchObject({
      state: "pending",
      link: verifyUrl,
      error: expect.stringContaining("no mail server"),
    });
    const cancel = () => request("POST", `/v1/messages/${waiting!["id"] as string}/cancel`);
    expect([(await cancel()).status, (await cancel()).json()["state"]]).toEqual([200, "cancelled"]);
    await send();
    expect(server.received).toEqual([]);
    const resend = () => request("POST", `/v1/messages/${waiting!["id"] as string}/resend`);
    expect((await resend()).status).toBe(200);
    await send();
    expect(server.received).toHaveLength(1);
    expect([(await resend()).status, (await cancel()).status]).toEqual([429, 409]);
    await sql(`UPDATE messages SET updated_at = updated_at - interval '6 minutes'`);
    expect((await resend()).status).toBe(200);
    await sendMessages(undefined, () => new Date(Date.now() + 8 * day));
    expect(await outbox()).toMatchObject([{ state: "failed", error: expect.stringContaining("seven days") }]);
  });

  it("cannot be sent again if it is no longer true", async () => {
    const { issue, change, outbox, request } = await withMessages(["issued"]);
    const { id } = await issue();
    await send();
    await change(id, "revoke", { reason: "Left" });
    const [sent] = await outbox();
    const again = await request("POST", `/v1/messages/${sent!["id"] as string}/resend`);
    expect([again.status, again.json()["detail"]]).toEqual([
      409,
      "The credential is now revoked, so the message is not sent again.",
    ]);
  });

  it("is blanked when its person is erased, even while it is being sent", async () => {
    const { issue, outbox, request, home } = await withMessages(["issued", "revoked"]);
    const { subjectId } = await issue();
    server.hold = async () => {
      server.hold = undefined;
      await request("POST", `/v1/subjects/${subjectId}/erase`, { reason: "Asked for it" });
    };
    await send();
    await sequencer().drain();
    expect(await outbox()).toMatchObject([{ kind: "issued", state: "cancelled", to: null, error: null }]);
    expect(
      await sql(`SELECT 1 FROM messages WHERE org_id = $1 AND (address IS NOT NULL OR error IS NOT NULL)`, [
        home.orgId,
      ]),
    ).toEqual([]);
  });

  it("waits if its address got twenty messages within a day", async () => {
    const { issue, outbox, home } = await withMessages(["issued"]);
    await issue();
    await send();
    await sql(
      `INSERT INTO messages (org_id, id, kind, credential_id, subject_id, template_id, address, state, next_attempt_at, asked_at, sent_at, created_at, updated_at)
       SELECT org_id, uuidv7(), kind, credential_id, subject_id, template_id, upper(address), state, next_attempt_at, asked_at, sent_at, created_at, updated_at
       FROM messages, generate_series(2, 20) WHERE org_id = $1`,
      [home.orgId],
    );
    await issue();
    await send();
    expect(server.received).toHaveLength(1);
    expect(await outbox("?state=pending")).toMatchObject([
      { error: expect.stringContaining("20 messages within 24 hours") },
    ]);
    await send(day + 60_000);
    expect(server.received).toHaveLength(2);
  });
});

it("organisations take turns, so that a bulk issue does not delay the messages of others", async () => {
  const busy = await withMessages(["issued"]);
  const quiet = await withMessages(["issued"]);
  for (let n = 0; n < 12; n++) await busy.issue({ email: `a${n}@example.edu` });
  await quiet.issue({ email: "quiet@example.edu" });
  const tried: string[] = [];
  server.answer = (to) => {
    tried.push(to);
    return 451;
  };
  await send();
  expect(tried.slice(0, 5)).toContain("quiet@example.edu");
});
