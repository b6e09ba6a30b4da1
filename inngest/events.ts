import { eventType } from "inngest";
import { z } from "zod";

/** Deliveries are due: send them. */
export const deliveriesDue = eventType("bonafide/deliveries.due", { schema: z.object({}) });

/** A bulk job was queued: run whichever jobs are due. */
export const bulkQueued = eventType("bonafide/bulk.queued", { schema: z.object({}) });

/** A run of a connector was queued or approved: work on it. */
export const connectorsQueued = eventType("bonafide/connectors.queued", { schema: z.object({}) });

/** E-mails were queued: send them. */
export const mailsQueued = eventType("bonafide/mails.queued", { schema: z.object({}) });

/** A run of a policy was queued, or needs more work: run whichever is due. */
export const policiesQueued = eventType("bonafide/policies.queued", { schema: z.object({}) });

/** A rule group was saved, and is evaluated further: evaluate whichever are due. */
export const groupsDue = eventType("bonafide/groups.due", { schema: z.object({}) });

/** Credentials in wallets changed: update their passes, and notify the phones. */
export const walletsDue = eventType("bonafide/wallets.due", { schema: z.object({}) });

/** An archive of photos was uploaded, or needs more work: import whichever are due. */
export const photosQueued = eventType("bonafide/photos.queued", { schema: z.object({}) });

/** Credentials reached the time at which they start or expire. */
export const credentialsDue = eventType("bonafide/credentials.due", { schema: z.object({}) });

/**
 * How far ahead a wake-up for credentials is sent as an event, in ms. The cron sweep runs every minute and plans later
 * ones.
 */
export const plannedAheadMs = 120_000;

/**
 * Creates the wake-up for credentials that start or expire at a future instant. Its id depends on the instant alone, so
 * wake-ups for the same instant are deduplicated.
 */
export function credentialsDueAt(at: Date) {
  return credentialsDue.create({}, { id: `credentials-due-${at.getTime()}`, ts: at.getTime() });
}

/**
 * Event names to coalesce: such an event only says "look now". While the embedded engine has one queued, it drops
 * further ones, so that thousands of commits a second do not become thousands of runs. A function that they trigger
 * processes whatever is due.
 */
export const signals: ReadonlySet<string> = new Set([
  deliveriesDue.name,
  bulkQueued.name,
  connectorsQueued.name,
  policiesQueued.name,
  mailsQueued.name,
  credentialsDue.name,
  groupsDue.name,
  walletsDue.name,
  photosQueued.name,
]);
