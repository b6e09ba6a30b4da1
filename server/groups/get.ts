import { z } from "zod";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { loadGroup } from "./load";
import { groupTag, groupView } from "./view";

/** Returns one group with the number of its members. */
export const getGroup = query({
  name: "groups.get",
  scope: "groups:read",
  input: z.strictObject({ id: id("grp") }),
  tag: groupTag,
  run: async (ctx, input) => groupView(await loadGroup(ctx, input.id)),
});
