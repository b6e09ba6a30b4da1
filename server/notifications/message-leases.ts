import { LeasedTable } from "@/server/reactions/leased-table";
import type { ClaimedMessage } from "./attempt-message";

/** The leases of due messages. */
export const leases = new LeasedTable<Pick<ClaimedMessage, "org_id" | "id" | "claim_id">>({
  table: "messages",
  key: { org_id: { type: "uuid", of: (row) => row.org_id }, id: { type: "uuid", of: (row) => row.id } },
  claimId: { type: "uuid", of: (row) => row.claim_id },
  status: "state",
  due: "next_attempt_at",
});
