import { createScimUser } from "@/server/scim/users/create";
import { deleteScimUser } from "@/server/scim/users/delete";
import { getScimUser } from "@/server/scim/users/get";
import { listScimUsers } from "@/server/scim/users/list";
import { patchScimUser } from "@/server/scim/users/patch";
import { replaceScimUser } from "@/server/scim/users/replace";
import { readListQuery, readProjection } from "@/server/scim/query";
import { once } from "./once";
import { idOf, listAnswer, nothing, resourceAnswer, scimRoute, unlessKnown } from "./scim-route";

export const listUsers = scimRoute(async ({ ctx, query }) =>
  listAnswer(await listScimUsers(ctx, { query: readListQuery(query) })),
);

/** POST …/.search: a list whose query is in the body, so that no address in a log names a person. */
export const searchUsers = scimRoute(async ({ ctx, body }) =>
  listAnswer(await listScimUsers(ctx, { query: readListQuery(await body()) })),
);

export const createUser = scimRoute(async (request) => {
  const input = { body: await request.body(), projection: readProjection(request.query) };
  return once(request, input.body, async (ctx) => resourceAnswer(await createScimUser(ctx, input), 201));
});

export const getUser = scimRoute(async (request) =>
  unlessKnown(
    request,
    await getScimUser(request.ctx, { id: idOf(request), projection: readProjection(request.query) }),
  ),
);

export const replaceUser = scimRoute(async (request) => {
  const { ctx, body, ifMatch, query } = request;
  const input = { id: idOf(request), body: await body(), ifMatch, projection: readProjection(query) };
  return resourceAnswer(await replaceScimUser(ctx, input));
});

/** Answers 200 with the user, because Entra compares the answer with what it wrote. */
export const patchUser = scimRoute(async (request) => {
  const { body, ifMatch, query } = request;
  const input = { id: idOf(request), body: await body(), ifMatch, projection: readProjection(query) };
  return once(request, input.body, async (ctx) => resourceAnswer(await patchScimUser(ctx, input)));
});

export const deleteUser = scimRoute(async (request) => {
  await deleteScimUser(request.ctx, { id: idOf(request), ifMatch: request.ifMatch });
  return nothing;
});
