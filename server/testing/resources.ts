import { publicId, type Id } from "@/server/core/ids";
import { issueCredential } from "@/server/credentials/issue";
import { addGroupMembers } from "@/server/groups/add-members";
import { createGroup } from "@/server/groups/create";
import { uploadedPhotos } from "@/server/photos/testing/archive";
import { bulkCredentials } from "@/server/credentials/bulk";
import { sequenceBatch } from "@/server/consumers";
import { waitingClaim } from "@/server/claims/testing/claims";
import { receiver } from "@/server/connectors/sftp/testing/receiver";
import { held } from "@/server/connectors/testing/runs";
import { getIssuer } from "@/server/issuers/get";
import { nameConfirmation } from "@/server/confirmations/testing/confirmations";
import { nameRequest } from "@/server/holders/testing/holders";
import { sendCredential } from "@/server/channels/send";
import { putPolicyException } from "@/server/policies/put-exception";
import { haltedPolicy } from "@/server/policies/testing/halted";
import { scimConnector } from "@/server/scim/testing/connection";
import { createConnectorToken } from "@/server/scim/tokens/create";
import { createTemplate } from "@/server/templates/create";
import { sql } from "@/server/testing/sql";
import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";
import { publishedAchievement } from "./achievements";
import { photoOf } from "./photo";
import type { World } from "./world";

/**
 * An id for each collection under /v1, to put in place of `{id}`, by the first part of the path after /v1; `runs` and
 * `policy_runs` are put in place of `{run}`, `tokens` in place of `{token}`.
 */
export type Resources = Record<string, string>;

/** The id of a resource for a name in a path, such as `run` in /v1/connectors/{id}/runs/{run}. */
export function idInPath(resources: Resources, path: string, name: string): string | undefined {
  const collection = path.split("/")[2]!;
  if (path.startsWith("/v1/issuer/keys/")) return resources["issuer_keys"];
  // Of connectors, those alone that receive files have it.
  if (name === "id" && path.includes("/sftp")) return resources["receivers"];
  if (name === "id") return resources[collection];
  if (name === "token") return resources["tokens"];
  if (name === "subjectId") return resources["subjects"];
  return name === "run" ? resources[collection === "policies" ? "policy_runs" : "runs"] : undefined;
}

/** Creates one of every resource that the API can address. */
export async function resourcesOf(world: World): Promise<Resources> {
  const { ctx, orgId } = world;
  const template = await createTemplate(ctx, {
    name: "Members",
    kind: "membership",
    publish: true,
    design: { front: { fields: [{ key: "photo", binding: "subject.photo" }] }, publicFields: ["photo"] },
  });
  const achievement = await publishedAchievement(ctx);
  const endpoint = await createWebhookEndpoint(ctx, { url: "http://127.0.0.1:49151/", eventTypes: [] });
  const { credential } = await issueCredential(ctx, { subject: { externalId: "s-1" }, templateId: template.id });
  const group = await createGroup(ctx, { name: "Everybody" });
  await addGroupMembers(ctx, { id: group.id, subjectIds: [credential.subjectId] });
  await photoOf(ctx, credential.subjectId);
  const { id: connector, run } = await held(ctx);
  const halted = await haltedPolicy(ctx);
  const claim = await waitingClaim(ctx);
  await putPolicyException(ctx, {
    id: halted.id,
    subjectId: credential.subjectId,
    effect: "deny",
    reason: "Asked for none",
  });
  await sendCredential(ctx, { id: credential.id, to: "ada@example.edu" });
  // Last: a sweep of another test may run the job at once, and a suspended credential is not sent.
  const { job } = await bulkCredentials(ctx, { action: "suspend", items: [{ id: credential.id }], respondAsync: true });
  const [message] = await sql<{ id: Id<"msg"> }>(`SELECT id FROM messages WHERE org_id = $1`, [orgId]);
  const { id: connectionToken } = await createConnectorToken(ctx, { id: (await scimConnector(ctx)).id });
  await sequenceBatch();
  const [delivery] = await sql<{ id: Id<"dlv">; event_id: Id<"evt"> }>(
    `SELECT id, event_id FROM webhook_deliveries WHERE org_id = $1 LIMIT 1`,
    [orgId],
  );
  return {
    subjects: credential.subjectId,
    groups: group.id,
    achievements: achievement.id,
    templates: template.id,
    credentials: credential.id,
    webhook_endpoints: endpoint.id,
    webhook_deliveries: publicId("dlv", delivery!.id),
    events: publicId("evt", delivery!.event_id),
    bulk: job!.id,
    photo_imports: (await uploadedPhotos(ctx, { "s-1.jpg": "no picture" })).id,
    connectors: connector,
    runs: run,
    policies: halted.id,
    claim_links: claim.linkId,
    claims: claim.id,
    messages: publicId("msg", message!.id),
    name_confirmations: (await nameConfirmation(ctx)).id,
    name_requests: (await nameRequest(ctx)).id,
    policy_runs: halted.run,
    tokens: connectionToken,
    receivers: (await receiver(ctx)).id,
    issuer_keys: (await getIssuer(ctx, {})).keys[0]!.id,
  };
}
