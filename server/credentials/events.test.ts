import { expect, it } from "vitest";
import type { Ctx } from "@/server/core/context";
import { catalogue, type EventType } from "@/server/events/catalogue";
import { bulkUpsertSubjects } from "@/server/subjects/bulk";
import { upsertSubject } from "@/server/subjects/upsert";
import { archiveTemplateVersion } from "@/server/templates/archive-version";
import { createTemplate } from "@/server/templates/create";
import { createTemplateVersion } from "@/server/templates/create-version";
import { getTemplate } from "@/server/templates/get";
import { getTemplateVersion } from "@/server/templates/get-version";
import { listTemplates } from "@/server/templates/list";
import { listTemplateVersions } from "@/server/templates/list-versions";
import { publishTemplateVersion } from "@/server/templates/publish-version";
import { unarchiveTemplateVersion } from "@/server/templates/unarchive-version";
import { updateTemplate } from "@/server/templates/update";
import { updateTemplateVersion } from "@/server/templates/update-version";
import { auditOf } from "@/server/testing/audit";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { world, type World } from "@/server/testing/world";
import { bulkCredentials } from "./bulk";
import { cancelBulkJob } from "./cancel-bulk-job";
import { countCredentials } from "./counts";
import { getBulkJob } from "./get-bulk-job";
import { getCredential } from "./get";
import { listCredentialHistory } from "./history";
import { issueCredential } from "./issue";
import { listBulkJobs } from "./list-bulk-jobs";
import { listBulkRows } from "./list-bulk-rows";
import { listCredentials } from "./list";
import { reissueCredential } from "./reissue";
import { resumeCredential } from "./resume";
import { revokeCredential } from "./revoke";
import { revokeTemplateCredentials } from "./revoke-template";
import { suspendCredential } from "./suspend";
import { updateCredential } from "./update";

const made = ["credential.created", "credential.issued"] as const;

interface Step {
  /** Whose trace this is, as the API names the verb. */
  operation: { operation: { name: string; kind: "command" | "query" } };
  case?: string;
  /** Sets the scene and returns the step itself; what it leaves is compared. */
  prepare(ctx: Ctx): Promise<() => Promise<unknown>>;
  events: readonly EventType[];
  audit?: string[];
}

const credential = async (ctx: Ctx, terms: Parameters<typeof issued>[2] = {}) => issued(ctx, (await publishedTemplate(ctx)).id, terms);
const suspended = async (ctx: Ctx) => suspendCredential(ctx, { id: (await credential(ctx)).id });
const draft = (ctx: Ctx) => createTemplate(ctx, { name: "Any", kind: "membership" });
const job = async (ctx: Ctx) => (await bulkCredentials(ctx, { action: "suspend", items: [{ id: "crd_none" }], respondAsync: true })).job!;

