import { archiveCredentials } from "@/server/badges/archive";
import { getBadgePng, getBadgeSvg } from "@/server/badges/get-badge";
import { getCertificate } from "@/server/badges/get-certificate";
import { getCredentialDocument } from "@/server/badges/get-document";
import { listChannels } from "@/server/channels/list";
import { sendCredential } from "@/server/channels/send";
import { cancelMessage } from "@/server/messages/cancel";
import { getMessage } from "@/server/messages/get";
import { getMessageText } from "@/server/messages/get-text";
import { listMessages } from "@/server/messages/list";
import { previewMessage } from "@/server/messages/preview";
import { resendMessage } from "@/server/messages/resend";
import { addChannel } from "@/server/wallets/add-channel";
import { setAppleSettings } from "@/server/wallets/apple/set-settings";
import { appleCertificates } from "@/server/wallets/apple/testing/certificates";
import { setGoogleSettings } from "@/server/wallets/google/set-settings";
import { googleAccount } from "@/server/wallets/google/testing/stand-in";
import type { Ctx } from "@/server/core/context";
import { bulkCredentials } from "@/server/credentials/bulk";
import { cancelBulkJob } from "@/server/credentials/cancel-bulk-job";
import { countCredentials } from "@/server/credentials/counts";
import { getBulkJob } from "@/server/credentials/get-bulk-job";
import { getCredential } from "@/server/credentials/get";
import { listCredentialHistory } from "@/server/credentials/history";
import { issueCredential } from "@/server/credentials/issue";
import { issueOrAsk } from "@/server/credentials/issue-or-ask";
import { listBulkJobs } from "@/server/credentials/list-bulk-jobs";
import { exportBulkRows } from "@/server/credentials/export-bulk-rows";
import { exportCredentials } from "@/server/credentials/export";
import { listBulkRows } from "@/server/credentials/list-bulk-rows";
import { listCredentials, listCredentialsOfSubject } from "@/server/credentials/list";
import { reissueCredential } from "@/server/credentials/reissue";
import { resumeCredential } from "@/server/credentials/resume";
import { revokeCredential } from "@/server/credentials/revoke";
import { applyTemplateVersion } from "@/server/credentials/apply-version";
import { revokeTemplateCredentials } from "@/server/credentials/revoke-template";
import { suspendCredential } from "@/server/credentials/suspend";
import { updateCredential } from "@/server/credentials/update";
import { upsertSubject } from "@/server/subjects/upsert";
import { flushVerifications } from "@/server/verification/observe";
import { recordVerificationEvents } from "@/server/verification/record-verification-events";
import { verifyCredential } from "@/server/verification/verify";
import { issued, publishedTemplate } from "../credentials";
import type { Step } from "./step";

const made = ["credential.created", "credential.issued"] as const;
const offered = async (ctx: Ctx) =>
  issued(ctx, (await publishedTemplate(ctx, { design: { wallet: { apple: true, google: true } } })).id);
const credential = async (ctx: Ctx, terms: Parameters<typeof issued>[2] = {}) =>
  issued(ctx, (await publishedTemplate(ctx)).id, terms);
const suspended = async (ctx: Ctx) => suspendCredential(ctx, { id: (await credential(ctx)).id });
const job = async (ctx: Ctx) =>
  (await bulkCredentials(ctx, { action: "suspend", items: [{ id: "crd_none" }], respondAsync: true })).job!;
const verified = async (ctx: Ctx, code: string) => {
  await verifyCredential(ctx, { code });
  await flushVerifications();
};

/** A message that waits to be sent. */
async function message(ctx: Ctx): Promise<string> {
  await sendCredential(ctx, { id: (await credential(ctx)).id, to: "ada@example.edu" });
  return (await listMessages(ctx, {})).data[0]!.id;
}

