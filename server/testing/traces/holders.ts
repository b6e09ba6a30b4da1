import { approveName } from "@/server/holders/approve-name";
import { listNameRequests } from "@/server/holders/list-name-requests";
import { rejectName } from "@/server/holders/reject-name";
import { nameRequest } from "@/server/holders/testing/holders";
import type { Step } from "./step";

export const holderSteps: Step[] = [
  {
    operation: approveName,
    prepare: async (ctx) => {
      const { id } = await nameRequest(ctx);
      return () => approveName(ctx, { id });
    },
    events: ["subject.updated"],
    audit: ["name_request.approved"],
  },
  {
    operation: rejectName,
    prepare: async (ctx) => {
      const { id } = await nameRequest(ctx);
      return () => rejectName(ctx, { id, reason: "Send us a document" });
    },
    events: [],
    audit: ["name_request.rejected"],
  },
  { operation: listNameRequests, prepare: async (ctx) => () => listNameRequests(ctx, {}), events: [] },
];
