import type { OutboundRequest, OutboundResult } from "@/server/outbound/request";

/** What verification needs of the world: the time, and the guarded client (contract section 10). */
export interface Surroundings {
  now: Date;
  request(request: OutboundRequest): Promise<OutboundResult>;
}
