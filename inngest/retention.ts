import { cron } from "inngest";
import { preparePartitions } from "@/server/retention/partitions";
import { purgeExpired } from "@/server/retention/purge";
import { inngest } from "./client";
import { tellFailure } from "./tell-failure";

/** A run ends after this time at the latest; the next run continues. */
const withinMs = 5 * 60_000;

/**
 * Deletes what has passed its retention period: each kind of row is listed in server/retention/purge.ts. Makes the
 * partitions of the next weeks.
 */
export const retention = inngest.createFunction(
  { id: "retention", retries: 3, onFailure: tellFailure, triggers: [cron("17 * * * *")], concurrency: { limit: 1 } },
  async () => {
    const now = new Date();
    try {
      return await purgeExpired(now, new Date(now.getTime() + withinMs));
    } finally {
      await preparePartitions(now);
    }
  },
);
