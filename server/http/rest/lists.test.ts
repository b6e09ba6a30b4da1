import { beforeAll, describe, expect, it } from "vitest";
import { issueCredential } from "@/server/credentials/issue";
import { revokeCredential } from "@/server/credentials/revoke";
import { suspendCredential } from "@/server/credentials/suspend";
import { updateSubject } from "@/server/subjects/update";
import { upsertSubject } from "@/server/subjects/upsert";
import { createTemplate } from "@/server/templates/create";
import { publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { idInPath, resourcesOf } from "@/server/testing/resources";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { scopes } from "@/server/core/scopes";
import { describedRoutes } from "@/server/http/openapi/document";

type Item = {
  id: string;
  externalId?: string;
  displayName?: string;
  subjectId?: string;
  name?: string;
  [field: string]: unknown;
};
type List = { data: Item[]; nextCursor: string | null; total?: number };

const lists = async (token: string, path: string): Promise<List> => {
  const answer = await call("GET", path, { token });
  expect([path, answer.status, answer.status === 200 ? "" : answer.text]).toEqual([path, 200, ""]);
  return answer.json<List>();
};

/** Reads a whole list in pages of two. */
async function walk(token: string, path: string): Promise<Item[]> {
  const seen: Item[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const list: List = await lists(
      token,
      `${path}${path.includes("?") ? "&" : "?"}limit=2${cursor && `&cursor=${cursor}`}`,
    );
    expect(list.data.length).toBeLessThanOrEqual(2);
    seen.push(...list.data);
    cursor = list.nextCursor;
  }
  return seen;
}

describe("sort of GET /v1/subjects", () => {
  let w: World;
  let token: string;

  beforeAll(async () => {
    w = await world();
    token = await w.key();
    // Many equal values, so that pages begin in the middle of ties.
    const people = [
      ["s-3", "Zoë"],
      ["s-1", "anna"],
      ["s-5", "Anna"],
      ["s-2", ""],
      ["s-4", "ánna"],
      ["s-6", ""],
      ["S-0", "bob"],
    ] as const;
    for (const [externalId, displayName] of people)
      await upsertSubject(w.at("2026-05-01T00:00:00Z"), { externalId, displayName });
    const { subject } = await upsertSubject(w.ctx, { externalId: "s-2" });
    await updateSubject(w.at("2026-06-01T00:00:00Z"), { id: subject.id, status: "inactive" });
  });

  it.each([
    ["displayName", ["s-2", "s-6", "s-1", "s-5", "s-4", "S-0", "s-3"]],
    ["createdAt", ["s-3", "s-1", "s-5", "s-2", "s-4", "s-6", "S-0"]],
    ["updatedAt", ["s-3", "s-1", "s-5", "s-4", "s-6", "S-0", "s-2"]],
  ])("%s returns every subject once, in order, and with - in reverse", async (field, expected) => {
    expect((await walk(token, `/v1/subjects?sort=${field}`)).map((s) => s.externalId)).toEqual(expected);
    expect((await walk(token, `/v1/subjects?sort=-${field}`)).map((s) => s.externalId)).toEqual(expected.toReversed());
    expect((await lists(token, `/v1/subjects?sort=${field}&limit=3&offset=2`)).data.map((s) => s.externalId)).toEqual(
      expected.slice(2, 5),
    );
  });

  it("externalId orders as PostgreSQL does", async () => {
    const truth = await sql<{ external_id: string }>(
      `SELECT external_id FROM subjects WHERE org_id = $1 ORDER BY external_id`,
      [w.orgId],
    );
    expect((await walk(token, "/v1/subjects?sort=externalId")).map((s) => s.externalId)).toEqual(
      truth.map((row) => row.external_id),
    );
  });

  it("can be combined with a search and with filters", async () => {
    expect((await walk(token, "/v1/subjects?sort=displayName&q=anna")).map((s) => s.externalId)).toEqual([
      "s-1",
      "s-5",
      "s-4",
    ]);
    expect((await walk(token, "/v1/subjects?sort=-displayName&status=active")).map((s) => s.externalId)).toEqual([
      "s-3",
      "S-0",
      "s-4",
      "s-5",
      "s-1",
      "s-6",
    ]);
  });

  it("orders what a search finds as the whole list: names that begin alike, and equal names by age", async () => {
    const other = await world();
    const mine = await other.key();
    for (const [externalId, displayName, email] of [
      ["a", "Ida Straße", "z@example.edu"],
      ["b", "Ída Strasse", "a@example.edu"],
      ["c", "Ida Strass", "m@example.edu"],
      ["d", "IDA", "0@example.edu"],
      ["e", "Ida-Marie Strass", "b@example.edu"],
    ] as const)
      await upsertSubject(other.ctx, { externalId, displayName, email });
    for (const sort of ["displayName", "-displayName"]) {
      const all = (await walk(mine, `/v1/subjects?sort=${sort}`)).map((s) => s.externalId);
      expect((await walk(mine, `/v1/subjects?sort=${sort}&q=ida`)).map((s) => s.externalId)).toEqual(all);
      expect(sort === "displayName" ? all : all.toReversed()).toEqual(["d", "c", "a", "b", "e"]);
    }
  });

  it("refuses a cursor of another sort, filter or search", async () => {
    const { nextCursor } = await lists(token, "/v1/subjects?limit=2&sort=displayName");
    for (const other of [
      "",
      "&sort=-displayName",
      "&sort=updatedAt",
      "&sort=displayName&status=active",
      "&sort=displayName&q=a",
    ]) {
      const answer = await call("GET", `/v1/subjects?limit=2&cursor=${nextCursor!}${other}`, { token });
      expect([other, answer.status, answer.json()["code"]]).toEqual([other, 400, "invalid_cursor"]);
    }
  });

  it.each(["email", "-", "--displayName", "display_name", "displayName,id", "id; DROP TABLE subjects"])(
    "refuses sort=%s and lists the accepted values",
    async (sort) => {
      const answer = await call("GET", `/v1/subjects?sort=${encodeURIComponent(sort)}`, { token });
      expect([answer.status, answer.json()["detail"]]).toEqual([
        400,
        "sort must be one of createdAt, updatedAt, displayName, externalId, or one of them with - before it for descending.",
      ]);
    },
  );

  it("continues after the last row of a page, whatever was written meanwhile", async () => {
    const first = await lists(token, "/v1/subjects?sort=displayName&limit=3");
    await upsertSubject(w.ctx, { externalId: "new", displayName: "aaron" });
    await updateSubject(w.ctx, { id: first.data[2]!.id, displayName: "zz" });
    const rest = await lists(token, `/v1/subjects?sort=displayName&limit=100&cursor=${first.nextCursor!}`);
    expect(rest.data.map((s) => s.externalId)).toEqual(["s-5", "s-4", "S-0", "s-3", "s-1"]);
  });
});

describe("filters of GET /v1/subjects", () => {
  it("take several comma-separated values", async () => {
    const w = await world();
    const token = await w.key();
    for (const [externalId, status] of [
      ["a", "active"],
      ["b", "inactive"],
      ["c", "active"],
    ] as const)
      await upsertSubject(w.ctx, { externalId, status });
    const found = async (query: string) => (await lists(token, `/v1/subjects?${query}`)).data.map((s) => s.externalId);
    expect(await found("status=active,inactive")).toEqual(["c", "b", "a"]);
    expect(await found("externalId=a,%20c,nobody")).toEqual(["c", "a"]);
    expect(await found("externalId=a,b&status=inactive")).toEqual(["b"]);
    expect((await lists(token, "/v1/subjects?status=active,inactive&limit=1&offset=1")).total).toBe(3);
    const wrong = await call("GET", "/v1/subjects?status=active,gone", { token });
    expect([wrong.status, wrong.json()["detail"]]).toEqual([
      400,
      'status must be one of active, inactive, or several separated by commas; "gone" is none of them.',
    ]);
  });

  it("find what was created or updated after an instant", async () => {
    const w = await world();
    const token = await w.key();
    for (const [externalId, at] of [
      ["old", "2026-01-01T00:00:00Z"],
      ["mid", "2026-02-01T00:00:00Z"],
      ["new", "2026-03-01T00:00:00Z"],
    ] as const)
      await upsertSubject(w.at(at), { externalId });
    await upsertSubject(w.at("2026-04-01T00:00:00Z"), { externalId: "old", displayName: "Changed" });
    const found = async (query: string) => (await walk(token, `/v1/subjects?${query}`)).map((s) => s.externalId);
    expect(await found("createdAfter=2026-01-15T00:00:00Z")).toEqual(["new", "mid"]);
    expect(await found("createdAfter=2026-02-01T00:00:00Z")).toEqual(["new"]);
    expect(await found("updatedAfter=2026-02-15T00:00:00Z")).toEqual(["old", "new"]);
    expect(await found("updatedAfter=2026-02-15T00:00:00Z&sort=updatedAt")).toEqual(["new", "old"]);
    expect(await found("updatedAfter=2026-04-01T00:00:00Z")).toEqual([]);
    expect(await found("q=o&updatedAfter=2026-02-15T00:00:00Z")).toEqual(["old"]);
  });
});

describe("an externalId", () => {
  const composed = "Ren\u00e9-1";
  const decomposed = "Rene\u0301-1";

  it("is the same with spaces around it, composed or decomposed", async () => {
    const w = await world();
    const token = await w.key();
    const templateId = (await publishedTemplate(w.ctx)).id;
    const send = (method: string, path: string, body: unknown) => call(method, path, { token, body });
    const { id } = (await send("PUT", "/v1/subjects", { externalId: ` ${decomposed}\u00a0` })).json<Item>();
    expect((await send("PUT", "/v1/subjects", { externalId: composed })).json<Item>()).toMatchObject({
      id,
      externalId: composed,
    });
    const bulk = await send("POST", "/v1/subjects/bulk", {
      items: [{ externalId: decomposed }, { externalId: `${composed} ` }],
    });
    expect(
      bulk.json<{ data: { outcome: string; subject: Item }[] }>().data.map((row) => [row.outcome, row.subject.id]),
    ).toEqual([
      ["unchanged", id],
      ["unchanged", id],
    ]);
    const issued = await send("POST", "/v1/credentials", { subject: { externalId: `${decomposed} ` }, templateId });
    expect(issued.json<Item>().subjectId).toBe(id);
    for (const written of [composed, decomposed, ` ${composed} `]) {
      expect(
        (await lists(token, `/v1/subjects?externalId=${encodeURIComponent(written)}`)).data.map((s) => s.id),
      ).toEqual([id]);
      expect(
        (await lists(token, `/v1/credentials?externalId=${encodeURIComponent(written)}`)).data.map((c) => c.subjectId),
      ).toEqual([id]);
      expect((await lists(token, `/v1/subjects?q=${encodeURIComponent(written)}`)).data.map((s) => s.id)).toEqual([id]);
    }
    expect((await lists(token, "/v1/subjects?externalId=rené-1")).data).toEqual([]);
  });

  it("may hold a comma, and then matches a filter as a whole", async () => {
    const w = await world();
    const token = await w.key();
    for (const externalId of ["Smith, John", "Smith", "John"]) await upsertSubject(w.ctx, { externalId });
    const found = async (externalId: string) =>
      (await lists(token, `/v1/subjects?externalId=${encodeURIComponent(externalId)}`)).data.map((s) => s.externalId);
    expect(await found("Smith, John")).toEqual(["Smith, John"]);
    expect(await found("John,Smith")).toEqual(["John", "Smith"]);
  });
});

describe("q of GET /v1/subjects", () => {
  it("finds words in any order and across fields", async () => {
    const w = await world();
    await upsertSubject(w.ctx, { externalId: "s-1001", displayName: "Ada María Lovelace", email: "ada@example.edu" });
    await upsertSubject(w.ctx, { externalId: "s-1002", displayName: "Ada Byron", email: "byron@example.edu" });
    await upsertSubject(w.ctx, { externalId: "s-1003", displayName: "Xu Li" });
    const token = await w.key();
    const found = async (q: string) => await lists(token, `/v1/subjects?q=${encodeURIComponent(q)}&offset=0`);
    for (const [q, expected] of [
      ["lovelace ada", ["s-1001"]],
      ["ADA lovelace", ["s-1001"]],
      ["maria ada 1001", ["s-1001"]],
      ["ada", ["s-1002", "s-1001"]],
      ["byron@example ada", ["s-1002"]],
      ["li xu", ["s-1003"]],
      ["i xu", ["s-1003"]],
      ["ada zz", []],
      ["1 2 3 4 5 6 7 8 9 0 a b", []],
      ["\u0301", ["s-1003", "s-1002", "s-1001"]],
    ] as const) {
      const list = await found(q);
      expect([q, list.data.map((s) => s.externalId), list.total]).toEqual([q, expected, expected.length]);
    }
  });
});

describe("GET /v1/credentials and /v1/subjects/{id}/credentials", () => {
  let w: World;
  let token: string;
  let templates: string[];
  let made: Item[];

  beforeAll(async () => {
    w = await world();
    token = await w.key();
    templates = [
      (await publishedTemplate(w.ctx)).id,
      (await publishedTemplate(w.ctx, { kind: "employee_id" })).id,
      (await publishedTemplate(w.ctx, { kind: "academic" })).id,
    ];
    const issue = async (day: number, externalId: string, template: number, terms: object = {}) =>
      (
        await issueCredential(w.at(`2026-01-${String(day).padStart(2, "0")}T00:00:00Z`), {
          subject: { externalId, displayName: `Person ${externalId}` },
          templateId: templates[template]!,
          ...terms,
        })
      ).credential;
    made = [
      await issue(1, "a", 0, { expiresAt: "2030-01-01T00:00:00Z" }),
      await issue(1, "b", 0),
      await issue(2, "a", 1, { validFrom: "2029-01-01T00:00:00Z", expiresAt: "2029-06-01T00:00:00Z" }),
      await issue(3, "c", 2, { expiresAt: "2030-01-01T00:00:00Z" }),
      await issue(3, "b", 1),
    ];
    await suspendCredential(w.at("2026-02-01T00:00:00Z"), { id: made[1]!.id });
    await revokeCredential(w.at("2026-03-01T00:00:00Z"), { id: made[0]!.id, reason: "Left" });
  });

  const at = (credentials: Item[]) => credentials.map((c) => made.findIndex((each) => each.id === c.id));

  it.each([
    ["createdAt", [0, 1, 2, 3, 4]],
    ["updatedAt", [2, 3, 4, 1, 0]],
    ["issuedAt", [0, 1, 3, 4, 2]],
    ["expiresAt", [2, 0, 3, 1, 4]],
  ])("sorts by %s through ties, and with - in reverse", async (field, expected) => {
    expect(at(await walk(token, `/v1/credentials?sort=${field}`))).toEqual(expected);
    expect(at(await walk(token, `/v1/credentials?sort=-${field}`))).toEqual(expected.toReversed());
    const active = expected.filter((i) => [1, 3, 4].includes(i));
    expect(at(await walk(token, `/v1/credentials?sort=${field}&state=active,suspended`))).toEqual(active);
  });

  it("takes several values per filter", async () => {
    const found = async (query: string) => at((await lists(token, `/v1/credentials?${query}`)).data);
    expect(await found("state=revoked,pending")).toEqual([2, 0]);
    expect(await found("kind=academic,membership")).toEqual([3, 1, 0]);
    expect(await found(`templateId=${templates[0]},${templates[2]}`)).toEqual([3, 1, 0]);
    expect(await found(`subjectId=${String(made[3]!.subjectId)},${String(made[1]!.subjectId)}`)).toEqual([4, 3, 1]);
    expect(await found("externalId=a,c")).toEqual([3, 2, 0]);
    expect(await found(`code=${String(made[0]!["code"])},${String(made[4]!["code"]).toLowerCase()}`)).toEqual([4, 0]);
    expect(await found("q=b person")).toEqual([4, 1]);
    expect((await lists(token, "/v1/credentials?state=revoked,pending&limit=1&offset=0")).total).toBe(2);
  });

  it("finds what was created or updated after an instant, the last changed first", async () => {
    expect(at(await walk(token, "/v1/credentials?createdAfter=2026-01-01T12:00:00Z"))).toEqual([4, 3, 2]);
    expect(at(await walk(token, "/v1/credentials?updatedAfter=2026-01-02T12:00:00Z"))).toEqual([0, 1, 4, 3]);
    expect(at(await walk(token, "/v1/credentials?updatedAfter=2026-01-15T00:00:00Z&externalId=b"))).toEqual([1]);
  });

  it("lists the credentials of one subject with the same filters, and answers 404 if the subject does not exist", async () => {
    const path = `/v1/subjects/${String(made[0]!.subjectId)}/credentials`;
    expect(at(await walk(token, path))).toEqual([2, 0]);
    expect(at(await walk(token, `${path}?state=pending,active`))).toEqual([2]);
    expect(at(await walk(token, `${path}?sort=createdAt`))).toEqual([0, 2]);
    expect((await call("GET", `${path.replace(/sub_..../, "sub_0000")}`, { token })).status).toBe(404);
    expect((await call("GET", `${path}?subjectId=${String(made[1]!.subjectId)}`, { token })).status).toBe(400);
  });
});

describe("GET /v1/templates and /v1/webhook_endpoints", () => {
  it("sort by name and take several values", async () => {
    const w = await world();
    const token = await w.key();
    for (const [name, kind] of [
      ["beta", "academic"],
      ["Alpha", "membership"],
      ["alpha", "student_id"],
    ] as const)
      await createTemplate(w.ctx, { name, kind });
    expect((await walk(token, "/v1/templates?sort=name")).map((t) => t.name)).toEqual(["Alpha", "alpha", "beta"]);
    expect(
      (await walk(token, "/v1/templates?kind=academic,student_id&status=draft,published")).map((t) => t.name),
    ).toEqual(["alpha", "beta"]);
    expect((await lists(token, "/v1/webhook_endpoints?status=active,paused")).data).toEqual([]);
  });
});

describe("an e-mail address", () => {
  it.each([
    "ada@example.edu",
    "用户@例子.广告",
    "josé@bücher.example",
    "o'brien+x@sub.example.co",
    "δοκιμή@παράδειγμα.δοκιμή",
    "a@xn--bcher-kva.example",
  ])("may be %s, and search finds it", async (email) => {
    const w = await world();
    const token = await w.key();
    const answer = await call("PUT", "/v1/subjects", { token, body: { externalId: "s", email } });
    expect([answer.status, answer.json()["email"]]).toEqual([200 + Number(answer.status === 201), email]);
    expect((await lists(token, `/v1/subjects?q=${encodeURIComponent(email)}`)).data).toHaveLength(1);
  });

  it.each([
    "ada",
    "@example.edu",
    "ada@",
    "ada@@example.edu",
    "ada lovelace@example.edu",
    "ada@exa mple.edu",
    "ada\u0007@example.edu",
    "ada@example..edu",
    "ada@-example.edu",
    "ada@localhost",
    "ada@example.edu\u202e",
    ".ada@example.edu",
    "a..b@example.edu",
    `${"x".repeat(320)}@example.edu`,
  ])("may not be %j", async (email) => {
    const w = await world();
    const answer = await call("PUT", "/v1/subjects", { token: await w.key(), body: { externalId: "s", email } });
    expect([answer.status, answer.json<{ errors: { pointer: string }[] }>().errors[0]!.pointer]).toEqual([
      400,
      "/email",
    ]);
  });
});

describe("an empty value of a filter", () => {
  // q is left out: an empty search lists everything, as an empty search field does.
  const filters = describedRoutes().flatMap(({ method, path, spec }) => {
    const { shape = {} } = spec.operation.operation.input as { shape?: object };
    return method === "GET" && "cursor" in shape
      ? Object.keys(shape)
          .filter((field) => field !== "q" && !path.includes(`{${field}}`))
          .map((field) => [path, field] as const)
      : [];
  });

  it.each(filters)(
    "is refused and never treated as no filter or as one without matches: %s ?%s=",
    async (path, field) => {
      const mine = await world();
      const own = path.includes("{") ? await resourcesOf(mine) : {};
      const at = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idInPath(own, path, name)!);
      const answer = await call("GET", `${at}?${field}=`, { token: await mine.key(...scopes) });
      expect([answer.status, answer.json()["detail"]]).toEqual([400, expect.any(String)]);
    },
  );
});