// Spec 6.2 and 6.3, contract sections 4, 6 and 7: what each operation tells, and nothing more.
const table: Step[] = [
  { operation: createTemplate, prepare: async (ctx) => () => draft(ctx), events: [], audit: ["template.created"] },
  { operation: createTemplate, case: "published", prepare: async (ctx) => () => publishedTemplate(ctx), events: ["template.version.published"], audit: ["template.created"] },
  { operation: updateTemplate, prepare: async (ctx) => { const { id } = await draft(ctx); return () => updateTemplate(ctx, { id, name: "Other" }); }, events: [], audit: ["template.updated"] },
  { operation: getTemplate, prepare: async (ctx) => { const { id } = await draft(ctx); return () => getTemplate(ctx, { id }); }, events: [] },
  { operation: listTemplates, prepare: async (ctx) => () => listTemplates(ctx, {}), events: [] },
  { operation: createTemplateVersion, prepare: async (ctx) => { const { id } = await draft(ctx); return () => createTemplateVersion(ctx, { id }); }, events: [], audit: ["template_version.created"] },
  { operation: updateTemplateVersion, prepare: async (ctx) => { const { id } = await draft(ctx); return () => updateTemplateVersion(ctx, { id, version: 1, design: {} }); }, events: [], audit: ["template_version.updated"] },
  { operation: getTemplateVersion, prepare: async (ctx) => { const { id } = await draft(ctx); return () => getTemplateVersion(ctx, { id, version: 1 }); }, events: [] },
  { operation: listTemplateVersions, prepare: async (ctx) => { const { id } = await draft(ctx); return () => listTemplateVersions(ctx, { id }); }, events: [] },
  { operation: publishTemplateVersion, prepare: async (ctx) => { const { id } = await draft(ctx); return () => publishTemplateVersion(ctx, { id, version: 1 }); }, events: ["template.version.published"] },
  { operation: archiveTemplateVersion, prepare: async (ctx) => { const { id } = await publishedTemplate(ctx); return () => archiveTemplateVersion(ctx, { id, version: 1 }); }, events: ["template.version.archived"] },
  {
    operation: unarchiveTemplateVersion,
    prepare: async (ctx) => {
      const { id } = await publishedTemplate(ctx);
      await archiveTemplateVersion(ctx, { id, version: 1 });
      return () => unarchiveTemplateVersion(ctx, { id, version: 1 });
    },
    events: ["template.version.unarchived"],
  },
  {
    operation: issueCredential,
    prepare: async (ctx) => {
      const { id: templateId } = await publishedTemplate(ctx);
      const { subject } = await upsertSubject(ctx, { externalId: "s" });
      return () => issueCredential(ctx, { subject: { id: subject.id }, templateId });
    },
    events: made,
  },
  { operation: issueCredential, case: "to a new subject", prepare: async (ctx) => { const { id } = await publishedTemplate(ctx); return () => issued(ctx, id); }, events: ["subject.created", ...made] },
  {
    operation: issueCredential,
    case: "ahead of its start",
    prepare: async (ctx) => { const { id } = await publishedTemplate(ctx); return () => issued(ctx, id, { validFrom: "2099-01-01T00:00:00Z" }); },
    events: ["subject.created", "credential.created"],
  },
  {
    operation: issueCredential,
    case: "in place of another",
    prepare: async (ctx) => { const { subjectId, templateId } = await credential(ctx); return () => issueCredential(ctx, { subject: { id: subjectId }, templateId, ifExists: "replace" }); },
    events: ["credential.revoked", ...made],
  },
  {
    operation: issueCredential,
    case: "that is there already",
    prepare: async (ctx) => { const { subjectId, templateId } = await credential(ctx); return () => issueCredential(ctx, { subject: { id: subjectId }, templateId, ifExists: "return" }); },
    events: [],
  },
  { operation: updateCredential, prepare: async (ctx) => { const { id } = await credential(ctx); return () => updateCredential(ctx, { id, data: { a: 1 } }); }, events: ["credential.updated"] },
  { operation: suspendCredential, prepare: async (ctx) => { const { id } = await credential(ctx); return () => suspendCredential(ctx, { id }); }, events: ["credential.suspended"] },
  { operation: resumeCredential, prepare: async (ctx) => { const { id } = await suspended(ctx); return () => resumeCredential(ctx, { id }); }, events: ["credential.resumed"] },
  { operation: revokeCredential, prepare: async (ctx) => { const { id } = await credential(ctx); return () => revokeCredential(ctx, { id, reason: "Left" }); }, events: ["credential.revoked"] },
  { operation: reissueCredential, prepare: async (ctx) => { const { id } = await credential(ctx); return () => reissueCredential(ctx, { id }); }, events: ["credential.revoked", ...made] },
  {
    operation: reissueCredential,
    case: "after its end",
    prepare: async (ctx) => {
      const { id } = await credential(ctx);
      await revokeCredential(ctx, { id, reason: "Lost" });
      return () => reissueCredential(ctx, { id });
    },
    events: ["credential.updated", ...made],
  },
  { operation: getCredential, prepare: async (ctx) => { const { id } = await credential(ctx); return () => getCredential(ctx, { id }); }, events: [] },
  { operation: listCredentials, prepare: async (ctx) => () => listCredentials(ctx, {}), events: [] },
  { operation: countCredentials, prepare: async (ctx) => () => countCredentials(ctx, {}), events: [] },
  { operation: listCredentialHistory, prepare: async (ctx) => { const { id } = await credential(ctx); return () => listCredentialHistory(ctx, { id }); }, events: [] },
  {
    operation: bulkCredentials,
    prepare: async (ctx) => { const { id } = await credential(ctx); return () => bulkCredentials(ctx, { action: "suspend", items: [{ id }, { id: "crd_none" }] }); },
    events: ["credential.suspended"],
  },
  { operation: bulkCredentials, case: "as a job", prepare: async (ctx) => () => job(ctx), events: [], audit: ["bulk_job.created"] },
  { operation: revokeTemplateCredentials, prepare: async (ctx) => { const { templateId: id } = await credential(ctx); return () => revokeTemplateCredentials(ctx, { id, reason: "Fraud", expectedCount: 1 }); }, events: [], audit: ["bulk_job.created"] },
  { operation: cancelBulkJob, prepare: async (ctx) => { const { id } = await job(ctx); return () => cancelBulkJob(ctx, { id }); }, events: [], audit: ["bulk_job.cancelled"] },
  { operation: getBulkJob, prepare: async (ctx) => { const { id } = await job(ctx); return () => getBulkJob(ctx, { id }); }, events: [] },
  { operation: listBulkJobs, prepare: async (ctx) => () => listBulkJobs(ctx, {}), events: [] },
  { operation: listBulkRows, prepare: async (ctx) => { const { id } = await job(ctx); return () => listBulkRows(ctx, { id }); }, events: [] },
  {
    operation: bulkUpsertSubjects,
    prepare: async (ctx) => {
      await bulkUpsertSubjects(ctx, { items: [{ externalId: "a" }, { externalId: "b" }, { externalId: "c" }] });
      return () => bulkUpsertSubjects(ctx, { items: [{ externalId: "a", displayName: "A" }, { externalId: "b", status: "inactive" }, { externalId: "c" }, { externalId: "d" }] });
    },
    events: ["subject.updated", "subject.deactivated", "subject.created"],
  },
];

