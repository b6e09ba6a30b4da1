import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { anyScope, scopes } from "@/server/core/scopes";
import { picture } from "@/server/testing/photo";
import { call } from "@/server/testing/request";
import { idInPath, resourcesOf, type Resources } from "@/server/testing/resources";
import { world } from "@/server/testing/world";
import { isApiPath } from "@/server/http/web/api-path";
import { describedRoutes } from "@/server/http/openapi/document";

// All authenticated routes, found in the route files. What holds for every route is tested here instead of once per
// route.
const all = describedRoutes().map((route) => ({ ...route, title: `${route.method} ${route.path}` }));
/** Routes that need a certain scope; the others accept any token. */
const guarded = all.filter(({ spec }) => spec.operation.operation.scope !== anyScope);
const withBody = all.filter(({ method, spec }) => method !== "GET" && method !== "DELETE" && !spec.file);
const withId = all.filter(({ path }) => path.includes("{"));

// All routes together send more requests without a token than an address may within a minute.
Object.assign(process.env, { RATE_LIMIT_ADDRESS: "100000000" });

let token: string;
let file: BodyInit;
let foreign: Resources;
let own: Resources;

beforeAll(async () => {
  const [mine, other] = [await world(), await world()];
  token = await mine.key(...scopes);
  file = new Uint8Array(await picture());
  own = await resourcesOf(mine);
  foreign = await resourcesOf(other);
});

/** Fills in the path with ids of these resources. */
function filled(path: string, resources: Resources): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = name === "version" ? "1" : name === "density" ? "1x" : idInPath(resources, path, name);
    if (!value) throw new Error(`server/testing/resources.ts makes nothing for ${name} of ${path}`);
    return value;
  });
}

const problem = (answer: Awaited<ReturnType<typeof call>>) => {
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  const body = answer.json<{
    code: string;
    status: number;
    requestId: string;
    type: string;
    title: string;
    detail: string;
    errors?: { pointer: string }[];
  }>();
  expect(body).toMatchObject({ status: answer.status, requestId: answer.headers.get("request-id") });
  expect(body.detail).not.toBe("");
  return body;
};

/** Expects that browsers do not guess its type and no cache keeps it. */
const isGuarded = ({ headers }: { headers: Headers }) =>
  expect([headers.get("x-content-type-options"), headers.get("cache-control")]).toEqual(["nosniff", "no-store"]);

const sampleOf = ({ spec, method }: (typeof all)[number]) =>
  method === "GET" || method === "DELETE" ? undefined : (spec.example?.request ?? {});

/** What a valid request to the route sends: JSON or a file. */
const sentTo = (route: (typeof all)[number]) =>
  route.spec.file ? { raw: file, headers: { "content-type": route.spec.file.types[0]! } } : { body: sampleOf(route) };

describe.each(all)("$title", (route) => {
  const path = () => filled(route.path, own);

  it("answers 401 without a token, with a WWW-Authenticate header", async () => {
    const answer = await call(route.method, path(), sentTo(route));
    expect([answer.status, problem(answer).code, answer.headers.get("www-authenticate")]).toEqual([
      401,
      "unauthenticated",
      "Bearer",
    ]);
    isGuarded(answer);
  });

  it("refuses an unknown query parameter, names it and lists the known ones", async () => {
    const answer = await call(route.method, `${path()}?unheardOf=1&__proto__=2`, { ...sentTo(route), token });
    expect(answer.status).toBe(400);
    expect(problem(answer).errors).toMatchObject([
      {
        pointer: "/unheardOf",
        code: "unknown_field",
        message: expect.stringMatching(/Known parameters: \w|There are none here/),
      },
      { pointer: "/__proto__", code: "unknown_field" },
    ]);
    isGuarded(answer);
  });

  it("has a Location for every 202, and otherwise only for what it creates", () => {
    const statuses: number[] = route.spec.statuses ?? [];
    const isAllowed = statuses.includes(202) || statuses.includes(201);
    const isRequired = statuses.includes(202);
    expect([isRequired, isAllowed]).toContain(route.spec.location !== undefined);
  });

  it("answers 401 to a token that is mistyped or unknown", async () => {
    for (const wrong of [token.slice(0, -1) + (token.endsWith("0") ? "1" : "0"), "svc_sk_live_", "nonsense"]) {
      const answer = await call(route.method, path(), { ...sentTo(route), token: wrong });
      expect([answer.status, problem(answer).code, answer.headers.get("www-authenticate")]).toEqual([
        401,
        "invalid_token",
        'Bearer error="invalid_token"',
      ]);
    }
  });
});

describe.each(guarded)("$title", (route) => {
  it("answers 403 and names the scope if a token has every scope but the required one", async () => {
    const body = sampleOf(route);
    const { scope, alsoScope, input } = route.spec.operation.operation;
    const needed = typeof scope === "function" ? [scope(input.parse(body) as never)] : [scope].flat();
    const { key } = await world();
    const without = await key(...scopes.filter((s) => !needed.includes(s)));
    const answer = await call(route.method, filled(route.path, own), { ...sentTo(route), token: without });
    expect([answer.status, problem(answer).code]).toEqual([403, "insufficient_scope"]);
    for (const each of needed) expect(answer.json()["detail"]).toContain(each);
    if (!alsoScope) return;
    const lacking = await call(route.method, filled(route.path, own), {
      ...sentTo(route),
      token: await key(...scopes.filter((s) => s !== alsoScope)),
    });
    expect([lacking.status, lacking.json()["scope"]]).toEqual([403, alsoScope]);
  });
});

