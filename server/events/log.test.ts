import { describe, expect, it } from "vitest";
import { newId, publicId, type Id } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { appendAll } from "./append";
import { catalogue, eventTypes } from "./catalogue";
import { getEvent } from "./get";
import { listEvents } from "./list";
import { sequenceBatch } from "@/server/consumers";
import { sampleEvent } from "./samples";

const resources = [newId("sub"), newId("sub"), newId("sub")];
const first = publicId("sub", resources[0]!);
type Type = "subject.created" | "subject.deleted" | "group.created";
const facts = (w: World, type: Type, n: number) => ({
  type,
  resourceId: resources[n % 3] as never,
  object: sampleEvent(type, w.orgId, w.ctx.now).data.object as never,
});
const write = (w: World, ...events: [Type, number][]) =>
  transaction((tx) =>
    appendAll(
      { ...w.ctx, tx },
      events.map(([type, n]) => facts(w, type, n)),
    ),
  );
async function sequence(): Promise<void> {
  while ((await sequenceBatch(500)).events > 0);
}
const sequences = (list: { data: { sequence: number }[] }) => list.data.map((event) => event.sequence);

describe("GET /v1/events", () => {
  it("lists the newest first, and with after the following events in ascending order", async () => {
    const w = await world();
    await write(w, ["subject.created", 1], ["group.created", 2], ["subject.deleted", 3], ["subject.created", 4]);
    await sequence();
    expect(sequences(await listEvents(w.ctx, {}))).toEqual([4, 3, 2, 1]);
    expect(sequences(await listEvents(w.ctx, { after: 0 }))).toEqual([1, 2, 3, 4]);
    expect(sequences(await listEvents(w.ctx, { after: 2 }))).toEqual([3, 4]);
    expect(sequences(await listEvents(w.ctx, { after: 4 }))).toEqual([]);
    expect(sequences(await listEvents(w.ctx, { offset: 1, limit: 2 }))).toEqual([3, 2]);
    expect((await listEvents(w.ctx, { offset: 1, limit: 2 })).total).toBe(4);
  });

  it("filters by types, families and resource, on further pages too", async () => {
    const w = await world();
    await write(
      w,
      ...Array.from({ length: 12 }, (_, i): [Type, number] => [
        (["subject.created", "group.created", "subject.deleted"] as const)[i % 3]!,
        i,
      ]),
    );
    await sequence();
    expect(sequences(await listEvents(w.ctx, { type: "group.created" }))).toEqual([11, 8, 5, 2]);
    expect(sequences(await listEvents(w.ctx, { type: "group.*,subject.deleted", after: 0 }))).toEqual([
      2, 3, 5, 6, 8, 9, 11, 12,
    ]);
    expect(sequences(await listEvents(w.ctx, { resourceId: first, after: 4 }))).toEqual([7, 10]);
    expect(sequences(await listEvents(w.ctx, { type: "group.*", resourceId: first }))).toEqual([]);
    for (const after of [undefined, 0]) {
      const begun = await listEvents(w.ctx, { type: "subject.*", limit: 3, after });
      const second = await listEvents(w.ctx, { type: "subject.*", limit: 10, after, cursor: begun.nextCursor! });
      const expected = [1, 3, 4, 6, 7, 9, 10, 12];
      expect([...sequences(begun), ...sequences(second)]).toEqual(after === 0 ? expected : expected.reverse());
      await expect(listEvents(w.ctx, { type: "group.*", after, cursor: begun.nextCursor! })).rejects.toMatchObject({
        code: "invalid_cursor",
      });
    }
    expect((await listEvents(w.ctx, { type: "group.*", offset: 0 })).total).toBe(4);
  });

  it("never lists events without a number, or of another organisation", async () => {
    const [mine, theirs] = [await world(), await world()];
    await write(mine, ["subject.created", 1]);
    await write(theirs, ["subject.created", 1]);
    await sequence();
    await transaction(async (tx) => {
      await appendAll({ ...mine.ctx, tx }, [facts(mine, "subject.created", 2)]);
      await sequence();
      expect(sequences(await listEvents(mine.ctx, {}))).toEqual([1]);
    });
    const [event] = (await listEvents(theirs.ctx, {})).data;
    await expect(getEvent(mine.ctx, { id: event!.id })).rejects.toMatchObject({ code: "not_found" });
    expect(await getEvent(theirs.ctx, { id: event!.id })).toEqual(event);
  });

  it("shows every event to a client that polls by sequence while 12 writers commit", async () => {
    const w = await world();
    let writing = true;
    const seen: number[] = [];
    const resources: string[] = [];
    const poll = async () => {
      const { data } = await listEvents(w.ctx, { after: seen.at(-1) ?? 0, limit: 100 });
      seen.push(...data.map((event) => event.sequence));
      resources.push(...data.map((event) => event.id));
      return data.length;
    };
    const background = [
      (async () => {
        while (writing) await sequenceBatch(23);
      })(),
      (async () => {
        while (writing) await poll();
      })(),
    ];
    await Promise.all(
      Array.from({ length: 12 }, async (_, writer) => {
        for (let i = 0; i < 30; i++) await write(w, ["subject.created", writer], ["subject.deleted", i]);
      }),
    );
    writing = false;
    await Promise.all(background);
    await sequence();
    while ((await poll()) > 0);
    expect(seen).toEqual(Array.from({ length: 720 }, (_, i) => i + 1));
    const stored = await sql<{ id: Id<"evt"> }>(`SELECT id FROM events WHERE org_id = $1`, [w.orgId]);
    expect(new Set(resources)).toEqual(new Set(stored.map((row) => publicId("evt", row.id))));
  });

  it.each(["after=-1", "after=x", "after=1.5", "type=subject", "type=*", "type=", "type=constructor", "resourceid=a"])(
    "refuses ?%s",
    async (query) => {
      const answer = await call("GET", `/v1/events?${query}`, { token: await (await world()).key("events:read") });
      expect(answer.status).toBe(400);
    },
  );
});

describe("GET /v1/webhook_event_types", () => {
  it("lists every type of the catalogue once, with its family and a sample", async () => {
    const { status, json } = await call("GET", "/v1/webhook_event_types", {
      token: await (await world()).key("webhooks:read"),
    });
    const { data, nextCursor } = json<{
      data: { type: string; family: string; sample: { type: string; data: { object: object } } }[];
      nextCursor: string | null;
    }>();
    expect([status, nextCursor, data.map((entry) => entry.type)]).toEqual([200, null, eventTypes]);
    for (const { type, family, sample } of data) {
      expect([type.startsWith(family.slice(0, -1)), sample.type]).toEqual([true, type]);
      expect(catalogue[type as keyof typeof catalogue].object.safeParse(sample.data.object).success).toBe(true);
    }
  });

  it("requires the scope to read endpoints or the log", async () => {
    const { key } = await world();
    expect((await call("GET", "/v1/webhook_event_types", { token: await key("events:read") })).status).toBe(200);
    const refused = await call("GET", "/v1/webhook_event_types", { token: await key("subjects:read") });
    expect([refused.status, refused.json()["scope"]]).toEqual([403, "webhooks:read"]);
  });

  it("pages like every list", async () => {
    const token = await (await world()).key("webhooks:read");
    const first = (await call("GET", "/v1/webhook_event_types?limit=20", { token })).json<{
      data: { type: string }[];
      nextCursor: string;
    }>();
    const second = (await call("GET", `/v1/webhook_event_types?limit=100&cursor=${first.nextCursor}`, { token })).json<
      typeof first
    >();
    expect([...first.data, ...second.data].map((entry) => entry.type)).toEqual(eventTypes);
  });
});
