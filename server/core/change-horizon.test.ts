import { afterEach, expect, it } from "vitest";
import type { Id } from "@/server/core/ids";
import { bulkCredentials } from "@/server/credentials/bulk";
import { listCredentials } from "@/server/credentials/list";
import { revokeCredential } from "@/server/credentials/revoke";
import { listSubjects } from "@/server/subjects/list";
import { updateSubject } from "@/server/subjects/update";
import { upsertSubject } from "@/server/subjects/upsert";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { world } from "@/server/testing/world";
import { changeHorizon } from "./change-horizon";
import { transaction } from "./transaction";

/**
 * Waits until a poll would return a row with this stamp: polls return nothing from a millisecond that has not ended.
 */
async function told(orgId: Id<"org">, mark: string): Promise<void> {
  await expect.poll(async () => (await changeHorizon(orgId)).toISOString() > mark).toBe(true);
}

const ends: (() => void)[] = [];
afterEach(() => ends.splice(0).forEach((end) => end()));

/** Runs `work` in a transaction that stays open until `commit` is called. */
async function held(work: (tx: Parameters<Parameters<typeof transaction>[0]>[0]) => Promise<unknown>) {
  let worked!: () => void;
  const done = new Promise<void>((resolve) => (worked = resolve));
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  ends.push(end);
  const committed = transaction(async (tx) => {
    await work(tx);
    worked();
    await ended;
  });
  await Promise.race([done, committed]);
  return { commit: () => (end(), committed) };
}

it("a poller misses no credential of a bulk that commits after a later single change", async () => {
  const w = await world();
  const template = await publishedTemplate(w.ctx);
  const all = await Promise.all(Array.from({ length: 12 }, () => issued(w.ctx, template.id)));
  const [single, ...many] = all;
  let mark = new Date(Math.max(...all.map((each) => Date.parse(each.updatedAt)))).toISOString();
  await told(w.orgId, mark);
  const seen = new Set<string>();
  const poll = async () => {
    for (const row of (await listCredentials(w.ctx, { updatedAfter: mark, limit: 100 })).data.toReversed()) {
      seen.add(row.id);
      mark = row.updatedAt;
    }
  };
  const bulk = await held((tx) =>
    bulkCredentials(
      { ...w.ctx, tx, now: new Date() },
      { action: "revoke", items: many.map(({ id }) => ({ id, reason: "Ended" })) },
    ),
  );
  await revokeCredential({ ...w.ctx, now: new Date() }, { id: single!.id, reason: "Ended" });
  await poll();
  await bulk.commit();
  await poll();
  expect([...seen].toSorted()).toEqual(all.map(({ id }) => id).toSorted());
});

it("a write with an early `now` that commits late is stamped after the changes that polls have returned since", async () => {
  const w = await world();
  const first = await upsertSubject(w.ctx, { externalId: "a" });
  await told(w.orgId, first.subject.updatedAt);
  const arrived = new Date();
  const { subject: seen } = await upsertSubject({ ...w.ctx, now: new Date() }, { externalId: "b" });
  expect((await listSubjects(w.ctx, { updatedAfter: first.subject.updatedAt })).data.map(({ id }) => id)).toContain(
    seen.id,
  );
  const late = await updateSubject({ ...w.ctx, now: arrived }, { id: first.subject.id, displayName: "Late" });
  expect((await listSubjects(w.ctx, { updatedAfter: seen.updatedAt })).data.map(({ id }) => id)).toEqual([late.id]);
});

it("createdAfter withholds rows newer than an open write, but not those of other organisations", async () => {
  const [w, other] = [await world(), await world()];
  const { subject: first } = await upsertSubject(w.ctx, { externalId: "a" });
  await told(w.orgId, first.createdAt);
  const open = await held((tx) => upsertSubject({ ...w.ctx, tx }, { externalId: "b" }));
  await upsertSubject(w.ctx, { externalId: "c" });
  const { subject: theirs } = await upsertSubject(other.ctx, { externalId: "d" });
  const polled = async (ctx: typeof w.ctx) =>
    (await listSubjects(ctx, { createdAfter: first.createdAt, sort: "createdAt" })).data.map(
      ({ externalId }) => externalId,
    );
  expect([await polled(w.ctx), await polled(other.ctx)]).toEqual([[], [theirs.externalId]]);
  await open.commit();
  expect(await polled(w.ctx)).toEqual(["b", "c"]);
});

it("with concurrent writers, polling returns each row once and misses none", async () => {
  const w = await world();
  let mark = (await upsertSubject(w.ctx, { externalId: "start" })).subject.updatedAt;
  await told(w.orgId, mark);
  const seen: string[] = [];
  const poll = async () => {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const found: Awaited<ReturnType<typeof listSubjects>> = await listSubjects(w.ctx, {
        updatedAfter: mark,
        sort: "updatedAt",
        limit: 100,
        ...(cursor && { cursor }),
      });
      seen.push(...found.data.map(({ externalId }) => externalId));
      if (found.nextCursor === null && found.data.length > 0) mark = found.data.at(-1)!.updatedAt;
      cursor = found.nextCursor;
    }
  };
  let writing = true;
  const polling = (async () => {
    while (writing) await poll();
    await poll();
  })();
  const writer = async (name: string) => {
    for (let i = 0; i < 25; i++) await upsertSubject({ ...w.ctx, now: new Date() }, { externalId: `${name}-${i}` });
  };
  await Promise.all(["p", "q", "r", "s"].map(writer));
  writing = false;
  await polling;
  expect(new Set(seen).size).toBe(100);
  expect(seen).toHaveLength(100);
});

it("stamps that lie far in the future are returned as they are", async () => {
  const w = await world();
  const ahead = w.at("2031-01-01T00:00:00Z");
  const { subject } = await upsertSubject(ahead, { externalId: "a" });
  expect(subject.updatedAt).toBe("2031-01-01T00:00:00.000Z");
  expect((await listSubjects(ahead, { updatedAfter: "2030-12-31T00:00:00Z" })).data.map(({ id }) => id)).toEqual([
    subject.id,
  ]);
  expect(await listSubjects(w.ctx, { createdBefore: "2030-01-01T00:00:00Z" })).toMatchObject({ data: [] });
  expect(
    await listSubjects(w.ctx, { updatedBefore: "2031-01-01T00:00:01Z", createdBefore: "2031-01-01T00:00:01Z" }),
  ).toMatchObject({ data: [{ id: subject.id }] });
});
