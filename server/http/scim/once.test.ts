import { beforeAll, describe, expect, it } from "vitest";
import { flushRequests } from "@/server/scim/requests/record";
import { listScimRequests } from "@/server/scim/overview/list-requests";
import { Directory } from "@/server/scim/testing/directory";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";

let w: World;
let directory: Directory;
beforeAll(async () => {
  w = await world();
  directory = await Directory.open(w);
});
const keyed = (key: string) => ({ "idempotency-key": key });
const replayed = ({ headers }: { headers: Headers }) => headers.get("idempotent-replayed");

describe("an Idempotency-Key at /scim/v2", () => {
  it("repeats the answer to a POST, and creates the user once", async () => {
    const body = { userName: "once@example.org" };
    const send = () => directory.scim("POST", "/Users", body, keyed("create"));
    const [first, second] = [await send(), await send()];
    expect([first.status, replayed(first)]).toEqual([201, null]);
    expect([second.status, second.text, replayed(second)]).toEqual([201, first.text, "true"]);
    for (const header of ["location", "etag", "content-type"])
      expect([header, second.headers.get(header)]).toEqual([header, first.headers.get(header)]);
    await directory.scim("DELETE", `/Users/${first.json<{ id: string }>().id}`);
    expect([(await send()).text, (await directory.find('userName eq "once@example.org"')).totalResults]).toEqual([
      first.text,
      0,
    ]);
    await flushRequests();
    const [last] = (await listScimRequests(w.ctx, { id: directory.id, only: "written" })).data;
    expect(last).toMatchObject({ method: "POST", status: 201, effect: {} });
  });

  it("repeats the answers to a POST of a group and to PATCHes, and does not change them again", async () => {
    const { id } = await directory.user("patched@example.org", { title: "Before" });
    const add = { Operations: [{ op: "add", path: "members", value: [{ value: id }] }] };
    const title = { Operations: [{ op: "replace", path: "title", value: "First" }] };
    const made = () => directory.scim("POST", "/Groups", { displayName: "Once" }, keyed("group"));
    const group = (await made()).json<{ id: string }>().id;
    expect((await made()).json()).toMatchObject({ id: group });
    const requests = [
      () => directory.scim("PATCH", `/Users/${id}`, title, keyed("title")),
      () => directory.scim("PATCH", `/Groups/${group}`, add, keyed("add")),
    ];
    const first = await Promise.all(requests.map((send) => send()));
    await directory.patch(id, [{ op: "replace", path: "title", value: "Second" }]);
    await directory.patchGroup(group, [{ op: "remove", path: "members" }]);
    const second = await Promise.all(requests.map((send) => send()));
    expect(second.map(({ status, text }) => [status, text])).toEqual(first.map(({ status, text }) => [status, text]));
    expect([...first, ...second].map(replayed)).toEqual([null, null, "true", "true"]);
    expect((await directory.scim("GET", `/Users/${id}`)).json()).toMatchObject({ title: "Second" });
    expect(await directory.members(group)).toEqual([]);
  });

  it("is refused for another request, also for the same request of another connection or in an invalid form", async () => {
    const body = { userName: "bound@example.org" };
    const other = await Directory.open(w);
    const post = (of: Directory, sent: object, key = "bound") => of.scim("POST", "/Users", sent, keyed(key));
    expect((await post(directory, body)).status).toBe(201);
    for (const answer of [await post(directory, { userName: "b" }), await post(other, body)])
      expect([answer.status, answer.headers.get("content-type"), answer.json()]).toEqual([
        422,
        "application/scim+json",
        {
          schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
          status: "422",
          detail: expect.stringContaining("different request"),
        },
      ]);
    expect((await other.find("userName pr")).totalResults).toBe(0);
    expect((await post(directory, { userName: "long" }, "x".repeat(256))).status).toBe(400);
  });

  it("does not store a refusal: the repeat is carried out once it is possible", async () => {
    const send = () => directory.scim("POST", "/Users", { userName: "freed@example.org" }, keyed("freed"));
    const { id } = await directory.user("freed@example.org");
    expect((await send()).status).toBe(409);
    await directory.patch(id, [{ op: "replace", path: "userName", value: "renamed@example.org" }]);
    expect((await send()).status).toBe(201);
  });

  it("is read only after the scope and the token were checked, and its answer is blanked by an erasure", async () => {
    const scopeless = await call("POST", "/scim/v2/Users", {
      token: await w.key("events:read"),
      body: { userName: "x" },
      headers: keyed("scopeless"),
    });
    expect(scopeless.status).toBe(403);
    const person = { userName: "erased@example.org", displayName: "Erased Person" };
    const made = () => directory.scim("POST", "/Users", person, keyed("erased"));
    const { id } = (await made()).json<{ id: string }>();
    const group = () =>
      directory.scim("POST", "/Groups", { displayName: "Of one", members: [{ value: id }] }, keyed("erased from"));
    expect((await group()).text).toContain("Erased Person");
    await directory.rest("POST", `/subjects/${id}/erase`, { reason: "asked" });
    for (const repeat of [await made(), await group()]) {
      expect([repeat.status, replayed(repeat)]).toEqual([201, "true"]);
      expect(repeat.text).toContain(id);
      expect(repeat.text).not.toMatch(/erased/i);
    }
  });

  it("is not heeded at /Bulk and .search, nor by PUT and DELETE", async () => {
    const { id } = await directory.user("bulk-key@example.org");
    const replace = { userName: "bulk-key@example.org", title: "Dr" };
    const before = await records();
    for (const [method, path, body] of [
      ["POST", "/Bulk", { Operations: [{ method: "PATCH", path: `/Users/${id}`, data: { Operations: [] } }] }],
      ["POST", "/.search", {}],
      ["PUT", `/Users/${id}`, replace],
      ["DELETE", `/Users/${id}`, undefined],
    ] as const)
      expect([path, (await directory.scim(method, path, body, keyed("ignored"))).status < 300]).toEqual([path, true]);
    expect(await records()).toBe(before);
  });
});

const records = async () =>
  (await sql<{ n: number }>(`SELECT count(*)::int AS n FROM idempotency_records WHERE org_id = $1`, [w.orgId]))[0]!.n;
