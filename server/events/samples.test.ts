import { beforeAll, expect, it } from "vitest";
import { archiveAchievementVersion } from "@/server/achievements/archive-version";
import { updateAchievement } from "@/server/achievements/update";
import { sendCredential } from "@/server/channels/send";
import { cancelConfirmation } from "@/server/confirmations/cancel";
import { confirmName } from "@/server/confirmations/confirm";
import { nameConfirmation } from "@/server/confirmations/testing/confirmations";
import { issueCredential } from "@/server/credentials/issue";
import { resumeCredential } from "@/server/credentials/resume";
import { revokeCredential } from "@/server/credentials/revoke";
import { suspendCredential } from "@/server/credentials/suspend";
import { applyClockToDueCredentials } from "@/server/credentials/sweep";
import { updateCredential } from "@/server/credentials/update";
import { addGroupMembers } from "@/server/groups/add-members";
import { createGroup } from "@/server/groups/create";
import { deleteGroup } from "@/server/groups/delete";
import { removeGroupMembers } from "@/server/groups/remove-members";
import { updateGroup } from "@/server/groups/update";
import { createPolicy } from "@/server/policies/create";
import { getPolicy } from "@/server/policies/get";
import { pausePolicy } from "@/server/policies/pause";
import { startDuePolicy } from "@/server/policies/run/start-due";
import { runPolicyStep } from "@/server/policies/run/step";
import { haltedPolicy } from "@/server/policies/testing/halted";
import { deleteSubject } from "@/server/subjects/delete";
import { updateSubject } from "@/server/subjects/update";
import { upsertSubject } from "@/server/subjects/upsert";
import { archiveTemplateVersion } from "@/server/templates/archive-version";
import { unarchiveTemplateVersion } from "@/server/templates/unarchive-version";
import { publishedAchievement } from "@/server/testing/achievements";
import { publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { sendMessages } from "@/server/notifications/send-messages";
import { MailServer } from "@/server/notifications/testing/mail-server";
import { ownDatabase } from "@/server/testing/own-database";
import { world, type World } from "@/server/testing/world";
import { flushVerifications } from "@/server/verification/observe";
import { shareCode } from "@/server/verification/share";
import { verifyCode, viewCode } from "@/server/verification/verify-code";
import { addedAndRemoved } from "@/server/wallets/apple/testing/added-and-removed";
import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";
import { deleteWebhookEndpoint } from "@/server/webhooks/endpoints/delete";
import { disableWebhookEndpoint } from "@/server/webhooks/endpoints/disable";
import { updateWebhookEndpoint } from "@/server/webhooks/endpoints/update";
import { eventTypes, type EventType } from "./catalogue";
import { sampleEvent } from "./samples";

beforeAll(ownDatabase);

/** The keys of a value at every depth. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (value === null || typeof value !== "object") return "value";
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shape(each)]));
}

/** A policy that is paused while its scheduled run is queued. */
async function failedPolicy({ ctx, at }: World): Promise<void> {
  const { id } = await createPolicy(ctx, {
    name: "Members",
    templateId: (await publishedTemplate(ctx)).id,
    rule: { field: "status", op: "eq", value: "active" },
    schedule: { cron: "0 5 * * *" },
  });
  const later = at(new Date(Date.now() + 90_000_000)).now;
  while (await startDuePolicy(later));
  await pausePolicy(ctx, { id });
  while ((await getPolicy(ctx, { id })).lastRun?.status !== "failed") await runPolicyStep(later);
}

/** A credential that a mail server accepted for one address and refused for another. */
async function sentByMail({ ctx }: World, id: string): Promise<void> {
  const server = new MailServer();
  const settings = await server.start();
  server.answer = (to) => (to.startsWith("nobody") ? 550 : 0);
  await sendCredential(ctx, { id, to: "ada@example.edu" });
  await sendCredential(ctx, { id, to: "nobody@example.edu" });
  await sendMessages(settings, () => ctx.now);
  await server.close();
}

/** Does everything that emits an event, so that there is one of each type, like its sample. */
async function everything(w: World): Promise<void> {
  const later = w.at("2990-01-01T00:00:00Z");
  await haltedPolicy(w.ctx);
  await failedPolicy(w);
  const { subject } = await upsertSubject(w.ctx, { externalId: "s-1", attributes: { private: "never told" } });
  await upsertSubject(w.ctx, { externalId: "s-1", attributes: { private: "nor what was before" } });
  const template = await publishedTemplate(w.ctx, { design: { wallet: { apple: true } } });
  const { credential } = await issueCredential(w.ctx, {
    subject: { id: subject.id },
    templateId: template.id,
    expiresAt: "2980-01-01T00:00:00Z",
  });
  await sentByMail(w, credential.id);
  await addedAndRemoved(w.ctx, credential.id);
  await updateCredential(w.ctx, { id: credential.id, expiresAt: "2981-01-01T00:00:00Z" });
  await verifyCode(credential.code, { via: "public", viewer: "a", now: w.ctx.now });
  await viewCode(credential.code, { via: "page", viewer: "a", now: w.ctx.now });
  await shareCode(credential.code, { channel: "linkedin", viewer: "a", now: w.ctx.now });
  await flushVerifications();
  await suspendCredential(w.ctx, { id: credential.id, reason: "Leave of absence" });
  await verifyCode(credential.code, { via: "public", viewer: "a", now: w.ctx.now });
  await flushVerifications();
  await resumeCredential(w.ctx, { id: credential.id });
  await applyClockToDueCredentials(later.now);
  const { credential: second } = await issueCredential(w.ctx, { subject: { id: subject.id }, templateId: template.id });
  await revokeCredential(w.ctx, { id: second.id, reason: "The enrolment ended" });
  await updateSubject(w.ctx, { id: subject.id, email: "ada@example.edu", attributes: { private: "still not told" } });
  await updateSubject(w.ctx, { id: subject.id, status: "inactive" });
  const other = await upsertSubject(w.ctx, { externalId: "s-2" });
  await deleteSubject(w.ctx, { id: other.subject.id });
  const group = await createGroup(w.ctx, { name: "Mathematics 2026", externalId: "math-2026" });
  await addGroupMembers(w.ctx, { id: group.id, externalIds: ["s-1"] });
  await removeGroupMembers(w.ctx, { id: group.id, externalIds: ["s-1"] });
  await updateGroup(w.ctx, { id: group.id, name: "Mathematics 2026/27" });
  await deleteGroup(w.ctx, { id: group.id });
  await archiveTemplateVersion(w.ctx, { id: template.id, version: 1 });
  await unarchiveTemplateVersion(w.ctx, { id: template.id, version: 1 });
  const achievement = await publishedAchievement(w.ctx);
  await updateAchievement(w.ctx, { id: achievement.id, name: "Renamed" });
  await archiveAchievementVersion(w.ctx, { id: achievement.id, version: 1 });
  const confirmed = await nameConfirmation(w.ctx);
  await confirmName(w.ctx, { id: confirmed.id, reason: "Showed a passport" });
  const cancelled = await nameConfirmation(w.ctx);
  await cancelConfirmation(w.ctx, { id: cancelled.id, reason: "Left" });
  const endpoint = await createWebhookEndpoint(w.ctx, {
    url: "https://example.edu/hooks",
    eventTypes: ["credential.*"],
  });
  await updateWebhookEndpoint(w.ctx, { id: endpoint.id, eventTypes: ["credential.*", "subject.*"] });
  await disableWebhookEndpoint(w.ctx, { id: endpoint.id });
  await deleteWebhookEndpoint(w.ctx, { id: endpoint.id });
}

it("a sample event has the same fields as a real one, in the object and in previous", async () => {
  const w = await world();
  await everything(w);
  const events = await eventsOf(w.orgId);
  const seen = new Map(events.map(({ type, data }) => [type as EventType, shape(data)]));
  expect([...seen.keys()].toSorted()).toEqual(eventTypes.toSorted());
  for (const [type, fields] of seen)
    expect([type, fields]).toEqual([type, shape(sampleEvent(type, w.orgId, w.ctx.now).data)]);
  expect(JSON.stringify(events)).not.toMatch(/attributes|private/);
});
