import { z } from "zod";
import { command } from "@/server/core/operation";
import { connectionOf } from "../connection";
import { replaceMembers, splitMembers } from "../protocol/member-delta";
import { groupSchema } from "../protocol/schemas";
import { readResource } from "../protocol/values";
import { projection } from "../query";
import { requestBody } from "../request-body";
import { changeGroup } from "./save";
import { groupViews } from "./view";

/**
 * Replaces a group by the sent resource (RFC 7644 section 3.5.1). Without members in the resource, the group has none.
 */
export const replaceScimGroup = command({
  name: "scim.groups.replace",
  scope: "scim",
  input: z.strictObject({ id: z.string(), body: requestBody, ifMatch: z.string().optional(), projection }),
  async run(ctx, { id, body, ifMatch, projection: asked }) {
    const connection = await connectionOf(ctx);
    const { members, rest } = splitMembers(body);
    const sent = readResource(groupSchema, rest);
    const row = await changeGroup(ctx, connection, { id, ifMatch, delta: replaceMembers(members), next: () => sent });
    return (await groupViews(ctx, connection, [row], asked))[0]!;
  },
});
