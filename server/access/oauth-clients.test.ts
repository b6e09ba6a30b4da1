import { describe, expect, it } from "vitest";
import { readId } from "@/server/core/ids";
import { auditOf } from "@/server/testing/audit";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { addOAuthSecret } from "./add-oauth-secret";
import { authenticateClient } from "./authenticate-client";
import { createOAuthClient } from "./create-oauth-client";
import { listOAuthClients } from "./list-oauth-clients";
import { retireOAuthSecret } from "./retire-oauth-secret";
import { revokeOAuthClient } from "./revoke-oauth-client";

describe("OAuth clients", () => {
  it("return a secret once, in an alphabet that needs no encoding, and store only its hash", async () => {
    const { ctx, orgId } = await world();
    const { clientSecret, ...made } = await createOAuthClient(ctx, { name: "SIS" });
    expect(made.clientId + clientSecret).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(made.scopes).not.toContain("policies:approve");
    expect((await listOAuthClients(ctx, {})).data).toEqual([made]);
    const [row] = await sql<{ all: string }>(
      `SELECT json_agg(s)::text AS all FROM oauth_client_secrets s WHERE org_id = $1`,
      [orgId],
    );
    expect(row!.all).not.toContain(clientSecret);
  });

  it("hold at most two secrets; retiring one ends it at once and makes room for another", async () => {
    const { ctx, orgId } = await world();
    const { id, clientId, clientSecret: first, secrets } = await createOAuthClient(ctx, { name: "SIS" });
    const { clientSecret: second } = await addOAuthSecret(ctx, { id });
    await expect(addOAuthSecret(ctx, { id })).rejects.toMatchObject({ code: "too_many_secrets" });
    const retired = await retireOAuthSecret(ctx, { id, secretId: secrets[0]!.id });
    expect(retired.secrets).toHaveLength(1);
    expect(await authenticateClient(clientId, first, ctx.now)).toBeNull();
    expect(await authenticateClient(clientId, second, ctx.now)).toMatchObject({ id: readId("ocl", id), orgId });
    await addOAuthSecret(ctx, { id });
    expect(await auditOf(orgId)).toEqual(
      expect.arrayContaining([
        "oauth_client.created",
        "oauth_client.secret_added",
        "oauth_client.secret_retired",
        "oauth_client.secret_added",
      ]),
    );
  });

  it("never get a third secret from two concurrent additions", async () => {
    const { ctx } = await world();
    const { id } = await createOAuthClient(ctx, { name: "SIS" });
    const added = await Promise.allSettled([1, 2, 3, 4].map(() => addOAuthSecret(ctx, { id })));
    expect(added.filter((a) => a.status === "fulfilled")).toHaveLength(1);
  });

  it("are revoked once, and accept no new secret afterwards", async () => {
    const { ctx, orgId } = await world();
    const { id } = await createOAuthClient(ctx, { name: "SIS" });
    const first = await revokeOAuthClient(ctx, { id });
    const again = await revokeOAuthClient({ ...ctx, now: new Date(ctx.now.getTime() + 1000) }, { id });
    expect(again.revokedAt).toBe(first.revokedAt);
    expect((await auditOf(orgId)).filter((action) => action === "oauth_client.revoked")).toHaveLength(1);
    await expect(addOAuthSecret(ctx, { id })).rejects.toMatchObject({ code: "client_revoked" });
  });

  it("are not found from another organisation, and require keys:write", async () => {
    const [mine, other] = [await world(), await world()];
    const { id } = await createOAuthClient(mine.ctx, { name: "SIS" });
    await expect(revokeOAuthClient(other.ctx, { id })).rejects.toMatchObject({ code: "not_found" });
    await expect(createOAuthClient(mine.as("keys:read"), { name: "x" })).rejects.toMatchObject({
      code: "insufficient_scope",
    });
  });
});
