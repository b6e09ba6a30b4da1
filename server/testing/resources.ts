import { sql } from "@/server/core/db";
import { issueCredential } from "@/server/credentials/issue";
import { bulkCredentials } from "@/server/credentials/bulk";
import { sequenceBatch } from "@/server/consumers";
import { createTemplate } from "@/server/templates/create";
import { createWebhookEndpoint } from "@/server/webhooks/create";
import type { World } from "./world";

/** An id for each collection under /v1: the first part of a path after /v1, and what stands for its `{id}`. */
export type Resources = Record<string, string>;

/** One of everything that the API can address. */
export async function resourcesOf(world: World): Promise<Resources> {
  const { ctx, orgId } = world;
  const template = await createTemplate(ctx, { name: "Members", kind: "membership", publish: true });
  const endpoint = await createWebhookEndpoint(ctx, { url: "http://127.0.0.1:49151/", eventTypes: [] });
  const { credential } = await issueCredential(ctx, { subject: { externalId: "s-1" }, templateId: template.id });
  const { job } = await bulkCredentials(ctx, { action: "suspend", items: [{ id: credential.id }], respondAsync: true });
  await sequenceBatch();
  const [delivery] = await sql<{ id: string; event_id: string }>(`SELECT id, event_id FROM webhook_deliveries WHERE org_id = $1 LIMIT 1`, [orgId]);
  return {
    subjects: credential.subjectId,
    templates: template.id,
    credentials: credential.id,
    webhook_endpoints: endpoint.id,
    webhook_deliveries: delivery!.id,
    events: delivery!.event_id,
    bulk: job!.id,
  };
}
