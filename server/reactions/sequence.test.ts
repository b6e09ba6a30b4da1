import { describe, expect, it } from "vitest";
import { asId, publicId, uuidOf, type Id } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import { sql } from "@/server/testing/sql";
import { logOf } from "@/server/testing/events";
import { world, type World } from "@/server/testing/world";
import { appendAll } from "@/server/events/append";
import { sequenceBatch } from "@/server/consumers";

const idOf = (n: number) => asId<"sub">(`00000000-0000-7000-8000-${String(n).padStart(12, "0")}`);
const facts = (n: number) => ({
  type: "subject.deleted" as const,
  resourceId: idOf(n),
  object: {
    object: "subject" as const,
    id: publicId("sub", idOf(n)),
    externalId: String(n),
    displayName: "",
    email: null,
    status: "active",
    photoUpdatedAt: null,
    photoStatus: null,
    erasedAt: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  },
});
const write = (w: World, ...ns: number[]) => transaction((tx) => appendAll({ ...w.ctx, tx }, ns.map(facts)));
const log = (w: World) => logOf(w.orgId);
const numberOf = (resource: Id) => Number(uuidOf(resource).slice(-12));
async function drain(): Promise<void> {
  while ((await sequenceBatch(50)).events > 0);
}

describe("the sequencer", () => {
  it("numbers each organisation's events from 1 without gaps, in the order of writing, and completes the body", async () => {
    const [a, b] = [await world(), await world()];
    await write(a, 1, 2);
    await write(b, 1);
    await write(a, 3);
    await drain();
    expect((await log(a)).map((e) => [e.sequence, numberOf(e.resource)])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
    expect((await log(b)).map((e) => e.sequence)).toEqual([1]);
    const [first] = await log(a);
    expect(JSON.parse(first!.body)).toMatchObject({
      object: "event",
      type: "subject.deleted",
      organisationId: publicId("org", a.orgId),
      sequence: 1,
    });
  });

  it("does not write the row with the body again", async () => {
    const w = await world();
    await write(w, 1);
    const stored = () =>
      sql(`SELECT id, ctid::text AS place, xmin::text AS written FROM events WHERE org_id = $1`, [w.orgId]);
    const before = await stored();
    await drain();
    expect([before.length, await stored(), (await log(w)).length]).toEqual([1, before, 1]);
  });

  it("loses nothing and numbers nothing twice while 12 writers commit and three sequencers run", async () => {
    const w = await world();
    const perWriter = 40;
    let writing = true;
    const sequencers = [1, 2, 3].map(async () => {
      while (writing) await sequenceBatch(17);
    });
    await Promise.all(
      Array.from({ length: 12 }, async (_, writer) => {
        for (let i = 0; i < perWriter; i++) await write(w, writer * 1000 + i);
      }),
    );
    writing = false;
    await Promise.all(sequencers);
    await drain();
    const rows = await log(w);
    expect(rows.map((e) => e.sequence)).toEqual(Array.from({ length: 12 * perWriter }, (_, i) => i + 1));
    expect(new Set(rows.map((e) => e.resource)).size).toBe(12 * perWriter);
    for (let writer = 0; writer < 12; writer++) {
      const own = rows.map((e) => numberOf(e.resource)).filter((n) => Math.floor(n / 1000) === writer);
      expect(own).toEqual([...own].sort((x, y) => x - y));
    }
  });

  it("skips an event that is not committed yet, and numbers it after its commit", async () => {
    const w = await world();
    await transaction(async (tx) => {
      await appendAll({ ...w.ctx, tx }, [facts(1)]);
      await write(w, 2);
      await drain();
    });
    await drain();
    expect((await log(w)).map((e) => [e.sequence, numberOf(e.resource)])).toEqual([
      [1, 2],
      [2, 1],
    ]);
  });

  it("divides a batch among organisations, so that one with thousands of events does not delay another", async () => {
    const [many, one] = [await world(), await world()];
    await write(many, ...Array.from({ length: 2000 }, (_, i) => i));
    await write(one, 1);
    await sequenceBatch(200);
    expect((await log(one)).map((e) => e.sequence)).toEqual([1]);
    expect((await log(many)).filter((e) => e.sequence !== null).length).toBeLessThan(200);
    await drain();
  });
});
