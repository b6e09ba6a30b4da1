import { z } from "zod";
import { ifMatch } from "@/server/core/entity-tag";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { changeOne } from "./change-set";
import { privateNote, publicReason } from "./input";
import { stateChange } from "./state-change";
import { credentialTag, credentialView } from "./view";

const suspendInput = z.strictObject({ id: id("crd"), ifMatch, reason: publicReason.optional(), note: privateNote });

export const suspension = stateChange("suspend", suspendInput);

/** Suspends a credential: verification refuses it at once, and it can be resumed. Emits credential.suspended. */
export const suspendCredential = command({
  name: "credentials.suspend",
  scope: "credentials:suspend",
  input: suspendInput,
  tag: credentialTag,
  async run(ctx, input) {
    return credentialView(await changeOne(ctx, suspension, input), ctx.now);
  },
});
