import { beforeAll, describe, expect, it } from "vitest";
import { approveClaims } from "@/server/claims/approve-claims";
import { submitClaim } from "@/server/claims/submit-claim";
import { claimLink, proved, someAddress } from "@/server/claims/testing/claims";
import { loadProgress } from "@/server/claims/load-progress";
import { findLink } from "@/server/claims/find-link";
import { getClaimLink } from "@/server/claims/get-link";
import { listClaims } from "@/server/claims/list-claims";
import { sequencer } from "@/server/consumers";
import { env, parseEnv } from "@/server/core/env";
import type { ConfirmationView } from "@/server/credentials/confirmation";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { approveName } from "@/server/holders/approve-name";
import { listNameRequests } from "@/server/holders/list-name-requests";
import { rejectName } from "@/server/holders/reject-name";
import { sendMessages } from "@/server/notifications/send-messages";
import { mailSettings } from "@/server/notifications/settings";
import { MailServer } from "@/server/notifications/testing/mail-server";
import { inMaths, Office } from "@/server/policies/testing/office";
import { purgeExpired } from "@/server/retention/purge";
import { upsertSubject } from "@/server/subjects/upsert";
import { updateSubject } from "@/server/subjects/update";
import { auditOf } from "@/server/testing/audit";
import { runChild } from "@/server/testing/child";
import { eventsOf } from "@/server/testing/events";
import { ownDatabase } from "@/server/testing/own-database";
import { visitor } from "@/server/testing/person";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { askingTemplate } from "./testing/confirmations";

beforeAll(ownDatabase);

const day = 86_400_000;

/** A template whose holders confirm their names, and what is asked of it over REST. */
async function registry(more: Parameters<typeof askingTemplate>[1] = {}) {
  const home = await world();
  const token = await home.key();
  const { id: templateId } = await askingTemplate(home.ctx, { name: "Degree", ...more });
  const request = (method: "GET" | "POST" | "PATCH", path: string, body?: object) =>
    call(method, path, { token, ...(body && { body }) });
  const ada = { externalId: "s-1", displayName: "Ada Lovelace", email: someAddress() };
  return {
    ...home,
    ada,
    templateId,
    request,
    ask: (terms: object = {}, subject: object = ada) =>
      request("POST", "/v1/credentials", { subject, templateId, ...terms }),
    credentials: async () => (await request("GET", "/v1/credentials")).json<{ data: { id: string }[] }>().data,
    load: async (id: string) => (await request("GET", `/v1/name_confirmations/${id}`)).json<ConfirmationView>(),
    waiting: async () =>
      (await request("GET", "/v1/name_confirmations?state=waiting")).json<{ data: ConfirmationView[] }>().data,
    types: async () =>
      (await eventsOf(home.orgId)).map(({ type }) => type).filter((type) => !/^(?:subject|template)\./.test(type)),
  };
}

const pathOf = (link: string | null) => new URL(link!).pathname;
const open = (link: string | null, cookie = "") => call("GET", pathOf(link), { headers: { cookie } });
/** The page to which a refused form leads. */
const shownAfter = async (link: string | null, refused: { status: number; headers: Headers }) => {
  expect([refused.status, refused.headers.get("location")]).toEqual([303, pathOf(link)]);
  return (await open(link, refused.headers.get("set-cookie")!.split(";")[0])).text;
};
const answer = (link: string | null, fields: Record<string, string>) =>
  call("POST", pathOf(link), {
    raw: new URLSearchParams(fields).toString(),
    headers: { origin: new URL(env().PUBLIC_URL).origin, "content-type": "application/x-www-form-urlencoded" },
  });
const confirm = (link: string | null, name = "Ada Lovelace") => answer(link, { step: "confirm", name });

