import { approveClaims } from "@/server/claims/approve-claims";
import { createClaimLink } from "@/server/claims/create-link";
import { deleteClaimLink } from "@/server/claims/delete-link";
import { getClaimLink } from "@/server/claims/get-link";
import { listClaims } from "@/server/claims/list-claims";
import { listClaimLinks } from "@/server/claims/list-links";
import { rejectClaims } from "@/server/claims/reject-claims";
import { claimLink, waitingClaim } from "@/server/claims/testing/claims";
import { updateClaimLink } from "@/server/claims/update-link";
import { publishedTemplate } from "../credentials";
import type { Step } from "./step";

export const claimSteps: Step[] = [
  {
    operation: createClaimLink,
    prepare: async (ctx) => {
      const { id: templateId } = await publishedTemplate(ctx);
      return () => createClaimLink(ctx, { templateId });
    },
    events: [],
    audit: ["claim_link.created"],
  },
  {
    operation: updateClaimLink,
    prepare: async (ctx) => {
      const { id } = await claimLink(ctx);
      return () => updateClaimLink(ctx, { id, maxClaims: 9 });
    },
    events: [],
    audit: ["claim_link.updated"],
  },
  {
    operation: updateClaimLink,
    case: "without a change",
    nothingToDo: true,
    prepare: async (ctx) => {
      const { id, name } = await claimLink(ctx);
      return () => updateClaimLink(ctx, { id, name });
    },
    events: [],
  },
  {
    operation: deleteClaimLink,
    prepare: async (ctx) => {
      const { id } = await claimLink(ctx);
      return () => deleteClaimLink(ctx, { id });
    },
    events: [],
    audit: ["claim_link.deleted"],
  },
  {
    operation: approveClaims,
    prepare: async (ctx) => {
      const { id } = await waitingClaim(ctx);
      return () => approveClaims(ctx, { ids: [id] });
    },
    events: ["subject.created", "credential.created", "credential.issued"],
    audit: ["claim.approved"],
  },
  {
    operation: rejectClaims,
    prepare: async (ctx) => {
      const { id } = await waitingClaim(ctx);
      return () => rejectClaims(ctx, { ids: [id], reason: "Not a member" });
    },
    events: [],
    audit: ["claim.rejected"],
  },
  {
    operation: getClaimLink,
    prepare: async (ctx) => {
      const { id } = await claimLink(ctx);
      return () => getClaimLink(ctx, { id });
    },
    events: [],
  },
  { operation: listClaimLinks, prepare: async (ctx) => () => listClaimLinks(ctx, {}), events: [] },
  { operation: listClaims, prepare: async (ctx) => () => listClaims(ctx, {}), events: [] },
];
