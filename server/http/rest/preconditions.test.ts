import { beforeAll, describe, expect, it } from "vitest";
import { issueCredential } from "@/server/credentials/issue";
import { publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { describedRoutes } from "@/server/http/openapi/document";

let w: World;
let token: string;
let n = 0;

beforeAll(async () => {
  w = await world();
  token = await w.key();
});

async function path(): Promise<string> {
  const template = await publishedTemplate(w.ctx);
  return `/v1/credentials/${(await issueCredential(w.ctx, { subject: { externalId: `p-${++n}` }, templateId: template.id })).credential.id}`;
}
const post = (to: string, body: object, headers: Record<string, string> = {}) =>
  call("POST", to, { token, body, headers });

describe("a precondition of a change", () => {
  it.each(["suspend", "revoke", "reissue"])("If-Match holds for %s, whose answer has the new ETag", async (step) => {
    const at = await path();
    const tag = (await call("GET", at, { token })).headers.get("etag")!;
    await call("PATCH", at, { token, body: { data: { a: 1 } } });
    const stale = await post(`${at}/${step}`, { reason: "Ended" }, { "if-match": tag });
    expect([stale.status, stale.json()["code"]]).toEqual([412, "precondition_failed"]);
    const done = await post(`${at}/${step}`, { reason: "Ended" }, { "if-match": stale.headers.get("etag")! });
    expect(done.status).toBe(step === "reissue" ? 201 : 200);
    const now = step === "reissue" ? done.headers.get("location")! : at;
    expect(done.headers.get("etag")).toBe((await call("GET", now, { token })).headers.get("etag"));
  });

  it("is refused by every change that does not check it", async () => {
    const others = describedRoutes().filter(
      ({ spec }) =>
        spec.operation.operation.kind === "command" &&
        !("ifMatch" in ((spec.operation.operation.input as unknown as { shape: object }).shape ?? {})),
    );
    expect(others.length).toBeGreaterThan(10);
    const everything = await w.key("credentials:issue", "templates:write");
    const at = await path();
    for (const [to, header] of [
      ["/v1/templates", "if-match"],
      ["/v1/credentials", "if-match"],
      [`${at}/reissue`, "if-none-match"],
    ] as const) {
      const refused = await call("POST", to, { token: everything, body: {}, headers: { [header]: "*" } });
      expect([to, refused.status, refused.json<{ errors: { code: string }[] }>().errors[0]!.code]).toEqual([
        to,
        400,
        "not_supported",
      ]);
    }
  });

  it("If-None-Match: * makes PUT /v1/subjects create only", async () => {
    const put = (value: string) =>
      call("PUT", "/v1/subjects", {
        token,
        body: { externalId: "only-once", displayName: value },
        headers: { "if-none-match": value === "tag" ? `"tag"` : "*" },
      });
    expect((await put("first")).status).toBe(201);
    const again = await put("second");
    expect([again.status, again.json()["code"]]).toEqual([412, "precondition_failed"]);
    expect((await put("tag")).status).toBe(400);
    expect(
      (await call("GET", "/v1/subjects?externalId=only-once", { token })).json<{ data: { displayName: string }[] }>()
        .data[0]!.displayName,
    ).toBe("first");
  });
});

it("an Idempotency-Key works for PUT and DELETE too", async () => {
  const send = (method: string, to: string, body?: object) =>
    call(method, to, { token, ...(body && { body }), headers: { "idempotency-key": `k-${method}` } });
  const put = () => send("PUT", "/v1/subjects", { externalId: "keyed", ifExists: "fail" });
  const first = await put();
  const again = await put();
  expect([first.status, again.status, again.headers.get("idempotent-replayed"), again.text]).toEqual([
    201,
    201,
    "true",
    first.text,
  ]);
  const gone = () => send("DELETE", `/v1/subjects/${String(first.json()["id"])}`);
  const answers = [await gone(), await gone()];
  expect(answers.map(({ status, headers }) => [status, headers.get("idempotent-replayed")])).toEqual([
    [204, null],
    [204, "true"],
  ]);
});

it("issuing returns an ETag and the credential's Location", async () => {
  const template = await publishedTemplate(w.ctx);
  const made = await post("/v1/credentials", { subject: { externalId: "located" }, templateId: template.id });
  const read = await call("GET", made.headers.get("location")!, { token });
  expect([made.status, read.status, read.headers.get("etag")]).toEqual([201, 200, made.headers.get("etag")]);
});

it("a bulk request changes credentials row by row", async () => {
  const at = await path();
  const id = at.split("/").at(-1);
  const done = await post("/v1/credentials/bulk", {
    action: "update",
    items: [
      { id, metadata: { a: 1 } },
      { id: "crd_x", metadata: {} },
      { id, expiresAt: "2001-01-01T00:00:00Z" },
    ],
  });
  expect(done.json()).toMatchObject({
    succeeded: 1,
    failed: 2,
    data: [
      { ok: true, credential: { metadata: { a: 1 } } },
      { error: { code: "not_found" } },
      { error: { code: "invalid_request" } },
    ],
  });
});

it("searching credentials by their holder requires subjects:read", async () => {
  const alone = await w.key("credentials:read");
  for (const query of ["q=a", "externalId=p-1"]) {
    const refused = await call("GET", `/v1/credentials?${query}`, { token: alone });
    expect([query, refused.status, refused.json()["scope"]]).toEqual([query, 403, "subjects:read"]);
    expect((await call("GET", `/v1/credentials?${query}`, { token })).status).toBe(200);
  }
  expect((await call("GET", "/v1/credentials", { token: alone })).status).toBe(200);
});

it("Allow names HEAD, and a charset other than UTF-8 is refused", async () => {
  expect((await call("DELETE", "/v1/credentials", { token })).headers.get("allow")).toBe("GET, HEAD, POST");
  const body = (charset: string) =>
    call("PUT", "/v1/subjects", {
      token,
      raw: `{"externalId":"c"}`,
      headers: { "content-type": `application/json; charset=${charset}` },
    });
  expect((await body("iso-8859-1")).status).toBe(415);
  expect((await body("UTF-8")).status).toBe(201);
});

it("the public response tells when a credential becomes valid, and a bound instant without a format is shown as a day", async () => {
  const design = {
    front: {
      fields: [
        { key: "until", binding: "credential.expiresAt" },
        { key: "from", binding: "credential.validFrom", format: "datetime" as const },
      ],
    },
    publicFields: ["until", "from"],
  };
  const template = await publishedTemplate(w.ctx, { design });
  const { credential } = await issueCredential(w.ctx, {
    subject: { externalId: "dated" },
    templateId: template.id,
    validFrom: "2026-01-01T00:00:00Z",
    expiresAt: "2030-01-01T00:00:00Z",
  });
  const answer = (await call("GET", `/public/credentials/${credential.code}`)).json<{
    credential: { validFrom: string; fields: unknown[] };
  }>();
  expect(answer.credential).toMatchObject({
    validFrom: "2026-01-01T00:00:00.000Z",
    fields: [
      { value: "2029-12-31", format: "date" },
      { value: "2026-01-01T00:00:00.000Z", format: "datetime" },
    ],
  });
});
