import type { Ctx } from "@/server/core/context";
import { createScimGroup } from "@/server/scim/groups/create";
import { deleteScimGroup } from "@/server/scim/groups/delete";
import { patchScimGroup } from "@/server/scim/groups/patch";
import { replaceScimGroup } from "@/server/scim/groups/replace";
import { everything } from "@/server/scim/protocol/project";
import { scimBase } from "@/server/scim/scim-base";
import { createScimUser } from "@/server/scim/users/create";
import { deleteScimUser } from "@/server/scim/users/delete";
import { patchScimUser } from "@/server/scim/users/patch";
import { replaceScimUser } from "@/server/scim/users/replace";
import { versionTag, type Resource } from "@/server/scim/users/view";

/** The data of an operation. */
export type Body = Parameters<typeof createScimUser>[1]["body"];

/** The answer of a successful operation, and the id of its resource. */
export interface Done {
  id: string;
  status: string;
  location?: string;
  version?: string;
}

/** The operations of one kind of resource. */
export interface Kind {
  endpoint: "/Users" | "/Groups";
  create(ctx: Ctx, body: Body): Promise<Done>;
  replace(ctx: Ctx, id: string, body: Body, ifMatch: string | undefined): Promise<Done>;
  patch(ctx: Ctx, id: string, body: Body, ifMatch: string | undefined): Promise<Done>;
  remove(ctx: Ctx, id: string, ifMatch: string | undefined): Promise<unknown>;
}

const without = { attributes: ["id"], excluded: null };

const done = (status: string, { id, location, tag }: Pick<Resource, "id" | "location" | "tag">): Done => ({
  id,
  location,
  version: tag,
  status,
});

/** The kinds of resources by endpoint. Answers of bulk operations have no bodies, so no bodies are loaded. */
export const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  [
    "users",
    {
      endpoint: "/Users",
      create: async (ctx, body) => done("201", await createScimUser(ctx, { body, projection: without })),
      replace: async (ctx, id, body, ifMatch) =>
        done("200", await replaceScimUser(ctx, { id, body, ifMatch, projection: without })),
      patch: async (ctx, id, body, ifMatch) =>
        done("200", await patchScimUser(ctx, { id, body, ifMatch, projection: without })),
      remove: (ctx, id, ifMatch) => deleteScimUser(ctx, { id, ifMatch }),
    },
  ],
  [
    "groups",
    {
      endpoint: "/Groups",
      create: async (ctx, body) => done("201", await createScimGroup(ctx, { body, projection: without })),
      replace: async (ctx, id, body, ifMatch) =>
        done("200", await replaceScimGroup(ctx, { id, body, ifMatch, projection: without })),
      patch: async (ctx, id, body, ifMatch) => {
        const { version } = await patchScimGroup(ctx, { id, body, ifMatch, projection: everything });
        return done("204", { id, location: `${scimBase()}/Groups/${id}`, tag: versionTag(version) });
      },
      remove: (ctx, id, ifMatch) => deleteScimGroup(ctx, { id, ifMatch }),
    },
  ],
]);