async function trace(w: World): Promise<{ events: string[]; audit: string[] }> {
  return { events: (await eventsOf(w.orgId)).map((e) => e.type), audit: await auditOf(w.orgId) };
}

it.each(table.map((step) => [`${step.operation.operation.name} ${step.case ?? ""}`.trim(), step] as const))("%s", async (_, step) => {
  const w = await world();
  const act = await step.prepare(w.ctx);
  const before = await trace(w);
  await act();
  const after = await trace(w);
  expect({ events: after.events.slice(before.events.length), audit: after.audit.slice(before.audit.length) }).toEqual({ events: [...step.events], audit: step.audit ?? [] });
  if (step.operation.operation.kind === "command" && step.case !== "that is there already") expect(step.events.length + (step.audit?.length ?? 0)).toBeGreaterThan(0);
});

it("stores events as the catalogue says, without data, attributes or notes", async () => {
  const w = await world();
  const template = await publishedTemplate(w.ctx, { kind: "academic", design: { front: { fields: [{ key: "a", binding: "attributes.private" }] } } });
  const subject = { externalId: "s", attributes: { private: "private-attribute" } };
  const { credential: first } = await issueCredential(w.ctx, { subject, templateId: template.id, data: { x: "private-data" } });
  await updateCredential(w.ctx, { id: first.id, data: { y: "private-data" } });
  await suspendCredential(w.ctx, { id: first.id, reason: "public-reason", note: "private-note" });
  const events = await eventsOf(w.orgId);
  expect(JSON.stringify(events)).not.toContain("private-");
  for (const event of events) expect(catalogue[event.type as EventType].object.parse(event.data.object)).toEqual(event.data.object);
  expect(events.at(-1)).toMatchObject({ data: { object: { object: "credential", id: first.id, code: first.code, externalId: "s", state: "suspended", suspensionReason: "public-reason" }, previous: { state: "active" } } });
});
