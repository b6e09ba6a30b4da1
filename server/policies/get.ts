import { z } from "zod";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { loadShownPolicy } from "./load";
import { policyTag, policyView } from "./view";

/** Returns a policy with its newest run. */
export const getPolicy = query({
  name: "policies.get",
  scope: "policies:read",
  input: z.strictObject({ id: id("pol") }),
  tag: policyTag,
  run: async (ctx, input) => policyView(await loadShownPolicy(ctx, input.id)),
});
