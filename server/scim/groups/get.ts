import { z } from "zod";
import { query } from "@/server/core/operation";
import { connectionOf } from "../connection";
import { projection } from "../query";
import { loadScimGroup } from "./row";
import { groupViews } from "./view";

/** A group as the directory wrote it (RFC 7644 section 3.4.1). */
export const getScimGroup = query({
  name: "scim.groups.get",
  scope: "scim",
  input: z.strictObject({ id: z.string(), projection }),
  async run(ctx, input) {
    const connection = await connectionOf(ctx);
    const row = await loadScimGroup(ctx, connection, input.id);
    return (await groupViews(ctx, connection, [row], input.projection))[0]!;
  },
});
