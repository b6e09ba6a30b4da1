import { z } from "zod";
import { ifMatch } from "@/server/core/entity-tag";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { changeOne } from "./change-set";
import { privateNote, publicReason } from "./input";
import { stateChange } from "./state-change";
import { credentialTag, credentialView } from "./view";

const revokeInput = z.strictObject({ id: id("crd"), ifMatch, reason: publicReason, note: privateNote });

/** The table of states allows revoking in every state, so only the precondition (If-Match) can refuse it. */
export const revocation = stateChange("revoke", revokeInput);

/**
 * Revokes a credential permanently: from the commit on, verification and the public page say so, with the reason.
 * Revoking a revoked credential changes nothing and keeps the first reason. Emits credential.revoked.
 */
export const revokeCredential = command({
  name: "credentials.revoke",
  scope: "credentials:revoke",
  input: revokeInput,
  tag: credentialTag,
  async run(ctx, input) {
    return credentialView(await changeOne(ctx, revocation, input), ctx.now);
  },
});
