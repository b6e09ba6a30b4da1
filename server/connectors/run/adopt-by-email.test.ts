import { beforeAll, expect, it } from "vitest";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { listSubjects } from "@/server/subjects/list";
import { upsertSubject } from "@/server/subjects/upsert";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { Feed } from "../testing/feed";

beforeAll(ownDatabase);

const mapping = { externalId: "id", email: "mail", displayName: "name" };
const open = (w: World) => Feed.open(w, { mapping, adopt: "email" });
const fileOf = (rows: string[]) => ["id,mail,name", ...rows, ""].join("\n");
const people = async ({ ctx }: World) =>
  (await listSubjects(ctx, { sort: "externalId", limit: 100 })).data.map(({ externalId, displayName }) => [
    externalId,
    displayName,
  ]);

it("adopts the one person with the address, who keeps their id, and from then on finds them by its own id", async () => {
  const w = await world();
  await upsertSubject(w.ctx, { externalId: "hr-1", email: "Ada@example.org", displayName: "Ada" });
  const feed = await open(w);
  const run = await feed.upload(fileOf(["s-1,ada@Example.org,Ada L.", "s-2,new@example.org,New"]));
  expect(run).toMatchObject({ status: "succeeded", counts: { created: 1, updated: 1, rejected: 0 } });
  expect(await people(w)).toEqual([
    ["hr-1", "Ada L."],
    ["s-2", "New"],
  ]);
  // Another address does not make them another person.
  await feed.upload(fileOf(["s-1,other@example.org,Ada Lovelace", "s-2,new@example.org,New"]));
  expect(await people(w)).toEqual([
    ["hr-1", "Ada Lovelace"],
    ["s-2", "New"],
  ]);
});

it("does not guess: neither among people who share an address nor among rows that do", async () => {
  const w = await world();
  await upsertSubject(w.ctx, { externalId: "hr-1", email: "family@example.org" });
  await upsertSubject(w.ctx, { externalId: "hr-2", email: "family@example.org" });
  await upsertSubject(w.ctx, { externalId: "hr-3", email: "parent@example.org" });
  const feed = await open(w);
  const content = fileOf([
    "s-1,family@example.org,Somebody",
    "s-2,parent@example.org,Parent",
    "s-3,PARENT@example.org,Child",
    "s-4,twins@example.org,Twin",
    "s-5,twins@example.org,Twin",
  ]);
  const body = { connectorId: feed.id, content };
  const preview = await call("POST", "/v1/connectors/preview", { token: feed.token, body });
  expect(preview.json()).toMatchObject({ counts: { created: 2, updated: 0, rejected: 3 } });
  const run = await feed.upload(content);
  expect(run).toMatchObject({ counts: { created: 2, updated: 0, rejected: 3 } });
  expect((await feed.errors(run.id)).map(({ line, code }) => [line, code])).toEqual([
    [2, "ambiguous_email"],
    [3, "ambiguous_email"],
    [4, "ambiguous_email"],
  ]);
});

it("finds no erased person, and no person of another organisation", async () => {
  const [w, other] = [await world(), await world()];
  const { subject } = await upsertSubject(w.ctx, { externalId: "hr-1", email: "gone@example.org" });
  await eraseSubject(w.ctx, { id: subject.id, reason: "asked" });
  await upsertSubject(other.ctx, { externalId: "hr-2", email: "theirs@example.org", displayName: "Theirs" });
  const feed = await open(w);
  const run = await feed.upload(fileOf(["s-1,gone@example.org,Back", "s-2,theirs@example.org,Mine"]));
  expect(run).toMatchObject({ counts: { created: 2, updated: 0 } });
  expect(await people(other)).toEqual([["hr-2", "Theirs"]]);
});

it("adopts nobody by address with adopt: externalId", async () => {
  const w = await world();
  await upsertSubject(w.ctx, { externalId: "hr-1", email: "ada@example.org" });
  const feed = await Feed.open(w, { mapping });
  expect(await feed.upload(fileOf(["s-1,ada@example.org,Ada"]))).toMatchObject({ counts: { created: 1 } });
});

it("holds a file that would clear a value of nearly everybody whom it adopts by address, in the preview too", async () => {
  const w = await world();
  const numbers = Array.from({ length: 12 }, (_, i) => i);
  for (const n of numbers)
    await upsertSubject(w.ctx, { externalId: `hr-${n}`, email: `p${n}@example.org`, displayName: `Person ${n}` });
  const feed = await open(w);
  const content = fileOf(numbers.map((n) => `s-${n},p${n}@example.org,`));
  const body = { connectorId: feed.id, content };
  const preview = await call("POST", "/v1/connectors/preview", { token: feed.token, body });
  expect(preview.json()).toMatchObject({ hold: { reason: "lost_values" } });
  const run = await feed.upload(content);
  expect(run).toMatchObject({ status: "held", hold: { reason: "lost_values" }, counts: { updated: 0 } });
  expect(await people(w)).toContainEqual(["hr-3", "Person 3"]);
});
