import { z } from "zod";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { loadEndpoint } from "./load";
import { endpointTag, endpointView } from "./view";

export const getWebhookEndpoint = query({
  name: "webhook_endpoints.get",
  scope: "webhooks:read",
  input: z.strictObject({ id: id("whe") }),
  tag: endpointTag,
  run: async (ctx, input) => endpointView(await loadEndpoint(ctx, input.id), ctx),
});
