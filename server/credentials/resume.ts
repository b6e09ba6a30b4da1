import { z } from "zod";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { publicReason, privateNote } from "./input";
import { loadForChange } from "./load";
import { transition } from "./transition";
import { credentialTag, credentialView } from "./view";

/** A valid credential shows no reason; the history and the event tell it. */
const resumeReason = publicReason
  .optional()
  .meta({ description: "Why it is valid again: kept in the history and told by credential.resumed." });

const resumeInput = z.strictObject({ id: id("crd"), ifMatch, reason: resumeReason, note: privateNote });

/** Makes a suspended credential valid again, unless it has expired meanwhile. Emits credential.resumed. */
export const resumeCredential = command({
  name: "credentials.resume",
  scope: "credentials:suspend",
  input: resumeInput,
  tag: credentialTag,
  async run(ctx, input) {
    const before = await loadForChange(ctx, input.id);
    requireMatch(input.ifMatch, credentialTag(credentialView(before, ctx.now)));
    const [after] = await transition(ctx, [before], "resume", input);
    return credentialView(after!, ctx.now);
  },
});
