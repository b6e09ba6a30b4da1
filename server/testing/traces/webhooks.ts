import type { Ctx } from "@/server/core/context";
import { listEventTypes } from "@/server/events/event-types";
import { getEvent } from "@/server/events/get";
import { listEvents } from "@/server/events/list";
import { sequenceBatch } from "@/server/consumers";
import { upsertSubject } from "@/server/subjects/upsert";
import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";
import { deleteWebhookEndpoint } from "@/server/webhooks/endpoints/delete";
import { disableWebhookEndpoint } from "@/server/webhooks/endpoints/disable";
import { enableWebhookEndpoint } from "@/server/webhooks/endpoints/enable";
import { getWebhookDelivery } from "@/server/webhooks/deliveries/get-delivery";
import { getWebhookEndpoint } from "@/server/webhooks/endpoints/get";
import { listEndpointDeliveries, listWebhookDeliveries } from "@/server/webhooks/deliveries/list-deliveries";
import { listWebhookAttempts } from "@/server/webhooks/deliveries/list-attempts";
import { listWebhookEndpoints } from "@/server/webhooks/endpoints/list";
import { pauseWebhookEndpoint } from "@/server/webhooks/endpoints/pause";
import { getWebhookQueue } from "@/server/webhooks/deliveries/queue";
import { recoverWebhookEndpoint } from "@/server/webhooks/deliveries/recover";
import { replayMissingEvents } from "@/server/webhooks/deliveries/replay-missing";
import { resendWebhookDeliveries, resendWebhookDelivery } from "@/server/webhooks/deliveries/resend";
import { retireWebhookSecret } from "@/server/webhooks/endpoints/retire-secret";
import { rotateWebhookSecret } from "@/server/webhooks/endpoints/rotate-secret";
import { sendWebhookTest } from "@/server/webhooks/deliveries/send-test";
import { getEndpointStatistics, listEndpointStatistics } from "@/server/webhooks/endpoints/statistics";
import { updateWebhookEndpoint } from "@/server/webhooks/endpoints/update";
import type { Step } from "./step";

// Nothing listens at this address, and this test sends nothing.
const endpoint = (ctx: Ctx) =>
  createWebhookEndpoint(ctx, { url: "http://127.0.0.1:49151/", eventTypes: ["subject.*"] });
const since = "2020-01-01T00:00:00Z";

/** Creates an event and its delivery. */
async function delivery(ctx: Ctx) {
  const { id } = await endpoint(ctx);
  await upsertSubject(ctx, { externalId: "s" });
  while ((await sequenceBatch()).more);
  return (await listEndpointDeliveries(ctx, { id })).data[0]!;
}

/** Builds a step that has an existing endpoint. */
const withEndpoint =
  (
    act: (ctx: Ctx, id: string) => Promise<unknown>,
    before?: (ctx: Ctx, id: string) => Promise<unknown>,
  ): Step["prepare"] =>
  async (ctx) => {
    const { id } = await endpoint(ctx);
    await before?.(ctx, id);
    return () => act(ctx, id);
  };

