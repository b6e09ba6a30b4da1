import { beforeAll, describe, expect, it } from "vitest";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { Feed, fileOf, numbers } from "../testing/feed";
import { peopleOf } from "../testing/outcome";

beforeAll(ownDatabase);

describe("rows of a full file that change nothing", () => {
  it("leaves the people as they are, beside rows that change somebody", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    await feed.upload(fileOf([1, 2, 3]));
    const before = await peopleOf(w);
    const changed = fileOf([1, 2, 3]).replace("Person 2", "Person Two");
    expect(await feed.upload(changed)).toMatchObject({ counts: { unchanged: 2, updated: 1, created: 0 } });
    const after = await peopleOf(w);
    const written = [0, 2].map((n) => [before[n]!.updatedAt, after[n]!.updatedAt]);
    for (const [first, second] of written) expect(second).toBe(first);
    expect(after[1]).toMatchObject({ displayName: "Person Two" });
  });

  it("rejects a second row of the same id", async () => {
    const feed = await Feed.open(await world());
    await feed.upload(fileOf([1, 2]));
    const run = await feed.upload(`${fileOf([1, 2])}p-1,Somebody else,,,\n`);
    expect(run).toMatchObject({ counts: { unchanged: 2, rejected: 1, updated: 0 } });
    expect(await feed.errors(run.id)).toMatchObject([{ line: 4, code: "duplicate_external_id" }]);
  });

  it("rejects another row that names the same person by the external id", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    await feed.upload(fileOf([1]));
    const [one] = await peopleOf(w);
    await call("PATCH", `/v1/subjects/${one!.id}`, { token: feed.token, body: { externalId: "p-2" } });
    const run = await feed.upload(fileOf([1, 2]));
    expect(run).toMatchObject({ counts: { unchanged: 1, rejected: 1, updated: 0, created: 0 } });
    expect(await feed.errors(run.id)).toMatchObject([{ line: 3, code: "duplicate_external_id" }]);
  });

  it("rejects such a row in whichever batch of the file it is", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    const people = numbers(1001, 3500);
    await feed.upload(fileOf(people));
    const [one] = await peopleOf(w, { externalId: "p-1001" });
    await call("PATCH", `/v1/subjects/${one!.id}`, { token: feed.token, body: { externalId: "p-9999" } });
    const run = await feed.upload(`${fileOf(people)}p-9999,Somebody else,,,\n`);
    expect(run).toMatchObject({ counts: { unchanged: 2500, rejected: 1, updated: 0, created: 0 } });
    expect(await feed.errors(run.id)).toMatchObject([{ line: 2502, code: "duplicate_external_id" }]);
    // The connector still knows the person under the first key.
    expect(await feed.upload(fileOf(people))).toMatchObject({
      counts: { unchanged: 2500, created: 0, deactivated: 0 },
    });
  });

  it("notes that the file no longer calls a person inactive who is active already", async () => {
    const w = await world();
    const [one, other] = [await Feed.open(w), await Feed.open(w)];
    await one.upload(fileOf([1], "inactive"));
    const [person] = await peopleOf(w);
    await call("PATCH", `/v1/subjects/${person!.id}`, { token: one.token, body: { status: "active" } });
    expect(await one.upload(fileOf([1]))).toMatchObject({ counts: { unchanged: 1 } });
    // The first connector keeps the person active now.
    await other.upload(fileOf([1], "inactive"));
    expect(await peopleOf(w)).toMatchObject([{ status: "active" }]);
  });

  it("rejects a row of an erased person that has no other field", async () => {
    const w = await world();
    const feed = await Feed.open(w, { mapping: { externalId: "id" } });
    await feed.upload("id\np-1\n");
    const [person] = await peopleOf(w);
    await eraseSubject(w.ctx, { id: person!.id, reason: "Asked" });
    const run = await feed.upload("id\np-1\n\n");
    expect(await feed.errors(run.id)).toMatchObject([{ line: 2, code: "subject_erased" }]);
  });
});
