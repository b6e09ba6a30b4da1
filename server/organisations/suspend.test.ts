import { afterAll, beforeAll, expect, it } from "vitest";
import { consoleCtx, consoleSession } from "@/server/access/console-session";
import { createOAuthClient } from "@/server/access/create-oauth-client";
import { newId, publicId, readId } from "@/server/core/ids";
import { bulkCredentials } from "@/server/credentials/bulk";
import { runBulkChunk } from "@/server/credentials/bulk-run";
import { getBulkJob } from "@/server/credentials/get-bulk-job";
import { sequenceBatch } from "@/server/consumers";
import { auditOf } from "@/server/testing/audit";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { ownDatabase } from "@/server/testing/own-database";
import { person } from "@/server/testing/person";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { claimDeliveries } from "@/server/webhooks/dispatch/claim";
import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";
import { dueEndpoints } from "@/server/webhooks/dispatch/due";
import { resumeOrganisation } from "./resume";
import { suspendOrganisation } from "./suspend";

// Jobs and deliveries are claimed from all organisations together, so this file has a database of its own.
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await ownDatabase();
});
afterAll(() => drop());

const tokenFor = (client: { clientId: string; clientSecret: string }) => {
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: client.clientId,
    client_secret: client.clientSecret,
  });
  return call("POST", "/oauth/token", {
    raw: form.toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
};

it("a suspended organisation's tokens and sessions are refused and its jobs and webhooks wait until it is resumed; verification continues", async () => {
  const w = await world();
  const [key, client, owner] = [
    await w.key(),
    await createOAuthClient(w.ctx, { name: "Portal" }),
    await person(w, "owner"),
  ];
  const accessToken = (await tokenFor(client)).json<{ access_token: string }>().access_token;
  const template = await publishedTemplate(w.ctx);
  const credential = await issued(w.ctx, template.id);
  const endpoint = await createWebhookEndpoint(w.ctx, { url: "http://127.0.0.1:49151/", eventTypes: [] });
  await issued(w.ctx, template.id);
  while ((await sequenceBatch()).more);
  const { job } = await bulkCredentials(w.ctx, {
    action: "issue",
    items: [{ subject: { externalId: "late" }, templateId: template.id }],
    respondAsync: true,
  });
  const wanted = [{ orgId: w.orgId, endpointId: readId("whe", endpoint.id), slots: 10, after: null }];
  const due = async () => (await dueEndpoints(new Date(), [])).map((each) => publicId("whe", each.endpointId));
  expect(await due()).toContain(endpoint.id);

  await suspendOrganisation(w.ctx, {});
  await suspendOrganisation(w.ctx, {});
  for (const token of [key, accessToken]) {
    const answer = await call("GET", "/v1/subjects", { token });
    expect([answer.status, answer.json()["code"]]).toEqual([403, "organisation_suspended"]);
  }
  expect((await tokenFor(client)).json()).toMatchObject({ error: "invalid_client" });
  expect(await consoleCtx(owner.headers)).toBeNull();
  expect(await consoleSession(owner.headers)).toMatchObject({ current: { orgId: w.orgId, suspended: true } });
  expect(await runBulkChunk(new Date())).toBe(false);
  expect(await due()).toEqual([]);
  expect(await claimDeliveries(wanted, new Date(), newId("req"))).toEqual([]);
  expect((await call("GET", `/public/credentials/${credential.code}`)).json()).toMatchObject({ result: "valid" });

  await resumeOrganisation(w.ctx, {});
  expect((await call("GET", "/v1/subjects", { token: key })).status).toBe(200);
  expect((await call("GET", "/v1/subjects", { token: accessToken })).status).toBe(200);
  expect(await consoleCtx(owner.headers)).not.toBeNull();
  expect(await runBulkChunk(new Date())).toBe(true);
  expect(await getBulkJob(w.ctx, { id: job!.id })).toMatchObject({ status: "completed", succeeded: 1 });
  expect(await due()).toEqual([endpoint.id]);
  expect(await claimDeliveries(wanted, new Date(), newId("req"))).not.toEqual([]);
  expect((await auditOf(w.orgId)).filter((action) => /suspended|resumed/.test(action))).toEqual([
    "organisation.suspended",
    "organisation.resumed",
  ]);
});

it("only the operator can suspend and resume an organisation", async () => {
  const w = await world();
  const ctx = (await consoleCtx((await person(w, "owner")).headers))!;
  await expect(suspendOrganisation(ctx, {})).rejects.toMatchObject({ code: "insufficient_scope" });
  await expect(resumeOrganisation(ctx, {})).rejects.toMatchObject({ code: "insufficient_scope" });
});
