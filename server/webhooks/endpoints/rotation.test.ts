import { Webhook } from "standardwebhooks";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { getWebhookEndpoint } from "./get";
import { retireWebhookSecret } from "./retire-secret";
import { rotateWebhookSecret } from "./rotate-secret";
import type { Received } from "@/server/webhooks/testing/listener";
import { useStage, type Stage } from "@/server/webhooks/testing/stage";
import { verify } from "@/server/webhooks/testing/verifier";

beforeAll(ownDatabase);
const stage = useStage();

/** Sends an event and tells which of the secrets verify it, both by our header and by Standard Webhooks. */
async function verifiedBy(s: Stage, ...secrets: string[]): Promise<boolean[]> {
  await s.happen();
  await s.send();
  const delivery = s.listener.received.at(-1)!;
  const header = String(delivery.headers["svc-signature"]);
  return secrets.map((secret) => {
    const standard = verifiesStandard(secret, delivery, s.now);
    expect(
      (["first", "last"] as const).some((pick) => verify(header, delivery.body, secret, s.now.getTime() / 1000, pick)),
    ).toBe(standard);
    return standard;
  });
}

/** Verifies with the standardwebhooks package, at the given time. */
function verifiesStandard(secret: string, { body, headers }: Received, now: Date): boolean {
  vi.useFakeTimers({ toFake: ["Date"], now });
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  } finally {
    vi.useRealTimers();
  }
}

describe("rotate_secret", () => {
  it("signs with both secrets until the old one expires", async () => {
    const s = stage();
    const { id, secret: old } = await s.endpoint();
    const rotated = await rotateWebhookSecret(s.ctx, { id, expireOldAfter: 3600 });
    expect([rotated.secret === old, Date.parse(rotated.previousSecretExpiresAt!) - s.now.getTime()]).toEqual([
      false,
      3_600_000,
    ]);
    expect(await verifiedBy(s, rotated.secret, old)).toEqual([true, true]);
    expect(s.listener.received.at(-1)!.headers["svc-signature"]).toMatch(/^t=\d+,v1=\w{64},v1=\w{64}$/);
    s.advance(3_599_999);
    expect(await verifiedBy(s, rotated.secret, old)).toEqual([true, true]);
    s.advance(1);
    expect(await verifiedBy(s, rotated.secret, old)).toEqual([true, false]);
    expect((await getWebhookEndpoint(s.ctx, { id })).previousSecretExpiresAt).toBeNull();
  });

  it("expireOldAfter 0 ends the old secret at once, and retiring it ends the overlap", async () => {
    const s = stage();
    const { id, secret: first } = await s.endpoint();
    const { secret: second } = await rotateWebhookSecret(s.ctx, { id, expireOldAfter: 0 });
    expect(await verifiedBy(s, second, first)).toEqual([true, false]);
    const { secret: third } = await rotateWebhookSecret(s.ctx, { id });
    expect(await verifiedBy(s, third, second, first)).toEqual([true, true, false]);
    expect(await retireWebhookSecret(s.ctx, { id })).toMatchObject({ previousSecretExpiresAt: null });
    expect(await verifiedBy(s, third, second)).toEqual([true, false]);
  });

  it("accepts only the four overlaps, shows the secret only in its response, and writes audit entries", async () => {
    const s = stage();
    const token = await s.world.key("webhooks:read", "webhooks:write");
    const { id } = await s.endpoint();
    const rotate = (body: object) => call("POST", `/v1/webhook_endpoints/${id}/rotate_secret`, { token, body });
    expect((await rotate({ expireOldAfter: 60 })).status).toBe(400);
    const answer = await rotate({ expireOldAfter: 604_800 });
    expect([answer.status, answer.json()["secret"]]).toEqual([200, expect.stringMatching(/^whsec_/)]);
    expect((await call("GET", `/v1/webhook_endpoints/${id}`, { token })).text).not.toContain("whsec_");
    await retireWebhookSecret(s.ctx, { id });
    const entries = await sql<{ action: string; detail: object }>(
      `SELECT action, detail FROM audit_entries WHERE org_id = $1 AND target_type = 'webhook_endpoint' ORDER BY id`,
      [s.world.orgId],
    );
    expect(entries.map((entry) => entry.action)).toEqual([
      "webhook_endpoint.secret_rotated",
      "webhook_endpoint.old_secret_retired",
    ]);
    expect(JSON.stringify(entries)).not.toContain("whsec_");
  });
});
