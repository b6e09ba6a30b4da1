import { beforeAll, describe, expect, it } from "vitest";
import { sql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import type { PreviewRow, PreviewView } from "./preview/view";
import { Feed, fileOf, mapping, numbers } from "./testing/feed";
import { updateConnector } from "./update";

let w: World;
beforeAll(async () => {
  w = await world();
});

const preview = async (token: string, body: object) => {
  const answer = await call("POST", "/v1/connectors/preview", { token, body });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json<PreviewView>();
};
const sendForm = async (token: string, form: FormData) => {
  const body = new Response(form);
  const headers = { "content-type": body.headers.get("content-type")! };
  return call("POST", "/v1/connectors/preview", { token, raw: await body.arrayBuffer(), headers });
};
const of = (rows: PreviewRow[], externalId: string) => rows.find((row) => row.externalId === externalId);
const people = async (orgId: Id<"org">) =>
  (await sql<{ n: number }>(`SELECT count(*) AS n FROM subjects WHERE org_id = $1`, [orgId]))[0]!.n;

describe("a preview", () => {
  it("lists each change of a file field by field, and the run then makes exactly these changes", async () => {
    const own = await world();
    const feed = await Feed.open(own, { missing: "deactivate" });
    await feed.upload(fileOf(numbers(1, 30)));
    const next =
      fileOf(numbers(1, 28)).replace("Person 2,p2@example.edu,active,Physics", "Ada,,active,Maths") +
      "p-28,Twice,x@example.edu,active,Physics\np-40,New,new@example.edu,active,\np-41,Bad,no address,active,\n,Nobody,,active,\n";
    const before = await people(own.orgId);
    const told = await preview(feed.token, { connectorId: feed.id, content: next, limit: 100 });
    expect(told.counts).toEqual({
      rows: 32,
      created: 1,
      updated: 1,
      unchanged: 27,
      deactivated: 0,
      rejected: 3,
      held: 2,
    });
    expect(told.hold).toMatchObject({ reason: "unknown_rows" });
    expect(of(told.data, "p-2")).toEqual({
      line: 3,
      externalId: "p-2",
      displayName: "Ada",
      action: "update",
      changes: [
        { field: "displayName", from: "Person 2", to: "Ada" },
        { field: "email", from: "p2@example.edu", to: null },
        { field: "attributes.department", from: "Physics", to: "Maths" },
      ],
      ownedElsewhere: [],
      errors: [],
    });
    expect(of(told.data, "p-40")).toMatchObject({
      action: "create",
      changes: [
        { field: "displayName", from: null, to: "New" },
        { field: "email", from: null, to: "new@example.edu" },
        { field: "status", from: null, to: "active" },
      ],
    });
    expect(told.data.filter(({ action }) => action === "reject").map((row) => [row.line, row.errors[0]!.code])).toEqual(
      [
        [30, "duplicate_external_id"],
        [32, "invalid_value"],
        [33, "missing_external_id"],
      ],
    );
    expect(told.data.filter(({ action }) => action === "deactivate")).toEqual(
      ["p-29", "p-30"].map((externalId) => expect.objectContaining({ externalId, line: null })),
    );
    expect(await people(own.orgId)).toBe(before);
    const run = await feed.upload(next);
    expect(run.counts).toEqual({ ...told.counts, skipped: 0, deleted: 0 });
    expect(run.hold).toEqual(told.hold);
  });

  it("accepts a form with a mapping that belongs to no connector yet", async () => {
    const token = await w.key();
    const form = new FormData();
    form.set("mapping", JSON.stringify({ externalId: "id", displayName: "name" }));
    form.set("file", new Blob(["id,name\nform-1,Ada\n"], { type: "text/csv" }), "people.csv");
    const answer = await sendForm(token, form);
    expect([answer.status, answer.json<PreviewView>().counts]).toEqual([200, expect.objectContaining({ created: 1 })]);
    form.set("surname", "x");
    const refused = await sendForm(token, form);
    expect([refused.status, refused.json()["detail"]]).toEqual([400, expect.stringContaining('part "surname"')]);
  });

  it("returns every chosen row once, page by page, and people missing from the file last", async () => {
    const own = await world();
    const feed = await Feed.open(own, { missing: "deactivate" });
    await updateConnector(own.ctx, { id: feed.id, limits: { deactivations: 100 } });
    await feed.upload(fileOf(numbers(1, 12)));
    const body = { connectorId: feed.id, content: fileOf([3, 1, 20, 21]), limit: 3, actions: ["create", "deactivate"] };
    const seen: (string | null)[] = [];
    let cursor: string | undefined;
    do {
      const found = await preview(feed.token, { ...body, ...(cursor && { cursor }) });
      expect(found.counts).toMatchObject({ rows: 4, created: 2, unchanged: 2, deactivated: 10 });
      seen.push(...found.data.map(({ externalId }) => externalId));
      cursor = found.nextCursor ?? undefined;
    } while (cursor);
    const gone = [2, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((n) => `p-${n}`).toSorted();
    expect(seen).toEqual(["p-20", "p-21", ...gone]);
    const first = await preview(feed.token, body);
    const other = await call("POST", "/v1/connectors/preview", {
      token: feed.token,
      body: { ...body, content: fileOf([1]), cursor: first.nextCursor },
    });
    expect([other.status, other.json()["code"]]).toEqual([400, "invalid_cursor"]);
    expect(await preview(feed.token, { ...body, offset: 4 })).toMatchObject({ total: 12, data: { length: 3 } });
  });

  it("says why a run would fail, and which fields another connector writes", async () => {
    const own = await world();
    const first = await Feed.open(own, { priority: 1, mapping: { externalId: "id", email: "mail" } });
    await first.upload(fileOf([1]));
    const feed = await Feed.open(own);
    const told = await preview(feed.token, { connectorId: feed.id, content: fileOf([1]).replace("p1@", "other@") });
    expect(told.data).toMatchObject([{ action: "update", ownedElsewhere: ["email"] }]);
    expect(told.data[0]!.changes.map(({ field }) => field)).toEqual(["displayName", "attributes.department"]);
    const broken = await preview(feed.token, { connectorId: feed.id, content: 'id,name,mail,status,dept\np-1,"x\n' });
    expect(broken).toMatchObject({ errorSummary: { code: "unclosed_quote" }, counts: { rows: 0 }, data: [] });
  });

  it.each([
    ["neither connector nor mapping", { content: "id\n1\n" }, "/mapping"],
    ["both of them", { connectorId: `con_${"0".repeat(26)}`, mapping, content: "id\n1\n" }, "/mapping"],
    ["no file", { mapping }, "/content"],
  ])("refuses a request with %s", async (_, body, pointer) => {
    const answer = await call("POST", "/v1/connectors/preview", { token: await w.key(), body });
    expect([answer.status, answer.json<{ errors: { pointer: string }[] }>().errors[0]!.pointer]).toEqual([
      400,
      pointer,
    ]);
  });

  it("is refused above the row limit, with a message that names the limit", async () => {
    const form = new FormData();
    form.set("mapping", JSON.stringify({ externalId: "id" }));
    form.set("file", new Blob(["id\n", ...numbers(1, 50_002).map((n) => `${n}\n`)], { type: "text/csv" }), "a.csv");
    const answer = await sendForm(await w.key(), form);
    expect([answer.status, answer.json()["detail"]]).toEqual([413, expect.stringContaining("50000 rows")]);
  });

  it("requires subjects:read too, because it names people", async () => {
    const token = await w.key("connectors:read");
    const answer = await call("POST", "/v1/connectors/preview", { token, body: { mapping, content: fileOf([1]) } });
    expect([answer.status, answer.json()["scope"]]).toEqual([403, "subjects:read"]);
  });
});
