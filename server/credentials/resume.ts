import { z } from "zod";
import { ifMatch } from "@/server/core/entity-tag";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { changeOne } from "./change-set";
import { publicReason, privateNote } from "./input";
import { stateChange } from "./state-change";
import { credentialTag, credentialView } from "./view";

/** A valid credential shows no reason. The reason of a resumption is in its history and its event. */
const resumeReason = publicReason
  .optional()
  .meta({ description: "Why it is valid again: kept in the history and told by credential.resumed." });

const resumeInput = z.strictObject({ id: id("crd"), ifMatch, reason: resumeReason, note: privateNote });

export const resumption = stateChange("resume", resumeInput);

/** Makes a suspended credential valid again, unless it has expired meanwhile. Emits credential.resumed. */
export const resumeCredential = command({
  name: "credentials.resume",
  scope: "credentials:suspend",
  input: resumeInput,
  tag: credentialTag,
  async run(ctx, input) {
    return credentialView(await changeOne(ctx, resumption, input), ctx.now);
  },
});
