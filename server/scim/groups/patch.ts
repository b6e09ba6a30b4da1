import { z } from "zod";
import { command } from "@/server/core/operation";
import { connectionOf } from "../connection";
import { foldMemberChanges, isOfMembers } from "../protocol/member-delta";
import { applyPatch, readPatch, type Change } from "../protocol/patch";
import { groupSchema } from "../protocol/schemas";
import { projection } from "../query";
import { requestBody } from "../request-body";
import { changeGroup } from "./save";
import { groupViews } from "./view";

/**
 * Changes a group by the operations of a PATCH (RFC 7644 section 3.5.2), all of them or none. Changes of its members
 * are deltas, so concurrent requests lose nothing.
 *
 * @returns the new version; with `attributes` in the projection, the group with these too
 */
export const patchScimGroup = command({
  name: "scim.groups.patch",
  scope: "scim",
  input: z.strictObject({ id: z.string(), body: requestBody, ifMatch: z.string().optional(), projection }),
  async run(ctx, { id, body, ifMatch, projection: asked }) {
    const connection = await connectionOf(ctx);
    const changes = readPatch(groupSchema, body);
    // Schemas that we do not know are passed over, also as paths.
    const isOfExtension = ({ target }: Change) => target.urn !== null;
    const ofGroup = changes.filter((change) => !isOfExtension(change) && !isOfMembers(change));
    const row = await changeGroup(ctx, connection, {
      id,
      ifMatch,
      delta: foldMemberChanges(changes.filter(isOfMembers)),
      next: (written) => applyPatch(written, ofGroup),
    });
    const [resource = null] = asked.attributes ? await groupViews(ctx, connection, [row], asked) : [];
    return { version: row.version, resource };
  },
});
