import { describe, expect, it } from "vitest";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { getCredential } from "./get";
import { listCredentialHistory } from "./history";
import { resumeCredential } from "./resume";
import { revokeCredential } from "./revoke";
import { suspendCredential } from "./suspend";

const typesOf = async (w: World) =>
  (await eventsOf(w.orgId)).map((e) => e.type).filter((t) => t.startsWith("credential."));

async function aCredential(terms: Parameters<typeof issued>[2] = {}, at?: string) {
  const w = await world();
  const template = await publishedTemplate(w.ctx);
  return { w, credential: await issued(at ? w.at(at) : w.ctx, template.id, terms) };
}

describe("suspend and resume", () => {
  it("suspends with a public reason, and resumes", async () => {
    const { w, credential } = await aCredential();
    const suspended = await suspendCredential(w.ctx, {
      id: credential.id,
      reason: "Leave of absence",
      note: "Until June",
    });
    expect(suspended).toMatchObject({
      state: "suspended",
      suspensionReason: "Leave of absence",
      suspendedAt: w.ctx.now.toISOString(),
    });
    const resumed = await resumeCredential(w.ctx, { id: credential.id });
    expect(resumed).toMatchObject({ state: "active", suspensionReason: null, suspendedAt: null });
    expect(await typesOf(w)).toEqual([
      "credential.created",
      "credential.issued",
      "credential.suspended",
      "credential.resumed",
    ]);
  });

  it("leaves a suspended credential unchanged when it is suspended again", async () => {
    const { w, credential } = await aCredential();
    const first = await suspendCredential(w.ctx, { id: credential.id, reason: "First" });
    expect(await suspendCredential(w.at("2030-01-01T00:00:00Z"), { id: credential.id, reason: "Second" })).toEqual(
      first,
    );
    expect((await typesOf(w)).filter((t) => t === "credential.suspended")).toHaveLength(1);
  });

  it("resumes with a reason, shown in history and event, and a note, shown only in the history", async () => {
    const w = await world();
    const token = await w.key();
    const credential = await issued(w.ctx, (await publishedTemplate(w.ctx)).id);
    await suspendCredential(w.ctx, { id: credential.id, reason: "Leave of absence" });
    const answer = await call("POST", `/v1/credentials/${credential.id}/resume`, {
      token,
      body: { reason: "Back from leave", note: "Asked by phone" },
    });
    expect([answer.status, answer.text.includes("Back from leave")]).toEqual([200, false]);
    const [entry] = (await listCredentialHistory(w.ctx, { id: credential.id })).data;
    expect(entry).toMatchObject({ action: "resumed", reason: "Back from leave", note: "Asked by phone" });
    const event = (await eventsOf(w.orgId)).at(-1)!;
    expect(event).toMatchObject({
      type: "credential.resumed",
      data: { object: { state: "active", resumptionReason: "Back from leave" } },
    });
    expect(JSON.stringify(event)).not.toContain("phone");
    for (const reason of ["", "x".repeat(501)])
      expect((await call("POST", `/v1/credentials/${credential.id}/resume`, { token, body: { reason } })).status).toBe(
        400,
      );
  });

  it("refuses to resume a credential past its expiry", async () => {
    const { w, credential } = await aCredential({ expiresAt: "2026-06-01T00:00:00Z" }, "2026-01-01T00:00:00Z");
    await suspendCredential(w.at("2026-02-01T00:00:00Z"), { id: credential.id });
    await expect(resumeCredential(w.at("2026-06-01T00:00:00Z"), { id: credential.id })).rejects.toMatchObject({
      code: "credential_state",
      extras: { members: { state: "expired", action: "resume" } },
    });
    expect(await resumeCredential(w.at("2026-05-31T23:59:59.999Z"), { id: credential.id })).toMatchObject({
      state: "active",
    });
  });

  it("records the start of a pending credential before it suspends it", async () => {
    const { w, credential } = await aCredential({ validFrom: "2026-02-01T00:00:00Z" }, "2026-01-01T00:00:00Z");
    await expect(suspendCredential(w.at("2026-01-15T00:00:00Z"), { id: credential.id })).rejects.toMatchObject({
      code: "credential_state",
    });
    await suspendCredential(w.at("2026-02-02T00:00:00Z"), { id: credential.id });
    expect(await typesOf(w)).toEqual(["credential.created", "credential.issued", "credential.suspended"]);
  });

  it("emits one event for twenty suspensions at once", async () => {
    const { w, credential } = await aCredential();
    await Promise.all(Array.from({ length: 20 }, () => suspendCredential(w.ctx, { id: credential.id })));
    expect((await typesOf(w)).filter((t) => t === "credential.suspended")).toHaveLength(1);
  });
});