describe.each(withId)("$title", (route) => {
  it("answers 404 to the id of another organisation, exactly as to one that does not exist", async () => {
    const unknown = Object.fromEntries(
      Object.entries(foreign).map(([collection, id]) => [collection, `${id.slice(0, 4)}${"0".repeat(26)}`]),
    );
    const answers = await Promise.all(
      [foreign, unknown].map((ids) => call(route.method, filled(route.path, ids), { token, ...sentTo(route) })),
    );
    const [theirs, missing] = answers.map((answer) => ({ status: answer.status, code: problem(answer).code }));
    expect(theirs).toEqual({ status: 404, code: "not_found" });
    expect(missing).toEqual(theirs);
  });
});

describe.each(withBody)("$title", (route) => {
  const send = (raw: BodyInit, headers: Record<string, string> = {}) =>
    call(route.method, filled(route.path, own), { token, raw, headers });
  const limit = route.spec.bodyLimit ?? 1024 * 1024;

  it("refuses a body that is not a JSON object", async () => {
    for (const raw of ["{", "[]", "null", '"text"', Buffer.from([0x7b, 0xff, 0x7d])]) {
      const answer = await send(raw);
      expect([answer.status, problem(answer).code]).toEqual([400, "malformed_json"]);
    }
  });

  it("refuses another content type", async () => {
    const answer = await send("a=b", { "content-type": "application/x-www-form-urlencoded" });
    expect([answer.status, problem(answer).code]).toEqual([415, "unsupported_media_type"]);
  });

  it("refuses a compressed body and asks for an uncompressed one", async () => {
    const answer = await send(gzipSync("{}"), { "content-encoding": "gzip" });
    expect([answer.status, problem(answer).code, answer.headers.get("accept-encoding")]).toEqual([
      415,
      "unsupported_media_type",
      "identity",
    ]);
    expect(problem(answer).detail).toContain("uncompressed");
  });

  it("refuses a body over its limit, whether or not its length is declared", async () => {
    const large = JSON.stringify({ padding: "x".repeat(limit) });
    expect((await send(large, { "content-length": String(large.length) })).status).toBe(413);
    const streamed = await send(new Blob([large]).stream() as BodyInit);
    expect([streamed.status, problem(streamed).code]).toEqual([413, "payload_too_large"]);
  });

  it("refuses an unknown field with a pointer to it", async () => {
    const answer = await send(JSON.stringify({ ...(sampleOf(route) as object), unheardOf: 1 }));
    expect(answer.status).toBe(400);
    expect(problem(answer).errors?.map((e) => e.pointer)).toContain("/unheardOf");
  });

  it("refuses JSON that is nested too deeply", async () => {
    const nested = (levels: number) =>
      send(`{"items":${"[".repeat(levels)}${"]".repeat(levels)}}`, { "idempotency-key": "deep" });
    for (const levels of [65, 9_000]) {
      const answer = await nested(levels);
      expect([answer.status, problem(answer).code]).toEqual([400, "malformed_json"]);
    }
    // Where the body may hold so many values, its depth is refused; elsewhere their number.
    expect(["malformed_json", "payload_too_large"]).toContain(problem(await nested(100_000)).code);
    const quoted = await send(JSON.stringify({ unheardOf: `${"[".repeat(100)}"\\${"{".repeat(100)}` }));
    expect(problem(quoted).code).toBe("invalid_request");
  });

  it("refuses NUL characters and half surrogate pairs", async () => {
    for (const text of ["a\\u0000b", "a\\ud800"]) expect((await send(`{"unheardOf":"${text}"}`)).status).toBe(400);
  });
});

describe("every path", () => {
  it("answers an unknown path under /v1 with a problem document", async () => {
    for (const path of ["/v1/nothing", "/v1", "/v1/subjects/", "/v1/subjects/x/y/z"]) {
      const answer = await call("GET", path, { token });
      expect([path, answer.status, problem(answer).code]).toEqual([path, 404, "not_found"]);
    }
  });

  it("answers a wrong method with 405 and Allow", async () => {
    const answer = await call("POST", "/v1/subjects", { token, body: {} });
    expect([answer.status, problem(answer).code, answer.headers.get("allow")]).toEqual([
      405,
      "method_not_allowed",
      "GET, HEAD, PUT",
    ]);
  });

  it("close to one of the API's is answered with 404 as JSON", async () => {
    for (const path of [
      "/V1/subjects",
      "/v2",
      "/v2/subjects?limit=1",
      "/openapi.yaml",
      "/openapi",
      "/Public/verify",
      "/HEALTHZ",
    ]) {
      expect([path, isApiPath(path)]).toEqual([path, true]);
      const answer = await call("GET", path, { token });
      expect([path, answer.status, problem(answer).code]).toEqual([path, 404, "not_found"]);
      isGuarded(answer);
    }
    expect(
      ["/openapi.json", "/openapi.json?x", "/verify", "/v", "/vault", "/publications", "/"].filter(isApiPath),
    ).toEqual([]);
  });

  it("refuses malformed percent escapes and NUL characters in the address", async () => {
    for (const path of ["/v1/subjects/%zz", "/v1/subjects?q=%ff", "/v1/subjects/sub_%00", "/v1/subjects?q=%00"]) {
      const answer = await call("GET", path, { token });
      expect([path, answer.status, problem(answer).code]).toEqual([path, 400, "malformed_request"]);
    }
  });
});
