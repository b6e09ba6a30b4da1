import { describe, expect, it } from "vitest";
import { sql } from "@/server/core/db";
import { readId, type Id } from "@/server/core/ids";
import { bulkCredentials } from "@/server/credentials/bulk";
import { resumeCredential } from "@/server/credentials/resume";
import { revokeCredential } from "@/server/credentials/revoke";
import { suspendCredential } from "@/server/credentials/suspend";
import { getOrganisation } from "@/server/organisations/get";
import type { OutboundResult } from "@/server/outbound/request";
import type { JsonObject } from "@/server/standards/json";
import { Bitstring, minEntries } from "@/server/standards/status-list/bitstring";
import type { Surroundings } from "@/server/standards/surroundings";
import { verifyList } from "@/server/standards/verify/verify-signature";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import type { Verification } from "@/server/verification/view";
import { rotateIssuerKey } from "../rotate-key";
import { statusEntriesOf, statusPlacesOf } from "./entries";
import { statusPurposes, type StatusPurpose } from "./purposes";

async function issuer() {
  const w = await world();
  const { slug } = await getOrganisation(w.ctx, {});
  const template = await publishedTemplate(w.ctx, { name: "Degree", kind: "academic" });
  return { ...w, slug, issue: () => issued(w.ctx, template.id), templateId: template.id };
}

const get = (slug: string, purpose: string, headers: Record<string, string> = {}) =>
  call("GET", `/public/status/${slug}/${purpose}`, { headers });

/** Answers requests to this service from its own routes. */
const ownService: Surroundings = {
  now: new Date(),
  request: async ({ url }) => {
    const answer = await call("GET", new URL(url).pathname);
    return {
      ok: answer.status === 200,
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: Buffer.from(answer.bytes),
      truncated: false,
    } as unknown as OutboundResult;
  },
};

async function bitsOf(slug: string, purpose: StatusPurpose): Promise<Bitstring> {
  const { credentialSubject } = (await get(slug, purpose)).json<{ credentialSubject: { encodedList: string } }>();
  return Bitstring.decode(credentialSubject.encodedList);
}

const indexOf = async ({ ctx }: World, id: string) => {
  const crd = readId("crd", id);
  return (await statusPlacesOf(ctx, [crd])).get(crd)!.index;
};

const signatures = async ({ orgId }: World, purpose: StatusPurpose) =>
  (
    await sql<{ revision: number }>(`SELECT revision FROM status_lists WHERE org_id = $1 AND purpose = $2`, [
      orgId,
      purpose,
    ])
  )[0]?.revision ?? 0;

