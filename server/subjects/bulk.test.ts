import { describe, expect, it } from "vitest";
import { eventsOf } from "@/server/testing/events";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { bulkUpsertSubjects } from "./bulk";
import { upsertSubject } from "./upsert";
import { listSubjects } from "./list";

type Upsert = Parameters<typeof upsertSubject>[1];

describe("POST /v1/subjects/bulk", () => {
  it("does what the single upsert does, row by row, with the same events", async () => {
    const rounds: Upsert[][] = [
      [
        { externalId: "a" },
        {
          externalId: "b",
          displayName: "B",
          email: "b@example.org",
          status: "inactive",
          attributes: { x: { y: 1, z: null, kept: 1 }, list: [1] },
        },
        { externalId: "c", attributes: { k: null, n: 1 }, attributesMode: "replace" },
        { externalId: "d", email: "", attributesMode: "replace" },
      ],
      [
        { externalId: "a" },
        { externalId: "b", status: "active", attributes: { x: { y: null, w: 2 }, list: [2] } },
        { externalId: "c", displayName: "C", email: "c@example.org" },
        { externalId: "d", attributes: { only: true }, attributesMode: "replace" },
      ],
      [
        { externalId: "a", status: "inactive" },
        { externalId: "b", email: null, attributes: { x: { y: 3 } }, attributesMode: "replace" },
        { externalId: "c", email: "", attributes: {} },
        { externalId: "d", displayName: "", attributes: {}, attributesMode: "replace" },
      ],
    ];
    const [one, all] = [await world(), await world()];
    const facts = async (w: typeof one) => {
      const subjects = (await listSubjects(w.ctx, {})).data.map(
        ({ externalId, displayName, email, status, attributes }) => ({
          externalId,
          displayName,
          email,
          status,
          attributes,
        }),
      );
      const events = (await eventsOf(w.orgId)).map((e) => ({
        type: e.type,
        subject: e.data.object["externalId"],
        status: e.data.object["status"],
        previous: e.data.previous,
      }));
      const bySubject = <T extends { subject?: unknown; externalId?: unknown }>(rows: T[]) =>
        rows.toSorted((a, b) => String(a.subject ?? a.externalId).localeCompare(String(b.subject ?? b.externalId)));
      return { subjects: bySubject(subjects), events: bySubject(events) };
    };
    for (const round of rounds) {
      for (const item of round) await upsertSubject(one.ctx, item);
      const { succeeded, failed } = await bulkUpsertSubjects(all.ctx, { items: round });
      expect([succeeded, failed]).toEqual([4, 0]);
      expect(await facts(all)).toEqual(await facts(one));
    }
  });

  it("refuses the rows whose merged attributes would be too large, and writes the others", async () => {
    const w = await world();
    await upsertSubject(w.ctx, { externalId: "full", attributes: { a: "x".repeat(40_000) } });
    const items = [
      { externalId: "before" },
      { externalId: "full", attributes: { b: "x".repeat(40_000) } },
      { externalId: "full", displayName: "Full" },
      { externalId: "after" },
    ];
    const { data, succeeded, failed } = await bulkUpsertSubjects(w.ctx, { items });
    expect([succeeded, failed, data.map((row) => row.outcome)]).toEqual([
      3,
      1,
      ["created", undefined, "updated", "created"],
    ]);
    expect(data[1]!.error).toMatchObject({ code: "invalid_request", errors: [{ pointer: "/attributes" }] });
    expect((await eventsOf(w.orgId)).map((e) => e.type)).toEqual([
      "subject.created",
      "subject.created",
      "subject.created",
      "subject.updated",
    ]);
  });

  it("refuses a row with ifExists fail if its subject exists, even from an earlier row of the list", async () => {
    const w = await world();
    const { subject } = await upsertSubject(w.ctx, { externalId: "there", displayName: "Ada" });
    const items = ["there", "new", "new"].map((externalId) => ({ externalId, displayName: "", ifExists: "fail" }));
    const { data } = await bulkUpsertSubjects(w.ctx, { items });
    expect(data.map((row) => row.outcome ?? row.error?.code)).toEqual([
      "external_id_taken",
      "created",
      "external_id_taken",
    ]);
    expect((await upsertSubject(w.ctx, { externalId: "there" })).subject).toEqual(subject);
  });

  it("writes and emits nothing if nothing changes", async () => {
    const w = await world();
    const items = [{ externalId: "a", displayName: "A", attributes: { x: 1 } }, { externalId: "b" }];
    const first = await bulkUpsertSubjects(w.ctx, { items });
    const second = await bulkUpsertSubjects(w.at("2030-01-01T00:00:00Z"), { items });
    expect(first.data.map((r) => r.outcome)).toEqual(["created", "created"]);
    expect(second.data.map((r) => r.outcome)).toEqual(["unchanged", "unchanged"]);
    expect(second.data.map((r) => r.subject)).toEqual(first.data.map((r) => r.subject));
    expect((await eventsOf(w.orgId)).map((e) => e.type)).toEqual(["subject.created", "subject.created"]);
  });

  it("applies rows with the same externalId in their order", async () => {
    const w = await world();
    const { data } = await bulkUpsertSubjects(w.ctx, {
      items: [
        { externalId: "a", displayName: "1", attributes: { one: 1 } },
        { externalId: "b" },
        { externalId: "a", displayName: "2", attributes: { two: 2 } },
        { externalId: " a ", displayName: "3" },
      ],
    });
    expect(data.map((r) => [r.index, r.outcome, r.subject?.displayName])).toEqual([
      [0, "created", "1"],
      [1, "created", ""],
      [2, "updated", "2"],
      [3, "updated", "3"],
    ]);
    expect(data[3]!.subject?.attributes).toEqual({ one: 1, two: 2 });
  });

  it("refuses a bad row alone, and says what is wrong with it", async () => {
    const w = await world();
    const { data, succeeded, failed } = await bulkUpsertSubjects(w.ctx, {
      items: [{ externalId: "a" }, { externalId: "" }, "x", { externalId: "b", colour: "blue" }],
    });
    expect([succeeded, failed]).toEqual([1, 3]);
    expect(data.map((r) => r.ok)).toEqual([true, false, false, false]);
    expect(data[3]!.error).toMatchObject({
      code: "invalid_request",
      status: 400,
      errors: [{ pointer: "/colour", code: "unknown_field" }],
    });
  });

  it("accepts a thousand rows and no more", async () => {
    const w = await world();
    const token = await w.key();
    const items = Array.from({ length: 1000 }, (_, i) => ({ externalId: `p-${i}` }));
    const taken = await call("POST", "/v1/subjects/bulk", { token, body: { items } });
    expect([taken.status, taken.json()["succeeded"]]).toEqual([200, 1000]);
    expect(
      (await call("POST", "/v1/subjects/bulk", { token, body: { items: [...items, { externalId: "one more" }] } }))
        .status,
    ).toBe(400);
  });

  it("makes each subject once when twenty requests send the same set at once, in any order", async () => {
    const w = await world();
    const items = Array.from({ length: 30 }, (_, i) => ({ externalId: `p-${i}`, displayName: "Same" }));
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => bulkUpsertSubjects(w.ctx, { items: n % 2 ? items.toReversed() : items })),
    );
    const types = (await eventsOf(w.orgId)).map((e) => e.type);
    expect([types.length, new Set(types)]).toEqual([30, new Set(["subject.created"])]);
  });
});