describe("issuing from a template that asks for the name", () => {
  it("makes a request and no credential until the holder confirms", async () => {
    const r = await registry({ kind: "academic" });
    const asked = await r.ask({ data: { creditsEarned: 30 }, expiresAt: "2990-01-01T00:00:00Z" });
    const request = asked.json<ConfirmationView>();
    expect([asked.status, asked.headers.get("location"), request]).toMatchObject([
      202,
      `/v1/name_confirmations/${request.id}`,
      { object: "name_confirmation", state: "waiting", name: "Ada Lovelace", credentialId: null, mail: null },
    ]);
    expect(await r.credentials()).toEqual([]);
    expect(await sql(`SELECT 1 FROM status_entries WHERE org_id = $1`, [r.orgId])).toEqual([]);
    expect(await r.types()).toEqual(["name_confirmation.requested"]);
    const page = await open(request.link);
    expect(page.status).toBe(200);
    for (const said of ["Is this your name?", "Ada Lovelace", "Degree"]) expect(page.text).toContain(said);
    expect((await confirm(request.link)).status).toBe(303);
    const [credential] = await r.credentials();
    expect(credential).toMatchObject({
      state: "active",
      data: { creditsEarned: 30, subject: { displayName: "Ada Lovelace" } },
      expiresAt: "2990-01-01T00:00:00.000Z",
      source: request.source,
    });
    expect(await r.load(request.id)).toMatchObject({ state: "confirmed", credentialId: credential!.id, link: null });
    expect((await r.types()).slice(1)).toEqual([
      "credential.created",
      "credential.issued",
      "name_confirmation.confirmed",
    ]);
    expect(await auditOf(r.orgId)).toContain("name_confirmation.confirmed");
    expect((await confirm(request.link)).status).toBe(303);
    expect(await r.credentials()).toHaveLength(1);
    expect((await open(request.link)).text).toContain("Your name is confirmed");
  });

  it("answers a repeated request with the same one, and asks once", async () => {
    const r = await registry();
    const token = await r.key();
    const body = { subject: r.ada, templateId: r.templateId, ifExists: "return" };
    const twice = await Promise.all([
      call("POST", "/v1/credentials", { token, body, headers: { "idempotency-key": "one" } }),
      r.ask({ ifExists: "return" }),
    ]);
    expect(twice.map(({ status }) => status)).toEqual([202, 202]);
    const again = await call("POST", "/v1/credentials", { token, body, headers: { "idempotency-key": "one" } });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await r.waiting()).toHaveLength(1);
  });

  it("lets ifExists decide where the person was asked already", async () => {
    const r = await registry();
    const first = (await r.ask()).json<ConfirmationView>();
    expect((await r.ask()).json()).toMatchObject({ code: "name_unconfirmed", nameConfirmationId: first.id });
    expect((await r.ask({ ifExists: "return" })).json()).toMatchObject({ id: first.id, link: first.link });
    const replaced = (await r.ask({ ifExists: "replace", metadata: { box: 2 } })).json<ConfirmationView>();
    expect(replaced.id).toBe(first.id);
    expect((await open(first.link)).status).toBe(404);
    await confirm(replaced.link);
    expect(await r.credentials()).toMatchObject([{ metadata: { box: 2 } }]);
    expect((await r.ask()).json()).toMatchObject({ code: "credential_exists" });
    expect((await r.ask({ ifExists: "return" })).status).toBe(200);
  });

  it("replaces a credential at the confirmation and not before", async () => {
    const r = await registry();
    const first = (await r.ask()).json<ConfirmationView>();
    await confirm(first.link);
    const [before] = await r.credentials();
    const second = (await r.ask({ ifExists: "replace" })).json<ConfirmationView>();
    expect(await r.credentials()).toMatchObject([{ id: before!.id, state: "active" }]);
    await confirm(second.link);
    expect(await r.credentials()).toMatchObject([{ supersedes: before!.id }, { id: before!.id, state: "revoked" }]);
  });

  it("makes several requests of a repeatable template", async () => {
    const r = await registry({ repeatable: true });
    const made = [(await r.ask()).json<ConfirmationView>(), (await r.ask()).json<ConfirmationView>()];
    for (const { link } of made) await confirm(link);
    expect(await r.credentials()).toHaveLength(2);
  });

  it("refuses what it would refuse to issue, and asks nobody", async () => {
    const r = await registry();
    await r.request("POST", "/v1/credentials", { subject: { ...r.ada, status: "inactive" }, templateId: r.templateId });
    expect((await r.ask({ expiresAt: "2001-01-01T00:00:00Z" })).status).toBe(400);
    expect((await r.ask({}, { ...r.ada, status: "inactive" })).json()).toMatchObject({ code: "subject_inactive" });
    expect(await r.waiting()).toEqual([]);
  });

  it("tells each row of a bulk request, and of its job, who was asked", async () => {
    const r = await registry();
    const { id: plain } = (
      await r.request("POST", "/v1/templates", { name: "Card", kind: "membership", publish: true })
    ).json<{ id: string }>();
    const items = [
      { subject: r.ada, templateId: r.templateId },
      { subject: { externalId: "s-2", displayName: "Grace Hopper" }, templateId: r.templateId },
      { subject: { externalId: "s-3", displayName: "Alan Turing" }, templateId: plain },
      { subject: r.ada, templateId: r.templateId },
    ];
    const done = (await r.request("POST", "/v1/credentials/bulk", { action: "issue", items })).json<{
      data: object[];
    }>();
    expect(done.data).toMatchObject([
      { ok: true, changed: true, nameConfirmation: { name: "Ada Lovelace", email: r.ada.email } },
      { ok: true, changed: true, nameConfirmation: { name: "Grace Hopper", email: null } },
      { ok: true, credential: { state: "active" } },
      { ok: false, error: { code: "name_unconfirmed" } },
    ]);
    expect(await r.credentials()).toHaveLength(1);
    expect(await r.waiting()).toHaveLength(2);
  });
});

