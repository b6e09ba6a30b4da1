import { eventType } from "inngest";
import { z } from "zod";

/** Deliveries are due: send them. */
export const deliveriesDue = eventType("bonafide/deliveries.due", { schema: z.object({}) });

/** A bulk job was queued. Without ids, as the nudge after a commit sends it: whichever jobs are due. */
export const bulkQueued = eventType("bonafide/bulk.queued", {
  schema: z.object({ orgId: z.string().optional(), jobId: z.string().optional() }),
});

/** E-mails were queued: send them. */
export const mailsQueued = eventType("bonafide/mails.queued", { schema: z.object({}) });

/** Credentials reached the time at which they start or expire. */
export const credentialsDue = eventType("bonafide/credentials.due", { schema: z.object({}) });

/**
 * How far ahead a wake-up for credentials is sent as an event. The cron sweep, every minute, plans whatever comes
 * later.
 */
export const plannedAheadMs = 120_000;

/**
 * The wake-up for credentials that start or expire at an instant ahead. All who ask for the same instant send the same
 * event.
 */
export function credentialsDueAt(at: Date) {
  return credentialsDue.create({}, { id: `credentials-due-${at.getTime()}`, ts: at.getTime() });
}

/**
 * Event names to coalesce: they only say "look now", and while the embedded engine has one queued, further ones are
 * dropped, so that thousands of commits a second do not become thousands of runs. A function on them drains whatever is
 * due.
 */
export const signals: ReadonlySet<string> = new Set([
  deliveriesDue.name,
  bulkQueued.name,
  mailsQueued.name,
  credentialsDue.name,
]);
