import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ctx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { readId } from "@/server/core/ids";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { bulkCredentials } from "./bulk";
import { getCredential } from "./get";
import { listCredentialHistory } from "./history";
import { reissueCredential } from "./reissue";
import { resumeCredential } from "./resume";
import { revokeCredential } from "./revoke";
import { suspendCredential } from "./suspend";
import { updateCredential } from "./update";
import { credentialTag } from "./view";

// One test adds a constraint to a table, so these tests have their own database.
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await ownDatabase();
});
afterAll(() => drop());

const actions = ["suspend", "resume", "revoke", "update"] as const;
type Action = (typeof actions)[number];

const bulk = async (ctx: Ctx, action: Action, items: object[]) =>
  (await bulkCredentials(ctx, { action, items })).result!.data;
const said = (rows: Awaited<ReturnType<typeof bulk>>) =>
  rows.map((row) => (row.ok ? `${row.credential!.state}${row.changed ? "" : " already"}` : row.error.code));
const single: Record<Action, (ctx: Ctx, item: never) => Promise<unknown>> = {
  suspend: suspendCredential,
  resume: resumeCredential,
  revoke: revokeCredential,
  update: updateCredential,
};

describe("a set of changes", () => {
  it("gives each row its own result, with its own reason and note", async () => {
    const [w, other] = [await world(), await world()];
    const template = await publishedTemplate(w.ctx);
    const made = (terms: object = {}) => issued(w.ctx, template.id, terms);
    const [active, pending, expired, suspended, revoked, superseded] = [
      await made(),
      await made({ validFrom: "2090-01-01T00:00:00Z" }),
      await made({ expiresAt: "2080-01-01T00:00:00Z" }),
      await made(),
      await made(),
      await made(),
    ];
    const foreign = await issued(other.ctx, (await publishedTemplate(other.ctx)).id);
    await suspendCredential(w.ctx, { id: suspended.id, reason: "Before" });
    await revokeCredential(w.ctx, { id: revoked.id, reason: "Before" });
    await reissueCredential(w.ctx, { id: superseded.id });
    const items = [
      { id: superseded.id, reason: "A" },
      { id: active.id, reason: "B", note: "nb" },
      { id: "crd_none", reason: "C" },
      { id: foreign.id, reason: "D" },
      { id: pending.id, reason: "E", note: "ne" },
      { id: active.id, reason: "F", note: "nf" },
      { id: revoked.id, reason: "G" },
      { id: expired.id, reason: "H", note: "nh" },
      { id: suspended.id, reason: "I" },
    ];
    const later = w.at("2085-01-01T00:00:00Z");
    expect(said(await bulk(later, "suspend", items))).toEqual([
      "credential_state",
      "suspended",
      "not_found",
      "not_found",
      "credential_state",
      "suspended already",
      "credential_state",
      "credential_state",
      "suspended already",
    ]);
    const rows = await bulk(later, "revoke", items);
    expect(said(rows)).toEqual([
      "revoked already",
      "revoked",
      "not_found",
      "not_found",
      "revoked",
      "revoked already",
      "revoked already",
      "revoked",
      "revoked",
    ]);
    expect(rows.map((row) => row.ok && row.credential!.revocationReason)).toEqual([
      "Superseded by a newer credential.",
      "B",
      false,
      false,
      "E",
      "B",
      "Before",
      "H",
      "I",
    ]);
    const noted = async (id: string) =>
      (await listCredentialHistory(w.ctx, { id })).data.map((entry) => [entry.action, entry.reason, entry.note]);
    expect(await noted(active.id)).toEqual([
      ["revoked", "B", "nb"],
      ["suspended", "B", "nb"],
      ["issued", null, null],
    ]);
    expect((await noted(expired.id)).slice(0, 2)).toEqual([
      ["revoked", "H", "nh"],
      ["expired", null, null],
    ]);
    expect(await getCredential(other.ctx, { id: foreign.id })).toEqual(foreign);
  });

  it("updates many rows at once, processes rows of the same credential one by one, and refuses data that grows too large", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const [one, two] = [await issued(w.ctx, template.id, { data: { a: 1 } }), await issued(w.ctx, template.id)];
    const large = "x".repeat(40_000);
    const rows = await bulk(w.ctx, "update", [
      { id: one.id, data: { b: { c: 2 } } },
      { id: two.id, data: { one: large } },
      { id: one.id, data: { a: null, b: { d: 3 } }, metadata: { box: 1 } },
      { id: two.id, data: { two: large } },
      { id: two.id, data: { one: null, two: large } },
      { id: one.id, data: { b: { d: 3 } } },
    ]);
    expect(said(rows)).toEqual(["active", "active", "active", "invalid_request", "active", "active already"]);
    expect(rows.map((row) => row.ok && row.credential!.data)).toMatchObject([
      { a: 1, b: { c: 2 } },
      { one: large },
      { b: { c: 2, d: 3 } },
      false,
      { two: large },
      { b: { c: 2, d: 3 } },
    ]);
    expect(rows[3]).toMatchObject({ error: { errors: [{ pointer: "/data", code: "too_big" }] } });
    const types = (await eventsOf(w.orgId)).filter((event) => event.type === "credential.updated");
    expect(types).toHaveLength(4);
  });

  it("writes any number of rows in one subtransaction", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const ids = await Promise.all(Array.from({ length: 30 }, async () => (await issued(w.ctx, template.id)).id));
    for (const action of actions) {
      const extra = action === "update" ? { metadata: { box: 1 } } : { reason: "R" };
      await bulk(
        w.ctx,
        action,
        ids.map((id) => ({ id, ...extra })),
      );
      // Each subtransaction has an id of its own, so a savepoint for each row would show here.
      const [found] = await sql<{ n: number }>(
        `SELECT count(DISTINCT xmin::text) AS n FROM credentials WHERE org_id = $1`,
        [w.orgId],
      );
      expect([action, found!.n]).toEqual([action, 1]);
      if (action === "revoke") break;
    }
  });

  it("processes each row on its own if the database refuses the set, and reports the row that it refuses again", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const ids = [await issued(w.ctx, template.id), await issued(w.ctx, template.id), await issued(w.ctx, template.id)];
    await sql(`ALTER TABLE credential_history ADD CONSTRAINT poison CHECK (note <> 'poison')`);
    try {
      const rows = await bulk(
        w.ctx,
        "suspend",
        ids.map(({ id }, i) => ({ id, reason: `R${i}`, note: i === 1 ? "poison" : "fine" })),
      );
      expect(said(rows)).toEqual(["suspended", "internal_error", "suspended"]);
    } finally {
      await sql(`ALTER TABLE credential_history DROP CONSTRAINT poison`);
    }
    expect(await getCredential(w.ctx, { id: ids[1]!.id })).toMatchObject({ state: "active" });
    expect((await eventsOf(w.orgId)).filter((event) => event.type === "credential.suspended")).toHaveLength(2);
  });
});

