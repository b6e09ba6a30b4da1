import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { sendMessages } from "./send-messages";
import type { MailSettings } from "./settings";
import { MailServer } from "./testing/mail-server";

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
  await sql(`DELETE FROM credential_channels`);
  server.received.length = 0;
  server.refused.length = 0;
  server.answer = () => 0;
  server.refusesSender = null;
});

const minute = 60_000;
const send = (afterMs = 0) => sendMessages(settings, () => new Date(Date.now() + afterMs));

/** A holder of a credential, with functions to send the credential and to inspect the result. */
async function holder(email: string | null = "ada@example.edu", more: object = {}) {
  const home = await world();
  await sql(`UPDATE organisations SET name = 'Example University' WHERE id = $1`, [home.orgId]);
  const token = await home.key();
  const { id: templateId } = await publishedTemplate(home.ctx, { name: "Student card" });
  const made = await call("POST", "/v1/credentials", {
    token,
    body: { subject: { externalId: "s-1", displayName: "Ada Lovelace", ...(email && { email }) }, templateId, ...more },
  });
  if (made.status !== 201) throw new Error(made.text);
  const credential = made.json<{ id: string; subjectId: string; verifyUrl: string; state: string }>();
  const path = `/v1/credentials/${credential.id}`;
  return {
    home,
    credential,
    token,
    ask: (body: object = {}) => call("POST", `${path}/send`, { token, body }),
    post: (action: string, body: object) => call("POST", `${path}/${action}`, { token, body }),
    channels: async () =>
      (await call("GET", `${path}/channels`, { token })).json<{ data: Record<string, unknown>[] }>().data,
    get: async () => (await call("GET", path, { token })).json(),
  };
}

const channelEvents = async ({ orgId }: World) =>
  (await eventsOf(orgId)).filter(({ type }) => type.startsWith("credential.channel."));

