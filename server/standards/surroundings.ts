import type { OutboundRequest, OutboundResult } from "@/server/outbound/request";

/** What verification needs from outside: the time, and the guarded client (contract section 10). */
export interface Surroundings {
  now: Date;
  request(request: OutboundRequest): Promise<OutboundResult>;
  /**
   * Whether `request` answers for this URL without the network. Such documents are not cached, so that a key which was
   * rotated a moment ago is known.
   */
  isOwn?(url: string): boolean;
  /** In which the sentences of checks write dates; British English if undefined. The sentences are English. */
  locale?: string | undefined;
}
