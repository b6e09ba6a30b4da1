import { readFileSync } from "node:fs";
import Ajv2020 from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { beforeAll, describe, expect, it } from "vitest";
import { anyScope, scopes } from "@/server/core/scopes";
import { eventTypes } from "@/server/events/catalogue";
import { compilerOf } from "@/server/testing/document-schemas";
import { call } from "@/server/testing/request";
import { idInPath, resourcesOf } from "@/server/testing/resources";
import { world } from "@/server/testing/world";
import { routes } from "../generated/routes";
import { breakingChanges } from "./breaking-changes";
import { describedRoutes, openApiDocument } from "./document";
import type { Json } from "./json";
import { refusing } from "./refusals";

const generated = JSON.parse(JSON.stringify(openApiDocument())) as { paths: Record<string, Record<string, Operation>> };
interface Operation {
  operationId: string;
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string; description?: string }[];
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> };
  responses: Record<string, { content?: Record<string, { schema: object; example?: unknown }> }>;
}

const compile = compilerOf(generated, addFormats(new Ajv2020({ strict: false })));

describe("public/openapi.json", () => {
  it("equals the document generated from the route files; npm run openapi writes it", () => {
    expect(JSON.parse(readFileSync("public/openapi.json", "utf8"))).toEqual(generated);
  });

  it("describes every method of every route file of the API", () => {
    const undescribed = routes
      // SCIM describes itself, at /Schemas and /ServiceProviderConfig (docs/decisions/386).
      .filter(({ path }) => /^\/(v1|public|oauth)\//.test(path) && path !== "/v1/:path{.+}")
      .flatMap(({ path, handlers }) =>
        Object.keys(handlers)
          .filter((m) => m !== "OPTIONS")
          .map((method) => ({ path: path.replaceAll(/:(\w+)/g, "{$1}"), method: method.toLowerCase() })),
      )
      .filter(({ path, method }) => !generated.paths[path]?.[method]);
    expect(undescribed).toEqual([]);
  });

  it("gives every operation its own id, and every JSON body an example that fits its schema", () => {
    const operations = Object.values(generated.paths).flatMap((item) => Object.values(item));
    expect(new Set(operations.map((o) => o.operationId)).size).toBe(operations.length);
    for (const { operationId, requestBody } of operations) {
      const media = requestBody?.content["application/json"];
      if (!media) continue;
      const required = (media.schema as { required?: string[] }).required ?? [];
      if (media.example === undefined && required.length === 0) continue;
      const validate = compile(media.schema);
      expect([operationId, validate(media.example), validate.errors]).toEqual([operationId, true, null]);
    }
  });

  it("gives every response and every form an example that fits its schema", () => {
    for (const { operationId, requestBody, responses } of Object.values(generated.paths).flatMap((item) =>
      Object.values(item),
    )) {
      const form = requestBody?.content["application/x-www-form-urlencoded"];
      const bodies = [
        ...(form ? [["form", form] as const] : []),
        ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
          Object.values(content).map((media) => [status, media] as const),
        ),
      ];
      for (const [name, { schema, example }] of bodies) {
        // An empty schema means bytes, which have no example.
        if (Object.keys(schema).length === 0) continue;
        const validate = compile(schema);
        expect([operationId, name, validate(example), validate.errors]).toEqual([operationId, name, true, null]);
      }
    }
  });
});

