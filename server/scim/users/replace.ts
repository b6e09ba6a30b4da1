import { z } from "zod";
import { requireMatch } from "@/server/core/entity-tag";
import { command } from "@/server/core/operation";
import { connectionOf } from "../connection";
import { lockArrivals } from "../groups/pending";
import { projection } from "../query";
import { requestBody } from "../request-body";
import { note } from "../requests/effect";
import { userSchema } from "../protocol/schemas";
import { readResource } from "../protocol/values";
import { changeAffectedGroups } from "./affected-groups";
import { lockUser } from "./load";
import { requireKey } from "./require-key";
import { saveUser } from "./save";
import { userResource } from "./view";

/**
 * Replaces a user by the sent resource (RFC 7644 section 3.5.1). If `active` is missing, it stays unchanged. A PUT that
 * changes nothing restates all fields.
 */
export const replaceScimUser = command({
  name: "scim.users.replace",
  scope: "scim",
  input: z.strictObject({ id: z.string(), body: requestBody, ifMatch: z.string().optional(), projection }),
  async run(ctx, input) {
    const connection = await connectionOf(ctx);
    const sent = readResource(userSchema, input.body);
    requireKey(sent);
    if (sent["externalId"] !== undefined) lockArrivals(ctx, connection, "arrives");
    const before = await lockUser(ctx, connection, input.id);
    requireMatch(input.ifMatch, `"${before.version}"`);
    await changeAffectedGroups(ctx, connection, before, sent);
    const row = await saveUser(ctx, connection, before, { resource: sent, restates: "whole" });
    if (row.version !== before.version) note(ctx, "changed");
    return userResource(ctx, connection, row, input.projection);
  },
});