// The values from which the property test below draws. Instants repeat, so that starts and expiries fall before, on and
// after the requests.
const instants = [2, 3, 4, 5, 6, 7].map((month) => `2026-0${month}-01T00:00:00.000Z`);
const instant = fc.constantFrom(...instants);
const people = 5;
const terms = fc
  .record(
    { validFrom: instant, expiresAt: fc.constantFrom(...instants.slice(2)), data: fc.constant({ kept: 1 }) },
    { requiredKeys: [] },
  )
  .filter(({ validFrom, expiresAt }) => !validFrom || !expiresAt || validFrom < expiresAt);
const fields = fc.record(
  {
    reason: fc.constantFrom("One", "Two", ""),
    note: fc.constantFrom("A", "B"),
    ifMatch: fc.constantFrom("*", "stale", "current"),
    expiresAt: fc.option(fc.constantFrom(...instants)),
    data: fc.constantFrom<object[]>(
      {},
      { a: 1 },
      { a: 2, b: { c: 1 } },
      { a: null, b: { d: 1 } },
      ...[1, 2].map((n) => ({ [`large${n}`]: "x".repeat(40_000) })),
    ),
    metadata: fc.constantFrom<object[]>(
      {},
      { box: 1 },
      { box: null },
      { box: "x".repeat(3_000) },
      { bag: "x".repeat(3_000) },
    ),
    colour: fc.constant("blue"),
  },
  { requiredKeys: [] },
);
const fieldsOf: Record<Action, string[]> = {
  suspend: ["reason", "note", "ifMatch"],
  resume: ["reason", "note", "ifMatch"],
  revoke: ["reason", "note", "ifMatch"],
  update: ["ifMatch", "expiresAt", "data", "metadata"],
};
const request = fc.record({
  action: fc.constantFrom(...actions),
  /** The scope that the caller lacks: an update that ends a suspended credential sooner needs it. */
  mayRevoke: fc.boolean(),
  rows: fc.array(
    fc.record({
      who: fc.oneof(
        { weight: 8, arbitrary: fc.nat(people - 1) },
        { weight: 1, arbitrary: fc.constantFrom("unknown", "foreign") },
      ),
      fields,
      odd: fc.integer({ min: 0, max: 9 }),
    }),
    { minLength: 1, maxLength: 8 },
  ),
});
const story = fc.record({
  terms: fc.array(terms, { minLength: people, maxLength: people }),
  superseded: fc.nat(people),
  erased: fc.nat(people * 2),
  requests: fc.array(fc.tuple(fc.nat(instants.length - 1), request), { minLength: 1, maxLength: 6 }),
});