describe("a status list", () => {
  it.each(statusPurposes)(
    "for %s is a signed credential of the issuer that follows the specification",
    async (purpose) => {
      const { slug } = await issuer();
      const answer = await get(slug, purpose);
      const list = answer.json<JsonObject & { credentialSubject: JsonObject; validUntil: string }>();
      const url = new URL(`/public/status/${slug}/${purpose}`, list["id"] as string).href;
      expect(list).toMatchObject({
        id: url,
        type: ["VerifiableCredential", "BitstringStatusListCredential"],
        issuer: expect.stringMatching(new RegExp(`^did:web:[^:]+:public:issuers:${slug}$`)),
        credentialSubject: { id: `${url}#list`, type: "BitstringStatusList", statusPurpose: purpose, ttl: 300_000 },
        proof: [{ cryptosuite: "eddsa-rdfc-2022" }],
      });
      expect(Date.parse(list.validUntil)).toBeGreaterThan(Date.now() + 2 * 86_400_000);
      expect((await bitsOf(slug, purpose)).length).toBe(minEntries);
      expect(await verifyList(answer.text, ownService)).toMatchObject({ id: url });
      await expect(verifyList(answer.text.replace(`"${purpose}"`, `"other"`), ownService)).rejects.toThrow();
    },
  );

  it.each([
    [undefined, "application/vc"],
    ["*/*", "application/vc"],
    ["application/vc, application/ld+json, application/json", "application/vc"],
    ["application/json, text/plain, */*", "application/json"],
    ["application/ld+json", "application/ld+json"],
    ["application/vc+jwt", "application/vc+jwt"],
    ["application/vc;q=0.5, application/vc+jwt;q=0.9", "application/vc+jwt"],
    ["text/html", "application/vc"],
  ])("requested with Accept %s is served as %s", async (accept, type) => {
    const { slug } = await issuer();
    const answer = await get(slug, "revocation", accept === undefined ? {} : { accept });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": type,
      vary: "Accept",
      "cache-control": "public, max-age=300",
      "access-control-allow-origin": "*",
    });
    expect(await verifyList(answer.text, ownService)).toMatchObject({
      type: expect.arrayContaining(["BitstringStatusListCredential"]),
    });
  });

  it("is answered with 304 until it changes, if the client has it", async () => {
    const { ctx, slug, issue } = await issuer();
    const { id } = await issue();
    const etag = (await get(slug, "revocation")).headers.get("etag")!;
    expect((await get(slug, "revocation", { "if-none-match": etag })).status).toBe(304);
    await revokeCredential(ctx, { id, reason: "Plagiarism" });
    expect((await get(slug, "revocation", { "if-none-match": etag })).status).toBe(200);
  });

  it("answers a browser's preflight, and a problem for an unknown issuer or purpose", async () => {
    const { slug } = await issuer();
    const preflight = await call("OPTIONS", `/public/status/${slug}/revocation`);
    expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([
      204,
      expect.stringMatching(/cache-control.*pragma/),
    ]);
    for (const answer of [await get("nobody-has-this", "revocation"), await get(slug, "message")])
      expect([answer.status, answer.json()["code"]]).toEqual([404, "not_found"]);
  });

  it("is signed again with the new key after a rotation", async () => {
    const { ctx, slug } = await issuer();
    const method = async () =>
      (await get(slug, "revocation")).json<{ proof: JsonObject[] }>().proof[0]!["verificationMethod"];
    const before = await method();
    const { keys } = await rotateIssuerKey(ctx, {});
    expect(await method()).toBe(keys[0]!.verificationMethod);
    expect(await method()).not.toBe(before);
  });
});

describe("the entries of a credential", () => {
  it("name the list of each purpose with the same index, which only academic credentials have", async () => {
    const w = await issuer();
    const [degree, membership] = [await w.issue(), await issued(w.ctx, (await publishedTemplate(w.ctx)).id)];
    const ids = [degree, membership].map(({ id }) => readId("crd", id)) as [Id<"crd">, Id<"crd">];
    const places = await statusPlacesOf(w.ctx, ids);
    expect([...places.keys()]).toEqual([ids[0]]);
    const { index } = places.get(ids[0])!;
    const entries = statusEntriesOf({ slug: w.slug, index });
    expect(entries.map(({ statusPurpose, statusListIndex }) => [statusPurpose, statusListIndex])).toEqual([
      ["revocation", String(index)],
      ["suspension", String(index)],
    ]);
    const list = (await get(w.slug, "revocation")).json<JsonObject>();
    expect(entries[0]!["statusListCredential"]).toBe(list["id"]);
  });

  it("never share an index, however many sets are issued concurrently, and are spread over the list", async () => {
    const w = await issuer();
    const sets = 8;
    const size = 300;
    const answers = await Promise.all(
      Array.from({ length: sets }, (_, set) =>
        bulkCredentials(w.ctx, {
          action: "issue",
          items: Array.from({ length: size }, (_, i) => ({
            templateId: w.templateId,
            subject: { externalId: `s-${set}-${i}` },
          })),
        }),
      ),
    );
    expect(answers.map(({ result }) => result!.succeeded)).toEqual(Array(sets).fill(size));
    const rows = await sql<{ index: number }>(`SELECT index FROM status_entries WHERE org_id = $1`, [w.orgId]);
    const indexes = rows.map(({ index }) => index);
    expect(new Set(indexes).size).toBe(sets * size);
    expect(Math.min(...indexes)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...indexes)).toBeLessThan(minEntries);
    // Of 2,400 random indexes, a sixteenth of the list has 150 on average; fewer than 75 happen in one run of 10^9.
    const parts = new Map<number, number>();
    for (const index of indexes) parts.set(index >> 13, (parts.get(index >> 13) ?? 0) + 1);
    expect(parts.size).toBe(16);
    expect(Math.min(...parts.values())).toBeGreaterThan(75);
  });

  it("double the lists when half of the indexes are taken", async () => {
    const w = await issuer();
    const { id } = await w.issue();
    await suspendCredential(w.ctx, { id, reason: "Fees" });
    expect((await bitsOf(w.slug, "suspension")).length).toBe(minEntries);
    await sql(`UPDATE status_lanes SET used = capacity / 2 WHERE org_id = $1`, [w.orgId]);
    await w.issue();
    for (const purpose of statusPurposes) expect((await bitsOf(w.slug, purpose)).length).toBe(2 * minEntries);
    expect((await bitsOf(w.slug, "suspension")).get(await indexOf(w, id))).toBe(1);
  });
});

