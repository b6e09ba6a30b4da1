import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { readId } from "@/server/core/ids";
import { catalogue, eventTypes, type EventType } from "@/server/events/catalogue";
import * as facts from "@/server/events/facts";
import { sampleEvent } from "@/server/events/samples";
import { eventSchema } from "@/server/events/view";
import { webhookTag } from "./tags";

/** Schemas of `data.object` as components of the document, named as in server/events/facts.ts, e.g. CredentialFacts. */
const shapes = new Map(
  Object.entries(facts).flatMap(([name, shape]) =>
    shape instanceof z.ZodObject
      ? [[shape as z.ZodType, shape.meta({ id: `${name[0]!.toUpperCase()}${name.slice(1)}` })] as const]
      : [],
  ),
);

/** Turns "credential.channel.installed" into "CredentialChannelInstalled". */
const nameOf = (type: EventType) => type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());

const headers = z.object({
  "svc-signature": z.string().meta({
    description: "t=<Unix seconds>,v1=<hex HMAC-SHA-256 of “t.body”>; two v1 while the secret is rotated.",
    example: `t=1788253200,v1=${"5f".repeat(32)}`,
  }),
  "svc-event-id": z.string().meta({
    description: "The id of the event: the same in each attempt and in each endpoint.",
    example: "evt_01k4b2m8w1d2f3g4h5j6k7m8n9",
  }),
  "svc-event-type": z.string().meta({ example: "credential.issued" }),
  "svc-delivery-id": z.string().meta({
    description: "The id of the delivery: the same in each attempt.",
    example: "dlv_01k4b2m8x2e3f4g5h6j7k8m9n0",
  }),
  "svc-attempt": z.int().min(1).meta({ description: "1 for the first attempt.", example: 1 }),
  "webhook-id": z
    .string()
    .meta({ description: "Standard Webhooks: the id of the event.", example: "evt_01k4b2m8w1d2f3g4h5j6k7m8n9" }),
  "webhook-timestamp": z.string().meta({ description: "Standard Webhooks: Unix seconds.", example: "1788253200" }),
  "webhook-signature": z.string().meta({
    description: "Standard Webhooks: v1,<base64>; two while the secret is rotated.",
    example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  }),
});

/** Builds an example that is the same each time the document is written. */
const exampleOf = (type: EventType) => ({
  ...sampleEvent(type, readId("org", "org_01k4awy1b2c3d4e5f6g7h8j9k0"), new Date(1_788_253_200_000)),
  id: "evt_01k4b2m8w1d2f3g4h5j6k7m8n9",
});

function payloadOf(type: EventType) {
  const { object, about } = catalogue[type];
  return eventSchema
    .extend({
      type: z.literal(type),
      data: z.object({ object: shapes.get(object)!, previous: eventSchema.shape.data.shape.previous }),
      test: z.literal(true).optional().meta({ description: "In a test delivery alone, whose sequence is 0." }),
    })
    .meta({ id: `${nameOf(type)}Event`, description: about });
}

/** Describes what endpoints receive: one operation per event type, with its payload. */
export function webhookOperations(): ZodOpenApiPathsObject {
  return Object.fromEntries(
    eventTypes.map((type) => [
      type,
      {
        post: {
          operationId: `on${nameOf(type)}`,
          summary: catalogue[type].about.replace(/\.$/, ""),
          description:
            "Verify `svc-signature` over the raw body before you read it. Answer 2xx within 15 seconds; anything else is tried again.",
          tags: [webhookTag],
          security: [],
          requestParams: { header: headers },
          requestBody: {
            required: true,
            content: { "application/json": { schema: payloadOf(type), example: exampleOf(type) } },
          },
          responses: {
            "2XX": { description: "Received. The body is not read." },
            "410": { description: "Gone for good: the endpoint is disabled and nothing is sent to it any more." },
          },
        },
      },
    ]),
  );
}