describe("the document", () => {
  const document = generated as unknown as {
    tags: { name: string; description: string }[];
    webhooks: Record<string, { post: Operation & { tags: string[] } }>;
    components: { schemas: Record<string, { properties?: { type?: { const?: string } } }> };
  };
  const operations = Object.values(generated.paths).flatMap((item) => Object.values(item)) as (Operation & {
    tags: string[];
  })[];

  it("names, for each id in a path, an existing list, and the one for the id before it", () => {
    const wrong = describedRoutes().flatMap(({ path, method }) =>
      (generated.paths[path]![method.toLowerCase()]!.parameters ?? [])
        .filter((parameter) => parameter.in === "path")
        .flatMap(({ name, description }) => {
          const list = /^An id of the list GET (.*)\.$/.exec(description ?? "")?.[1];
          if (list === undefined) return [];
          const isFitting = path.startsWith(`${list}/{${name}}`) || (name === "subjectId" && list === "/v1/subjects");
          return isFitting && generated.paths[list]?.["get"] ? [] : [`${method} ${path} ${name}: ${list}`];
        }),
    );
    expect(wrong).toEqual([]);
  });

  it("describes each tag, in the order of the reference, and has operations in each", () => {
    const used = new Set(
      [...operations, ...Object.values(document.webhooks).map(({ post }) => post)].flatMap(({ tags }) => tags),
    );
    expect(document.tags.map(({ name }) => name).slice(0, 7)).toEqual([
      "Me",
      "Organisation",
      "Subjects",
      "Groups",
      "Achievements",
      "Templates",
      "Credentials",
    ]);
    expect(new Set(document.tags.map(({ name }) => name))).toEqual(used);
    expect(document.tags.filter(({ description }) => description.length < 10)).toEqual([]);
  });

  it("has a typed payload for each event type, with an example that fits it", () => {
    expect(Object.keys(document.webhooks)).toEqual(eventTypes);
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const { schema, example } = post.requestBody!.content["application/json"]!;
      const name = (schema as { $ref: string }).$ref.split("/").at(-1)!;
      expect([type, document.components.schemas[name]!.properties?.type?.const]).toEqual([type, type]);
      const validate = compile(schema);
      expect([type, validate(example), validate.errors]).toEqual([type, true, null]);
      expect([type, validate({ ...(example as object), type: "another" })]).toEqual([type, false]);
    }
  });

  it("lists the codes of each refusal, and the table of refusals names only existing operations", () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(refusing.filter((operationId) => !ids.includes(operationId))).toEqual([]);
    const { responses } = operations.find(({ operationId }) => operationId === "credentialsRevoke")!;
    // A revoked credential can be revoked again: no state refuses it.
    expect((responses["409"] as { description?: string }).description).toBe(
      "`idempotency_in_progress`: A request with this Idempotency-Key is still running.",
    );
  });

  it("describes insufficient_scope exactly where a token can lack a scope", () => {
    for (const { path, method, spec } of describedRoutes()) {
      const { $ref } = generated.paths[path]![method.toLowerCase()]!.responses["403"] as { $ref: string };
      const needsScope = spec.operation.operation.scope !== anyScope;
      expect([path, $ref.split("/").at(-1)]).toEqual([path, needsScope ? "Forbidden" : "OrganisationSuspended"]);
    }
  });

  it("lists each set of scopes that an operation can need", () => {
    const setsOf = (path: string, method: string) =>
      generated.paths[path]![method]!.security.flatMap((way) => way["oauth"]?.join(" ") ?? []);
    expect(setsOf("/v1/credentials/export", "get")).toEqual(["credentials:read subjects:read"]);
    expect(setsOf("/v1/bulk/{id}/rows/export", "get")).toEqual(["credentials:read subjects:read"]);
    expect(setsOf("/v1/groups/{id}/members", "get")).toEqual(["groups:read subjects:read"]);
    expect(setsOf("/v1/groups", "post")).toEqual(["groups:write", "groups:write subjects:read"]);
    expect(setsOf("/v1/credentials/bulk", "post")).toEqual([
      "credentials:issue",
      "credentials:suspend",
      "credentials:revoke",
    ]);
    expect(setsOf("/v1/bulk/{id}/cancel", "post")).toContain("credentials:read credentials:revoke_template");
  });

  it("distinguishes the two bodies of a bulk request by their status", () => {
    const { responses } = generated.paths["/v1/credentials/bulk"]!["post"]!;
    const schemaOf = (status: string) => responses[status]!.content!["application/json"]!.schema;
    expect([schemaOf("200"), schemaOf("202")]).toEqual([
      { $ref: "#/components/schemas/BulkResult" },
      { $ref: "#/components/schemas/BulkJob" },
    ]);
  });

  it("has a description for every body that has no type", () => {
    const bodies = operations.flatMap(({ operationId, requestBody, responses }) =>
      [requestBody, ...Object.values(responses)].flatMap((body) =>
        Object.entries(body?.content ?? {}).map(([type, { schema }]) => ({ operationId, type, schema })),
      ),
    );
    const untyped = bodies.filter(({ schema }) => !Object.keys(schema).some((key) => /type|Of$|\$ref/.test(key)));
    expect(untyped.length).toBeGreaterThan(0);
    expect(untyped.filter(({ schema }) => !("description" in schema))).toEqual([]);
  });
});

describe("responses of the running API", () => {
  let token: string;
  let ids: Record<string, string>;
  beforeAll(async () => {
    const mine = await world();
    token = await mine.key(...scopes);
    ids = await resourcesOf(mine);
  });

  const reads = describedRoutes().filter(({ method, spec }) => method === "GET" && !spec.download);
  it.each(reads.map((r) => [r.path, r] as const))("GET %s fits its schema", async (path, { spec }) => {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      name === "version" ? "1" : idInPath(ids, path, name)!,
    );
    const answer = await call("GET", filled, { token });
    expect(answer.status).toBe(200);
    expect(spec.response!.safeParse(answer.json()).error).toBeUndefined();
  });
});

/** Untyped, so that tests can edit the document freely. */
type Loose = any;

describe("breakingChanges", () => {
  const change = (document: Loose, edit: (copy: Loose) => void): string[] => {
    const copy = structuredClone(document);
    edit(copy);
    return breakingChanges(document as Json, copy as Json);
  };
  const subjects = { ...generated, paths: { "/v1/subjects": generated.paths["/v1/subjects"] } };

  it("finds nothing when nothing changed or a field was added to a response", () => {
    expect(change(generated, () => undefined)).toEqual([]);
    expect(change(generated, (d) => (d.components.schemas.Subject.properties.nickname = { type: "string" }))).toEqual(
      [],
    );
  });

  it.each<[string, (d: Loose) => void]>([
    ["a path that is gone", (d) => delete d.paths["/v1/subjects"]],
    ["a method that is gone", (d) => delete d.paths["/v1/subjects"].put],
    ["a parameter that is gone", (d) => d.paths["/v1/subjects"].get.parameters.pop()],
    ["a field that is gone from an answer", (d) => delete d.components.schemas.Subject.properties.email],
    ["a field that is no longer always there", (d) => d.components.schemas.Subject.required.pop()],
    ["a field of another type", (d) => (d.components.schemas.Subject.properties.id.type = "integer")],
    [
      "a field of a body that became required",
      (d) => d.paths["/v1/subjects"].put.requestBody.content["application/json"].schema.required.push("email"),
    ],
    [
      "a field of a body that is no longer taken",
      (d) => delete d.paths["/v1/subjects"].put.requestBody.content["application/json"].schema.properties.status,
    ],
    [
      "a shorter limit",
      (d) =>
        (d.paths["/v1/subjects"].put.requestBody.content["application/json"].schema.properties.displayName.maxLength =
          10),
    ],
    ["a status that is gone", (d) => delete d.paths["/v1/subjects"].put.responses["201"]],
  ])("finds %s", (_, edit) => {
    expect(change(subjects, edit)).not.toEqual([]);
  });
});
