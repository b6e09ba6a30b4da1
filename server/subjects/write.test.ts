import { expect, it } from "vitest";
import { pool } from "@/server/core/db";
import { newId } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import { eventsOf } from "@/server/testing/events";
import { untilWaitingForLock } from "@/server/testing/waiting-for-lock";
import { world } from "@/server/testing/world";
import { writeSubjects } from "./write";

it("locks the people of two large sets in one order, so that they do not deadlock", async () => {
  const w = await world();
  const people = Array.from({ length: 900 }, (_, n) => ({ externalId: `p-${String(n).padStart(3, "0")}` }));
  const write = (set: typeof people) => transaction((tx) => writeSubjects({ ...w.ctx, tx }, set));
  const holder = await pool().connect();
  await holder.query("BEGIN");
  // Not committed, so that the first set waits in its second statement.
  await holder.query(`INSERT INTO subjects (org_id, id, external_id) VALUES ($1, $2, 'p-560')`, [
    w.orgId,
    newId("sub"),
  ]);
  const first = write(people);
  await untilWaitingForLock(1);
  const second = write([...people.slice(0, 50), ...people.slice(600)].toReversed());
  await untilWaitingForLock(2);
  await holder.query("ROLLBACK");
  holder.release();
  await Promise.all([first, second]);
  expect((await eventsOf(w.orgId)).map(({ type }) => type)).toEqual(people.map(() => "subject.created"));
});

it("returns the outcome of each row of a set of several statements, and one event for each written subject", async () => {
  const w = await world();
  const write = (from: number, to: number, displayName: string) =>
    transaction((tx) =>
      writeSubjects(
        { ...w.ctx, tx },
        Array.from({ length: to - from }, (_, n) => ({ externalId: `p-${from + n}`, displayName })),
      ),
    );
  await write(0, 200, "Before");
  await write(200, 400, "After");
  const written = await write(0, 1200, "After");
  const outcomes = [...written].map(([externalId, result]) => [
    Number(externalId.slice(2)),
    "error" in result ? "refused" : result.outcome,
  ]);
  expect(new Map(outcomes as [number, string][])).toEqual(
    new Map(Array.from({ length: 1200 }, (_, n) => [n, n < 200 ? "updated" : n < 400 ? "unchanged" : "created"])),
  );
  const events = await eventsOf(w.orgId);
  const named = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data.object["id"]);
  expect([events.length, new Set(named("subject.created")).size, new Set(named("subject.updated")).size]).toEqual([
    1400, 1200, 200,
  ]);
});
