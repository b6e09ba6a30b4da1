import { z } from "zod";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { privateNote, publicReason } from "./input";
import { loadForChange } from "./load";
import { transition } from "./transition";
import { credentialTag, credentialView } from "./view";

const suspendInput = z.strictObject({ id: id("crd"), ifMatch, reason: publicReason.optional(), note: privateNote });

/** Suspends a credential: verification refuses it at once, and it can be resumed. Emits credential.suspended. */
export const suspendCredential = command({
  name: "credentials.suspend",
  scope: "credentials:suspend",
  input: suspendInput,
  tag: credentialTag,
  async run(ctx, input) {
    const before = await loadForChange(ctx, input.id);
    requireMatch(input.ifMatch, credentialTag(credentialView(before, ctx.now)));
    const [after] = await transition(ctx, [before], "suspend", input);
    return credentialView(after!, ctx.now);
  },
});
