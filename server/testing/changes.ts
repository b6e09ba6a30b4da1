import { sendCredential } from "@/server/channels/send";
import { cancelMessage } from "@/server/messages/cancel";
import { listMessages } from "@/server/messages/list";
import type { Ctx } from "@/server/core/context";
import { bulkCredentials } from "@/server/credentials/bulk";
import { addGroupMembers } from "@/server/groups/add-members";
import { createGroup } from "@/server/groups/create";
import { suspendCredential } from "@/server/credentials/suspend";
import { receiver } from "@/server/connectors/sftp/testing/receiver";
import { applied, connector, held, httpConnector, uploaded } from "@/server/connectors/testing/runs";
import { setIssuerDomain } from "@/server/issuers/domain/set-domain";
import { getIssuer } from "@/server/issuers/get";
import { claimLink, waitingClaim } from "@/server/claims/testing/claims";
import { nameConfirmation } from "@/server/confirmations/testing/confirmations";
import { nameRequest } from "@/server/holders/testing/holders";
import { pausePolicy } from "@/server/policies/pause";
import { haltedPolicy, policy } from "@/server/policies/testing/halted";
import { scimConnector } from "@/server/scim/testing/connection";
import { sequenceBatch } from "@/server/consumers";
import { photoOf } from "./photo";
import { sql } from "./sql";
import { upsertSubject } from "@/server/subjects/upsert";
import { archiveAchievementVersion } from "@/server/achievements/archive-version";
import { archiveTemplateVersion } from "@/server/templates/archive-version";
import { zipOf } from "@/server/connectors/testing/archives";
import { uploadedPhotos } from "@/server/photos/testing/archive";
import { createTemplate } from "@/server/templates/create";
import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";
import { disableWebhookEndpoint } from "@/server/webhooks/endpoints/disable";
import { listEndpointDeliveries } from "@/server/webhooks/deliveries/list-deliveries";
import { rotateWebhookSecret } from "@/server/webhooks/endpoints/rotate-secret";
import { appleCertificates } from "@/server/wallets/apple/testing/certificates";
import { googleAccount } from "@/server/wallets/google/testing/stand-in";
import { draftAchievement, publishedAchievement } from "./achievements";
import { issued, publishedTemplate } from "./credentials";

/** The id in the path and the body of a request that succeeds. */
export interface Change {
  id?: string;
  run?: string;
  body?: unknown;
  /** A file to send instead of a body: CSV, unless `type` says otherwise. */
  file?: string | Uint8Array<ArrayBuffer>;
  type?: string;
}

const draft = (ctx: Ctx) => createTemplate(ctx, { name: "Any", kind: "membership" });
/** A message that waits to be sent. */
async function message(ctx: Ctx): Promise<string> {
  await sendCredential(ctx, { id: (await credential(ctx)).id, to: "ada@example.edu" });
  return (await listMessages(ctx, {})).data[0]!.id;
}
const credential = async (ctx: Ctx) => issued(ctx, (await publishedTemplate(ctx)).id);
// Nothing listens at this address, and nothing is sent to it.
const endpoint = (ctx: Ctx) => createWebhookEndpoint(ctx, { url: "http://127.0.0.1:49151/", eventTypes: [] });
async function photographed(ctx: Ctx) {
  const { subject } = await upsertSubject(ctx, { externalId: "photographed" });
  const { id, photoUpdatedAt } = await photoOf(ctx, subject.id);
  return { id, body: { photoUpdatedAt } };
}
const since = "2020-01-01T00:00:00Z";

async function delivery(ctx: Ctx): Promise<string> {
  const { id } = await endpoint(ctx);
  await upsertSubject(ctx, { externalId: id });
  while ((await sequenceBatch()).more);
  return (await listEndpointDeliveries(ctx, { id })).data[0]!.id;
}

/**
 * A request that succeeds, for each command of the API that takes an Idempotency-Key, by method and path. If the needed
 * scopes depend on the input, the request is the one that needs the most.
 */
