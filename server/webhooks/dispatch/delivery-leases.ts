import { queueSql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { LeasedTable } from "@/server/reactions/leased-table";

/** A delivery that this process has claimed. */
interface Held {
  orgId: Id<"org">;
  id: Id<"dlv">;
  /** The fence: what is recorded without it changes nothing. */
  claimId: Id<"req">;
}

/**
 * Longer than a request can take (15 s), and than the clocks of two servers may differ; what takes longer is extended
 * (LeaseKeeper).
 */
export const leaseMs = 60_000;

/** Deliveries that are due, and who sends them. */
export const deliveryLeases = new LeasedTable<Held>({
  table: "webhook_deliveries",
  key: { org_id: { type: "uuid", of: (d) => d.orgId }, id: { type: "uuid", of: (d) => d.id } },
  claimId: { type: "uuid", of: (d) => d.claimId },
  status: "status",
  due: "next_attempt_at",
});

/** Leases what is still held for another `leaseMs`. */
export async function extendLeases(held: Held[], now: Date): Promise<void> {
  await queueSql(extend, [...deliveryLeases.columns(held), new Date(now.getTime() + leaseMs)]);
}

const extend = deliveryLeases.extend(`$${deliveryLeases.next}`);
