import { describe, expect, it } from "vitest";
import { call } from "@/server/testing/request";
import { eventsOf } from "@/server/testing/events";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { updateSubject } from "./update";
import { upsertSubject } from "./upsert";

describe("PUT /v1/subjects", () => {
  it("creates with 201, then answers 200 with the same subject, and writes and emits nothing the second time", async () => {
    const { key, orgId } = await world();
    const token = await key();
    const body = { externalId: "s-1", displayName: "Ada Lovelace", email: "ada@example.edu", attributes: { year: 2 } };
    const first = await call("PUT", "/v1/subjects", { token, body });
    const again = await call("PUT", "/v1/subjects", { token, body });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.json()).toEqual(first.json());
    expect(first.json()).toMatchObject({ object: "subject", status: "active", ...body });
    expect((await eventsOf(orgId)).map((e) => e.type)).toEqual(["subject.created"]);
  });

  it("leaves absent fields as they were and merges attributes deeply", async () => {
    const { ctx } = await world();
    await upsertSubject(ctx, {
      externalId: "s",
      displayName: "Ada",
      email: "a@example.com",
      attributes: { a: { b: 1, c: [1, 2] }, d: 1 },
    });
    const { subject } = await upsertSubject(ctx, { externalId: "s", attributes: { a: { c: [3], e: 5 }, d: null } });
    expect(subject).toMatchObject({
      displayName: "Ada",
      email: "a@example.com",
      attributes: { a: { b: 1, c: [3], e: 5 } },
    });
    expect(subject.attributes).not.toHaveProperty("d");
  });

  it("replaces attributes whole with attributesMode replace", async () => {
    const { ctx } = await world();
    await upsertSubject(ctx, { externalId: "s", attributes: { a: 1, b: 2 } });
    const { subject } = await upsertSubject(ctx, { externalId: "s", attributes: { b: 3 }, attributesMode: "replace" });
    expect(subject.attributes).toEqual({ b: 3 });
  });

  it("emits what changed, but never attributes", async () => {
    const { ctx, orgId } = await world();
    await upsertSubject(ctx, { externalId: "s", displayName: "Ada", attributes: { secret: "s3cret" } });
    await upsertSubject(ctx, { externalId: "s", displayName: "Ada L." });
    await upsertSubject(ctx, { externalId: "s", status: "inactive" });
    await upsertSubject(ctx, { externalId: "s", status: "active" });
    const events = await eventsOf(orgId);
    expect(events.map((e) => e.type)).toEqual([
      "subject.created",
      "subject.updated",
      "subject.deactivated",
      "subject.updated",
    ]);
    expect(events[1]!.data).toMatchObject({ object: { displayName: "Ada L." }, previous: { displayName: "Ada" } });
    expect(JSON.stringify(events)).not.toContain("s3cret");
  });

  it("makes one row and one event from 20 identical upserts at once", async () => {
    const { key, orgId } = await world();
    const token = await key();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        call("PUT", "/v1/subjects", { token, body: { externalId: "s", displayName: "Ada" } }),
      ),
    );
    expect(answers.map((a) => a.status).sort()).toEqual([...Array<number>(19).fill(200), 201]);
    expect(new Set(answers.map((a) => a.json().id)).size).toBe(1);
    expect(await sql(`SELECT id FROM subjects WHERE org_id = $1`, [orgId])).toHaveLength(1);
    expect(await eventsOf(orgId)).toHaveLength(1);
  });

  it("with ifExists fail either creates, or refuses, names the existing subject and leaves it unchanged", async () => {
    const { key, ctx, orgId } = await world();
    const token = await key();
    const put = (body: object) =>
      call("PUT", "/v1/subjects", { token, body: { externalId: "s-1", ifExists: "fail", ...body } });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        put({ displayName: "Ada Lovelace", email: "ada@example.edu", attributes: { year: 2 } }),
      ),
    );
    expect(answers.map((a) => a.status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
    const { id } = answers.find((a) => a.status === 201)!.json<{ id: string }>();
    const refused = await put({ displayName: "", email: "", attributes: {}, attributesMode: "replace" });
    expect([refused.status, refused.json()]).toMatchObject([409, { code: "external_id_taken", subjectId: id }]);
    expect((await upsertSubject(ctx, { externalId: "s-1" })).subject).toMatchObject({
      id,
      displayName: "Ada Lovelace",
      email: "ada@example.edu",
      attributes: { year: 2 },
    });
    expect((await eventsOf(orgId)).map((e) => e.type)).toEqual(["subject.created"]);
  });

  it.each([
    ["no external id", {}, "/externalId"],
    ["an empty external id", { externalId: "" }, "/externalId"],
    ["an e-mail that is none", { externalId: "s", email: "no address" }, "/email"],
    ["an unknown status", { externalId: "s", status: "gone" }, "/status"],
    ["attributes that are a list", { externalId: "s", attributes: [] }, "/attributes"],
    ["an unknown field", { externalId: "s", colour: "blue" }, "/colour"],
    [
      "attributes 9 levels deep",
      { externalId: "s", attributes: { a: { a: { a: { a: { a: { a: { a: { a: { a: 1 } } } } } } } } } },
      "/attributes",
    ],
    ["attributes over 64 KiB", { externalId: "s", attributes: { a: "x".repeat(65 * 1024) } }, "/attributes"],
  ])("refuses %s, pointing at it", async (_, body, pointer) => {
    const { key } = await world();
    const answer = await call("PUT", "/v1/subjects", { token: await key(), body });
    expect([answer.status, answer.json().code]).toEqual([400, "invalid_request"]);
    expect(answer.json<{ errors: { pointer: string }[] }>().errors.map((e) => e.pointer)).toContain(pointer);
  });
});

