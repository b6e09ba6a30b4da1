import { z } from "zod";
import { shareChannels, type ShareChannel } from "@/server/events/facts";
import { examine, note } from "./verify-code";

/** The body of a share. */
export const shareInput = z.strictObject({ channel: z.enum(shareChannels) });

/**
 * Records that somebody shared a credential from its public page. Emits credential.shared, coalesced by viewer and
 * channel for 60 seconds, in the background (contract section 8).
 *
 * @throws DomainError not_found
 */
export async function shareCode(
  typed: string,
  { channel, viewer, now }: { channel: ShareChannel; viewer: string; now: Date },
): Promise<void> {
  const { evidence, verification } = await examine(typed, now);
  note(evidence, verification, { via: "page", viewer, now }, "credential.shared", channel);
}
