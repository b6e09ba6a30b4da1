import { beforeAll, describe, expect, it } from "vitest";
import { addOAuthSecret } from "@/server/access/add-oauth-secret";
import { createOAuthClient } from "@/server/access/create-oauth-client";
import { revokeOAuthClient } from "@/server/access/revoke-oauth-client";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";

type Client = Awaited<ReturnType<typeof createOAuthClient>>;

let mine: World;
let client: Client;

beforeAll(async () => {
  mine = await world();
  client = await createOAuthClient(mine.ctx, { name: "SIS", scopes: ["subjects:read", "subjects:write"] });
});

const form = (path: string, fields: Record<string, string> | string, headers: Record<string, string> = {}) =>
  call("POST", path, {
    raw: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });
const inBody = ({ clientId, clientSecret }: Client) => ({ client_id: clientId, client_secret: clientSecret });
const basicOf = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
});
const basic = ({ clientId, clientSecret }: Client) => basicOf(clientId, clientSecret);
const grant = { grant_type: "client_credentials" };

async function tokenOf(of: Client, scope?: string): Promise<string> {
  const answer = await form("/oauth/token", { ...grant, ...(scope && { scope }) }, basic(of));
  return answer.json<{ access_token: string }>().access_token;
}

describe("POST /oauth/token", () => {
  it("issues a token with the client's scopes for 15 minutes, in a response that is not cached", async () => {
    const answer = await form("/oauth/token", grant, basic(client));
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      access_token: expect.stringMatching(/^svc_at_[A-Za-z0-9]{42}$/),
      token_type: "Bearer",
      expires_in: 900,
      scope: "subjects:read subjects:write",
    });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-type")).toBe("application/json");
  });

  it("accepts the client's id and secret in the body too, and form-decodes those of Basic", async () => {
    expect((await form("/oauth/token", { ...grant, ...inBody(client) })).status).toBe(200);
    const encoded = basicOf(client.clientId.replaceAll("_", "%5F"), client.clientSecret.replaceAll("_", "%5f"));
    expect((await form("/oauth/token", grant, encoded)).status).toBe(200);
  });

  it("issues a token that works within its scopes and not beyond them", async () => {
    const token = await tokenOf(client, "subjects:read");
    expect((await call("GET", "/v1/subjects", { token })).status).toBe(200);
    const refused = await call("PUT", "/v1/subjects", { token, body: { externalId: "1" } });
    expect([refused.status, refused.json()["code"]]).toEqual([403, "insufficient_scope"]);
  });

  it("stores tokens only as hashes, and removes the client's expired ones", async () => {
    const other = await createOAuthClient(mine.ctx, { name: "other" });
    const token = await tokenOf(other);
    const rows = () =>
      sql<{ hash: string }>(`SELECT hash FROM access_tokens WHERE org_id = $1 AND client_ref = $2`, [
        mine.orgId,
        other.id,
      ]);
    expect((await rows()).map((r) => r.hash)).not.toContain(token);
    await sql(`UPDATE access_tokens SET expires_at = now() - interval '1 second' WHERE client_ref = $1`, [other.id]);
    expect((await call("GET", "/v1/subjects", { token })).status).toBe(401);
    await tokenOf(other);
    expect(await rows()).toHaveLength(1);
  });

  const wrong = () => ({ ...inBody(client), client_secret: "svc_cs_wrong" });
  const json = { "content-type": "application/json" };
  it.each([
    ["no grant_type", () => inBody(client), {}, 400, "invalid_request"],
    ["an empty grant_type", () => ({ ...inBody(client), grant_type: "" }), {}, 400, "invalid_request"],
    ["another grant_type", () => ({ ...inBody(client), grant_type: "password" }), {}, 400, "unsupported_grant_type"],
    [
      "a parameter given twice",
      () => `grant_type=client_credentials&grant_type=client_credentials&client_id=${client.clientId}`,
      {},
      400,
      "invalid_request",
    ],
    ["JSON", () => grant, json, 400, "invalid_request"],
    [
      "Basic and the body at once",
      () => ({ ...grant, ...inBody(client) }),
      () => basic(client),
      400,
      "invalid_request",
    ],
    [
      "another client_id beside Basic",
      () => ({ ...grant, client_id: "svc_cl_x" }),
      () => basic(client),
      400,
      "invalid_request",
    ],
    [
      "a scope of others",
      () => ({ ...grant, ...inBody(client), scope: "subjects:read webhooks:write" }),
      {},
      400,
      "invalid_scope",
    ],
    ["no scope but a space", () => ({ ...grant, ...inBody(client), scope: " " }), {}, 400, "invalid_scope"],
    ["no client", () => grant, {}, 401, "invalid_client"],
    ["a wrong secret", () => ({ ...grant, ...wrong() }), {}, 401, "invalid_client"],
    ["a wrong secret by Basic", () => grant, () => basicOf(client.clientId, "svc_cs_wrong"), 401, "invalid_client"],
    ["an unknown client", () => grant, basicOf("svc_cl_unknown", "x"), 401, "invalid_client"],
    [
      "an id with a NUL character",
      () => ({ ...grant, ...inBody(client), client_id: "a\0b" }),
      {},
      401,
      "invalid_client",
    ],
    ["a bearer token", () => grant, { authorization: "Bearer x" }, 401, "invalid_client"],
    ["Basic that is not form-encoded", () => grant, basicOf("%zz", "x"), 401, "invalid_client"],
    ["a body that is too large", () => ({ ...grant, scope: "x".repeat(20_000) }), {}, 413, "invalid_request"],
  ])("refuses %s", async (_, fields, headers, status, error) => {
    const answer = await form("/oauth/token", fields(), typeof headers === "function" ? headers() : headers);
    expect([answer.status, answer.json()["error"]]).toEqual([status, error]);
    expect(answer.json()["error_description"]).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("www-authenticate")).toBe(status === 401 ? 'Basic realm="oauth", charset="UTF-8"' : null);
  });

  it("answers 405 to another method", async () => {
    const answer = await call("GET", "/oauth/token");
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("accepts either secret during a rotation, and none of a revoked client", async () => {
    const rotating = await createOAuthClient(mine.ctx, { name: "rotating" });
    const { clientSecret } = await addOAuthSecret(mine.ctx, { id: rotating.id });
    expect((await form("/oauth/token", grant, basic(rotating))).status).toBe(200);
    const token = await tokenOf({ ...rotating, clientSecret });
    expect((await call("GET", "/v1/subjects", { token })).status).toBe(200);
    await revokeOAuthClient(mine.ctx, { id: rotating.id });
    expect((await form("/oauth/token", grant, basic(rotating))).status).toBe(401);
    expect((await call("GET", "/v1/subjects", { token })).status).toBe(401);
  });
});