describe("attributes", () => {
  it.each([
    [
      { a: 1, b: { c: 2, d: 3 } },
      { a: null, b: { c: null, e: { f: null } }, g: [null, { x: null }] },
      { b: { d: 3, e: {} }, g: [null, { x: null }] },
    ],
    [
      { a: [1], b: { c: 1 } },
      { a: { b: null }, b: 2, "": {} },
      { a: {}, b: 2, "": {} },
    ],
    [
      {},
      Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i])),
      Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i])),
    ],
  ])("are merged as RFC 7396 specifies", async (stored, sent, merged) => {
    const { ctx } = await world();
    await upsertSubject(ctx, { externalId: "s", attributes: stored });
    expect((await upsertSubject(ctx, { externalId: "s", attributes: sent })).subject.attributes).toEqual(merged);
  });

  it("cannot exceed their limit through merging", async () => {
    const { ctx, orgId } = await world();
    const [half, other] = [{ a: "x".repeat(40_000) }, { b: "x".repeat(40_000) }];
    const { subject } = await upsertSubject(ctx, { externalId: "s", attributes: half });
    const refusal = { code: "invalid_request", extras: { errors: [{ pointer: "/attributes", code: "too_big" }] } };
    await expect(upsertSubject(ctx, { externalId: "s", attributes: other })).rejects.toMatchObject(refusal);
    await expect(updateSubject(ctx, { id: subject.id, attributes: other })).rejects.toMatchObject(refusal);
    expect(await eventsOf(orgId)).toHaveLength(1);
    expect(
      (await upsertSubject(ctx, { externalId: "s", attributes: { a: null, ...other } })).subject.attributes,
    ).toEqual(other);
    expect(
      (await updateSubject(ctx, { id: subject.id, attributes: half, attributesMode: "replace" })).attributes,
    ).toEqual(half);
  });
});

describe("PATCH /v1/subjects/{id}", () => {
  it("emits the previous external id when it changes", async () => {
    const { ctx, orgId } = await world();
    const { subject } = await upsertSubject(ctx, { externalId: "old" });
    await updateSubject(ctx, { id: subject.id, externalId: "new" });
    expect((await eventsOf(orgId)).at(-1)!.data).toMatchObject({
      object: { externalId: "new" },
      previous: { externalId: "old" },
    });
  });

  it("lets one of several subjects that take an external id at once have it, and refuses the others", async () => {
    const { ctx } = await world();
    const subjects = await Promise.all(
      Array.from({ length: 8 }, (_, i) => upsertSubject(ctx, { externalId: `s-${i}` })),
    );
    const taken = await Promise.allSettled(
      subjects.map(({ subject }) => updateSubject(ctx, { id: subject.id, externalId: "wanted" })),
    );
    expect(taken.filter((t) => t.status === "fulfilled")).toHaveLength(1);
    for (const t of taken) if (t.status === "rejected") expect(t.reason).toMatchObject({ code: "external_id_taken" });
  });

  it("refuses an external id that another subject has", async () => {
    const { ctx } = await world();
    await upsertSubject(ctx, { externalId: "taken" });
    const { subject } = await upsertSubject(ctx, { externalId: "mine" });
    await expect(updateSubject(ctx, { id: subject.id, externalId: "taken" })).rejects.toMatchObject({
      code: "external_id_taken",
    });
  });

  it("writes and emits nothing if nothing changes", async () => {
    const { ctx, orgId } = await world();
    const { subject } = await upsertSubject(ctx, { externalId: "s", attributes: { a: 1 } });
    expect(await updateSubject(ctx, { id: subject.id, attributes: { a: 1 } })).toEqual(subject);
    expect(await eventsOf(orgId)).toHaveLength(1);
  });
});
