import { z } from "zod";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { changeStatus } from "./change-status";
import { policyTag } from "./view";

/**
 * Pauses a policy: neither its schedule nor a request applies it. A run in progress ends after its current step, and a
 * halted one is discarded.
 */
export const pausePolicy = command({
  name: "policies.pause",
  scope: "policies:write",
  input: z.strictObject({ id: id("pol") }),
  tag: policyTag,
  run: (ctx, input) => changeStatus(ctx, input.id, "paused"),
});