describe("what happened since the holder was asked", () => {
  it("ends a request for a credential in place of one that was revoked meanwhile", async () => {
    const r = await registry();
    const first = (await r.ask()).json<ConfirmationView>();
    expect((await confirm(first.link)).status).toBe(303);
    const [held] = await r.credentials();
    const { id, link } = (await r.ask({ ifExists: "replace" })).json<ConfirmationView>();
    await r.request("POST", `/v1/credentials/${held!.id}/revoke`, { reason: "Plagiarism" });
    expect((await open(link)).text).toContain("revoked a credential of yours");
    expect(await shownAfter(link, await confirm(link))).toContain("revoked a credential of yours");
    expect(await r.load(id)).toMatchObject({ state: "waiting", obstacle: "revoked" });
    const refused = await r.request("POST", `/v1/name_confirmations/${id}/confirm`, { reason: "Passport" });
    expect([refused.status, refused.json()["detail"]]).toEqual([409, expect.stringContaining("Plagiarism")]);
    expect(await r.credentials()).toHaveLength(1);
  });

  it("shows a wish for another name that the holder had before", async () => {
    const r = await registry();
    const { subject } = await upsertSubject(r.ctx, r.ada);
    await sql(
      `INSERT INTO name_requests (org_id, id, subject_id, name, note, state, created_at) SELECT org_id, gen_random_uuid(), id, 'Ada King', '', 'waiting', now() - interval '1 day' FROM subjects WHERE org_id = $1 AND external_id = $2`,
      [r.orgId, r.ada.externalId],
    );
    expect(subject.displayName).toBe("Ada Lovelace");
    const { link } = (await r.ask()).json<ConfirmationView>();
    const { text } = await open(link);
    expect(text).toContain("You asked for the name");
    expect(text).not.toContain("Yes, issue it");
  });

  it("ends a link that was mailed to an address that is not the person's any more", async () => {
    const r = await registry();
    const { id, link, subjectId } = (await r.ask()).json<ConfirmationView>();
    await sequencer().drain();
    await sql(`UPDATE messages SET state = 'sent', address = $2 WHERE org_id = $1`, [
      r.orgId,
      r.ada.email.toUpperCase(),
    ]);
    expect((await open(link)).text).toContain("Yes, issue it");
    expect((await r.load(id)).mail).toBe("sent");
    await updateSubject(r.ctx, { id: subjectId, email: someAddress() });
    expect((await open(link)).status).toBe(410);
    await confirm(link);
    expect(await r.credentials()).toEqual([]);
    expect((await r.load(id)).mail).toBeNull();
  });

  it("mails a new link where the address changes, and the former link works no more", async () => {
    const r = await registry();
    const { id, link, subjectId } = (await r.ask()).json<ConfirmationView>();
    const server = new MailServer();
    const settings = await server.start();
    const send = async () => {
      await sequencer().drain();
      await sendMessages(settings, () => new Date());
    };
    await send();
    await updateSubject(r.ctx, { id: subjectId, displayName: "Ada King" });
    await send();
    const newer = someAddress();
    await updateSubject(r.ctx, { id: subjectId, email: newer });
    await send();
    await server.close();
    const to = (address: string) => server.received.filter((mail) => mail.to.includes(address));
    expect([to(r.ada.email).length, to(newer).length]).toEqual([1, 1]);
    const renewed = await r.load(id);
    expect(renewed).toMatchObject({ email: newer, mail: "sent" });
    expect(renewed.link).not.toBe(link);
    expect(to(newer)[0]!.source).toContain(renewed.link);
    expect((await open(link)).status).toBe(404);
    await confirm(renewed.link, "Ada King");
    expect(await r.credentials()).toHaveLength(1);
  });

  it("ends a link that a killed process may have mailed to the former address, and mails a new one", async () => {
    const r = await registry();
    const { id, link, subjectId } = (await r.ask()).json<ConfirmationView>();
    await sequencer().drain();
    const server = new MailServer();
    const settings = await server.listen();
    const held = new Promise<void>((resolve) => {
      server.hold = async (to) => {
        if (!to.includes(r.ada.email)) return;
        resolve();
        await new Promise(() => undefined);
      };
    });
    const child = await runChild("server/notifications/testing/send.child.ts", [], settings);
    await held;
    await child.kill();
    server.hold = undefined;
    expect((await open(link)).status).toBe(200);
    const newer = someAddress();
    await updateSubject(r.ctx, { id: subjectId, email: newer });
    expect((await open(link)).status).toBe(410);
    await sequencer().drain();
    await sendMessages(mailSettings(parseEnv({ ...process.env, ...settings })), () => new Date());
    await server.close();
    const { link: renewed } = await r.load(id);
    expect(server.received.filter(({ to }) => to.includes(newer)).map(({ source }) => source)).toEqual([
      expect.stringContaining(renewed!),
    ]);
    expect((await open(link)).status).toBe(404);
    expect((await open(renewed)).text).toContain("Yes, issue it");
  });

  it("mails a new link where the address changes while the former link is being sent", async () => {
    const r = await registry();
    const { id, subjectId } = (await r.ask()).json<ConfirmationView>();
    const server = new MailServer();
    const settings = await server.start();
    const newer = someAddress();
    server.hold = async (to) => {
      if (!to.includes(r.ada.email)) return;
      await updateSubject(r.ctx, { id: subjectId, email: newer });
      await sequencer().drain();
    };
    await sequencer().drain();
    await sendMessages(settings, () => new Date());
    await sendMessages(settings, () => new Date());
    await server.close();
    const { link } = await r.load(id);
    expect(server.received.filter(({ to }) => to.includes(newer)).map(({ source }) => source)).toEqual([
      expect.stringContaining(link!),
    ]);
    expect((await open(link)).text).toContain("Yes, issue it");
  });

  it("cancels the request where the credential is issued without it", async () => {
    const r = await registry();
    const { id, link } = (await r.ask()).json<ConfirmationView>();
    await r.request("PATCH", `/v1/templates/${r.templateId}`, { confirmName: false });
    const { code } = (await r.ask()).json<{ code: string }>();
    expect(await r.load(id)).toMatchObject({ state: "cancelled", reason: expect.stringContaining(code) });
    const { text } = await open(link);
    expect(text).toContain("It was issued to you");
    expect(text).toContain(`href="/c/${code}"`);
    expect(text).not.toContain("took it back");
    expect(await r.credentials()).toHaveLength(1);
  });

  it("marks a request whose credential would have expired", async () => {
    const r = await registry();
    const { id, link } = (await r.ask({ expiresAt: "2990-01-01T00:00:00Z" })).json<ConfirmationView>();
    expect((await r.load(id)).obstacle).toBeNull();
    await sql(
      `UPDATE name_confirmations SET terms = jsonb_set(terms, '{expiresAt}', '"2001-01-01T00:00:00Z"') WHERE org_id = $1`,
      [r.orgId],
    );
    expect((await r.load(id)).obstacle).toBe("expired");
    expect((await open(link)).text).toContain("a time that is over");
    const refused = await r.request("POST", `/v1/name_confirmations/${id}/confirm`, { reason: "Passport" });
    expect(refused.json()["detail"]).toContain("would have expired");
  });

  it("tells a holder that a wish came too late", async () => {
    const r = await registry();
    const { link } = (await r.ask()).json<ConfirmationView>();
    await confirm(link);
    const page = await shownAfter(link, await answer(link, { step: "correct", name: "Ada King", note: "" }));
    for (const said of ["it was not sent", "Ada King", "Your name is confirmed"]) expect(page).toContain(said);
  });

  it("tells a holder that an earlier wish waits", async () => {
    const r = await registry();
    const { link } = (await r.ask()).json<ConfirmationView>();
    await answer(link, { step: "correct", name: "Ada King", note: "" });
    const page = await shownAfter(link, await answer(link, { step: "correct", name: "Ada Byron", note: "" }));
    for (const said of ["This one was not sent", "Ada Byron", "Ada King"]) expect(page).toContain(said);
  });

  it("gives both rows of one person the link that works", async () => {
    const r = await registry();
    const items = [1, 2].map((box) => ({
      subject: r.ada,
      templateId: r.templateId,
      ifExists: "replace",
      metadata: { box },
    }));
    const done = (await r.request("POST", "/v1/credentials/bulk", { action: "issue", items })).json<{
      data: { nameConfirmation: ConfirmationView }[];
    }>();
    const links = done.data.map(({ nameConfirmation }) => nameConfirmation.link);
    expect(links[0]).toBe(links[1]);
    await confirm(links[0]!);
    expect(await r.credentials()).toMatchObject([{ metadata: { box: 2 } }]);
  });

  it("confirms no empty name at the counter either", async () => {
    const r = await registry();
    const { id } = (await r.ask({}, { externalId: "nameless" })).json<ConfirmationView>();
    const refused = await r.request("POST", `/v1/name_confirmations/${id}/confirm`, { reason: "Passport" });
    expect([refused.status, refused.json()["detail"]]).toEqual([409, expect.stringContaining("no name on record")]);
    expect(await r.credentials()).toEqual([]);
  });
});