describe("a credential that is sent", () => {
  it("reaches its holder's address with the link once, and its channel and event report this", async () => {
    const { home, credential, ask, channels, get } = await holder();
    const asked = await ask();
    expect([asked.status, asked.headers.get("location"), asked.json()]).toEqual([
      202,
      `/v1/credentials/${credential.id}/channels`,
      {
        id: expect.stringMatching(/^chn_/),
        object: "channel",
        credentialId: credential.id,
        type: "email",
        address: "ada@example.edu",
        status: "pending",
        error: expect.stringMatching(/^This service has no mail server\./),
        provisionedAt: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
    expect([await send(), await send()]).toEqual([{ sent: 1 }, { sent: 0 }]);
    expect(server.subjectsTo("ada@example.edu")).toEqual(["Your credential “Student card” is ready"]);
    const [{ source } = { source: "" }] = server.received;
    expect(source).toContain(credential.verifyUrl);
    expect(source).toMatch(/Example University issued .{1,30}Student card.{1,30} to you\./);
    const { id } = asked.json<{ id: string }>();
    expect(await channels()).toMatchObject([{ id, status: "provisioned", error: null }]);
    expect((await get())["channels"]).toEqual([{ id, type: "email", status: "provisioned" }]);
    const [event, ...others] = await channelEvents(home);
    expect(others).toEqual([]);
    expect([event!.type, event!.data.object]).toEqual([
      "credential.channel.provisioned",
      { object: "channel", id, credentialId: credential.id, type: "email", status: "provisioned", error: null },
    ]);
    const entries = await sql(`SELECT detail FROM audit_entries WHERE org_id = $1 AND action = 'credential.sent'`, [
      home.orgId,
    ]);
    expect(entries).toEqual([{ detail: { channelId: id } }]);
  });

  it("goes to another address if the request names one, and does not change the person's", async () => {
    const { ask, credential, token, channels } = await holder(null);
    const refused = await ask();
    expect([refused.status, refused.json()["detail"]]).toEqual([
      409,
      "The holder has no e-mail address. Add one to the person, or send another address as to.",
    ]);
    expect((await ask({ to: "not an address" })).status).toBe(400);
    await ask({ to: "Ada@home.example" });
    await send();
    expect(server.subjectsTo("Ada@home.example")).toHaveLength(1);
    expect((await call("GET", `/v1/subjects/${credential.subjectId}`, { token })).json()["email"]).toBeNull();
    expect(await channels()).toMatchObject([{ address: "Ada@home.example", status: "provisioned" }]);
  });

  it("can be sent to an address again after five minutes, in any case of letters, and to ten addresses in total", async () => {
    const { ask, channels } = await holder();
    await ask();
    await send();
    const early = await ask({ to: "ADA@example.edu" });
    expect([early.status, Number(early.headers.get("retry-after"))]).toEqual([429, expect.toSatisfy((s) => s > 290)]);
    await sql(`UPDATE credential_channels SET asked_at = asked_at - interval '5 minutes'`);
    expect((await ask({ to: "ADA@example.edu" })).status).toBe(202);
    await send();
    expect(server.received).toHaveLength(2);
    expect(await channels()).toHaveLength(1);
    for (let n = 2; n <= 10; n++) expect((await ask({ to: `a${n}@example.edu` })).status).toBe(202);
    expect((await ask({ to: "a11@example.edu" })).status).toBe(409);
  });

  it("is queued once by concurrent requests", async () => {
    const { ask } = await holder();
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask()));
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.json<{ id: string }>().id}`)).size).toBe(1);
    await send();
    expect(server.received).toHaveLength(1);
  });

  it("goes to one address at most twenty times a day, whichever credentials it is about", async () => {
    const { home, token } = await holder();
    const asked: Awaited<ReturnType<typeof call>>[] = [];
    for (let n = 1; n <= 21; n++) {
      const { id: templateId } = await publishedTemplate(home.ctx, { name: `Course ${n}` });
      const subject = { externalId: "s-1", displayName: "Ada Lovelace", email: "ada@example.edu" };
      const body = { subject, templateId };
      const { id } = (await call("POST", "/v1/credentials", { token, body })).json<{ id: string }>();
      asked.push(await call("POST", `/v1/credentials/${id}/send`, { token, body: {} }));
    }
    expect(asked.map(({ status }) => status)).toEqual([...Array<number>(20).fill(202), 429]);
    expect(asked.at(-1)!.json()["detail"]).toContain("20 messages went to this address within a day");
    expect(Number(asked.at(-1)!.headers.get("retry-after"))).toBeGreaterThan(23 * 3600);
  });

  it("is not delayed by the backlog of another organisation", async () => {
    const [busy, quiet] = [await holder("a@example.edu"), await holder("b@example.edu")];
    for (let n = 0; n < 8; n++) await busy.ask({ to: `a${n}@example.edu` });
    await quiet.ask();
    const started: string[] = [];
    server.answer = (to) => {
      started.push(to);
      return 451;
    };
    await send();
    // Five are sent concurrently, in any order.
    expect(started.slice(0, 5)).toContain("b@example.edu");
  });

  it("says from when and until when it is valid", async () => {
    const { ask, credential } = await holder("ada@example.edu", {
      validFrom: "2990-01-01T00:00:00Z",
      expiresAt: "2991-01-01T00:00:00Z",
    });
    expect(credential.state).toBe("pending");
    await ask();
    await send();
    expect(server.received[0]!.source).toContain("It becomes valid");
    expect(server.received[0]!.source).toContain("It is valid through 31 December 2990.");
  });

  it("is refused after it is suspended or revoked, or its holder was erased", async () => {
    const { post, ask, credential, token } = await holder();
    await post("suspend", {});
    expect((await ask()).json()).toMatchObject({ status: 409, code: "credential_state", state: "suspended" });
    await post("resume", {});
    await post("revoke", { reason: "Left" });
    expect((await ask()).json()).toMatchObject({ status: 409, code: "credential_state", state: "revoked" });
    await call("POST", `/v1/subjects/${credential.subjectId}/erase`, { token, body: { reason: "Asked for it" } });
    expect((await ask()).json()["code"]).toBe("subject_erased");
  });
});

describe("a message that cannot be sent", () => {
  it("is dropped with the reason if the credential was revoked meanwhile", async () => {
    const { home, ask, post, channels } = await holder();
    await ask();
    await post("revoke", { reason: "Left" });
    expect(await channels()).toMatchObject([{ error: "The credential is revoked, so the message is not sent." }]);
    expect(await send()).toEqual({ sent: 0 });
    expect(server.received).toEqual([]);
    const error = "The credential was revoked before the message was sent.";
    expect(await channels()).toMatchObject([{ status: "failed", error }]);
    expect((await channelEvents(home)).map(({ type, data }) => [type, data.object["error"]])).toEqual([
      ["credential.channel.failed", error],
    ]);
  });

  it("is retried after a temporary refusal, and fails after a permanent one", async () => {
    const { ask, channels } = await holder();
    server.answer = () => 451;
    await ask();
    expect([await send(), await send()]).toEqual([{ sent: 0 }, { sent: 0 }]);
    expect(server.refused.length).toBe(1);
    const error = expect.stringMatching(/^At the last attempt the mail server did not take the message\./);
    expect(await channels()).toMatchObject([{ status: "pending", error }]);
    server.answer = () => 550;
    await send(2 * minute);
    expect(await channels()).toMatchObject([{ status: "failed", error: "The mail server refused the address." }]);
    await send(60 * minute);
    expect(server.refused).toHaveLength(2);
  });

  it("is retried if the mail server refuses our sender, and says that the operator has to act", async () => {
    const { ask, channels } = await holder();
    server.refusesSender = { responseCode: 550, message: "5.4.5 Daily quota exceeded" };
    await ask();
    expect(await send()).toEqual({ sent: 0 });
    expect(await channels()).toMatchObject([{ status: "pending", error: expect.stringContaining("operator") }]);
    server.refusesSender = null;
    expect(await send(2 * minute)).toEqual({ sent: 1 });
    expect(await channels()).toMatchObject([{ status: "provisioned" }]);
  });

  it("is not queued again while it waits for its next attempt, nor within five minutes of its failure", async () => {
    const { ask } = await holder();
    server.answer = () => 451;
    await ask();
    await send();
    expect((await ask()).status).toBe(202);
    await send();
    expect(server.refused).toHaveLength(1);
    server.answer = () => 550;
    await send(2 * minute);
    expect([(await ask()).status, server.refused.length]).toEqual([429, 2]);
  });

  it("waits for seven days if no mail server is configured", async () => {
    const { ask, channels } = await holder();
    await ask();
    expect(await sendMessages(undefined, () => new Date())).toEqual({ sent: 0 });
    expect(await channels()).toMatchObject([{ status: "pending" }]);
    await send(8 * 24 * 60 * minute);
    expect(server.received).toEqual([]);
    expect(await channels()).toMatchObject([{ status: "failed", error: expect.stringContaining("seven days") }]);
  });

  it("waits while its organisation is suspended by the operator", async () => {
    const { home, ask } = await holder();
    await ask();
    await sql(`UPDATE organisations SET suspended_at = now() WHERE id = $1`, [home.orgId]);
    expect(await send()).toEqual({ sent: 0 });
    await sql(`UPDATE organisations SET suspended_at = NULL WHERE id = $1`, [home.orgId]);
    expect(await send()).toEqual({ sent: 1 });
  });

  it("is removed with the person's erasure, even while it is being sent", async () => {
    const { ask, credential, token, home } = await holder();
    await ask();
    server.hold = async () => {
      server.hold = undefined;
      await call("POST", `/v1/subjects/${credential.subjectId}/erase`, { token, body: { reason: "Asked for it" } });
    };
    await send();
    expect(await sql(`SELECT 1 FROM credential_channels WHERE org_id = $1`, [home.orgId])).toEqual([]);
    expect(await channelEvents(home)).toEqual([]);
  });
});

it("omits a name that looks like a link", async () => {
  const { home, ask } = await holder();
  await sql(`UPDATE organisations SET name = 'Win at evil.example now' WHERE id = $1`, [home.orgId]);
  await sql(`UPDATE templates SET name = 'https://evil.example' WHERE org_id = $1`, [home.orgId]);
  await ask();
  await send();
  expect(server.subjectsTo("ada@example.edu")).toEqual(["Your credential is ready"]);
  expect(server.received[0]!.source).not.toContain("evil");
});
