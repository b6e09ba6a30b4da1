import { beforeAll, describe, expect, it } from "vitest";
import { connector } from "@/server/connectors/testing/runs";
import { scopes } from "@/server/core/scopes";
import { updateOrganisation } from "@/server/organisations/update";
import { createTemplate } from "@/server/templates/create";
import { issueCredential } from "@/server/credentials/issue";
import { createGroup } from "@/server/groups/create";
import { policy } from "@/server/policies/testing/halted";
import { upsertSubject } from "@/server/subjects/upsert";
import { suspendCredential } from "@/server/credentials/suspend";
import { publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";
import { describedRoutes, openApiDocument } from "@/server/http/openapi/document";

let w: World;
let token: string;
let n = 0;

beforeAll(async () => {
  w = await world();
  token = await w.key(...scopes);
});

interface Kind {
  make(): Promise<string>;
  change(i: number): object;
}

const kinds: Record<string, Kind> = {
  subject: {
    make: async () =>
      `/v1/subjects/${(await upsertSubject(w.ctx, { externalId: `s-${++n}`, attributes: { b: 1, a: 2 } })).subject.id}`,
    change: (i) => ({ displayName: `Ada ${i}` }),
  },
  credential: {
    make: async () => {
      const template = await publishedTemplate(w.ctx);
      return `/v1/credentials/${(await issueCredential(w.ctx, { subject: { externalId: `s-${++n}` }, templateId: template.id })).credential.id}`;
    },
    change: (i) => ({ data: { grade: `${i}` } }),
  },
  template: {
    make: async () => `/v1/templates/${(await createTemplate(w.ctx, { name: `T ${++n}`, kind: "membership" })).id}`,
    change: (i) => ({ name: `New ${i}` }),
  },
  version: {
    make: async () =>
      `/v1/templates/${(await createTemplate(w.ctx, { name: `T ${++n}`, kind: "membership" })).id}/versions/1`,
    change: (i) => ({ validity: { type: "duration", amount: i, unit: "days" } }),
  },
  organisation: {
    make: async () => {
      await updateOrganisation(w.ctx, { name: `Organisation ${++n}` });
      return "/v1/organisation";
    },
    change: (i) => ({ name: `New ${i}` }),
  },
  endpoint: {
    make: async () =>
      `/v1/webhook_endpoints/${(await createWebhookEndpoint(w.ctx, { url: "http://127.0.0.1:49151/" })).id}`,
    change: (i) => ({ description: `D ${i}` }),
  },
  group: {
    make: async () => `/v1/groups/${(await createGroup(w.ctx, { name: `G ${++n}` })).id}`,
    change: (i) => ({ name: `New ${i}` }),
  },
  connector: {
    make: async () => `/v1/connectors/${(await connector(w.ctx)).id}`,
    change: (i) => ({ name: `New ${i}` }),
  },
  policy: {
    make: async () => `/v1/policies/${(await policy(w.ctx)).id}`,
    change: (i) => ({ name: `New ${i}` }),
  },
};

/** The part of an ETag that If-Match compares. */
const stateOf = (etag: string | null) => etag!.split(".")[0];

describe.each(Object.entries(kinds))("a %s", (_, { make, change }) => {
  const get = async (path: string) => (await call("GET", path, { token })).headers.get("etag")!;
  const patch = (path: string, ifMatch: string, i: number) =>
    call("PATCH", path, { token, body: change(i), headers: { "if-match": ifMatch } });

  it("changes if If-Match holds its ETag, and answers 412 after another change", async () => {
    const path = await make();
    const first = await get(path);
    expect(first).toMatch(/^"[\w-]{27}\.[\w-]{16}"$/);
    const changed = await patch(path, first, 1);
    expect([changed.status, stateOf(changed.headers.get("etag"))]).toEqual([200, stateOf(await get(path))]);
    const before = (await call("GET", path, { token })).text;
    const late = await patch(path, first, 2);
    expect([late.status, late.headers.get("content-type"), late.json()["code"]]).toEqual([
      412,
      "application/problem+json",
      "precondition_failed",
    ]);
    expect(late.json()["detail"]).toContain("Read it again");
    expect((await call("GET", path, { token })).text).toBe(before);
    expect((await patch(path, late.headers.get("etag")!, 3)).status).toBe(200);
  });

  it("answers a GET 304 if If-None-Match holds its ETag, and whole after a change", async () => {
    const path = await make();
    const known = await get(path);
    const again = (ifNoneMatch: string) => call("GET", path, { token, headers: { "if-none-match": ifNoneMatch } });
    for (const names of [known, `W/${known}`, `"other", ${known}`]) {
      const unchanged = await again(names);
      expect([unchanged.status, unchanged.text, unchanged.headers.get("etag")]).toEqual([304, "", known]);
    }
    await call("PATCH", path, { token, body: change(7) });
    const changed = await again(known);
    expect([changed.status, changed.json()]).toEqual([200, expect.objectContaining(change(7))]);
  });

  it("accepts one of several concurrent changes that are based on the same state", async () => {
    const path = await make();
    const tag = await get(path);
    const answers = await Promise.all([1, 2, 3, 4, 5].map((i) => patch(path, tag, i)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412, 412]);
  });

  it("keeps its ETag when a PATCH changes nothing", async () => {
    const path = await make();
    const tag = await get(path);
    const { status, headers } = await call("PATCH", path, { token, body: {}, headers: { "if-match": tag } });
    expect([status, stateOf(headers.get("etag")), stateOf(await get(path))]).toEqual([200, stateOf(tag), stateOf(tag)]);
  });

  it("accepts several ETags, *, and one that a proxy made weak", async () => {
    const path = await make();
    for (const write of [
      (tag: string) => `"other", ${tag}`,
      () => "*",
      (tag: string) => `W/${tag}`,
      (tag: string) => `, ,${tag},, "other" ,`,
    ])
      expect((await patch(path, write(await get(path)), ++n)).status).toBe(200);
    expect((await patch(path, `"other"`, ++n)).status).toBe(412);
  });

  it("answers 400 with the form of an ETag when the quotes are missing", async () => {
    const path = await make();
    const bare = (await get(path)).slice(1, -1);
    for (const wrong of [bare, `'${bare}'`, `${bare}, "other"`, "", ",", `"a" "b"`]) {
      const answer = await patch(path, wrong, ++n);
      expect([wrong, answer.status, answer.json()["detail"]]).toEqual([
        wrong,
        400,
        expect.stringMatching(/^If-Match must hold an ETag in double quotes, as it was answered: "[\w.-]+"\.$/),
      ]);
    }
    expect((await patch(path, bare, ++n)).json()["detail"]).toContain(`"${bare}"`);
  });

  it("names the header that is too long", async () => {
    const answer = await patch(await make(), `"${"x".repeat(2000)}"`, ++n);
    expect([answer.status, answer.json()["detail"]]).toEqual([400, "If-Match must have at most 2000 characters."]);
  });

  it("refuses ifMatch in the body", async () => {
    const answer = await call("PATCH", await make(), { token, body: { ...change(1), ifMatch: "x" } });
    expect([answer.status, answer.json<{ errors: { message: string }[] }>().errors[0]!.message]).toEqual([
      400,
      "ifMatch is a header; leave it out of the body",
    ]);
  });
});

describe("If-Match", () => {
  it("prevents deleting what has changed", async () => {
    for (const kind of ["subject", "endpoint", "group", "connector", "policy"] as const) {
      const path = await kinds[kind]!.make();
      const tag = (await call("GET", path, { token })).headers.get("etag")!;
      await call("PATCH", path, { token, body: kinds[kind]!.change(1) });
      expect((await call("DELETE", path, { token, headers: { "if-match": tag } })).status).toBe(412);
      expect((await call("DELETE", path, { token, headers: { "if-match": "*" } })).status).toBe(204);
    }
  });

  it("holds for an upsert by externalId, which then never creates", async () => {
    const put = (ifMatch: string, displayName: string) =>
      call("PUT", "/v1/subjects", {
        token,
        body: { externalId: "upserted", displayName },
        headers: { "if-match": ifMatch },
      });
    const missing = await put(`"any"`, "Ada");
    expect([missing.status, missing.json()["detail"]]).toEqual([
      412,
      "There is no subject with this externalId, and If-Match asks to change one that is there already. Leave the header out to create it.",
    ]);
    const made = await call("PUT", "/v1/subjects", { token, body: { externalId: "upserted" } });
    expect((await put(made.headers.get("etag")!, "Ada")).status).toBe(200);
    expect((await put(made.headers.get("etag")!, "Eve")).status).toBe(412);
  });

  it("is evaluated anew under an Idempotency-Key after it failed, and repeated after it succeeded", async () => {
    const path = await kinds["subject"]!.make();
    const tag = (await call("GET", path, { token })).headers.get("etag")!;
    const send = (ifMatch: string) =>
      call("PATCH", path, {
        token,
        body: { displayName: "Once" },
        headers: { "if-match": ifMatch, "idempotency-key": `k-${path}` },
      });
    expect((await send(`"old"`)).status).toBe(412);
    const done = await send(tag);
    const again = await send(tag);
    expect([done.status, again.status, again.headers.get("idempotent-replayed"), again.headers.get("etag")]).toEqual([
      200,
      200,
      "true",
      done.headers.get("etag"),
    ]);
  });

  it("detects a suspension between reading and changing", async () => {
    const path = await kinds["credential"]!.make();
    const tag = (await call("GET", path, { token })).headers.get("etag")!;
    await suspendCredential(w.ctx, { id: path.split("/").at(-1)! });
    expect((await call("PATCH", path, { token, body: { data: { a: 1 } }, headers: { "if-match": tag } })).status).toBe(
      412,
    );
  });

  it("refuses nothing because a figure moved, and If-None-Match answers with the new figure", async () => {
    const path = await kinds["subject"]!.make();
    const tag = (await call("GET", path, { token })).headers.get("etag")!;
    const template = await publishedTemplate(w.ctx);
    await issueCredential(w.ctx, { subject: { id: path.split("/").at(-1)! }, templateId: template.id });
    const counted = await call("GET", path, { token, headers: { "if-none-match": tag } });
    expect([counted.status, counted.json()["credentialCount"]]).toEqual([200, 1]);
    expect((await call("PATCH", path, { token, body: {}, headers: { "if-match": tag } })).status).toBe(200);
  });

  it("has an ETag to send in each answer with a resource that GET answers with one", () => {
    const routes = describedRoutes();
    const nameOf = ({ spec }: (typeof routes)[number]) =>
      spec.response?.meta()?.id?.replace(/With(Counts|Secret|Version)$/, "");
    const isTagged = ({ spec }: (typeof routes)[number]) => spec.operation.operation.tag !== undefined;
    const tagged = new Set(routes.filter((each) => each.method === "GET" && isTagged(each)).map(nameOf));
    expect(tagged.size).toBeGreaterThan(6);
    const without = routes.filter((each) => tagged.has(nameOf(each)) && !isTagged(each));
    expect(without.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    const { paths } = openApiDocument() as { paths: Record<string, { get?: { responses: object } }> };
    for (const { path } of routes.filter((each) => each.method === "GET" && isTagged(each)))
      expect([path, Object.keys(paths[path]!.get!.responses)]).toEqual([path, expect.arrayContaining(["200", "304"])]);
  });

  it("is accepted and documented by every change of a resource that GET answers with an ETag", () => {
    const routes = describedRoutes();
    const tagged = routes.filter(({ method, spec }) => method === "GET" && spec.operation.operation.tag);
    expect(tagged.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        "/v1/subjects/{id}",
        "/v1/credentials/{id}",
        "/v1/templates/{id}",
        "/v1/webhook_endpoints/{id}",
      ]),
    );
    for (const { path } of tagged) {
      for (const { method, spec } of routes.filter(
        (each) => each.path === path && ["PATCH", "PUT", "DELETE"].includes(each.method),
      )) {
        expect([
          method,
          path,
          "ifMatch" in (spec.operation.operation.input as unknown as { shape: object }).shape,
        ]).toEqual([method, path, true]);
      }
    }
  });
});
