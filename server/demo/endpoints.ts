import { readId, type Id } from "@/server/core/ids";
import type { Tx } from "@/server/core/transaction";
import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";
import { disable } from "@/server/webhooks/endpoints/disable";
import type { Calendar, Scene, Stage } from "./stage";

/** When the door system stopped answering, and when its endpoint was disabled for it. */
export const deafSinceDaysAgo = 11;
export const disabledDaysAgo = 5;

// Neither host exists. Neither endpoint is registered for events that a visitor triggers just by looking (viewed,
// verified), so the healthy one stays healthy until somebody changes something.
const registrations = [
  {
    url: "https://sis.northwind.example/hooks/credentials",
    description: "Student information system",
    eventTypes: [
      "credential.created",
      "credential.issued",
      "credential.suspended",
      "credential.resumed",
      "credential.revoked",
      "credential.expired",
      "subject.*",
    ],
  },
  {
    url: "https://doors.northwind.example/events",
    description: "Door access, building C",
    eventTypes: ["credential.issued", "credential.suspended", "credential.resumed", "credential.revoked"],
  },
];

/** Scenes that register two endpoints: one that works, and one that stopped answering. */
export function listening({ day }: Calendar): Scene[] {
  let doors = "";
  const register = (i: number): Scene => ({
    at: day(28, 10, i),
    async play(stage, at) {
      doors = (await createWebhookEndpoint(stage.as(stage.cast.owner, at), registrations[i]!)).id;
    },
  });
  const giveUp: Scene = {
    at: day(disabledDaysAgo, 6),
    play: (stage, at) => disable(jobOf(stage, at), { id: readId("whe", doors), status: "active" }, "failing"),
  };
  return [register(0), register(1), giveUp];
}

const jobOf = (stage: Stage, at: Date) => stage.as({ type: "job", id: "webhooks" }, at);

/**
 * Pauses the endpoints until their history is written. Otherwise the dispatcher would send four weeks of events to
 * systems that do not exist.
 */
export async function holdDeliveries(tx: Tx, orgId: Id<"org">): Promise<void> {
  await tx.sql(`UPDATE webhook_endpoints SET status = 'paused' WHERE org_id = $1`, [orgId]);
}
