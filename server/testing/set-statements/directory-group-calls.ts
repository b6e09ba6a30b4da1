import { listStagedMembers } from "@/server/groups/list-staged-members";
import { newPublicId, publicId, readId, type Id } from "@/server/core/ids";
import { createPolicy } from "@/server/policies/create";
import { approveStagedRemovals } from "@/server/scim/removals/approve";
import { discardStagedRemovals } from "@/server/scim/removals/discard";
import { readListQuery } from "@/server/scim/query";
import { createScimGroup } from "@/server/scim/groups/create";
import { listScimGroups } from "@/server/scim/groups/list";
import { patchScimGroup } from "@/server/scim/groups/patch";
import { everything } from "@/server/scim/protocol/project";
import { createScimUser } from "@/server/scim/users/create";
import { deleteScimUser } from "@/server/scim/users/delete";
import { patchScimUser } from "@/server/scim/users/patch";
import type { Ctx } from "@/server/core/context";
import { publishedTemplate } from "../credentials";
import { arrange, type Given, type Call } from "./given";
import { asDirectory } from "./as-directory";

/** A directory group with these people: they are removed and added again, and their removals wait for approval. */
export function directoryGroup(given: Given, people: Id<"sub">[], connector: string): Call[] {
  const { ctx } = given;
  let directory: Ctx;
  // One group for all walks of an organisation, because more groups would mean more rows for statements about groups.
  let id = given.kept.directoryGroupId ?? "";
  const isThere = id !== "";
  const members = people.map((each) => ({ value: publicId("sub", each) }));
  const patch = (op: string, value: object[]) =>
    patchScimGroup(directory, {
      id,
      body: { Operations: [{ op, path: "members", value }] } as never,
      projection: everything,
    });
  const allow = (removals: number) =>
    arrange(
      `UPDATE connectors SET limits = jsonb_build_object('deactivations', $3::int, 'deactivationPercent', 0) WHERE org_id = $1 AND id = $2`,
      [given.orgId, readId("con", connector), removals],
    );
  const user = newPublicId("req");
  return [
    {
      name: "a group of a directory",
      run: async () => {
        directory = await asDirectory(ctx, connector);
        if (id) return patch("add", [...members, { value: user }]);
        const body = { displayName: user, members: [...members, { value: user }] };
        ({ id } = await createScimGroup(directory, { body: body as never, projection: everything }));
        given.kept.directoryGroupId = id;
      },
    },
    {
      name: "a policy of the group, with how many it means",
      // Every person is checked for membership in the group.
      given: 50_000,
      run: async () => {
        if (isThere) return;
        const { id: templateId } = await publishedTemplate(ctx);
        await createPolicy(ctx, { name: "Of a directory", templateId, groupId: id });
      },
    },
    {
      name: "a user for whom a group waits",
      run: async () => {
        const body = { userName: user, externalId: user } as never;
        const made = await createScimUser(directory, { body, projection: everything });
        const Operations = [{ op: "replace", path: "externalId", value: `${user}-again` }];
        await patchScimUser(directory, { id: made.id, body: { Operations } as never, projection: everything });
      },
    },
    { name: "members who are taken out", run: () => patch("remove", members) },
    { name: "members who are put back", run: () => patch("add", members) },
    { name: "members who are replaced by nobody", run: () => patch("replace", []) },
    { name: "memberships that are discarded", run: () => discardStagedRemovals(ctx, { id: connector }) },
    {
      name: "members who are unknown",
      run: () =>
        patch(
          "remove",
          members.map(() => ({ value: newPublicId("sub") })),
        ),
    },
    {
      name: "members who are taken out again, within the limit, and wait since they were discarded",
      run: async () => {
        await allow(members.length);
        await patch("remove", members.slice(1));
        await allow(0);
      },
    },
    {
      name: "members whose removal waits",
      run: () => listStagedMembers(ctx, { id, subjectIds: people.slice(0, 100).map((each) => publicId("sub", each)) }),
    },
    { name: "memberships that are approved", run: () => approveStagedRemovals(ctx, { id: connector }) },
    {
      name: "groups of a directory by a member",
      run: async () => {
        await listScimGroups(directory, {
          query: readListQuery({ filter: `members.value eq "${members[0]!.value}"` }),
        });
        await createScimGroup(directory, {
          body: { displayName: newPublicId("req") } as never,
          projection: everything,
        });
        await listScimGroups(directory, { query: readListQuery({}) });
      },
    },
    {
      name: "a user who is deleted, and leaves groups when a person approves",
      run: async () => {
        await deleteScimUser(directory, { id: members[0]!.value });
        await approveStagedRemovals(ctx, { id: connector });
      },
    },
  ].map((call) => ({ given: people.length, each: 70, ...call }));
}
