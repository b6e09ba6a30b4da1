import { z } from "zod";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { changeStatus } from "./change-status";
import { policyTag } from "./view";

/**
 * Pauses a policy: it is not applied, by its schedule or by a request. A run that is under way ends with its present step,
 * and a halted one is discarded.
 */
export const pausePolicy = command({
  name: "policies.pause",
  scope: "policies:write",
  input: z.strictObject({ id: id("pol") }),
  tag: policyTag,
  run: (ctx, input) => changeStatus(ctx, input.id, "paused"),
});
