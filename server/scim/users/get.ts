import { z } from "zod";
import { query } from "@/server/core/operation";
import { connectionOf } from "../connection";
import { projection } from "../query";
import { loadUser } from "./load";
import { userResource } from "./view";

/** A user as the directory wrote it (RFC 7644 section 3.4.1). */
export const getScimUser = query({
  name: "scim.users.get",
  scope: "scim",
  input: z.strictObject({ id: z.string(), projection }),
  async run(ctx, input) {
    const connection = await connectionOf(ctx);
    const row = await loadUser(ctx, connection, input.id);
    return userResource(ctx, connection, row, input.projection);
  },
});
