import { z } from "zod";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { privateNote } from "./input";
import { loadForChange } from "./load";
import { nextState } from "./states";
import { transition } from "./transition";
import { credentialView } from "./view";

const resumeInput = z.strictObject({ id, note: privateNote });

/** Makes a suspended credential valid again, unless it has expired meanwhile. Emits credential.resumed. */
export const resumeCredential = command({
  name: "credentials.resume",
  scope: "credentials:suspend",
  input: resumeInput,
  async run(ctx, input) {
    const before = await loadForChange(ctx, input.id);
    nextState(before, "resume");
    const [after] = await transition(ctx, [before], "resume", input);
    return credentialView(after!, ctx.now);
  },
});