describe("POST /oauth/revoke", () => {
  it("revokes the client's own token at once, and answers 200 for one that does not exist", async () => {
    const token = await tokenOf(client);
    const answer = await form("/oauth/revoke", { token, token_type_hint: "access_token" }, basic(client));
    expect([answer.status, answer.text]).toEqual([200, ""]);
    expect((await call("GET", "/v1/subjects", { token })).status).toBe(401);
    expect((await form("/oauth/revoke", { token: "svc_at_none" }, basic(client))).status).toBe(200);
  });

  it("refuses another client's token, which keeps working", async () => {
    const other = await createOAuthClient((await world()).ctx, { name: "other" });
    const token = await tokenOf(client);
    const answer = await form("/oauth/revoke", { token }, basic(other));
    expect([answer.status, answer.json()["error"]]).toEqual([400, "unauthorized_client"]);
    expect((await call("GET", "/v1/subjects", { token })).status).toBe(200);
  });

  it("requires the client's authentication and the token", async () => {
    expect((await form("/oauth/revoke", { token: "x" })).status).toBe(401);
    expect((await form("/oauth/revoke", {}, basic(client))).json()["error"]).toBe("invalid_request");
  });
});

describe("POST /oauth/introspect", () => {
  it("describes a token of another client of the same organisation", async () => {
    const token = await tokenOf(client, "subjects:read");
    const sibling = await createOAuthClient(mine.ctx, { name: "gateway" });
    const answer = await form("/oauth/introspect", { token }, basic(sibling));
    const body = answer.json<{ iat: number; exp: number }>();
    expect(body).toMatchObject({
      active: true,
      client_id: client.clientId,
      scope: "subjects:read",
      token_type: "Bearer",
      iss: "http://localhost:3000",
    });
    expect(body.exp - body.iat).toBe(900);
  });

  it("answers only active: false for a token that is revoked, unknown, an API key or another organisation's", async () => {
    const token = await tokenOf(client);
    const stranger = await createOAuthClient((await world()).ctx, { name: "stranger" });
    const ask = async (of: Client, asked: string) =>
      (await form("/oauth/introspect", { token: asked }, basic(of))).json();
    expect(await ask(stranger, token)).toEqual({ active: false });
    expect(await ask(client, await mine.key())).toEqual({ active: false });
    await form("/oauth/revoke", { token }, basic(client));
    expect(await ask(client, token)).toEqual({ active: false });
  });
});

it("serves the metadata at /.well-known/oauth-authorization-server", async () => {
  const answer = await call("GET", "/.well-known/oauth-authorization-server");
  expect(answer.json()).toMatchObject({
    issuer: "http://localhost:3000",
    token_endpoint: "http://localhost:3000/oauth/token",
    revocation_endpoint: "http://localhost:3000/oauth/revoke",
    introspection_endpoint: "http://localhost:3000/oauth/introspect",
    grant_types_supported: ["client_credentials"],
    response_types_supported: [],
  });
});
