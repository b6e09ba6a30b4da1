import { z } from "zod";
import type { ScimSettings } from "@/server/connectors/types";
import { requireMatch } from "@/server/core/entity-tag";
import { command } from "@/server/core/operation";
import { connectionOf } from "../connection";
import { lockArrivals } from "../groups/pending";
import { applyPatch, countPassedOver, readPatch } from "../protocol/patch";
import { replaceOnAdd } from "../protocol/replace-on-add";
import { userSchema } from "../protocol/schemas";
import { projection } from "../query";
import { requestBody } from "../request-body";
import { note } from "../requests/effect";
import { changeAffectedGroups } from "./affected-groups";
import { namedBy } from "@/server/connectors/directory/changes";
import { lockUser } from "./load";
import { withoutOldName } from "./old-name";
import { requireKey } from "./require-key";
import { saveUser } from "./save";
import { userResource } from "./view";

/** Changes a user by the operations of a PATCH (RFC 7644 section 3.5.2), all of them or none. */
export const patchScimUser = command({
  name: "scim.users.patch",
  scope: "scim",
  input: z.strictObject({ id: z.string(), body: requestBody, ifMatch: z.string().optional(), projection }),
  async run(ctx, input) {
    const connection = await connectionOf(ctx);
    const { replaceOnAdd: lists = [] } = connection.settings as Partial<ScimSettings>;
    // Read before the person is locked, because the arrivals lock comes first (server/scim/users/lock.ts).
    if (readPatch(userSchema, input.body).some(({ target }) => target.attribute?.name === "externalId"))
      lockArrivals(ctx, connection, "arrives");
    const before = await lockUser(ctx, connection, input.id);
    requireMatch(input.ifMatch, `"${before.version}"`);
    const changes = replaceOnAdd(readPatch(userSchema, input.body, before.resource), lists);
    const next = withoutOldName(before.resource, applyPatch(before.resource, changes), changes);
    requireKey(next);
    await changeAffectedGroups(ctx, connection, before, next);
    const row = await saveUser(ctx, connection, before, {
      resource: next,
      restates: namedBy(connection.mapping, changes),
    });
    if (row.version !== before.version) note(ctx, "changed");
    note(ctx, "ignored", countPassedOver(changes));
    return userResource(ctx, connection, row, input.projection);
  },
});