export const credentialSteps: Step[] = [
  {
    operation: listMessages,
    prepare: async (ctx) => {
      await message(ctx);
      return () => listMessages(ctx, {});
    },
    events: [],
  },
  {
    operation: getMessage,
    prepare: async (ctx) => {
      const id = await message(ctx);
      return () => getMessage(ctx, { id });
    },
    events: [],
  },
  {
    operation: getMessageText,
    prepare: async (ctx) => {
      const id = await message(ctx);
      return () => getMessageText(ctx, { id });
    },
    events: [],
  },
  {
    operation: previewMessage,
    prepare: async (ctx) => {
      const { id } = await publishedTemplate(ctx);
      return () => previewMessage(ctx, { id, kind: "revoked" });
    },
    events: [],
  },
  {
    operation: cancelMessage,
    prepare: async (ctx) => {
      const id = await message(ctx);
      return () => cancelMessage(ctx, { id });
    },
    events: [],
    audit: ["message.cancelled"],
  },
  {
    operation: resendMessage,
    prepare: async (ctx) => {
      const { id } = await cancelMessage(ctx, { id: await message(ctx) });
      return () => resendMessage(ctx, { id });
    },
    events: [],
    audit: ["message.resent"],
  },
  {
    operation: sendCredential,
    prepare: async (ctx) => {
      const { id } = await credential(ctx);
      return () => sendCredential(ctx, { id, to: "ada@example.edu" });
    },
    events: [],
    audit: ["credential.sent"],
  },
  {
    operation: addChannel,
    prepare: async (ctx) => {
      const { id } = await credential(ctx);
      return () => addChannel(ctx, { id, type: "email", to: "ada@example.edu" });
    },
    events: [],
    audit: ["credential.sent"],
  },
  {
    operation: addChannel,
    case: "of a wallet",
    prepare: async (ctx) => {
      await setAppleSettings(ctx, await appleCertificates());
      const { id } = await offered(ctx);
      return () => addChannel(ctx, { id, type: "apple_wallet" });
    },
    events: ["credential.channel.provisioned"],
    audit: ["credential.pass_made"],
  },
  {
    operation: addChannel,
    case: "of Google Wallet",
    prepare: async (ctx) => {
      await setGoogleSettings(ctx, await googleAccount());
      const { id } = await offered(ctx);
      return () => addChannel(ctx, { id, type: "google_wallet" });
    },
    events: ["credential.channel.provisioned"],
    audit: ["credential.pass_made"],
  },
  {
    operation: listChannels,
    prepare: async (ctx) => {
      const { id } = await credential(ctx);
      return () => listChannels(ctx, { id });
    },
    events: [],
  },
  ...[getCredentialDocument, getBadgePng, getBadgeSvg, getCertificate].map((operation) => ({
    operation,
    prepare: async (ctx: Ctx) => {
      const template = await publishedTemplate(ctx, { kind: "academic" });
      const { id } = await issued(ctx, template.id);
      return () => operation(ctx, { id });
    },
    events: [],
  })),
  {
    operation: issueOrAsk,
    prepare: async (ctx) => {
      const { id: templateId } = await publishedTemplate(ctx);
      const { subject } = await upsertSubject(ctx, { externalId: "s" });
      return () => issueCredential(ctx, { subject: { id: subject.id }, templateId });
    },
    events: made,
  },
  {
    operation: issueOrAsk,
    case: "to a new subject",
    prepare: async (ctx) => {
      const { id } = await publishedTemplate(ctx);
      return () => issued(ctx, id);
    },
    events: ["subject.created", ...made],
  },
  {
    operation: issueOrAsk,
    case: "ahead of its start",
    prepare: async (ctx) => {
      const { id } = await publishedTemplate(ctx);
      return () => issued(ctx, id, { validFrom: "2099-01-01T00:00:00Z" });
    },
    events: ["subject.created", "credential.created"],
  },
  {
    operation: issueOrAsk,
    case: "in place of another",
    prepare: async (ctx) => {
      const { subjectId, templateId } = await credential(ctx);
      return () => issueCredential(ctx, { subject: { id: subjectId }, templateId, ifExists: "replace" });
    },
    events: ["credential.revoked", ...made],
  },
  {
    operation: issueOrAsk,
    case: "that is there already",
    nothingToDo: true,
    prepare: async (ctx) => {
      const { subjectId, templateId } = await credential(ctx);
      return () => issueCredential(ctx, { subject: { id: subjectId }, templateId, ifExists: "return" });
    },
    events: [],
  },
  {
    operation: updateCredential,
    prepare: async (ctx) => {
      const { id } = await credential(ctx);
      return () => updateCredential(ctx, { id, data: { a: 1 } });
    },
    events: ["credential.updated"],
  },
  {
    operation: suspendCredential,
    prepare: async (ctx) => {
      const { id } = await credential(ctx);
      return () => suspendCredential(ctx, { id });
    },
    events: ["credential.suspended"],
  },
  {
    operation: resumeCredential,
    prepare: async (ctx) => {
      const { id } = await suspended(ctx);
      return () => resumeCredential(ctx, { id });
    },
    events: ["credential.resumed"],
  },
  {
    operation: revokeCredential,
    prepare: async (ctx) => {
      const { id } = await credential(ctx);
      return () => revokeCredential(ctx, { id, reason: "Left" });
    },
    events: ["credential.revoked"],
  },
  {
    operation: reissueCredential,
    prepare: async (ctx) => {
      const { id } = await credential(ctx);
      return () => reissueCredential(ctx, { id });
    },
    events: ["credential.revoked", ...made],
  },
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
  {
    operation: getCredential,
    prepare: async (ctx) => {
      const { id } = await credential(ctx);
      return () => getCredential(ctx, { id });
    },
    events: [],
  },
  { operation: exportCredentials, prepare: async (ctx) => () => exportCredentials(ctx, {}), events: [] },
  { operation: archiveCredentials, prepare: async (ctx) => () => archiveCredentials(ctx, {}), events: [] },
  {
    operation: exportBulkRows,
    prepare: async (ctx) => {
      const { id } = await job(ctx);
      return () => exportBulkRows(ctx, { id });
    },
    events: [],
  },
  { operation: listCredentials, prepare: async (ctx) => () => listCredentials(ctx, {}), events: [] },
  {
    operation: listCredentialsOfSubject,
    prepare: async (ctx) => {
      const { subject } = await upsertSubject(ctx, { externalId: "s" });
      return () => listCredentialsOfSubject(ctx, { id: subject.id });
    },
    events: [],
  },
  { operation: countCredentials, prepare: async (ctx) => () => countCredentials(ctx, {}), events: [] },
  {
    operation: listCredentialHistory,
    prepare: async (ctx) => {
      const { id } = await credential(ctx);
      return () => listCredentialHistory(ctx, { id });
    },
    events: [],
  },
  {
    operation: bulkCredentials,
    prepare: async (ctx) => {
      const { id } = await credential(ctx);
      return () => bulkCredentials(ctx, { action: "suspend", items: [{ id }, { id: "crd_none" }] });
    },
    events: ["credential.suspended"],
  },
  {
    operation: bulkCredentials,
    case: "as a job",
    prepare: async (ctx) => () => job(ctx),
    events: [],
    audit: ["bulk_job.created"],
  },
  {
    operation: applyTemplateVersion,
    prepare: async (ctx) => {
      const { templateId: id } = await credential(ctx);
      return () => applyTemplateVersion(ctx, { id, version: 1, expectedCount: 1 });
    },
    events: [],
    audit: ["bulk_job.created"],
  },
  {
    operation: revokeTemplateCredentials,
    prepare: async (ctx) => {
      const { templateId: id } = await credential(ctx);
      return () => revokeTemplateCredentials(ctx, { id, reason: "Fraud", expectedCount: 1 });
    },
    events: [],
    audit: ["bulk_job.created"],
  },
  {
    operation: cancelBulkJob,
    prepare: async (ctx) => {
      const { id } = await job(ctx);
      return () => cancelBulkJob(ctx, { id });
    },
    events: [],
    audit: ["bulk_job.cancelled"],
  },
  {
    operation: getBulkJob,
    prepare: async (ctx) => {
      const { id } = await job(ctx);
      return () => getBulkJob(ctx, { id });
    },
    events: [],
  },
  { operation: listBulkJobs, prepare: async (ctx) => () => listBulkJobs(ctx, {}), events: [] },
  {
    operation: listBulkRows,
    prepare: async (ctx) => {
      const { id } = await job(ctx);
      return () => listBulkRows(ctx, { id });
    },
    events: [],
  },
  {
    operation: suspendCredential,
    case: "twice",
    nothingToDo: true,
    prepare: async (ctx) => {
      const { id } = await suspended(ctx);
      return () => suspendCredential(ctx, { id });
    },
    events: [],
  },
  {
    operation: revokeCredential,
    case: "twice",
    nothingToDo: true,
    prepare: async (ctx) => {
      const { id } = await credential(ctx);
      await revokeCredential(ctx, { id, reason: "Left" });
      return () => revokeCredential(ctx, { id, reason: "Again" });
    },
    events: [],
  },
  {
    operation: verifyCredential,
    prepare: async (ctx) => {
      const { code } = await credential(ctx);
      return () => verified(ctx, code);
    },
    events: ["credential.verified"],
  },
  {
    operation: verifyCredential,
    case: "that is suspended",
    prepare: async (ctx) => {
      const { code } = await suspended(ctx);
      return () => verified(ctx, code);
    },
    events: ["credential.verify_refused"],
  },
  {
    operation: recordVerificationEvents,
    prepare: async (ctx) => {
      const { id, code } = await credential(ctx);
      const facts = {
        object: "verification",
        credentialId: id,
        code,
        result: "valid",
        state: "active",
        reason: null,
        via: "api",
        count: 2,
      } as const;
      return () => recordVerificationEvents(ctx, [{ type: "credential.verified", facts }]);
    },
    events: ["credential.verified"],
  },
];