describe("the holder's page", () => {
  it("issues nothing where the name on record changed after the page was opened", async () => {
    const r = await registry();
    const { link, subjectId } = (await r.ask()).json<ConfirmationView>();
    await updateSubject(r.ctx, { id: subjectId, displayName: "Ada King" });
    const stale = await shownAfter(link, await confirm(link));
    expect(stale).toContain("The name on record has changed");
    expect(stale).toContain("Ada King");
    expect(await r.credentials()).toEqual([]);
    expect((await confirm(link, "Ada King")).status).toBe(303);
    expect(await r.credentials()).toHaveLength(1);
  });

  it.each(["approve", "reject"] as const)("asks for a correction, which the organisation can %s", async (decision) => {
    const r = await registry({ kind: "academic" });
    const { id, link } = (await r.ask()).json<ConfirmationView>();
    await answer(link, { step: "correct", name: "Ada King", note: "I married" });
    expect((await open(link)).text).toContain("You asked for the name");
    expect((await confirm(link)).status).toBe(303);
    const forHolder = await r.request("POST", `/v1/name_confirmations/${id}/confirm`, { reason: "Passport" });
    expect(forHolder.json()).toMatchObject({ code: "name_requested" });
    expect(await r.credentials()).toEqual([]);
    expect(await r.load(id)).toMatchObject({ requestedName: "Ada King" });
    const [request] = (await listNameRequests(r.ctx, { state: "waiting" })).data;
    if (decision === "approve") await approveName(r.ctx, { id: request!.id });
    else await rejectName(r.ctx, { id: request!.id, reason: "Send a document" });
    expect((await open(link)).status).toBe(404);
    const again = await r.load(id);
    const { text } = await open(again.link);
    if (decision === "reject") expect(text).toContain("Send a document");
    const name = decision === "approve" ? "Ada King" : "Ada Lovelace";
    await confirm(again.link, name);
    expect(await r.credentials()).toMatchObject([{ data: { subject: { displayName: name } } }]);
  });

  it("works for 30 days, and a new link replaces it", async () => {
    const r = await registry();
    const { id, link } = (await r.ask()).json<ConfirmationView>();
    await sql(`UPDATE name_confirmations SET link_expires_at = now() - interval '1 second' WHERE org_id = $1`, [
      r.orgId,
    ]);
    expect([(await open(link)).status, (await confirm(link)).status]).toEqual([410, 303]);
    expect(await r.credentials()).toEqual([]);
    const renewed = (await r.request("POST", `/v1/name_confirmations/${id}/resend`)).json<ConfirmationView>();
    expect((await open(link)).status).toBe(404);
    expect(Date.parse(renewed.linkExpiresAt) - Date.now()).toBeGreaterThan(29.9 * day);
    expect((await confirm(renewed.link)).status).toBe(303);
    expect(await r.credentials()).toHaveLength(1);
  });

  it("confirms no name for a person without one, and refuses forms of other sites", async () => {
    const r = await registry();
    const { link } = (await r.ask({}, { externalId: "nameless" })).json<ConfirmationView>();
    expect((await open(link)).text).toContain("No name on record");
    expect(await shownAfter(link, await confirm(link, ""))).toContain("No name on record");
    const foreign = await call("POST", pathOf(link), {
      raw: "step=confirm&name=",
      headers: { origin: "https://evil.example", "content-type": "application/x-www-form-urlencoded" },
    });
    expect(foreign.status).toBe(403);
    expect(await r.credentials()).toEqual([]);
  });

  it("keeps the request where the credential cannot be issued now", async () => {
    const r = await registry();
    const { id, link, subjectId } = (await r.ask()).json<ConfirmationView>();
    await updateSubject(r.ctx, { id: subjectId, status: "inactive" });
    expect(await shownAfter(link, await confirm(link))).toContain("you are not active at present");
    expect(await r.load(id)).toMatchObject({ state: "waiting", obstacle: "inactive" });
    await updateSubject(r.ctx, { id: subjectId, status: "active" });
    await confirm(link);
    expect(await r.load(id)).toMatchObject({ state: "confirmed" });
  });
});