describe("a list that is read after a commit", () => {
  it("includes every state after any sequence of issues, suspensions, resumptions and revocations", async () => {
    const w = await issuer();
    const ids: string[] = [];
    const verbs = [
      async () => void ids.push((await w.issue()).id),
      (id: string) => suspendCredential(w.ctx, { id, reason: "r" }),
      (id: string) => resumeCredential(w.ctx, { id }),
      (id: string) => revokeCredential(w.ctx, { id, reason: "r" }),
    ];
    for (let step = 0; step < 60; step++) {
      const id = ids[Math.floor(Math.random() * ids.length)];
      const verb = verbs[id === undefined ? 0 : Math.floor(Math.random() * verbs.length)]!;
      // An action that the state does not allow is refused, and must not change the lists.
      await verb(id!).catch((error: { code?: string }) => expect(error.code).toBe("credential_state"));
      if (step % 5 !== 4) continue;
      const stored = await sql<{ index: number; state: string }>(
        `SELECT e.index, c.state FROM status_entries e JOIN credentials c ON c.org_id = e.org_id AND c.id = e.credential_id WHERE e.org_id = $1`,
        [w.orgId],
      );
      for (const [purpose, state] of [
        ["revocation", "revoked"],
        ["suspension", "suspended"],
      ] as const) {
        const bits = await bitsOf(w.slug, purpose);
        const set = Array.from({ length: bits.length }, (_, index) => index).filter((index) => bits.get(index) === 1);
        const expected = stored.filter((row) => row.state === state).map(({ index }) => index);
        expect([step, purpose, set]).toEqual([step, purpose, expected.toSorted((a, b) => a - b)]);
      }
    }
  });

  it("shows a credential as revoked after its end if a document of it states a later end", async () => {
    const w = await issuer();
    const token = await w.key();
    const [shortened, lasting] = [await w.issue(), await w.issue()];
    const natural = await issued(w.ctx, w.templateId, { expiresAt: "2980-01-01T00:00:00Z" });
    const bits = async () =>
      Promise.all(
        statusPurposes.map(async (purpose) => {
          const list = await bitsOf(w.slug, purpose);
          return Promise.all([shortened, lasting, natural].map(async ({ id }) => list.get(await indexOf(w, id))));
        }),
      );
    const change = (id: string, expiresAt: string) =>
      call("PATCH", `/v1/credentials/${id}`, { token, body: { expiresAt } });
    // Its first copy has no end.
    const copy = (await call("GET", `/v1/credentials/${shortened.id}/credential.json`, { token })).json<JsonObject>();
    expect(copy).not.toHaveProperty("validUntil");
    await change(lasting.id, "2990-01-01T00:00:00Z");
    expect((await change(shortened.id, "2980-01-01T00:00:00Z")).status).toBe(200);
    expect(await bits()).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
    const at = (ids: string[], time: string) =>
      sql(`UPDATE credentials SET expires_at = now() - $3::interval WHERE org_id = $1 AND id = ANY($2)`, [
        w.orgId,
        ids.map((id) => readId("crd", id)),
        time,
      ]);
    await sql(`UPDATE status_lists SET signed_at = now() - interval '1 hour' WHERE org_id = $1`, [w.orgId]);
    await at([shortened.id, natural.id], "1 second");
    // No sweep has recorded the end yet.
    expect(await bits()).toEqual([
      [1, 0, 0],
      [0, 0, 0],
    ]);
    const before = await signatures(w, "revocation");
    await bits();
    expect(await signatures(w, "revocation")).toBe(before);
    const { applyClockToDueCredentials } = await import("@/server/credentials/sweep");
    while ((await applyClockToDueCredentials(new Date())) > 0);
    expect((await bits())[0]).toEqual([1, 0, 0]);
    // A list that is rebuilt from the credentials is the same.
    await sql(`UPDATE status_lists SET bits = NULL WHERE org_id = $1`, [w.orgId]);
    expect((await bits())[0]).toEqual([1, 0, 0]);
    const here = (await call("POST", "/public/verify", { body: { credential: copy } })).json<Verification>();
    expect(here).toMatchObject({ result: "invalid", state: "expired", reason: "expired" });
  });

  it("shows each of many concurrent changes to the client that made it", async () => {
    const w = await issuer();
    const credentials = await Promise.all(Array.from({ length: 24 }, () => w.issue()));
    await Promise.all(
      credentials.map(async ({ id }) => {
        await revokeCredential(w.ctx, { id, reason: "r" });
        expect((await bitsOf(w.slug, "revocation")).get(await indexOf(w, id))).toBe(1);
      }),
    );
    expect(await sql(`SELECT FROM status_changes WHERE org_id = $1`, [w.orgId])).toEqual([]);
  });

  it("is signed once for a whole set and all readers, and not at all for the unchanged list", async () => {
    const w = await issuer();
    const items = Array.from({ length: 400 }, (_, i) => ({
      templateId: w.templateId,
      subject: { externalId: `set-${i}` },
    }));
    const made = await bulkCredentials(w.ctx, { action: "issue", items });
    const ids = made.result!.data.map((row) => (row.ok && row.credential ? row.credential.id : ""));
    await Promise.all(statusPurposes.map((purpose) => get(w.slug, purpose)));
    await bulkCredentials(w.ctx, {
      action: "revoke",
      items: ids.map((id) => ({ id, reason: "Withdrawn" })),
    });
    const lists = await Promise.all(Array.from({ length: 30 }, () => bitsOf(w.slug, "revocation")));
    const count = (bits: Bitstring) =>
      bits.bytes.reduce((sum, byte) => sum + byte.toString(2).replaceAll("0", "").length, 0);
    expect(new Set(lists.map(count))).toEqual(new Set([400]));
    await get(w.slug, "suspension");
    expect([await signatures(w, "revocation"), await signatures(w, "suspension")]).toEqual([2, 1]);
  });

  it("includes changes that nobody read before they were purged", async () => {
    const w = await issuer();
    const { id } = await w.issue();
    await get(w.slug, "revocation");
    await revokeCredential(w.ctx, { id, reason: "r" });
    await sql(`UPDATE status_changes SET created_at = now() - interval '8 days' WHERE org_id = $1`, [w.orgId]);
    const { purgeExpired } = await import("@/server/retention/purge");
    const { statusChanges } = await purgeExpired(new Date(), new Date(Date.now() + 60_000));
    expect(statusChanges).toBeGreaterThanOrEqual(1);
    expect((await bitsOf(w.slug, "revocation")).get(await indexOf(w, id))).toBe(1);
  });
});
