import { createScimGroup } from "@/server/scim/groups/create";
import { deleteScimGroup } from "@/server/scim/groups/delete";
import { getScimGroup } from "@/server/scim/groups/get";
import { listScimGroups } from "@/server/scim/groups/list";
import { patchScimGroup } from "@/server/scim/groups/patch";
import { replaceScimGroup } from "@/server/scim/groups/replace";
import { readListQuery, readProjection } from "@/server/scim/query";
import { versionTag } from "@/server/scim/users/view";
import { once } from "./once";
import { idOf, listAnswer, nothing, resourceAnswer, scimRoute, unlessKnown } from "./scim-route";

export const listGroups = scimRoute(async ({ ctx, query }) =>
  listAnswer(await listScimGroups(ctx, { query: readListQuery(query) })),
);

/** POST …/.search: a list whose query is in the body. */
export const searchGroups = scimRoute(async ({ ctx, body }) =>
  listAnswer(await listScimGroups(ctx, { query: readListQuery(await body()) })),
);

export const createGroup = scimRoute(async (request) => {
  const input = { body: await request.body(), projection: readProjection(request.query) };
  return once(request, input.body, async (ctx) => resourceAnswer(await createScimGroup(ctx, input), 201));
});

export const getGroup = scimRoute(async (request) =>
  unlessKnown(
    request,
    await getScimGroup(request.ctx, { id: idOf(request), projection: readProjection(request.query) }),
  ),
);

export const replaceGroup = scimRoute(async (request) => {
  const { ctx, body, ifMatch, query } = request;
  const input = { id: idOf(request), body: await body(), ifMatch, projection: readProjection(query) };
  return resourceAnswer(await replaceScimGroup(ctx, input));
});

/**
 * Answers 204 without a body, because a group can have a hundred thousand members. Answers 200 with the group if the
 * request has `attributes` (RFC 7644 section 3.5.2).
 */
export const patchGroup = scimRoute(async (request) => {
  const { body, ifMatch, query } = request;
  const input = { id: idOf(request), body: await body(), ifMatch, projection: readProjection(query) };
  return once(request, input.body, async (ctx) => {
    const { version, resource } = await patchScimGroup(ctx, input);
    return resource ? resourceAnswer(resource) : { ...nothing, headers: { etag: versionTag(version) } };
  });
});

export const deleteGroup = scimRoute(async (request) => {
  await deleteScimGroup(request.ctx, { id: idOf(request), ifMatch: request.ifMatch });
  return nothing;
});
