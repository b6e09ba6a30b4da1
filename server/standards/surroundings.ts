import type { OutboundRequest, OutboundResult } from "@/server/outbound/request";

/** What verification needs from outside: the time, and the guarded client (contract section 10). */
export interface Surroundings {
  now: Date;
  request(request: OutboundRequest): Promise<OutboundResult>;
}
