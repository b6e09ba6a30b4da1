import { beforeAll, describe, expect, it } from "vitest";
import { headerFields } from "@/server/core/header-fields";
import { issueCodes } from "@/server/core/issue-codes";
import { scopes } from "@/server/core/scopes";
import { call } from "@/server/testing/request";
import { idInPath, resourcesOf, type Resources } from "@/server/testing/resources";
import { world, type World } from "@/server/testing/world";
import { describedRoutes } from "@/server/http/openapi/document";

// Zod's default messages, and words of its type system that mean nothing to a caller.
const zodsOwn =
  /invalid (input|option|string|key|element|date|union|format)|\bexpected\b|\breceived\b|too (big|small)|unrecognized|undefined|NaN|regex|pattern \//i;

const all = describedRoutes().map((route) => ({ ...route, title: `${route.method} ${route.path}` }));
const wrong: unknown[] = [
  null,
  true,
  false,
  -1,
  0,
  1.5,
  1e15,
  "",
  " ",
  "x".repeat(5000),
  "a\tb",
  [],
  [null],
  [{}],
  {},
  { a: { b: null } },
  { type: "x" },
  { id: 1, externalId: 2 },
];

let mine: World;
let token: string;
let own: Resources;

beforeAll(async () => {
  mine = await world();
  own = await resourcesOf(mine);
});
// Of each route: all of them together send more requests than one token may within a minute.
const ownToken = () => beforeAll(async () => void (token = await mine.key(...scopes)));

interface Problem {
  detail: string;
  title: string;
  errors?: { pointer: string; code: string; message: string }[];
}

function pathOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === "version" ? "1" : name === "density" ? "1x" : idInPath(own, path, name)!,
  );
}

describe.each(all)("the refusals of $title", ({ method, path, spec }) => {
  ownToken();
  const shape = (spec.operation.operation.input as { shape?: Record<string, unknown> }).shape ?? {};
  // A route whose body is always a file has no fields to send. photo.test.ts and read-file.test.ts test bad files.
  const alwaysFile = spec.file && !spec.file.besideJson ? spec.file : undefined;
  const inQuery = method === "GET" || method === "DELETE" || alwaysFile !== undefined;
  const fields = Object.keys(shape).filter(
    (field) =>
      !path.includes(`{${field}}`) &&
      !headerFields.includes(field) &&
      field !== alwaysFile?.field &&
      !Object.hasOwn(alwaysFile?.fields ?? {}, field),
  );

  async function refusal(input: Record<string, unknown>): Promise<Problem | undefined> {
    const query = inQuery
      ? `?${new URLSearchParams(Object.entries(input).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]))}`
      : "";
    const answer = await call(method, pathOf(path) + query, { token, body: inQuery ? undefined : input });
    return answer.status === 400 ? answer.json<Problem & Record<string, unknown>>() : undefined;
  }

  it("have our own messages, which begin with what is wrong", async () => {
    const example = inQuery ? {} : ((spec.example?.request ?? {}) as Record<string, unknown>);
    const inputs = [
      {},
      { unheardOf: 1 },
      ...fields.flatMap((field) => wrong.map((value) => ({ ...example, [field]: value }))),
    ];
    for (const input of inputs) {
      // The unknown field makes sure that the request is refused even if `input` is valid.
      const problem = await refusal({ ...input, unheardOf: 1 });
      expect([input, problem?.errors !== undefined]).toEqual([input, true]);
      for (const text of [problem!.title, problem!.detail, ...problem!.errors!.map((each) => each.message)])
        expect(text).not.toMatch(zodsOwn);
      for (const { code } of problem!.errors!) expect(Object.keys(issueCodes)).toContain(code);
      for (const { pointer, message } of problem!.errors!) {
        const name = pointer.split("/")[1];
        if (name && /^[a-z]/.test(message)) expect(message.slice(0, name.length)).toBe(name);
      }
    }
  });

  it("of an unknown field list the known ones", async () => {
    const { errors } = (await refusal({ unheardOf: 1 }))!;
    const { message } = errors!.find(({ pointer }) => pointer === "/unheardOf")!;
    expect(message).toBe(
      `unheardOf is not a known ${inQuery ? "query parameter" : "field"}. ${fields.length > 0 ? `Known ${inQuery ? "parameters" : "fields"}: ${fields.join(", ")}.` : "There are none here."}`,
    );
  });
});

