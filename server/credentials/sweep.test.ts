import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readId, uuidOf } from "@/server/core/ids";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { ownDatabase } from "@/server/testing/own-database";
import { refuseWrites } from "@/server/testing/refuse-writes";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { listCredentialHistory } from "./history";
import { revokeCredential } from "./revoke";
import { suspendCredential } from "./suspend";
import { nextDueAt, applyClockToDueCredentials } from "./sweep";

// The sweep covers all organisations, so these tests have their own database.
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await ownDatabase();
});
afterAll(() => drop());
beforeEach(() => sql(`TRUNCATE organisations CASCADE`));

const may = "2026-05-01T00:00:00Z";
const june = new Date("2026-06-01T00:00:00Z");
const typesOf = async (w: World) =>
  (await eventsOf(w.orgId)).map((e) => e.type).filter((t) => t.startsWith("credential."));
const stored = async (id: string) =>
  (await sql<{ state: string }>(`SELECT state FROM credentials WHERE id = $1`, [id]))[0]!.state;

describe("the sweep", () => {
  it("writes expiries to the millisecond, once, with one event and one entry in the history", async () => {
    const w = await world();
    const template = await publishedTemplate(w.at(may));
    const credential = await issued(w.at(may), template.id, { expiresAt: june.toISOString() });
    expect(await applyClockToDueCredentials(new Date(june.getTime() - 1))).toBe(0);
    expect(await stored(credential.id)).toBe("active");
    expect(await applyClockToDueCredentials(june)).toBe(1);
    expect(await applyClockToDueCredentials(june)).toBe(0);
    expect(await stored(credential.id)).toBe("expired");
    const [last] = (await listCredentialHistory(w.ctx, { id: credential.id })).data;
    expect(last).toMatchObject({ action: "expired", fromState: "active", toState: "expired", actor: { type: "job" } });
    const event = (await eventsOf(w.orgId)).at(-1)!;
    expect(event).toMatchObject({
      type: "credential.expired",
      actor: { type: "job" },
      data: { object: { id: credential.id, state: "expired" }, previous: { state: "active" } },
    });
    expect((await typesOf(w)).filter((t) => t === "credential.expired")).toHaveLength(1);
  });

  it("writes the states of other credentials even if one cannot be written, and throws once only that one is left", async () => {
    const expiring = async () => {
      const w = await world();
      const template = await publishedTemplate(w.at(may));
      return issued(w.at(may), template.id, { expiresAt: june.toISOString() });
    };
    const [broken, ...others] = [await expiring(), await expiring(), await expiring()];
    const allow = await refuseWrites("UPDATE", "credentials", `new.id = '${uuidOf(readId("crd", broken!.id))}'`);
    expect(await applyClockToDueCredentials(june)).toBe(2);
    await expect(applyClockToDueCredentials(june)).rejects.toThrow("refused");
    expect(await Promise.all([broken!, ...others].map(({ id }) => stored(id)))).toEqual([
      "active",
      "expired",
      "expired",
    ]);
    await allow();
    expect(await applyClockToDueCredentials(june)).toBe(1);
  });

  it("writes starts, with credential.issued once", async () => {
    const w = await world();
    const template = await publishedTemplate(w.at(may));
    const credential = await issued(w.at(may), template.id, { validFrom: june.toISOString() });
    expect(await applyClockToDueCredentials(new Date(june.getTime() - 1))).toBe(0);
    expect(await applyClockToDueCredentials(june)).toBe(1);
    expect(await applyClockToDueCredentials(june)).toBe(0);
    expect(await stored(credential.id)).toBe("active");
    expect((await eventsOf(w.orgId)).at(-1)).toMatchObject({
      type: "credential.issued",
      data: { object: { state: "active", issuedAt: june.toISOString() } },
    });
    expect((await typesOf(w)).filter((t) => t === "credential.issued")).toHaveLength(1);
  });

  it("emits credential.issued for a credential that started and expired before any sweep", async () => {
    const w = await world();
    const template = await publishedTemplate(w.at(may));
    await issued(w.at(may), template.id, { validFrom: "2026-05-02T00:00:00Z", expiresAt: "2026-05-03T00:00:00Z" });
    expect(await applyClockToDueCredentials(june)).toBe(1);
    expect(await typesOf(w)).toEqual(["credential.created", "credential.issued", "credential.expired"]);
    expect(await applyClockToDueCredentials(june)).toBe(0);
  });

  it("covers all organisations and suspended credentials, leaves revoked ones, and ends after any number of batches", async () => {
    const [one, two] = [await world(), await world()];
    for (const w of [one, two]) {
      const template = await publishedTemplate(w.at(may));
      for (let i = 0; i < 5; i++) await issued(w.at(may), template.id, { expiresAt: june.toISOString() });
      const suspended = await issued(w.at(may), template.id, { expiresAt: june.toISOString() });
      await suspendCredential(w.at(may), { id: suspended.id });
      const revoked = await issued(w.at(may), template.id, { expiresAt: june.toISOString() });
      await revokeCredential(w.at(may), { id: revoked.id, reason: "Left" });
    }
    const batches: number[] = [];
    for (let n = 1; n > 0; ) batches.push((n = await applyClockToDueCredentials(june, 5)));
    expect(batches).toEqual([5, 5, 2, 0]);
    for (const w of [one, two]) expect((await typesOf(w)).filter((t) => t === "credential.expired")).toHaveLength(6);
  });

  it("expires each credential once when ten sweeps run at once", async () => {
    const w = await world();
    const template = await publishedTemplate(w.at(may));
    for (let i = 0; i < 40; i++) await issued(w.at(may), template.id, { expiresAt: june.toISOString() });
    const swept = await Promise.all(Array.from({ length: 10 }, () => applyClockToDueCredentials(june, 7)));
    expect(swept.reduce((a, b) => a + b)).toBe(40);
    expect((await typesOf(w)).filter((t) => t === "credential.expired")).toHaveLength(40);
  });

  it("returns the next instant at which a credential starts or expires", async () => {
    const w = await world();
    expect(await nextDueAt()).toBeNull();
    const template = await publishedTemplate(w.at(may));
    await issued(w.at(may), template.id, { expiresAt: "2026-08-01T00:00:00Z" });
    await issued(w.at(may), template.id, { validFrom: "2026-07-01T00:00:00Z" });
    expect(await nextDueAt()).toEqual(new Date("2026-07-01T00:00:00Z"));
    await applyClockToDueCredentials(new Date("2026-07-01T00:00:00Z"));
    expect(await nextDueAt()).toEqual(new Date("2026-08-01T00:00:00Z"));
  });
});