describe("the registrar", () => {
  it("confirms for a holder without an address, with a reason", async () => {
    const r = await registry();
    const { id } = (await r.ask({}, { externalId: "s-9", displayName: "Grace Hopper" })).json<ConfirmationView>();
    expect((await r.request("POST", `/v1/name_confirmations/${id}/resend`)).json()).toMatchObject({
      code: "email_missing",
    });
    expect((await r.request("POST", `/v1/name_confirmations/${id}/confirm`, {})).status).toBe(400);
    const confirmed = await r.request("POST", `/v1/name_confirmations/${id}/confirm`, { reason: "Showed a passport" });
    expect(confirmed.json()).toMatchObject({ state: "confirmed", reason: "Showed a passport" });
    expect(await r.credentials()).toMatchObject([{ id: confirmed.json()["credentialId"], state: "active" }]);
    const twice = await r.request("POST", `/v1/name_confirmations/${id}/confirm`, { reason: "Again" });
    expect(twice.json()).toMatchObject({ code: "already_decided" });
  });

  it("cancels, and the holder reads why", async () => {
    const r = await registry();
    const { id, link } = (await r.ask()).json<ConfirmationView>();
    const cancel = (reason: string) => r.request("POST", `/v1/name_confirmations/${id}/cancel`, { reason });
    expect((await cancel("Left the programme")).json()).toMatchObject({ state: "cancelled" });
    expect((await cancel("Another")).json()).toMatchObject({ reason: "Left the programme" });
    expect((await open(link)).text).toContain("Left the programme");
    await confirm(link);
    expect(await r.credentials()).toEqual([]);
    expect((await r.ask()).status).toBe(202);
  });

  it("shows the link only to those who may issue", async () => {
    const r = await registry();
    const { id } = (await r.ask()).json<ConfirmationView>();
    await sequencer().drain();
    const reader = await r.key("credentials:read", "subjects:read");
    const seen = await call("GET", `/v1/name_confirmations/${id}`, { token: reader });
    expect(seen.json()).toMatchObject({ state: "waiting", link: null });
    const outbox = await call("GET", "/v1/messages", { token: reader });
    expect(outbox.json()).toMatchObject({ data: [{ kind: "confirm_name", link: "" }] });
  });
});

