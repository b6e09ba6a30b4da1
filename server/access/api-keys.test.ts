import { describe, expect, it, vi } from "vitest";
import { pool } from "@/server/core/db";
import { auditOf } from "@/server/testing/audit";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { scopes } from "@/server/core/scopes";
import { person } from "@/server/testing/person";
import { consoleCtx } from "./console-session";
import { createOAuthClient } from "./create-oauth-client";
import { createApiKey } from "./create-api-key";
import { flushKeyUse } from "./last-used";
import { listApiKeys } from "./list-api-keys";
import { revokeApiKey } from "./revoke-api-key";

describe("API keys", () => {
  it("return their secret once and store only its hash", async () => {
    const { ctx, orgId } = await world();
    const { secret, ...made } = await createApiKey(ctx, { name: "SIS" });
    expect(secret).toMatch(/^svc_sk_live_[A-Za-z0-9]{42}$/);
    expect(made.scopes).not.toContain("policies:approve");
    expect(made.hint).toBe(`svc_sk_live_…${secret.slice(-4)}`);
    expect((await listApiKeys(ctx, {})).data).toEqual([made]);
    const [row] = await sql<{ all: string }>(`SELECT json_agg(k)::text AS all FROM api_keys k WHERE org_id = $1`, [
      orgId,
    ]);
    expect(row!.all).not.toContain(secret);
  });

  it("cannot hold scopes that only a person may have", async () => {
    const { ctx } = await world();
    await expect(createApiKey(ctx, { name: "SIS", scopes: ["keys:write" as never] })).rejects.toMatchObject({
      code: "invalid_request",
    });
  });

  it("get every scope by default except settings:write and those that approve", async () => {
    const { ctx } = await world();
    const usual = scopes.filter((scope) => !scope.endsWith(":approve") && scope !== "settings:write");
    expect((await createApiKey(ctx, { name: "SIS" })).scopes).toEqual(usual);
    expect((await createOAuthClient(ctx, { name: "SIS" })).scopes).toEqual(usual);
  });

  it("hold an approval scope only if a person who has it named it", async () => {
    const home = await world();
    const approving = { name: "Night watch", scopes: ["policies:approve" as const, "connectors:approve" as const] };
    const admin = (await consoleCtx((await person(home, "admin")).headers))!;
    expect((await createApiKey(admin, approving)).scopes).toEqual(approving.scopes);
    expect((await createOAuthClient(admin, approving)).scopes).toEqual(approving.scopes);
    const lesser = { ...admin, scopes: new Set([...admin.scopes].filter((scope) => scope !== "connectors:approve")) };
    const program = { ...admin, actor: { type: "api_key" as const, id: "key_x" } };
    for (const ctx of [lesser, program]) {
      for (const create of [createApiKey, createOAuthClient])
        await expect(create(ctx, approving)).rejects.toMatchObject({ code: "insufficient_scope" });
    }
  });

  it("are refused from the next request on once revoked or expired", async () => {
    const { ctx, orgId } = await world();
    const { id, secret } = await createApiKey(ctx, { name: "SIS" });
    const expiring = await createApiKey(ctx, { name: "short", expiresAt: new Date(Date.now() + 60_000).toISOString() });
    expect((await call("GET", "/v1/subjects", { token: secret })).status).toBe(200);
    expect((await call("GET", "/v1/subjects", { token: expiring.secret })).status).toBe(200);
    const revoked = await revokeApiKey(ctx, { id });
    expect(await revokeApiKey(ctx, { id })).toEqual(revoked);
    await sql(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE org_id = $1 AND id = $2`, [
      orgId,
      expiring.id,
    ]);
    for (const token of [secret, expiring.secret])
      expect((await call("GET", "/v1/subjects", { token })).json()["code"]).toBe("invalid_token");
    expect((await auditOf(orgId)).slice(1)).toEqual(["api_key.created", "api_key.created", "api_key.revoked"]);
  });

  it("record their last use", async () => {
    const { ctx } = await world();
    const { secret } = await createApiKey(ctx, { name: "SIS" });
    await call("GET", "/v1/subjects", { token: secret });
    await flushKeyUse();
    expect((await listApiKeys(ctx, {})).data[0]!.lastUsedAt).not.toBeNull();
  });

  it("record their last use even if the first write fails", async () => {
    const { ctx } = await world();
    const { secret } = await createApiKey(ctx, { name: "SIS" });
    await call("GET", "/v1/subjects", { token: secret });
    const query = vi.spyOn(pool(), "query").mockImplementation(() => Promise.reject(new Error("gone")));
    await expect(flushKeyUse().finally(() => query.mockRestore())).rejects.toThrow("gone");
    expect((await listApiKeys(ctx, {})).data[0]!.lastUsedAt).toBeNull();
    await flushKeyUse();
    expect((await listApiKeys(ctx, {})).data[0]!.lastUsedAt).not.toBeNull();
  });

  it("are not found from another organisation, and cannot expire in the past", async () => {
    const [mine, other] = [await world(), await world()];
    const { id } = await createApiKey(mine.ctx, { name: "SIS" });
    await expect(revokeApiKey(other.ctx, { id })).rejects.toMatchObject({ code: "not_found" });
    await expect(createApiKey(mine.ctx, { name: "x", expiresAt: "2020-01-01T00:00:00Z" })).rejects.toMatchObject({
      code: "invalid_request",
    });
  });
});
