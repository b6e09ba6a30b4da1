import type { Ctx } from "@/server/core/context";
import { applyPolicy } from "@/server/policies/apply";
import { approvePolicyRun } from "@/server/policies/approve-run";
import { createPolicy } from "@/server/policies/create";
import { policyDays } from "@/server/policies/days";
import { deletePolicy } from "@/server/policies/delete";
import { deletePolicyException } from "@/server/policies/delete-exception";
import { discardPolicyRun } from "@/server/policies/discard-run";
import { explainPolicy } from "@/server/policies/explain";
import { getPolicy } from "@/server/policies/get";
import { getPolicyRun } from "@/server/policies/get-run";
import { listFailingPolicies } from "@/server/policies/list-failing";
import { listPolicies } from "@/server/policies/list";
import { listPoliciesOfSubject } from "@/server/policies/list-of-subject";
import { listPolicyExceptions } from "@/server/policies/list-exceptions";
import { listPolicyRemovals } from "@/server/policies/list-run-removals";
import { listPolicyRuns } from "@/server/policies/list-runs";
import { pausePolicy } from "@/server/policies/pause";
import { previewPolicy } from "@/server/policies/preview";
import { putPolicyException } from "@/server/policies/put-exception";
import { resumePolicy } from "@/server/policies/resume";
import { haltedPolicy, policy } from "@/server/policies/testing/halted";
import { updatePolicy } from "@/server/policies/update";
import { upsertSubject } from "@/server/subjects/upsert";
import { publishedTemplate } from "../credentials";
import type { Step } from "./step";

const meant = (ctx: Ctx) => upsertSubject(ctx, { externalId: "s-1", attributes: { in: "a" } });
const excepted = async (ctx: Ctx) => {
  const { id } = await policy(ctx);
  const { subject } = await meant(ctx);
  const exception = { id, subjectId: subject.id, effect: "deny", reason: "Asked for none" } as const;
  await putPolicyException(ctx, exception);
  return exception;
};

export const policySteps: Step[] = [
  {
    operation: createPolicy,
    prepare: async (ctx) => {
      const { id: templateId } = await publishedTemplate(ctx);
      return () =>
        createPolicy(ctx, { name: "Members", templateId, rule: { field: "status", op: "eq", value: "active" } });
    },
    events: [],
    audit: ["policy.created"],
  },
  {
    operation: updatePolicy,
    prepare: async (ctx) => {
      const { id } = await policy(ctx);
      return () => updatePolicy(ctx, { id, graceDays: 3 });
    },
    events: [],
    audit: ["policy.updated"],
  },
  {
    operation: updatePolicy,
    case: "without a change",
    nothingToDo: true,
    prepare: async (ctx) => {
      const { id, rule, name, blastRadius } = await policy(ctx);
      return () => updatePolicy(ctx, { id, rule, name, blastRadius });
    },
    events: [],
  },
  {
    operation: pausePolicy,
    prepare: async (ctx) => {
      const { id } = await policy(ctx);
      return () => pausePolicy(ctx, { id });
    },
    events: [],
    audit: ["policy.paused"],
  },
  {
    operation: resumePolicy,
    prepare: async (ctx) => {
      const { id } = await policy(ctx);
      await pausePolicy(ctx, { id });
      return () => resumePolicy(ctx, { id });
    },
    events: [],
    audit: ["policy.resumed"],
  },
  {
    operation: deletePolicy,
    prepare: async (ctx) => {
      const { id } = await policy(ctx);
      return () => deletePolicy(ctx, { id });
    },
    events: [],
    audit: ["policy.deleted"],
  },
  {
    operation: applyPolicy,
    prepare: async (ctx) => {
      const { id } = await policy(ctx);
      await meant(ctx);
      return () => applyPolicy(ctx, { id });
    },
    events: ["credential.created", "credential.issued", "policy.applied"],
    audit: ["policy_run.queued"],
  },
  {
    operation: approvePolicyRun,
    prepare: async (ctx) => {
      const halted = await haltedPolicy(ctx);
      return () => approvePolicyRun(ctx, halted);
    },
    events: ["credential.suspended", "policy.applied"],
    audit: ["policy_run.approved"],
  },
  {
    operation: discardPolicyRun,
    prepare: async (ctx) => {
      const { id, run } = await haltedPolicy(ctx);
      return () => discardPolicyRun(ctx, { id, run });
    },
    events: [],
    audit: ["policy_run.discarded"],
  },
  {
    operation: putPolicyException,
    prepare: async (ctx) => {
      const exception = await excepted(ctx);
      return () => putPolicyException(ctx, { ...exception, effect: "grant" });
    },
    events: [],
    audit: ["policy_exception.set"],
  },
  {
    operation: putPolicyException,
    case: "without a change",
    nothingToDo: true,
    prepare: async (ctx) => {
      const exception = await excepted(ctx);
      return () => putPolicyException(ctx, exception);
    },
    events: [],
  },
  {
    operation: deletePolicyException,
    prepare: async (ctx) => {
      const { id, subjectId } = await excepted(ctx);
      return () => deletePolicyException(ctx, { id, subjectId });
    },
    events: [],
    audit: ["policy_exception.deleted"],
  },
  { operation: listPolicies, prepare: async (ctx) => () => listPolicies(ctx, {}), events: [] },
  {
    operation: explainPolicy,
    prepare: async (ctx) => {
      const { id, subjectId } = await excepted(ctx);
      return () => explainPolicy(ctx, { id, subjectId });
    },
    events: [],
  },
  {
    operation: listPoliciesOfSubject,
    prepare: async (ctx) => {
      const { subjectId } = await excepted(ctx);
      return () => listPoliciesOfSubject(ctx, { id: subjectId });
    },
    events: [],
  },
  {
    operation: listFailingPolicies,
    prepare: async (ctx) => {
      await policy(ctx);
      return () => listFailingPolicies(ctx, {});
    },
    events: [],
  },
  ...[getPolicy, previewPolicy, listPolicyRuns, listPolicyExceptions, policyDays].map(
    (operation): Step => ({
      operation,
      prepare: async (ctx) => {
        const { id } = await policy(ctx);
        return () => (operation as typeof listPolicyRuns)(ctx, { id });
      },
      events: [],
    }),
  ),
  ...[getPolicyRun, listPolicyRemovals].map(
    (operation): Step => ({
      operation,
      prepare: async (ctx) => {
        const { id, run } = await haltedPolicy(ctx);
        return () => (operation as typeof getPolicyRun)(ctx, { id, run });
      },
      events: [],
    }),
  ),
];