describe("revoke", () => {
  it("is permanent, shows the reason, and keeps the first reason", async () => {
    const { w, credential } = await aCredential();
    const token = await w.key();
    const revoke = (reason: string) =>
      call("POST", `/v1/credentials/${credential.id}/revoke`, { token, body: { reason, note: "Ticket 7" } });
    const first = await revoke("Left the university");
    expect([first.status, first.json()]).toEqual([
      200,
      expect.objectContaining({
        state: "revoked",
        revocationReason: "Left the university",
        revokedAt: expect.any(String),
      }),
    ]);
    const second = await revoke("Another reason");
    expect([second.status, second.json()]).toEqual([200, first.json()]);
    for (const action of ["suspend", "resume"]) {
      const refused = await call("POST", `/v1/credentials/${credential.id}/${action}`, { token, body: {} });
      expect([refused.status, refused.json()]).toEqual([
        409,
        expect.objectContaining({ code: "credential_state", state: "revoked", action }),
      ]);
    }
    expect((await typesOf(w)).filter((t) => t === "credential.revoked")).toHaveLength(1);
  });

  it("keeps note and actor in the history, and the note out of events and answers", async () => {
    const { w, credential } = await aCredential();
    const revoked = await revokeCredential(w.ctx, { id: credential.id, reason: "Left", note: "private matter" });
    const { data } = await listCredentialHistory(w.ctx, { id: credential.id });
    expect(data.map((e) => [e.action, e.fromState, e.toState])).toEqual([
      ["revoked", "active", "revoked"],
      ["issued", null, "active"],
    ]);
    expect(data[0]).toMatchObject({ reason: "Left", note: "private matter", actor: { type: "operator", id: "test" } });
    expect(JSON.stringify([revoked, await eventsOf(w.orgId)])).not.toContain("private matter");
  });

  it("expires a credential that is past its expiry before it revokes it", async () => {
    const { w, credential } = await aCredential({ expiresAt: "2026-06-01T00:00:00Z" }, "2026-01-01T00:00:00Z");
    expect(await revokeCredential(w.at("2026-07-01T00:00:00Z"), { id: credential.id, reason: "Fraud" })).toMatchObject({
      state: "revoked",
    });
    expect(await typesOf(w)).toEqual([
      "credential.created",
      "credential.issued",
      "credential.expired",
      "credential.revoked",
    ]);
  });

  it("and a suspension at the same moment take effect in one order or the other, never mixed", async () => {
    for (let round = 0; round < 10; round++) {
      const { w, credential } = await aCredential();
      const [suspended] = await Promise.allSettled([
        suspendCredential(w.ctx, { id: credential.id }),
        revokeCredential(w.ctx, { id: credential.id, reason: "Left" }),
      ]);
      const after = (await typesOf(w)).slice(2);
      expect(after).toEqual(
        suspended.status === "fulfilled" ? ["credential.suspended", "credential.revoked"] : ["credential.revoked"],
      );
      expect(await getCredential(w.ctx, { id: credential.id })).toMatchObject({
        state: "revoked",
        revocationReason: "Left",
      });
    }
  });

  it.each([{}, { reason: "" }, { reason: "x".repeat(501) }, { reason: "ok", other: 1 }])("refuses %j", async (body) => {
    const { w, credential } = await aCredential();
    expect((await call("POST", `/v1/credentials/${credential.id}/revoke`, { token: await w.key(), body })).status).toBe(
      400,
    );
  });
});

it("requires each action's own scope", async () => {
  const { w, credential } = await aCredential();
  const { id } = credential;
  for (const [attempt, scope] of [
    [
      () => suspendCredential(w.as("credentials:issue", "credentials:revoke", "credentials:read"), { id }),
      "credentials:suspend",
    ],
    [
      () => resumeCredential(w.as("credentials:issue", "credentials:revoke", "credentials:read"), { id }),
      "credentials:suspend",
    ],
    [
      () =>
        revokeCredential(w.as("credentials:issue", "credentials:suspend", "credentials:revoke_template"), {
          id,
          reason: "x",
        }),
      "credentials:revoke",
    ],
    [() => getCredential(w.as("credentials:issue"), { id }), "credentials:read"],
    [() => listCredentialHistory(w.as("credentials:issue"), { id }), "credentials:read"],
  ] as const) {
    await expect(attempt()).rejects.toMatchObject({ code: "insufficient_scope", extras: { members: { scope } } });
  }
});
