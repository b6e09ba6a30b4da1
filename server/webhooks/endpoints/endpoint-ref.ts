import type { Id } from "@/server/core/ids";

/** Identifies one endpoint of one organisation. */
export interface EndpointRef {
  orgId: Id<"org">;
  endpointId: Id<"whe">;
}
