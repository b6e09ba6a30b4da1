import { beforeAll, describe, expect, it } from "vitest";
import { scopes } from "@/server/core/scopes";
import { call } from "@/server/testing/request";
import { idInPath, resourcesOf, type Resources } from "@/server/testing/resources";
import { world } from "@/server/testing/world";
import { describedRoutes, openApiDocument } from "@/server/http/openapi/document";

interface Schema {
  enum?: string[];
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  $ref?: string;
}

const document = openApiDocument() as unknown as {
  paths: Record<
    string,
    Record<
      string,
      {
        parameters?: { in: string; name: string; schema: Schema }[];
        requestBody?: { content: { "application/json": { schema: Schema; example?: object } } };
      }
    >
  >;
  components: { schemas: Record<string, Schema> };
};

type Path = (string | number)[];

/** Finds the places where a body of this schema can hold a number. The first element of an array represents all. */
function numbersIn(schema: Schema, at: Path = [], within: string[] = []): Path[] {
  if (schema.$ref) {
    // A recursive schema, such as a rule within a rule, is entered once.
    if (within.includes(schema.$ref)) return [];
    return numbersIn(document.components.schemas[schema.$ref.split("/").at(-1)!]!, at, [...within, schema.$ref]);
  }
  if (schema.type === "integer" || schema.type === "number") return [at];
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => numbersIn(inner, [...at, name], within)),
    ...(schema.items ? numbersIn(schema.items, [...at, 0], within) : []),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((inner) => numbersIn(inner, at, within)),
  ];
}

/** JSON texts, because JavaScript would round 2^53 and beyond before sending. */
const values = [
  "0",
  "1000000000",
  "-1",
  "2147483647",
  "2147483648",
  "4611686018427387904",
  "9007199254740991",
  "9007199254740992",
  "9223372036854775808",
  "1e21",
  "1e400",
  "0.5",
  "-2147483649",
];

/** Returns the body as JSON text with a number put in. */
function withNumber(body: unknown, [name, ...rest]: Path, value: string): string {
  if (name === undefined) return value;
  if (typeof name === "number") return `[${withNumber((body as unknown[] | undefined)?.[name], rest, value)}]`;
  const members = Object.entries((body ?? {}) as object)
    .filter(([key]) => key !== name)
    .map(([key, inner]) => `${JSON.stringify(key)}:${JSON.stringify(inner)}`);
  return `{${[...members, `${JSON.stringify(name)}:${withNumber((body as Record<string, unknown> | undefined)?.[name], rest, value)}`].join(",")}}`;
}

function sampleFilter({ name, schema }: { name: string; schema: Schema }): string[] {
  if (schema.enum) return [`${name}=${schema.enum[0]!}&`];
  const samples: Record<string, string> = {
    type: "credential.issued",
    q: "ada",
    endpointId: "whe_0",
    subjectId: "sub_0",
    templateId: "tpl_0",
    resourceId: "crd_0",
    status: "pending",
  };
  return samples[name] ? [`${name}=${samples[name]}&`] : [];
}

const places = describedRoutes().flatMap(({ path, method }) => {
  const { parameters = [], requestBody } = document.paths[path]![method.toLowerCase()]!;
  const { schema, example } = requestBody?.content["application/json"] ?? {};
  const filters = parameters
    .filter((each) => each.in === "query" && numbersIn(each.schema).length === 0)
    .flatMap(sampleFilter);
  const numbers = parameters.filter((each) => each.in === "query" && numbersIn(each.schema).length > 0);
  // Alone and with each filter, because the filters decide which statement reads a list.
  const inQuery = numbers.flatMap(({ name }) =>
    ["", ...filters].map((filter) => ({ name: `?${filter}${name}`, query: `${filter}${name}` })),
  );
  const inPath = path.includes("{version}") ? [{ name: "{version}", version: true }] : [];
  const inBody = schema ? numbersIn(schema).map((at) => ({ name: `/${at.join("/")}`, at })) : [];
  return [...inQuery, ...inPath, ...inBody].map((place) => ({
    path,
    method,
    example,
    title: `${method} ${path} ${place.name}`,
    ...place,
  }));
}) as { path: string; method: string; example?: object; title: string; query?: string; version?: true; at?: Path }[];

let token: string;
let own: Resources;

beforeAll(async () => {
  const w = await world();
  token = await w.key(...scopes);
  own = await resourcesOf(w);
});

describe("a number at the edge of every integer type is accepted or refused with a reason, and never fails:", () => {
  it("covers the offset of the lists, and bodies", () => {
    expect(places.filter(({ query }) => query?.endsWith("offset")).length).toBeGreaterThan(5);
    expect(places.filter(({ at }) => at).map(({ at }) => at!.join("/"))).toEqual(
      expect.arrayContaining(["expectedCount", "rateLimit"]),
    );
  });

  it.each(places)("$title", async ({ path, method, example, query, version, at }) => {
    for (const value of values) {
      const filled = path
        .replaceAll(/\{(id|run|subjectId|token)\}/g, (_, name: string) => idInPath(own, path, name)!)
        .replace("{version}", version ? encodeURIComponent(value) : "1");
      const answer = await call(method, query ? `${filled}?${query}=${encodeURIComponent(value)}` : filled, {
        token,
        ...(at ? { raw: withNumber(example, at, value) } : method !== "GET" && { raw: "{}" }),
      });
      expect([value, answer.status]).toEqual([value, expect.toSatisfy((status: number) => status < 500)]);
      if (answer.status >= 400)
        expect([answer.headers.get("content-type"), answer.json()["detail"]]).toEqual([
          "application/problem+json",
          expect.stringMatching(/\w{3}/),
        ]);
      if (Math.abs(Number(value)) > Number.MAX_SAFE_INTEGER && at) expect([value, answer.status]).toEqual([value, 400]);
    }
  });
});