describe("the e-mail with the link", () => {
  it("is sent once, with the newest link, and shows in the outbox without a mail server", async () => {
    const r = await registry();
    const { id, link } = (await r.ask()).json<ConfirmationView>();
    await sequencer().drain();
    const outbox = async () =>
      (await r.request("GET", `/v1/messages?nameConfirmationId=${id}`)).json<{ data: object[] }>().data;
    expect(await outbox()).toMatchObject([
      { kind: "confirm_name", state: "pending", to: r.ada.email, link, nameConfirmationId: id, credentialId: "" },
    ]);
    const server = new MailServer();
    const settings = await server.start();
    await sendMessages(settings, () => new Date());
    await server.close();
    const mails = server.received.filter(({ to }) => to.includes(r.ada.email));
    expect(mails).toHaveLength(1);
    expect(mails[0]!.source).toContain(link);
    expect(mails[0]!.source).toContain("Confirm your name for");
    expect(await outbox()).toMatchObject([{ state: "sent" }]);
    expect(await r.load(id)).toMatchObject({ mail: "sent" });
  });

  it("is not sent once the name is confirmed", async () => {
    const r = await registry();
    const { id, link } = (await r.ask()).json<ConfirmationView>();
    await sequencer().drain();
    await confirm(link);
    const server = new MailServer();
    const settings = await server.start();
    await sendMessages(settings, () => new Date());
    await server.close();
    expect(server.received.filter(({ to }) => to.includes(r.ada.email))).toEqual([]);
    const { data } = (await r.request("GET", `/v1/messages?nameConfirmationId=${id}`)).json<{ data: object[] }>();
    expect(data).toMatchObject([{ state: "cancelled" }]);
  });
});

