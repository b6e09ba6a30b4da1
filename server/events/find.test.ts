import { beforeAll, describe, expect, it } from "vitest";
import { issueCredential } from "@/server/credentials/issue";
import { revokeCredential } from "@/server/credentials/revoke";
import { upsertSubject } from "@/server/subjects/upsert";
import { publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { listEvents } from "./list";
import { sequenceBatch } from "@/server/consumers";

let w: World;
let token: string;
const ids = { ada: "", eve: "", first: "", second: "", ofAda: "", ofEve: "" };

beforeAll(async () => {
  w = await world();
  token = await w.key();
  const at = (day: number) => w.at(`2026-01-0${day}T00:00:00Z`);
  ids.ada = (await upsertSubject(at(1), { externalId: "ada" })).subject.id;
  ids.eve = (await upsertSubject({ ...at(1), actor: { type: "user", id: "usr_1" } }, { externalId: "eve" })).subject.id;
  ids.first = (await publishedTemplate(at(2))).id;
  ids.second = (await publishedTemplate(at(2))).id;
  ids.ofAda = (await issueCredential(at(3), { subject: { id: ids.ada }, templateId: ids.first })).credential.id;
  ids.ofEve = (
    await issueCredential(
      { ...at(4), actor: { type: "user", id: "usr_1" } },
      { subject: { id: ids.eve }, templateId: ids.second },
    )
  ).credential.id;
  await revokeCredential(at(5), { id: ids.ofAda, reason: "Left" });
  while ((await sequenceBatch(500)).events > 0);
});

/**
 * The sequences of the events that a query finds: 1, 2 subjects; 3, 4 templates; 5, 6 Ada's credential; 7, 8 Eve's; 9
 * Ada's is revoked.
 */
async function found(query: string): Promise<number[]> {
  const answer = await call("GET", `/v1/events?${query}`, { token });
  expect([query, answer.status]).toEqual([query, 200]);
  return answer.json<{ data: { sequence: number }[] }>().data.map((event) => event.sequence);
}

describe("GET /v1/events", () => {
  it("finds events created after an instant, before one, or between two", async () => {
    expect(await found("createdAfter=2026-01-02T00:00:00Z")).toEqual([9, 8, 7, 6, 5]);
    expect(await found("createdBefore=2026-01-02T00:00:00Z")).toEqual([2, 1]);
    expect(await found("createdAfter=2026-01-01T12:00:00Z&createdBefore=2026-01-04T12:00:00Z&sort=sequence")).toEqual([
      3, 4, 5, 6, 7, 8,
    ]);
    expect(await found("createdAfter=2026-01-01T12:00:00Z&type=credential.*&after=6")).toEqual([7, 8, 9]);
    expect(await found("createdAfter=2027-01-01T00:00:00Z")).toEqual([]);
    const page = await listEvents(w.ctx, { createdAfter: "2026-01-02T00:00:00Z", limit: 2, offset: 1 });
    expect([page.data.map((event) => event.sequence), page.total]).toEqual([[8, 7], 5]);
  });

  it("finds events by their actor", async () => {
    expect(await found("actorId=usr_1")).toEqual([8, 7, 2]);
    expect(await found("actorId=usr_1,test")).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(await found("actorId=usr_1&type=subject.created")).toEqual([2]);
    expect(await found("actorId=nobody")).toEqual([]);
  });

  it("finds events of a subject and of the credentials that it holds", async () => {
    expect(await found(`relatedTo=${ids.ada}`)).toEqual([9, 6, 5, 1]);
    expect(await found(`relatedTo=${ids.ada}&type=credential.revoked`)).toEqual([9]);
    expect(await found(`resourceId=${ids.ada}`)).toEqual([1]);
    expect(await found(`resourceId=${ids.ada},${ids.eve}`)).toEqual([2, 1]);
  });

  it("finds events of a template, its versions and the credentials issued from it", async () => {
    expect(await found(`relatedTo=${ids.first}`)).toEqual([9, 6, 5, 3]);
    expect(await found(`relatedTo=${ids.second}&actorId=test`)).toEqual([4]);
    expect(await found(`relatedTo=${ids.ofEve}`)).toEqual([8, 7]);
  });

  it("finds events of several resources of any kind, each event once", async () => {
    expect(await found(`relatedTo=${ids.ada},${ids.eve}`)).toEqual([9, 8, 7, 6, 5, 2, 1]);
    expect(await found(`relatedTo=${ids.ada},${ids.first}`)).toEqual([9, 6, 5, 3, 1]);
    expect(
      await found(`relatedTo=${ids.ofEve},${ids.first},${ids.second}&sort=sequence&type=template.*,credential.issued`),
    ).toEqual([3, 4, 6, 8]);
    const page = await listEvents(w.ctx, { relatedTo: `${ids.ada},${ids.first}`, limit: 2, offset: 1 });
    expect([page.data.map((event) => event.sequence), page.total]).toEqual([[6, 5], 5]);
    for (const query of ["relatedTo=", "relatedTo=a,,b"])
      expect((await call("GET", `/v1/events?${query}`, { token })).status).toBe(400);
  });

  it("pages through filtered events in both directions", async () => {
    for (const [sort, expected] of [
      ["sequence", [1, 5, 6, 9]],
      ["-sequence", [9, 6, 5, 1]],
    ] as const) {
      const seen: number[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const page: Awaited<ReturnType<typeof listEvents>> = await listEvents(w.ctx, {
          relatedTo: ids.ada,
          sort,
          limit: 2,
          ...(cursor && { cursor }),
        });
        seen.push(...page.data.map((event) => event.sequence));
        cursor = page.nextCursor;
        if (cursor)
          await expect(listEvents(w.ctx, { relatedTo: ids.eve, sort, limit: 2, cursor })).rejects.toMatchObject({
            code: "invalid_cursor",
          });
      }
      expect(seen).toEqual(expected);
    }
  });

  it("shows nothing of another organisation", async () => {
    const other = await world();
    for (const filter of [{ relatedTo: ids.ada }, { relatedTo: ids.first }, { actorId: "test" }])
      expect((await listEvents(other.ctx, filter)).data).toEqual([]);
  });
});
