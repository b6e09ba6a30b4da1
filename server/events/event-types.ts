import { z } from "zod";
import { query } from "@/server/core/operation";
import { page, pageOf, paginate } from "@/server/core/pagination";
import { catalogue, eventTypes } from "./catalogue";
import { sampleEvent } from "./samples";

const eventTypeSchema = z
  .object({
    object: z.literal("event_type"),
    type: z.string(),
    family: z.string().meta({ description: "The pattern of the narrowest family, e.g. credential.channel.*." }),
    description: z.string(),
    sample: z.record(z.string(), z.unknown()).meta({ description: "What a delivery of this type looks like." }),
  })
  .meta({ id: "EventType" });

export const eventTypePage = pageOf(eventTypeSchema);

/**
 * Lists the event types that the log holds and an endpoint can subscribe to: the authoritative list (spec 6.2), in the
 * order of the catalogue.
 */
export const listEventTypes = query({
  name: "events.types",
  scope: ["webhooks:read", "events:read"],
  input: z.strictObject({ ...page, limit: page.limit.default(100) }),
  async run(ctx, input) {
    const found = await paginate(input, {
      binding: [ctx.orgId, "event_types"],
      fetch: async ({ after, take, skip }) => {
        const from = after === null ? skip : eventTypes.findIndex((type) => type === after) + 1;
        return eventTypes.slice(from, from + take);
      },
      count: async () => eventTypes.length,
      keyOf: (type) => type,
    });
    return {
      ...found,
      data: found.data.map((type) => ({
        object: "event_type" as const,
        type,
        family: `${type.split(".").slice(0, -1).join(".")}.*`,
        description: catalogue[type].about,
        sample: sampleEvent(type, ctx.orgId, ctx.now),
      })),
    };
  },
});