describe("a policy", () => {
  it("asks each person once, counts them as waiting, and issues nothing twice", async () => {
    const office = await Office.open(await world(), {}, { confirmName: true });
    await office.people([1, 2]);
    expect((await office.preview()).counts).toMatchObject({ issue: 2, confirming: 0 });
    expect((await office.apply()).counts).toMatchObject({ issue: 0, confirming: 2, refused: 0 });
    expect((await office.preview()).counts).toMatchObject({ issue: 0, confirming: 2 });
    expect((await office.apply()).counts).toMatchObject({ issue: 0, confirming: 2 });
    expect(await office.credentials()).toEqual([]);
    const list = await call("GET", "/v1/name_confirmations", { token: office.token });
    const [first, second] = list.json<{ data: ConfirmationView[] }>().data;
    expect(list.json<{ data: object[] }>().data).toHaveLength(2);
    await confirm(first!.link, first!.name);
    expect((await office.credentials())[0]!.source).toEqual({ type: "policy", id: office.id });
    expect((await office.apply()).counts).toMatchObject({ issue: 0, keep: 1, confirming: 1 });
    // Whoever no longer matches is asked no more.
    await office.people([2], "Law");
    await office.apply();
    const after = await call("GET", `/v1/name_confirmations/${second!.id}`, { token: office.token });
    expect(after.json()).toMatchObject({ state: "cancelled" });
    expect((await open(second!.link)).text).toContain("no longer meets the conditions");
  });

  it.each(["resume", "reissue"])("asks nobody again once a person has cancelled, with reentry %s", async (reentry) => {
    const office = await Office.open(await world(), { rule: inMaths, reentry }, { confirmName: true });
    await office.people([1, 2]);
    await office.apply();
    const list = await call("GET", "/v1/name_confirmations", { token: office.token });
    const [first, second] = list.json<{ data: ConfirmationView[] }>().data;
    await call("POST", `/v1/name_confirmations/${first!.id}/cancel`, {
      token: office.token,
      body: { reason: "A mistake" },
    });
    const { counts, data } = await office.preview({ actions: ["issue", "confirming", "blocked"] });
    expect(counts).toMatchObject({ issue: 0, confirming: 1, blocked: 1 });
    expect(data.map(({ action }) => action).toSorted()).toEqual(["blocked", "confirming"]);
    expect((await office.apply()).counts).toMatchObject({ issue: 0, confirming: 1, blocked: 1 });
    // An issue by hand is newer than the refusal: what the policy then ends and gives back is its own.
    await call("PATCH", `/v1/templates/${office.templateId}`, { token: office.token, body: { confirmName: false } });
    const body = { templateId: office.templateId, subject: { id: first!.subjectId } };
    const made = await call("POST", "/v1/credentials", { token: office.token, body });
    expect(made.status).toBe(201);
    expect((await office.apply()).counts).toMatchObject({ issue: 0, confirming: 1, foreign: 1, blocked: 0 });
    // Who leaves is asked no more, and is asked again on the way back: a policy's cancellation is no refusal.
    const n = Number(second!.name.split(" ")[1]);
    await office.people([n], "Law");
    await office.apply();
    await office.people([n]);
    expect((await office.preview()).counts).toMatchObject({ issue: 1, blocked: 0 });
  });

  it("issues nothing to a person who does not match any more, before its next run", async () => {
    const office = await Office.open(await world(), {}, { confirmName: true });
    await office.people([1, 2]);
    await office.apply();
    const list = await call("GET", "/v1/name_confirmations", { token: office.token });
    const [first, second] = list.json<{ data: ConfirmationView[] }>().data;
    await office.people([1, 2], "Law");
    await confirm(first!.link, first!.name);
    expect((await open(first!.link)).text).toContain("no longer meets the conditions");
    const refused = await call("POST", `/v1/name_confirmations/${second!.id}/confirm`, {
      token: office.token,
      body: { reason: "Passport" },
    });
    expect([refused.status, refused.json()["detail"]]).toEqual([409, expect.stringContaining("does not mean")]);
    expect(await office.credentials()).toEqual([]);
  });

  it("resumes what it issues in place of a credential that it suspended", async () => {
    const office = await Office.open(await world(), { rule: inMaths, reentry: "reissue" }, {});
    await office.people([1, 2]);
    await office.apply();
    await office.people([1], "Law");
    await office.apply();
    expect(await office.states()).toEqual({ active: 1, suspended: 1 });
    await call("PATCH", `/v1/templates/${office.templateId}`, { token: office.token, body: { confirmName: true } });
    await office.people([1]);
    expect((await office.apply()).counts).toMatchObject({ confirming: 1 });
    expect(await office.states()).toEqual({ active: 1, suspended: 1 });
    const list = await call("GET", "/v1/name_confirmations", { token: office.token });
    const [asked] = list.json<{ data: ConfirmationView[] }>().data;
    await confirm(asked!.link, "Person 1");
    expect(await office.states()).toEqual({ active: 2, revoked: 1 });
  });
});

