import { expect, it } from "vitest";
import type { TxCtx } from "@/server/core/context";
import { consoleCtx } from "@/server/access/console-session";
import { newId, readId } from "@/server/core/ids";
import { pool } from "@/server/core/db";
import { transaction } from "@/server/core/transaction";
import { eventsOf } from "@/server/testing/events";
import { person } from "@/server/testing/person";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { untilWaitingForLock } from "@/server/testing/waiting-for-lock";
import { world } from "@/server/testing/world";
import { deleteSubject } from "./delete";
import { getSubject } from "./get";
import { provide } from "./provide";
import { upsertSubject } from "./upsert";

const api = { type: "api", id: null, lastSeenAt: expect.any(String) };
const byConsole = { type: "console", id: null, lastSeenAt: expect.any(String) };

it("records the API and the console as sources of the subjects that they write, each once", async () => {
  const w = await world();
  const token = await w.key();
  const put = (body: object) => call("PUT", "/v1/subjects", { token, body });
  const { id } = (await put({ externalId: "s-1" })).json<{ id: string }>();
  await put({ externalId: "s-1", displayName: "Ada" });
  const ctx = (await consoleCtx((await person(w, "admin")).headers))!;
  await upsertSubject(ctx, { externalId: "s-1", displayName: "Ada Lovelace" });
  const { subject } = await upsertSubject(ctx, { externalId: "s-2" });
  expect((await call("GET", `/v1/subjects/${id}`, { token })).json()).toMatchObject({ sources: [api, byConsole] });
  const listed = (await call("GET", "/v1/subjects", { token })).json<{ data: object[] }>();
  expect(listed.data).toMatchObject([
    { id: subject.id, sources: [byConsole] },
    { id, sources: [api, byConsole] },
  ]);
});

it("writes nothing if a source repeats known values, and keeps the ETag of a subject whose sources change", async () => {
  const w = await world();
  const token = await w.key();
  const { id } = (await call("PUT", "/v1/subjects", { token, body: { externalId: "s-1", displayName: "Ada" } })).json<{
    id: string;
  }>();
  const before = await call("GET", `/v1/subjects/${id}`, { token });
  const events = (await eventsOf(w.orgId)).length;
  const ctx = (await consoleCtx((await person(w, "admin")).headers))!;
  await upsertSubject(ctx, { externalId: "s-1", displayName: "Ada" });
  await call("PUT", "/v1/subjects", { token, body: { externalId: "s-1", displayName: "Ada" } });
  const after = await call("GET", `/v1/subjects/${id}`, { token });
  expect(after.json()).toEqual(before.json());
  expect((await eventsOf(w.orgId)).length).toBe(events);
  await upsertSubject(ctx, { externalId: "s-1", displayName: "Eve" });
  await upsertSubject(w.ctx, { externalId: "s-1", displayName: "Ada" });
  const again = await call("GET", `/v1/subjects/${id}`, { token });
  expect(again.json()).toMatchObject({ sources: [api, byConsole] });
  // The part that If-Match compares: the answer's own digest has changed with the sources.
  const state = ({ headers }: typeof again) => headers.get("etag")!.split(".")[0];
  expect(state(again)).toBe(state(before));
});

it("deletes the sources of a person who is erased or deleted", async () => {
  const w = await world();
  const token = await w.key();
  const [erased, deleted] = [
    (await upsertSubject(w.ctx, { externalId: "s-1" })).subject,
    (await upsertSubject(w.ctx, { externalId: "s-2" })).subject,
  ];
  await call("POST", `/v1/subjects/${erased.id}/erase`, { token, body: { reason: "r" } });
  await call("DELETE", `/v1/subjects/${deleted.id}`, { token });
  expect((await getSubject(w.ctx, { id: erased.id })).sources).toEqual([]);
  expect(
    await sql(`SELECT 1 FROM subject_sources WHERE org_id = $1 AND subject_id = $2`, [
      w.orgId,
      readId("sub", deleted.id),
    ]),
  ).toEqual([]);
});

it("leaves no source of a person who is deleted while a feed lists them, whoever comes first", async () => {
  const w = await world();
  const feed = { type: "connector", id: newId("con") } as const;
  const { subject: first } = await upsertSubject(w.ctx, { externalId: "s-1" });
  const { subject: second } = await upsertSubject(w.ctx, { externalId: "s-2" });
  const list = async (tx: TxCtx["tx"], id: string) =>
    provide({ ...w.ctx, tx }, feed, [{ subjectId: readId("sub", id), key: id, inactive: null }]);
  const other = await pool().connect();
  await other.query("BEGIN");
  await other.query(`DELETE FROM subjects WHERE org_id = $1 AND id = $2`, [w.orgId, readId("sub", first.id)]);
  const listed = transaction((tx) => list(tx, first.id));
  await untilWaitingForLock(1);
  await other.query("COMMIT");
  other.release();
  await listed;
  let deleted: Promise<unknown> | undefined;
  await transaction(async (tx) => {
    await list(tx, second.id);
    deleted = deleteSubject(w.ctx, { id: second.id });
    await untilWaitingForLock(1);
  });
  await deleted;
  expect(await sql(`SELECT 1 FROM subject_sources WHERE org_id = $1`, [w.orgId])).toEqual([]);
});
