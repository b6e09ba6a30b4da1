import { z } from "zod";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { loadPolicy } from "./load";
import { loadRun, runView } from "./run-view";

/** Returns what a run did, or, of a halted run, what it would do once approved. */
export const getPolicyRun = query({
  name: "policies.runs.get",
  scope: "policies:read",
  input: z.strictObject({ id: id("pol"), run: id("plr") }),
  async run(ctx, input) {
    const policy = await loadPolicy(ctx, input.id);
    return runView(await loadRun(ctx, policy.id, input.run));
  },
});
