import { cancelConfirmation } from "@/server/confirmations/cancel";
import { confirmName } from "@/server/confirmations/confirm";
import { getConfirmation } from "@/server/confirmations/get";
import { listConfirmations } from "@/server/confirmations/list";
import { resendConfirmation } from "@/server/confirmations/resend";
import { nameConfirmation } from "@/server/confirmations/testing/confirmations";
import type { Step } from "./step";

export const confirmationSteps: Step[] = [
  {
    operation: confirmName,
    prepare: async (ctx) => {
      const { id } = await nameConfirmation(ctx);
      return () => confirmName(ctx, { id, reason: "Showed a passport" });
    },
    events: ["credential.created", "credential.issued", "name_confirmation.confirmed"],
    audit: ["name_confirmation.confirmed"],
  },
  {
    operation: resendConfirmation,
    prepare: async (ctx) => {
      const { id } = await nameConfirmation(ctx);
      return () => resendConfirmation(ctx, { id });
    },
    events: ["name_confirmation.requested"],
    audit: ["name_confirmation.resent"],
  },
  {
    operation: cancelConfirmation,
    prepare: async (ctx) => {
      const { id } = await nameConfirmation(ctx);
      return () => cancelConfirmation(ctx, { id, reason: "Left the programme" });
    },
    events: ["name_confirmation.cancelled"],
    audit: ["name_confirmation.cancelled"],
  },
  { operation: listConfirmations, prepare: async (ctx) => () => listConfirmations(ctx, {}), events: [] },
  {
    operation: getConfirmation,
    prepare: async (ctx) => {
      const { id } = await nameConfirmation(ctx);
      return () => getConfirmation(ctx, { id });
    },
    events: [],
  },
];
