import { z } from "zod";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { privateNote, publicReason } from "./input";
import { loadForChange } from "./load";
import { transition } from "./transition";
import { credentialView } from "./view";

const suspendInput = z.strictObject({ id, reason: publicReason.optional(), note: privateNote });

/** Suspends a credential: verification refuses it at once, and it can be resumed. Emits credential.suspended. */
export const suspendCredential = command({
  name: "credentials.suspend",
  scope: "credentials:suspend",
  input: suspendInput,
  async run(ctx, input) {
    const before = await loadForChange(ctx, input.id);
    const [after] = await transition(ctx, [before], "suspend", input);
    return credentialView(after!, ctx.now);
  },
});
