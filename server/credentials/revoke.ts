import { z } from "zod";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { privateNote, publicReason } from "./input";
import { loadForChange } from "./load";
import { transition } from "./transition";
import { credentialTag, credentialView } from "./view";

const revokeInput = z.strictObject({ id: id("crd"), ifMatch, reason: publicReason, note: privateNote });

/**
 * Revokes a credential for good: verification and the public page say so, with the reason, from the commit on. A
 * revoked one stays as it is, with its first reason. Emits credential.revoked.
 */
export const revokeCredential = command({
  name: "credentials.revoke",
  scope: "credentials:revoke",
  input: revokeInput,
  tag: credentialTag,
  async run(ctx, input) {
    const before = await loadForChange(ctx, input.id);
    requireMatch(input.ifMatch, credentialTag(credentialView(before, ctx.now)));
    const [after] = await transition(ctx, [before], "revoke", input);
    return credentialView(after!, ctx.now);
  },
});
