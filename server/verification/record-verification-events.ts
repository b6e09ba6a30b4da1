import { z } from "zod";
import { readId } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { appendAll } from "@/server/events/append";
import { verificationFacts } from "@/server/events/facts";

const event = z.strictObject({
  type: z.enum(["credential.verified", "credential.verify_refused", "credential.viewed"]),
  facts: verificationFacts,
});

/** Appends coalesced verification events (contract section 8), which webhooks and the event log show. */
export const recordVerificationEvents = command({
  name: "verification.record",
  scope: "verify",
  input: z.array(event).max(1000),
  run: (ctx, events) =>
    appendAll(
      ctx,
      events.map(({ type, facts }) => ({ type, resourceId: readId("crd", facts.credentialId), object: facts })),
    ),
});
