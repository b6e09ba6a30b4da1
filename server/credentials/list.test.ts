import { describe, expect, it } from "vitest";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { countCredentials } from "./counts";
import { issueCredential } from "./issue";
import { listCredentials } from "./list";
import { revokeCredential } from "./revoke";
import { suspendCredential } from "./suspend";

/**
 * Makes one credential in each stored state, and three that start or expire on June 1st without anything writing it.
 */
async function everyState() {
  const w = await world();
  const may = w.at("2026-05-01T00:00:00Z");
  const template = await publishedTemplate(may);
  const make = (terms: Parameters<typeof issued>[2] = {}) => issued(may, template.id, terms);
  const june = "2026-06-01T00:00:00Z";
  const all = {
    pending: await make({ validFrom: "2027-01-01T00:00:00Z" }),
    starting: await make({ validFrom: june }),
    active: await make(),
    expiring: await make({ expiresAt: june }),
    suspended: await make(),
    suspendedExpiring: await make({ expiresAt: june }),
    revoked: await make(),
  };
  await suspendCredential(may, { id: all.suspended.id });
  await suspendCredential(may, { id: all.suspendedExpiring.id });
  await revokeCredential(may, { id: all.revoked.id, reason: "Left" });
  const nameOf = (id: string) => Object.entries(all).find(([, credential]) => credential.id === id)![0];
  return { w, template, all, nameOf };
}

describe("GET /v1/credentials", () => {
  it.each([
    [
      "2026-05-31T23:59:59.999Z",
      {
        pending: ["starting", "pending"],
        active: ["expiring", "active"],
        suspended: ["suspendedExpiring", "suspended"],
        expired: [],
        revoked: ["revoked"],
      },
    ],
    [
      "2026-06-01T00:00:00.000Z",
      {
        pending: ["pending"],
        active: ["active", "starting"],
        suspended: ["suspended"],
        expired: ["suspendedExpiring", "expiring"],
        revoked: ["revoked"],
      },
    ],
  ] as const)("filters and counts by the state at %s", async (time, expected) => {
    const { w, template, nameOf } = await everyState();
    for (const [state, names] of Object.entries(expected)) {
      const page = await listCredentials(w.at(time), { state: state as keyof typeof expected, offset: 0 });
      expect([state, page.data.map((c) => nameOf(c.id)), page.total]).toEqual([state, names, names.length]);
      expect(page.data.every((c) => c.state === state)).toBe(true);
    }
    const counts = await countCredentials(w.at(time), { templateId: template.id });
    expect(counts).toMatchObject({
      total: 7,
      notRevoked: 6,
      states: Object.fromEntries(Object.entries(expected).map(([state, names]) => [state, names.length])),
    });
  });

  it("filters by subject, template, kind, code, times and words about the subject", async () => {
    const w = await world();
    const [one, two] = [await publishedTemplate(w.ctx), await publishedTemplate(w.ctx, { kind: "employee_id" })];
    const subject = { externalId: "zoe", displayName: "Zoë Núñez", email: "zoe@example.org" };
    const { credential: a } = await issueCredential(w.at("2026-01-01T00:00:00Z"), {
      subject,
      templateId: one.id,
      expiresAt: "2026-12-31T00:00:00Z",
    });
    const { credential: b } = await issueCredential(w.at("2026-02-01T00:00:00Z"), {
      subject: { externalId: "zoe" },
      templateId: two.id,
    });
    const c = await issued(w.at("2026-03-01T00:00:00Z"), two.id, { validFrom: "2026-04-01T00:00:00Z" });
    const found = async (
      filter: Parameters<typeof listCredentials>[1],
      at: World["ctx"] = w.at("2026-05-01T00:00:00Z"),
    ) => (await listCredentials(at, filter)).data.map((each) => each.id);
    expect(await found({})).toEqual([c.id, b.id, a.id]);
    expect(await found({ subjectId: a.subjectId })).toEqual([b.id, a.id]);
    expect(await found({ templateId: two.id })).toEqual([c.id, b.id]);
    expect(await found({ kind: "membership" })).toEqual([a.id]);
    expect(await found({ code: b.code.toLowerCase().replaceAll("-", "") })).toEqual([b.id]);
    expect(await found({ code: "nonsense" })).toEqual([]);
    expect(await found({ q: "nunez" })).toEqual([b.id, a.id]);
    expect(await found({ issuedAfter: "2026-01-15T00:00:00Z" })).toEqual([c.id, b.id]);
    expect(await found({ issuedAfter: "2026-01-15T00:00:00Z" }, w.at("2026-03-15T00:00:00Z"))).toEqual([b.id]);
    expect(await found({ issuedBefore: "2026-01-15T00:00:00Z" })).toEqual([a.id]);
    expect(await found({ expiresAfter: "2026-12-01T00:00:00Z", expiresBefore: "2027-01-01T00:00:00Z" })).toEqual([
      a.id,
    ]);
  });

  it("returns all pages by cursor, newest first, and refuses a cursor with other filters", async () => {
    const { w, all } = await everyState();
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof listCredentials>> = await listCredentials(w.ctx, {
        limit: 3,
        ...(cursor && { cursor }),
      });
      seen.push(...page.data.map((c) => c.id));
      cursor = page.nextCursor;
      if (cursor)
        await expect(listCredentials(w.ctx, { limit: 3, cursor, state: "active" })).rejects.toMatchObject({
          code: "invalid_cursor",
        });
    }
    expect(seen).toEqual(
      Object.values(all)
        .map((c) => c.id)
        .toReversed(),
    );
  });

  it("shows nothing of another organisation", async () => {
    const [{ all, template }, other] = [await everyState(), await world()];
    const token = await other.key();
    expect((await call("GET", `/v1/credentials?templateId=${template.id}`, { token })).json()).toMatchObject({
      data: [],
      nextCursor: null,
    });
    expect((await call("GET", `/v1/credentials/${all.active.id}`, { token })).status).toBe(404);
    expect((await call("GET", `/v1/credentials/${all.active.id}/history`, { token })).status).toBe(404);
  });

  it.each(["state=live", "kind=id", "issuedAfter=yesterday", "organisation=org_1"])("refuses ?%s", async (query) => {
    const { key } = await world();
    expect((await call("GET", `/v1/credentials?${query}`, { token: await key() })).status).toBe(400);
  });
});