export const webhookSteps: Step[] = [
  {
    operation: createWebhookEndpoint,
    prepare: async (ctx) => () => endpoint(ctx),
    events: ["webhook.endpoint.created"],
  },
  {
    operation: updateWebhookEndpoint,
    prepare: withEndpoint((ctx, id) => updateWebhookEndpoint(ctx, { id, description: "Other" })),
    events: ["webhook.endpoint.updated"],
  },
  {
    operation: updateWebhookEndpoint,
    case: "without a change",
    nothingToDo: true,
    prepare: withEndpoint((ctx, id) => updateWebhookEndpoint(ctx, { id, eventTypes: ["subject.*"] })),
    events: [],
  },
  {
    operation: pauseWebhookEndpoint,
    prepare: withEndpoint((ctx, id) => pauseWebhookEndpoint(ctx, { id })),
    events: ["webhook.endpoint.updated"],
  },
  {
    operation: disableWebhookEndpoint,
    prepare: withEndpoint((ctx, id) => disableWebhookEndpoint(ctx, { id })),
    events: ["webhook.endpoint.disabled"],
  },
  {
    operation: enableWebhookEndpoint,
    prepare: withEndpoint(
      (ctx, id) => enableWebhookEndpoint(ctx, { id }),
      (ctx, id) => disableWebhookEndpoint(ctx, { id }),
    ),
    events: ["webhook.endpoint.updated"],
  },
  {
    operation: deleteWebhookEndpoint,
    prepare: withEndpoint((ctx, id) => deleteWebhookEndpoint(ctx, { id })),
    events: ["webhook.endpoint.deleted"],
  },
  {
    operation: rotateWebhookSecret,
    prepare: withEndpoint((ctx, id) => rotateWebhookSecret(ctx, { id })),
    events: [],
    audit: ["webhook_endpoint.secret_rotated"],
  },
  {
    operation: retireWebhookSecret,
    prepare: withEndpoint(
      (ctx, id) => retireWebhookSecret(ctx, { id }),
      (ctx, id) => rotateWebhookSecret(ctx, { id }),
    ),
    events: [],
    audit: ["webhook_endpoint.old_secret_retired"],
  },
  {
    operation: sendWebhookTest,
    prepare: withEndpoint((ctx, id) => sendWebhookTest(ctx, { id })),
    events: [],
    audit: ["webhook_endpoint.tested"],
  },
  {
    operation: recoverWebhookEndpoint,
    prepare: withEndpoint((ctx, id) => recoverWebhookEndpoint(ctx, { id, since })),
    events: [],
    audit: ["webhook_endpoint.recovered"],
  },
  {
    operation: replayMissingEvents,
    prepare: withEndpoint((ctx, id) => replayMissingEvents(ctx, { id, since })),
    events: [],
    audit: ["webhook_endpoint.missing_replayed"],
  },
  {
    operation: resendWebhookDelivery,
    prepare: async (ctx) => {
      const { id } = await delivery(ctx);
      return () => resendWebhookDelivery(ctx, { id });
    },
    events: [],
    audit: ["webhook_delivery.resent"],
  },
  {
    operation: resendWebhookDeliveries,
    prepare: async (ctx) => {
      const { id } = await delivery(ctx);
      return () => resendWebhookDeliveries(ctx, { ids: [id] });
    },
    events: [],
    audit: ["webhook_deliveries.resent"],
  },
  { operation: getWebhookEndpoint, prepare: withEndpoint((ctx, id) => getWebhookEndpoint(ctx, { id })), events: [] },
  { operation: listWebhookEndpoints, prepare: withEndpoint((ctx) => listWebhookEndpoints(ctx, {})), events: [] },
  {
    operation: getEndpointStatistics,
    prepare: withEndpoint((ctx, id) => getEndpointStatistics(ctx, { id })),
    events: [],
  },
  { operation: listEndpointStatistics, prepare: withEndpoint((ctx) => listEndpointStatistics(ctx, {})), events: [] },
  { operation: getWebhookQueue, prepare: withEndpoint((ctx) => getWebhookQueue(ctx, {})), events: [] },
  {
    operation: listEndpointDeliveries,
    prepare: withEndpoint((ctx, id) => listEndpointDeliveries(ctx, { id })),
    events: [],
  },
  { operation: listWebhookDeliveries, prepare: async (ctx) => () => listWebhookDeliveries(ctx, {}), events: [] },
  {
    operation: getWebhookDelivery,
    prepare: async (ctx) => {
      const { id } = await delivery(ctx);
      return () => getWebhookDelivery(ctx, { id });
    },
    events: [],
  },
  {
    operation: listWebhookAttempts,
    prepare: async (ctx) => {
      const { id } = await delivery(ctx);
      return () => listWebhookAttempts(ctx, { id });
    },
    events: [],
  },
  { operation: listEvents, prepare: async (ctx) => () => listEvents(ctx, {}), events: [] },
  {
    operation: getEvent,
    prepare: async (ctx) => {
      const { eventId } = await delivery(ctx);
      return () => getEvent(ctx, { id: eventId });
    },
    events: [],
  },
  { operation: listEventTypes, prepare: async (ctx) => () => listEventTypes(ctx, {}), events: [] },
];
