import type { Ctx } from "@/server/core/context";
import { createScimGroup } from "@/server/scim/groups/create";
import { deleteScimGroup } from "@/server/scim/groups/delete";
import { patchScimGroup } from "@/server/scim/groups/patch";
import { replaceScimGroup } from "@/server/scim/groups/replace";
import { everything as projection } from "@/server/scim/protocol/project";
import { scimConnector } from "@/server/scim/testing/connection";
import { createScimUser } from "@/server/scim/users/create";
import { deleteScimUser } from "@/server/scim/users/delete";
import { patchScimUser } from "@/server/scim/users/patch";
import { replaceScimUser } from "@/server/scim/users/replace";
import { asDirectory } from "../set-statements/as-directory";
import type { Step } from "./step";

const directory = async (ctx: Ctx) => asDirectory(ctx, (await scimConnector(ctx)).id);
const user = { userName: "ada", displayName: "Ada" };
const replaced = (path: string, value: string) => ({ Operations: [{ op: "replace", path, value }] });

/** A command on a user or group that the directory created before. */
const change = (
  operation: Step["operation"],
  of: "user" | "group",
  events: Step["events"],
  act: (ctx: Ctx, id: string) => Promise<unknown>,
  audit: string[] = [],
): Step => ({
  operation,
  async prepare(ctx) {
    const connection = await directory(ctx);
    const made =
      of === "user"
        ? await createScimUser(connection, { body: user, projection })
        : await createScimGroup(connection, { body: { displayName: "Class" }, projection });
    return () => act(connection, made["id"] as string);
  },
  events,
  audit,
});

/** What directories do over SCIM. */
export const directorySteps: Step[] = [
  {
    operation: createScimUser,
    async prepare(ctx) {
      const connection = await directory(ctx);
      return () => createScimUser(connection, { body: user, projection });
    },
    events: ["subject.created"],
  },
  change(patchScimUser, "user", ["subject.updated"], (ctx, id) =>
    patchScimUser(ctx, { id, body: replaced("displayName", "Ada Lovelace"), projection }),
  ),
  change(replaceScimUser, "user", ["subject.updated"], (ctx, id) =>
    replaceScimUser(ctx, { id, body: { ...user, displayName: "Ada Lovelace" }, projection }),
  ),
  change(deleteScimUser, "user", ["subject.deactivated"], (ctx, id) => deleteScimUser(ctx, { id }), [
    "scim_user.deleted",
  ]),
  {
    operation: createScimGroup,
    async prepare(ctx) {
      const connection = await directory(ctx);
      return () => createScimGroup(connection, { body: { displayName: "Class" }, projection });
    },
    events: ["group.created"],
  },
  change(patchScimGroup, "group", ["group.updated"], (ctx, id) =>
    patchScimGroup(ctx, { id, body: replaced("displayName", "Course"), projection }),
  ),
  change(replaceScimGroup, "group", ["group.updated"], (ctx, id) =>
    replaceScimGroup(ctx, { id, body: { displayName: "Course" }, projection }),
  ),
  change(deleteScimGroup, "group", ["group.deleted"], (ctx, id) => deleteScimGroup(ctx, { id }), [
    "scim_group.deleted",
  ]),
];
