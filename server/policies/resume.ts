import { z } from "zod";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { changeStatus } from "./change-status";
import { policyTag } from "./view";

/**
 * Resumes a policy that was paused. Its schedule continues with the next time after now.
 */
export const resumePolicy = command({
  name: "policies.resume",
  scope: "policies:write",
  input: z.strictObject({ id: id("pol") }),
  tag: policyTag,
  run: (ctx, input) => changeStatus(ctx, input.id, "active"),
});
