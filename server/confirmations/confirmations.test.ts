import { beforeAll, describe, expect, it } from "vitest";
import { approveClaims } from "@/server/claims/approve-claims";
import { submitClaim } from "@/server/claims/submit-claim";
import { claimLink, proved, someAddress } from "@/server/claims/testing/claims";
import { loadProgress } from "@/server/claims/load-progress";
import { findLink } from "@/server/claims/find-link";
import { getClaimLink } from "@/server/claims/get-link";
import { listClaims } from "@/server/claims/list-claims";
import { sequencer } from "@/server/consumers";
import type { ConfirmationView } from "@/server/credentials/confirmation";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { sendMessages } from "@/server/notifications/send-messages";
import { MailServer } from "@/server/notifications/testing/mail-server";
import { inMaths, Office } from "@/server/policies/testing/office";
import { purgeExpired } from "@/server/retention/purge";
import { ownDatabase } from "@/server/testing/own-database";
import { visitor } from "@/server/testing/person";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { confirm, open, registry } from "./testing/registry";

beforeAll(ownDatabase);

const day = 86_400_000;

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

  it("says when a new link can be made, if one was made less than five minutes ago", async () => {
    const r = await registry();
    const { id } = (await r.ask()).json<ConfirmationView>();
    await sequencer().drain();
    const refused = await r.request("POST", `/v1/name_confirmations/${id}/resend`);
    expect([refused.status, refused.json()["detail"]]).toEqual([
      429,
      "A link was made less than five minutes ago. Try again in 5 minutes.",
    ]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(240);
  });

  it("cancels, and the holder sees the reason", async () => {
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

  it("shows the link only to people who may issue", async () => {
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
    // A person who no longer matches is not asked any more.
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
    // A credential issued by hand is newer than the refusal. A credential that the policy then ends and restores is its
    // own.
    await call("PATCH", `/v1/templates/${office.templateId}`, { token: office.token, body: { confirmName: false } });
    const body = { templateId: office.templateId, subject: { id: first!.subjectId } };
    const made = await call("POST", "/v1/credentials", { token: office.token, body });
    expect(made.status).toBe(201);
    expect((await office.apply()).counts).toMatchObject({ issue: 0, confirming: 1, foreign: 1, blocked: 0 });
    // A person who leaves is no longer asked, and is asked again after returning: a policy's cancellation is not a
    // refusal.
    const n = Number(second!.name.split(" ")[1]);
    await office.people([n], "Law");
    await office.apply();
    await office.people([n]);
    expect((await office.preview()).counts).toMatchObject({ issue: 1, blocked: 0 });
  });

  it("issues nothing to a person who no longer matches, even before its next run", async () => {
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

  it("resumes the credential that it issues in place of a suspended one", async () => {
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

describe("the remaining data of a request", () => {
  it("contains nothing about the person after an erasure", async () => {
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

  it("is deleted 90 days after the decision, but never while it waits or if a person refused", async () => {
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
