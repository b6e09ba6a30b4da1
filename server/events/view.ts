import { z } from "zod";

export const eventSchema = z
  .object({
    id: z.string(),
    object: z.literal("event"),
    type: z.string(),
    created: z.int().meta({ description: "Unix seconds." }),
    sequence: z.int().meta({ description: "The place in the organisation's log: 1, 2, 3 without gaps." }),
    organisationId: z.string(),
    actor: z.object({ type: z.string(), id: z.string() }),
    erased: z.literal(true).optional().meta({
      description:
        "Only where it told of a person who was erased since: name, e-mail, externalId and reasons are blanked in data.",
    }),
    data: z.object({
      object: z
        .record(z.string(), z.unknown())
        .meta({ description: "Facts of what the event is about, as they were then." }),
      previous: z
        .record(z.string(), z.unknown())
        .optional()
        .meta({ description: "The changed fields as they were before." }),
    }),
  })
  .meta({ id: "Event" });

export type EventView = z.infer<typeof eventSchema>;

/** Parses the stored event, which has the form in which it was delivered. */
export function eventView(row: { body: string }): EventView {
  return JSON.parse(row.body) as EventView;
}