describe("a claim", () => {
  it.each([false, true])("waits for the name (with approval: %s), and is issued with it", async (approval) => {
    const r = await registry();
    const { code, id: linkId } = await claimLink(r.ctx, { templateId: r.templateId, approval });
    const email = someAddress();
    const token = await proved(code, email);
    await submitClaim(visitor(), { code, token, entered: { name: "Ada Lovelace" } });
    const claim = async () => (await listClaims(r.ctx, { claimLinkId: linkId })).data[0]!;
    if (approval) expect((await approveClaims(r.ctx, { ids: [(await claim()).id] })).succeeded).toBe(1);
    const [waiting] = await r.waiting();
    expect(await claim()).toMatchObject({ state: "confirming", credentialId: null, nameConfirmationId: waiting!.id });
    expect(await getClaimLink(r.ctx, { id: linkId })).toMatchObject({
      waitingCount: 0,
      confirmingCount: 1,
      issuedCount: 0,
      placesTaken: 1,
    });
    const link = (await findLink(code, new Date()))!;
    expect(await loadProgress(link, token, new Date())).toMatchObject({
      state: "confirming",
      confirmUrl: waiting!.link,
    });
    await confirm(waiting!.link);
    expect(await claim()).toMatchObject({ state: "issued", credentialId: (await r.credentials())[0]!.id });
  });

  it("that is cancelled with its name frees its place", async () => {
    const r = await registry();
    const link = await claimLink(r.ctx, { templateId: r.templateId, maxClaims: 1 });
    const token = await proved(link.code, someAddress());
    await submitClaim(visitor(), { code: link.code, token, entered: { name: "Ada Lovelace" } });
    const [waiting] = await r.waiting();
    await r.request("POST", `/v1/name_confirmations/${waiting!.id}/cancel`, { reason: "Not a member" });
    expect((await listClaims(r.ctx, { claimLinkId: link.id })).data).toMatchObject([
      { state: "rejected", reason: "Not a member" },
    ]);
    expect((await findLink(link.code, new Date()))!.state).toBe("open");
  });
});

describe("what stays of a request", () => {
  it("is nothing about the person after an erasure", async () => {
    const r = await registry();
    const { id, link, subjectId } = (await r.ask({ data: { title: "Dr. Secret" } })).json<ConfirmationView>();
    await eraseSubject(r.ctx, { id: subjectId, reason: "Ticket 1" });
    expect(await r.load(id)).toMatchObject({ state: "cancelled", name: "", email: null });
    expect((await open(link)).status).toBe(404);
    const [kept] = await sql<{ text: string }>(`SELECT n::text AS text FROM name_confirmations n WHERE org_id = $1`, [
      r.orgId,
    ]);
    expect(kept!.text).not.toContain("Secret");
  });

  it("is deleted 90 days after the decision, but never while it waits or where a person refused", async () => {
    const r = await registry();
    const decided = (await r.ask()).json<ConfirmationView>();
    await confirm(decided.link);
    await r.ask({}, { externalId: "s-2", displayName: "Grace Hopper" });
    const refused = (await r.ask({}, { externalId: "s-3", displayName: "Alan Turing" })).json<ConfirmationView>();
    await r.request("POST", `/v1/name_confirmations/${refused.id}/cancel`, { reason: "A mistake" });
    const count = async () =>
      (await r.request("GET", "/v1/name_confirmations"))
        .json<{ data: ConfirmationView[] }>()
        .data.map(({ state }) => state);
    const purge = (days: number) => purgeExpired(new Date(Date.now() + days * day), new Date(Date.now() + 60_000));
    await purge(89);
    expect(await count()).toEqual(["confirmed", "waiting", "cancelled"]);
    await purge(91);
    expect(await count()).toEqual(["waiting", "cancelled"]);
  });
});