it("a set of changes has the same results, states, history and events as the same changes one by one", {
  timeout: 240_000,
}, async () => {
  const other = await world();
  const foreign = await issued(other.ctx, (await publishedTemplate(other.ctx)).id);
  await fc.assert(
    fc.asyncProperty(story, async ({ terms, superseded, erased, requests }) => {
      const w = await world();
      const twins = [await cast(w, terms, superseded, erased), await cast(w, terms, superseded, erased)] as const;
      const names = new Map(twins.flatMap((ids) => ids.map((id, i) => [id, `crd_${i}`])));
      for (const [at, { action, mayRevoke, rows }] of requests.toSorted(([one], [two]) => one - two)) {
        const ctx = {
          ...w.at(instants[at]!),
          ...(action === "update" &&
            !mayRevoke && { scopes: new Set(["credentials:issue", "credentials:read"] as const) }),
        };
        const [together, apart] = await Promise.all(
          twins.map((ids) => Promise.all(rows.map((row) => itemOf(ctx, action, row, { ids, foreign: foreign.id })))),
        );
        const done = await bulk(ctx, action, together!);
        for (const [i, item] of apart!.entries()) {
          const { index: _, ...row } = done[i]!;
          expect(anonymous(row, names)).toEqual(anonymous(await alone(w, ctx, action, item), names));
        }
      }
      const [one, two] = [await traces(w, twins[0]), await traces(w, twins[1])];
      expect(anonymous(one, names)).toEqual(anonymous(two, names));
    }),
    { numRuns: 25 },
  );
});

/** Issues the credentials of a story and brings some of them into states that no change in this file leads to. */
async function cast(w: World, terms: object[], superseded: number, erased: number): Promise<string[]> {
  const ctx = w.at("2026-01-01T00:00:00Z");
  const template = await publishedTemplate(ctx);
  const made = [];
  for (const each of terms) made.push(await issued(ctx, template.id, each));
  if (made[superseded]) await reissueCredential(ctx, { id: made[superseded].id });
  if (made[erased]) await eraseSubject(ctx, { id: made[erased].subjectId, reason: "Asked" });
  return made.map(({ id }) => id);
}

/** A row of a request, with the credential id of one of the two twins. */
async function itemOf(
  ctx: Ctx,
  action: Action,
  { who, fields, odd }: { who: number | string; fields: Record<string, unknown>; odd: number },
  { ids, foreign }: { ids: string[]; foreign: string },
): Promise<Record<string, unknown>> {
  const id = typeof who === "number" ? ids[who]! : who === "foreign" ? foreign : "crd_none";
  const own = Object.entries(fields).filter(
    ([name]) => fieldsOf[action].includes(name) || (name === "colour" && odd === 0),
  );
  const item: Record<string, unknown> = { id, ...Object.fromEntries(own) };
  if (item["ifMatch"] === "stale") item["ifMatch"] = '"stale"';
  if (item["ifMatch"] === "current")
    item["ifMatch"] = typeof who === "number" ? credentialTag(await getCredential(ctx, { id })) : "*";
  return item;
}

/** Makes the same change through the single operation, and returns it in the shape of a row of a bulk request. */
async function alone(w: World, ctx: Ctx, action: Action, item: object): Promise<object> {
  const before = await countEvents(w);
  try {
    const credential = await single[action](ctx, item as never);
    return { ok: true, changed: (await countEvents(w)) > before, credential };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, title, status, message, extras } = error;
    return {
      ok: false,
      error: {
        code,
        title,
        status,
        detail: message,
        ...(extras.errors && { errors: extras.errors }),
        ...extras.members,
      },
    };
  }
}

async function countEvents(w: World): Promise<number> {
  const [row] = await sql<{ n: number }>(`SELECT count(*)::int AS n FROM events WHERE org_id = $1`, [w.orgId]);
  return row!.n;
}

/** Reads what is stored of each credential: the row as written, its history and its events. */
async function traces(w: World, ids: string[]): Promise<object[]> {
  const events = await eventsOf(w.orgId);
  return Promise.all(
    ids.map(async (id) => ({
      row: await sql(
        `SELECT state, data, metadata, valid_from, issued_at, expires_at, expiry_explicit, suspended_at, suspension_reason, revoked_at, revocation_reason, due_at
         FROM credentials WHERE org_id = $1 AND id = $2`,
        [w.orgId, readId("crd", id)],
      ),
      history: (await listCredentialHistory(w.ctx, { id })).data,
      events: events.filter(({ data }) => data.object["id"] === id),
    })),
  );
}

/** Removes what differs between twins: ids, codes and external ids. */
function anonymous(value: object, names: Map<string, string>): unknown {
  const text = JSON.stringify(value, (key, each: unknown) => (key === "externalId" || key === "subjectId" ? "…" : each))
    .replaceAll(/[a-z]{3}_[0-9a-z]{26}/g, (id) => names.get(id) ?? id.slice(0, 3))
    .replaceAll(/[0-9A-Z]{4}(-[0-9A-Z]{4}){3}/g, "code");
  return JSON.parse(text);
}
