import { beforeAll, describe, expect, it } from "vitest";
import { newCode } from "@/server/credentials/code";
import { revokeCredential } from "@/server/credentials/revoke";
import { suspendCredential } from "@/server/credentials/suspend";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";

let w: World;
let templateId: string;

beforeAll(async () => {
  w = await world();
  templateId = (await publishedTemplate(w.ctx)).id;
});

const fresh = () => issued(w.ctx, templateId);

describe("public verification", () => {
  it("returns the same decision to anyone by path, query and body", async () => {
    const { code } = await fresh();
    const answers = [
      await call("GET", `/public/credentials/${code}`),
      await call("GET", `/public/verify?code=${code.replaceAll("-", "").toLowerCase()}`),
      await call("POST", "/public/verify", { body: { code } }),
    ];
    for (const { status, headers, json } of answers) {
      expect(status).toBe(200);
      expect(headers.get("content-type")).toBe("application/json");
      expect(headers.get("cache-control")).toBe("no-cache");
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("request-id")).toMatch(/^req_/);
      expect(json()).toMatchObject({ result: "valid", state: "active", credential: { code } });
    }
  });

  it("answers 200 for a negative decision too, and shows a change from the next request after the commit", async () => {
    const { id, code } = await fresh();
    const before = await call("GET", `/public/credentials/${code}`);
    await revokeCredential(w.ctx, { id, reason: "Left" });
    const after = await call("GET", `/public/credentials/${code}`, {
      headers: { "if-none-match": before.headers.get("etag")! },
    });
    expect(after.status).toBe(200);
    expect(after.json()).toMatchObject({
      result: "invalid",
      reason: "revoked",
      credential: { revocationReason: "Left" },
    });
  });

  it("answers 304 while the decision is the same", async () => {
    const { id, code } = await fresh();
    const etag = (await call("GET", `/public/credentials/${code}`)).headers.get("etag")!;
    for (const sent of [etag, etag.replace("W/", ""), `"other", ${etag}`, "*"]) {
      const again = await call("GET", `/public/credentials/${code}`, { headers: { "if-none-match": sent } });
      expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
    }
    await suspendCredential(w.ctx, { id, reason: "Overdue" });
    const changed = await call("GET", `/public/credentials/${code}`, { headers: { "if-none-match": etag } });
    expect(changed.status).toBe(200);
    expect(changed.headers.get("etag")).not.toBe(etag);
  });

  it("answers the same for every code that does not exist or is not a code", async () => {
    const misses = [
      `/public/credentials/${newCode()}`,
      "/public/credentials/nonsense",
      "/public/credentials/%20",
      `/public/credentials/${"x".repeat(3000)}`,
      `/public/verify?code=${newCode()}`,
    ];
    const shapes = await Promise.all(misses.map((path) => call("GET", path)));
    for (const { status, headers, json } of shapes) {
      expect(status).toBe(404);
      expect(headers.get("cache-control")).toBe("no-cache");
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect({ ...json(), requestId: "" }).toEqual({ ...shapes[0]!.json(), requestId: "" });
    }
  });

  it.each([
    ["GET", "/public/verify", undefined],
    ["POST", "/public/verify", {}],
    ["POST", "/public/verify", { code: 42 }],
  ])("points at code if %s %s %j has none", async (method, path, body) => {
    const { status, json } = await call(method, path, { body });
    expect(status).toBe(400);
    expect(json()).toMatchObject({
      code: "invalid_request",
      errors: expect.arrayContaining([expect.objectContaining({ pointer: "/code" })]),
    });
  });

  it("refuses an unknown query parameter", async () => {
    expect((await call("GET", "/public/verify?code=X&kod=eyJ")).json()).toMatchObject({
      status: 400,
      errors: [{ pointer: "/kod", message: expect.stringContaining("Known parameters: code, token") }],
    });
    expect((await call("GET", "/public/credentials/X?code=X")).json()).toMatchObject({
      status: 400,
      errors: [{ pointer: "/code", message: expect.stringContaining("There are none here") }],
    });
  });

  it.each(["/public/credentials/%", "/public/credentials/%00", "/public/verify?code=%E0%A4%A"])(
    "refuses %s as malformed",
    async (path) => {
      expect((await call("GET", path)).json()).toMatchObject({ status: 400, code: "malformed_request" });
    },
  );

  it("answers a preflight, so that pages of other hosts may send requests", async () => {
    const { status, headers } = await call("OPTIONS", "/public/verify");
    expect(status).toBe(204);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-methods")).toContain("POST");
    expect(headers.get("access-control-allow-headers")).toContain("content-type");
  });

  it("limits by address", async () => {
    const { code } = await fresh();
    const { headers } = await call("GET", `/public/credentials/${code}`, {
      headers: { "x-forwarded-for": "203.0.113.7" },
    });
    expect(headers.get("ratelimit")).toMatch(/^"address";r=\d+;t=\d+$/);
  });
});

describe("POST /v1/verify", () => {
  it("verifies credentials of any organisation, with the scope verify", async () => {
    const { code } = await fresh();
    const other = await world();
    const answer = await call("POST", "/v1/verify", { token: await other.key("verify"), body: { code } });
    expect([answer.status, answer.json()]).toMatchObject([200, { result: "valid", credential: { code } }]);
    expect((await call("POST", "/v1/verify", { token: await other.key("subjects:read"), body: { code } })).status).toBe(
      403,
    );
    expect((await call("POST", "/v1/verify", { body: { code } })).status).toBe(401);
    expect(
      (await call("POST", "/v1/verify", { token: await other.key("verify"), body: { code: newCode() } })).status,
    ).toBe(404);
  });
});

it("verifies without loading the design: its public fields are stored with the credential", async () => {
  const image = `data:image/png;base64,${"A".repeat(1000)}`;
  const design = {
    logo: image,
    front: {
      fields: [
        { key: "a", text: "x" },
        { key: "b", text: "y" },
      ],
    },
    publicFields: ["b"],
  };
  const { version } = await publishedTemplate(w.ctx, { design });
  const [row] = await sql(`SELECT public_fields FROM template_versions WHERE org_id = $1 AND id = $2`, [
    w.orgId,
    version.id,
  ]);
  expect(row).toEqual({ public_fields: [{ key: "b", text: "y" }] });
});
