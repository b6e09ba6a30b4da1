import { queueSql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { LeasedTable } from "@/server/reactions/leased-table";

/** A delivery that this process has claimed. */
interface Held {
  orgId: Id<"org">;
  id: Id<"dlv">;
  /** The fence: a result recorded under another claim id changes nothing. */
  claimId: Id<"req">;
}

/**
 * Length of a lease. Longer than a request can take (15 s) plus the difference between the clocks of two servers.
 * LeaseKeeper extends the lease if recording takes longer.
 */
export const leaseMs = 60_000;

/** The leases on due deliveries. */
export const deliveryLeases = new LeasedTable<Held>({
  table: "webhook_deliveries",
  key: { org_id: { type: "uuid", of: (d) => d.orgId }, id: { type: "uuid", of: (d) => d.id } },
  claimId: { type: "uuid", of: (d) => d.claimId },
  status: "status",
  due: "next_attempt_at",
  partitioned: true,
});

/** Extends the leases that this process still holds by `leaseMs` from now. */
export async function extendLeases(held: Held[], now: Date): Promise<void> {
  await queueSql(extend, [...deliveryLeases.columns(held), new Date(now.getTime() + leaseMs)]);
}

const extend = deliveryLeases.extend(`$${deliveryLeases.next}`);