export const changes: Record<string, (ctx: Ctx) => Promise<Change>> = {
  "PATCH /v1/organisation": async () => ({ body: { locale: "en-GB" } }),
  "PATCH /v1/issuer": async () => ({ body: { recipientIdentity: "name" } }),
  "PUT /v1/issuer/domain": async () => ({ body: { domain: "credentials.example.edu" } }),
  "POST /v1/issuer/domain/verify": async (ctx) => {
    await setIssuerDomain(ctx, { domain: "nowhere.invalid.example" });
    return { body: {} };
  },
  "DELETE /v1/issuer/domain": async (ctx) => {
    await setIssuerDomain(ctx, { domain: "removed.example" });
    return {};
  },
  "POST /v1/issuer/rotate_key": async (ctx) => {
    // A key that was published a moment ago does not sign yet.
    await sql(`UPDATE issuer_keys SET created_at = created_at - interval '1 hour' WHERE org_id = $1`, [ctx.orgId]);
    return { body: {} };
  },
  "POST /v1/issuer/keys/{id}/revoke": async (ctx) => ({ id: (await getIssuer(ctx, {})).keys[0]!.id, body: {} }),
  "PUT /v1/organisation/apple_wallet": async () => ({ body: await appleCertificates() }),
  "DELETE /v1/organisation/apple_wallet": async () => ({}),
  "PUT /v1/organisation/google_wallet": async () => ({ body: await googleAccount() }),
  "DELETE /v1/organisation/google_wallet": async () => ({}),
  "PATCH /v1/subjects/{id}": async (ctx) => ({
    id: (await upsertSubject(ctx, { externalId: "patched" })).subject.id,
    body: { displayName: "Eve" },
  }),
  "POST /v1/subjects/{id}/erase": async (ctx) => ({
    id: (await upsertSubject(ctx, { externalId: "erased" })).subject.id,
    body: { reason: "r" },
  }),
  "POST /v1/photo_imports": async () => ({
    file: new Uint8Array(await zipOf({ "s-1.jpg": "no picture" })),
    type: "application/zip",
  }),
  "POST /v1/photo_imports/{id}/cancel": async (ctx) => ({ id: (await uploadedPhotos(ctx, { "s-1.jpg": "x" })).id }),
  "POST /v1/subjects/{id}/photo/approve": photographed,
  "POST /v1/subjects/{id}/photo/reject": async (ctx) => {
    const { id, body } = await photographed(ctx);
    return { id, body: { ...body, reason: "Blurred" } };
  },
  "POST /v1/subjects/bulk": async () => ({ body: { items: [{ externalId: "bulk" }] } }),
  "POST /v1/groups": async () => ({ body: { name: "New" } }),
  "PATCH /v1/groups/{id}": async (ctx) => ({
    id: (await createGroup(ctx, { name: "Any" })).id,
    body: { name: "Other" },
  }),
  "POST /v1/groups/{id}/members": async (ctx) => {
    await upsertSubject(ctx, { externalId: "joins" });
    return { id: (await createGroup(ctx, { name: "Any" })).id, body: { externalIds: ["joins"] } };
  },
  "POST /v1/groups/{id}/members/remove": async (ctx) => {
    await upsertSubject(ctx, { externalId: "leaves" });
    const { id } = await createGroup(ctx, { name: "Any" });
    await addGroupMembers(ctx, { id, externalIds: ["leaves"] });
    return { id, body: { externalIds: ["leaves"] } };
  },
  "POST /v1/achievements": async () => ({
    body: { name: "New", description: "What it is.", criteria: { narrative: "Pass." } },
  }),
  "PATCH /v1/achievements/{id}": async (ctx) => ({ id: (await draftAchievement(ctx)).id, body: { name: "Other" } }),
  "POST /v1/achievements/{id}/versions": async (ctx) => ({ id: (await publishedAchievement(ctx)).id, body: {} }),
  "PATCH /v1/achievements/{id}/versions/{version}": async (ctx) => ({
    id: (await draftAchievement(ctx)).id,
    body: { tags: ["new"] },
  }),
  "POST /v1/achievements/{id}/versions/{version}/publish": async (ctx) => ({ id: (await draftAchievement(ctx)).id }),
  "POST /v1/achievements/{id}/versions/{version}/archive": async (ctx) => ({
    id: (await publishedAchievement(ctx)).id,
  }),
  "POST /v1/achievements/{id}/versions/{version}/unarchive": async (ctx) => {
    const { id } = await publishedAchievement(ctx);
    await archiveAchievementVersion(ctx, { id, version: 1 });
    return { id };
  },
  "POST /v1/templates": async () => ({ body: { name: "New", kind: "membership" } }),
  "PATCH /v1/templates/{id}": async (ctx) => ({ id: (await draft(ctx)).id, body: { name: "Other" } }),
  "POST /v1/templates/{id}/versions": async (ctx) => ({ id: (await publishedTemplate(ctx)).id, body: {} }),
  "PATCH /v1/templates/{id}/versions/{version}": async (ctx) => ({ id: (await draft(ctx)).id, body: { design: {} } }),
  "POST /v1/templates/{id}/versions/{version}/publish": async (ctx) => ({ id: (await draft(ctx)).id }),
  "POST /v1/templates/{id}/versions/{version}/archive": async (ctx) => ({ id: (await publishedTemplate(ctx)).id }),
  "POST /v1/templates/{id}/versions/{version}/unarchive": async (ctx) => {
    const { id } = await publishedTemplate(ctx);
    await archiveTemplateVersion(ctx, { id, version: 1 });
    return { id };
  },
  "POST /v1/templates/{id}/versions/{version}/apply": async (ctx) => ({
    id: (await credential(ctx)).templateId,
    body: { expectedCount: 1 },
  }),
  "POST /v1/templates/{id}/revoke-credentials": async (ctx) => ({
    id: (await credential(ctx)).templateId,
    body: { reason: "Fraud", expectedCount: 1 },
  }),
  "POST /v1/credentials": async (ctx) => ({
    body: { subject: { externalId: "new-person", displayName: "Ada" }, templateId: (await publishedTemplate(ctx)).id },
  }),
  "PATCH /v1/credentials/{id}": async (ctx) => ({ id: (await credential(ctx)).id, body: { data: { a: 1 } } }),
  "POST /v1/credentials/{id}/suspend": async (ctx) => ({ id: (await credential(ctx)).id, body: {} }),
  "POST /v1/credentials/{id}/resume": async (ctx) => ({
    id: (await suspendCredential(ctx, { id: (await credential(ctx)).id })).id,
    body: {},
  }),
  "POST /v1/credentials/{id}/send": async (ctx) => ({
    id: (await credential(ctx)).id,
    body: { to: "ada@example.edu" },
  }),
  "POST /v1/credentials/{id}/channels": async (ctx) => ({
    id: (await credential(ctx)).id,
    body: { type: "email", to: "ada@example.edu" },
  }),
  "POST /v1/messages/{id}/cancel": async (ctx) => ({ id: await message(ctx) }),
  "POST /v1/messages/{id}/resend": async (ctx) => ({
    id: (await cancelMessage(ctx, { id: await message(ctx) })).id,
  }),
  "POST /v1/credentials/{id}/revoke": async (ctx) => ({ id: (await credential(ctx)).id, body: { reason: "Left" } }),
  "POST /v1/credentials/{id}/reissue": async (ctx) => ({ id: (await credential(ctx)).id, body: {} }),
  "POST /v1/credentials/bulk": async (ctx) => ({
    body: { action: "revoke", items: [{ id: (await credential(ctx)).id, reason: "Left" }] },
  }),
  "POST /v1/bulk/{id}/cancel": async (ctx) => ({
    id: (await bulkCredentials(ctx, { action: "revoke", items: [{ id: "crd_none" }], respondAsync: true })).job!.id,
  }),
  "POST /v1/connectors": async () => ({ body: { name: "New", type: "csv", mapping: { externalId: "id" } } }),
  "PATCH /v1/connectors/{id}": async (ctx) => ({ id: (await connector(ctx)).id, body: { name: "Other" } }),
  "POST /v1/connectors/{id}/sync": async (ctx) => ({ id: (await httpConnector(ctx)).id }),
  "POST /v1/connectors/{id}/upload": async (ctx) => ({
    id: (await connector(ctx)).id,
    file: "id,name,mail,status,dept\nx-1,New,,,\n",
  }),
  "POST /v1/connectors/{id}/runs/{run}/approve": async (ctx) => ({ ...(await held(ctx)), body: {} }),
  "POST /v1/connectors/{id}/runs/{run}/undo": (ctx) => applied(ctx),
  "POST /v1/connectors/{id}/runs/{run}/cancel": async (ctx) => {
    const { id } = await connector(ctx);
    return { id, run: (await uploaded(ctx, id, "id,name,mail,status,dept\n")).id };
  },
  "POST /v1/claim_links": async (ctx) => ({ body: { templateId: (await publishedTemplate(ctx)).id } }),
  "PATCH /v1/claim_links/{id}": async (ctx) => ({ id: (await claimLink(ctx)).id, body: { maxClaims: 7 } }),
  "POST /v1/claims/approve": async (ctx) => ({ body: { ids: [(await waitingClaim(ctx)).id] } }),
  "POST /v1/claims/reject": async (ctx) => ({ body: { ids: [(await waitingClaim(ctx)).id], reason: "Not a member" } }),
  "POST /v1/name_confirmations/{id}/confirm": async (ctx) => ({
    id: (await nameConfirmation(ctx)).id,
    body: { reason: "Showed a passport" },
  }),
  "POST /v1/name_confirmations/{id}/resend": async (ctx) => ({ id: (await nameConfirmation(ctx)).id }),
  "POST /v1/name_confirmations/{id}/cancel": async (ctx) => ({
    id: (await nameConfirmation(ctx)).id,
    body: { reason: "Left the programme" },
  }),
  "POST /v1/name_requests/{id}/approve": (ctx) => nameRequest(ctx),
  "POST /v1/name_requests/{id}/reject": async (ctx) => ({
    id: (await nameRequest(ctx)).id,
    body: { reason: "Send us a document" },
  }),
  "POST /v1/policies": async (ctx) => ({
    body: {
      name: "New",
      templateId: (await publishedTemplate(ctx)).id,
      rule: { field: "status", op: "eq", value: "active" },
    },
  }),
  "PATCH /v1/policies/{id}": async (ctx) => ({ id: (await policy(ctx)).id, body: { name: "Other" } }),
  "POST /v1/policies/{id}/apply": async (ctx) => ({ id: (await policy(ctx)).id, body: {} }),
  "POST /v1/policies/{id}/pause": async (ctx) => ({ id: (await policy(ctx)).id }),
  "POST /v1/policies/{id}/resume": async (ctx) => ({
    id: (await pausePolicy(ctx, { id: (await policy(ctx)).id })).id,
  }),
  "POST /v1/policies/{id}/runs/{run}/approve": async (ctx) => {
    const { id, run, planHash } = await haltedPolicy(ctx);
    return { id, run, body: { planHash } };
  },
  "POST /v1/policies/{id}/runs/{run}/discard": async (ctx) => {
    const { id, run } = await haltedPolicy(ctx);
    return { id, run, body: {} };
  },
  "POST /v1/connectors/{id}/sftp/password": async (ctx) => ({ id: (await receiver(ctx)).id }),
  "POST /v1/connectors/{id}/tokens": async (ctx) => ({ id: (await scimConnector(ctx)).id, body: {} }),
  "POST /v1/connectors/{id}/staged/approve": async (ctx) => ({ id: (await scimConnector(ctx)).id, body: {} }),
  "POST /v1/connectors/{id}/staged/discard": async (ctx) => ({ id: (await scimConnector(ctx)).id, body: {} }),
  "POST /v1/webhook_endpoints": async () => ({ body: { url: "http://127.0.0.1:49151/", eventTypes: [] } }),
  "PATCH /v1/webhook_endpoints/{id}": async (ctx) => ({ id: (await endpoint(ctx)).id, body: { description: "Other" } }),
  "POST /v1/webhook_endpoints/{id}/pause": async (ctx) => ({ id: (await endpoint(ctx)).id }),
  "POST /v1/webhook_endpoints/{id}/disable": async (ctx) => ({ id: (await endpoint(ctx)).id }),
  "POST /v1/webhook_endpoints/{id}/enable": async (ctx) => ({
    id: (await disableWebhookEndpoint(ctx, { id: (await endpoint(ctx)).id })).id,
  }),
  "POST /v1/webhook_endpoints/{id}/rotate_secret": async (ctx) => ({ id: (await endpoint(ctx)).id, body: {} }),
  "POST /v1/webhook_endpoints/{id}/retire_secret": async (ctx) => {
    const { id } = await endpoint(ctx);
    await rotateWebhookSecret(ctx, { id });
    return { id };
  },
  "POST /v1/webhook_endpoints/{id}/test": async (ctx) => ({ id: (await endpoint(ctx)).id, body: {} }),
  "POST /v1/webhook_endpoints/{id}/recover": async (ctx) => ({ id: (await endpoint(ctx)).id, body: { since } }),
  "POST /v1/webhook_endpoints/{id}/replay_missing": async (ctx) => ({ id: (await endpoint(ctx)).id, body: { since } }),
  "POST /v1/webhook_deliveries/{id}/resend": async (ctx) => ({ id: await delivery(ctx) }),
  "POST /v1/webhook_deliveries/resend": async (ctx) => ({ body: { ids: [await delivery(ctx)] } }),
};
