import { z } from "zod";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { loadPolicy } from "./load";
import { loadRun, runView } from "./run-view";

/** What a run of a policy did, or would do if a person approved it. */
export const getPolicyRun = query({
  name: "policies.runs.get",
  scope: "policies:read",
  input: z.strictObject({ id: id("pol"), run: id("plr") }),
  async run(ctx, input) {
    const policy = await loadPolicy(ctx, input.id);
    return runView(await loadRun(ctx, policy.id, input.run));
  },
});
