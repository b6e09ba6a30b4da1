import { applyPolicy } from "@/server/policies/apply";
import { approvePolicyRun } from "@/server/policies/approve-run";
import { createPolicy } from "@/server/policies/create";
import { policyDays } from "@/server/policies/days";
import { deletePolicyException } from "@/server/policies/delete-exception";
import { deletePolicy } from "@/server/policies/delete";
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
import { updatePolicy } from "@/server/policies/update";
import { fromCommand, fromQuery, fromTagged, fromTaggedCommand, router } from "../trpc";

export const policiesRouter = router({
  list: fromQuery(listPolicies),
  get: fromTagged(getPolicy),
  create: fromTaggedCommand(createPolicy),
  update: fromTaggedCommand(updatePolicy),
  delete: fromCommand(deletePolicy),
  pause: fromTaggedCommand(pausePolicy),
  resume: fromTaggedCommand(resumePolicy),
  preview: fromQuery(previewPolicy),
  applyNow: fromCommand(applyPolicy),
  runs: fromQuery(listPolicyRuns),
  run: fromQuery(getPolicyRun),
  removals: fromQuery(listPolicyRemovals),
  approve: fromCommand(approvePolicyRun),
  discard: fromCommand(discardPolicyRun),
  exceptions: fromQuery(listPolicyExceptions),
  putException: fromCommand(putPolicyException),
  deleteException: fromCommand(deletePolicyException),
  explain: fromQuery(explainPolicy),
  ofSubject: fromQuery(listPoliciesOfSubject),
  days: fromQuery(policyDays),
  failing: fromQuery(listFailingPolicies),
});