describe("error messages", () => {
  it.each([
    ["GET", "/v1/subjects?limit=ten", undefined, "limit must be a whole number from 1 to 100"],
    ["GET", "/v1/subjects?limit=101", undefined, "limit must be a whole number from 1 to 100"],
    ["PUT", "/v1/subjects", {}, "externalId is required"],
    ["PUT", "/v1/subjects", { externalId: 7 }, "externalId must be a string"],
    [
      "PUT",
      "/v1/subjects",
      { externalId: "s", email: "nobody" },
      "email must be an e-mail address such as ada@example.edu",
    ],
    [
      "PUT",
      "/v1/subjects",
      { externalId: "s", displayName: "x".repeat(301) },
      "displayName must have at most 300 characters",
    ],
    [
      "POST",
      "/v1/templates",
      { name: "A", kind: "badge" },
      "kind must be one of membership, employee_id, student_id, academic",
    ],
    [
      "POST",
      "/v1/templates",
      { name: "A", kind: "academic", validity: { type: "weeks" } },
      "validity.type must be one of none, duration, fixed_date, attribute",
    ],
    [
      "POST",
      "/v1/connectors",
      {
        name: "A",
        type: "csv",
        mapping: { externalId: "id", status: { from: "status", values: { A: "active" } } },
      },
      "mapping.status.transform is required: one of trim, lower, date, constant, template",
    ],
    [
      "POST",
      "/v1/credentials",
      { subject: { externalId: "s", colour: "red" }, templateId: "t" },
      "subject.colour is not a known field. Known fields: id, externalId, displayName, email, status, attributes, attributesMode.",
    ],
    [
      "GET",
      "/v1/credentials?issuedAfter=yesterday",
      undefined,
      "issuedAfter must be a time with its zone, such as 2026-11-21T09:30:00Z",
    ],
    [
      "GET",
      "/v1/credentials?issuedAfter=2026-11-21T09:30:00+02:00",
      undefined,
      "issuedAfter must be a time with its zone, such as 2026-11-21T09:30:00Z; in an address, write the + of its zone as %2B",
    ],
    ["GET", "/v1/subjects?offset=-0", undefined, "offset must be a whole number from 0 to 1000000000"],
    [
      "PUT",
      "/v1/subjects",
      { externalId: "s", attributes: null },
      "attributes must be an object, not null; leave it out to change nothing, and send a key with null to remove that key",
    ],
    [
      "POST",
      "/v1/templates",
      { name: "A", kind: "membership", metadata: null },
      "metadata must be an object, not null; leave it out to change nothing, and send a key with null to remove that key",
    ],
    ["DELETE", "/v1/subjects/sub_x?force=1", undefined, "force is not a known query parameter. There are none here."],
    [
      "POST",
      "/v1/templates?dryRun=1",
      { name: "A", kind: "membership" },
      "dryRun is not a known query parameter. There are none here.",
    ],
  ])("%s %s %j: %s", async (method, path, body, message) => {
    const answer = await call(method, path, { token, body });
    const problem = answer.json<Problem & Record<string, unknown>>();
    expect([answer.status, problem.errors?.[0]?.message]).toEqual([400, message]);
    expect(problem.detail.startsWith(message.replace(/\.$/, ""))).toBe(true);
  });
});

describe("the rows of a bulk request", () => {
  it.each([
    [
      "/v1/credentials/bulk",
      { action: "suspend", items: [{ ids: "crd_x" }, { id: "crd_x", colour: 1 }] },
      "Known fields: id, reason, note.",
    ],
    [
      "/v1/credentials/bulk",
      { action: "issue", items: [{ colour: 1 }] },
      "Known fields: subject, templateId, achievementId, validFrom, expiresAt, data, metadata, ifExists.",
    ],
    [
      "/v1/subjects/bulk",
      { items: [{ external_id: "s" }, { externalId: "s", id: 1 }] },
      "Known fields: externalId, displayName, email, status, attributes, attributesMode, ifExists.",
    ],
  ])("list the known fields when one is unknown, also when it is the row's id: %s %j", async (path, body, known) => {
    const { data } = (await call("POST", path, { token, body })).json<{ data: { error: Problem }[] }>();
    expect(data).toHaveLength(body.items.length);
    for (const { error } of data) expect(error.errors!.map(({ message }) => message).join(" ")).toContain(known);
  });

  it.each(["/v1/subjects/bulk", "/v1/credentials/bulk"])(
    "are called rows in the error when they are not objects: %s",
    async (path) => {
      const body = { ...(path.includes("credentials") && { action: "revoke" }), items: [7, null, []] };
      const { data } = (await call("POST", path, { token, body })).json<{ data: { error: Problem }[] }>();
      expect(data.map(({ error }) => error.detail)).toEqual(Array(3).fill("The row must be an object."));
    },
  );
});

it("the detail says how many more errors there are", async () => {
  const detail = async (body: object) =>
    (await call("POST", "/v1/credentials", { token, body })).json<Problem & Record<string, unknown>>().detail;
  expect(await detail({ subject: { id: "sub_x" } })).toBe("templateId is required.");
  expect(await detail({})).toBe("subject is required. There is one more error; see errors.");
  expect(await detail({ colour: 1 })).toBe("subject is required. There are 2 more errors; see errors.");
});

it.each([
  [
    "/wallet/google/x",
    "Phones with Apple Wallet ask below /wallet/apple/v1, and Google calls /wallet/google/v1/callback. Holders add a pass from the verifyUrl of their credential.",
  ],
  ["/V1/subjects", "Paths are in lower case."],
  ["/v2/subjects", "The API is at /v1, its description at /openapi.json."],
])("%s answers 404 with a hint", async (path, hint) => {
  const answer = await call("GET", path);
  expect([answer.status, answer.json()["code"], answer.json()["detail"]]).toEqual([
    404,
    "not_found",
    `There is no ${path} here. ${hint}`,
  ]);
});

it("a query parameter without a name is told in words, and an event pattern with what to send instead", async () => {
  const token = await (await world()).key();
  const nameless = await call("GET", "/v1/groups?=1", { token });
  expect(nameless.json<{ detail: string }>().detail).toMatch(
    /^The empty name "" is not a known query parameter\. Known/,
  );
  const body = { url: "https://example.org/", eventTypes: ["*"] };
  const star = await call("POST", "/v1/webhook_endpoints", { token, body });
  expect(star.json<{ errors: { message: string }[] }>().errors[0]!.message).toBe(
    'eventTypes[0] must be an event type or a family pattern such as credential.*, which "*" is not; for every event, send eventTypes as []. See GET /v1/webhook_event_types',
  );
});
