import { listAudit } from "@/server/access/list-audit";
import { listSecurityEvents } from "@/server/access/list-security-events";
import { getOrganisation } from "@/server/organisations/get";
import { getMe } from "@/server/organisations/get-me";
import { getJobHealth } from "@/server/organisations/job-health";
import { makeSecondFactorOptional } from "@/server/organisations/make-second-factor-optional";
import { requireSecondFactor } from "@/server/organisations/require-second-factor";
import { getSecondFactorPolicy } from "@/server/organisations/second-factor-policy";
import { updateOrganisation } from "@/server/organisations/update";
import { fromCommand, fromPerson, fromQuery, fromTagged, fromTaggedCommand, router } from "../trpc";

export const organisationRouter = router({
  get: fromTagged(getOrganisation),
  me: fromQuery(getMe),
  update: fromTaggedCommand(updateOrganisation),
  secondFactorPolicy: fromQuery(getSecondFactorPolicy),
  requireSecondFactor: fromCommand(requireSecondFactor),
  makeSecondFactorOptional: fromPerson(makeSecondFactorOptional),
  audit: fromQuery(listAudit),
  security: fromQuery(listSecurityEvents),
  jobHealth: fromQuery(getJobHealth),
});
