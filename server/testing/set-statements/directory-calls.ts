import { publicId, readId, type Id } from "@/server/core/ids";
import { createConnector } from "@/server/connectors/create";
import { deleteConnector } from "@/server/connectors/delete";
import { fallBackFromDeleted } from "@/server/connectors/fall-back-from-deleted";
import { listMessages } from "@/server/messages/list";
import { queueExpiringMessages } from "@/server/messages/sweep-expiring";
import { bulkUpsertSubjects } from "@/server/subjects/bulk";
import { connectionOf, loadScimConnector } from "@/server/scim/connection";
import { approveStagedRemovals } from "@/server/scim/removals/approve";
import { discardStagedRemovals } from "@/server/scim/removals/discard";
import { gate } from "@/server/scim/removals/gate";
import { summariseStagedRemovals } from "@/server/scim/removals/summary";
import { readListQuery } from "@/server/scim/query";
import { searchScim } from "@/server/scim/search";
import { readReports } from "@/server/connectors/sftp/receive/reports";
import { listScimUsers } from "@/server/scim/users/list";
import { findUnwritten } from "@/server/scim/users/unwritten";
import { transaction } from "@/server/core/transaction";
import { applyWalletChanges } from "@/server/wallets/apply-changes";
import { arrange, type Given, type Call } from "./given";
import { directoryGroup } from "./directory-group-calls";
import { asDirectory } from "./as-directory";

/**
 * A directory that removes these people: the removals wait and are discarded; then they wait again, and are approved.
 */
export function directoryCalls(given: Given, people: Id<"sub">[]): Call[] {
  const { ctx } = given;
  const id = publicId("con", given.home.directoryId);
  const stage = (cause: "status" | "deleted") => async () => {
    const connection = await loadScimConnector(ctx, given.home.directoryId);
    await transaction((tx) =>
      gate(
        { ...ctx, tx },
        connection,
        people.map((subjectId) => ({ subjectId, cause })),
      ),
    );
  };
  return [
    { name: "removals of a directory", run: stage("deleted") },
    {
      name: "removals that are counted",
      run: () =>
        summariseStagedRemovals(ctx, {
          id,
          removals: people.map((each) => ({ subjectId: publicId("sub", each), groupId: null })),
        }),
    },
    { name: "removals that are discarded", run: () => discardStagedRemovals(ctx, { id }) },
    { name: "removals that wait again", run: stage("status") },
    { name: "removals that are approved", run: () => approveStagedRemovals(ctx, { id }) },
    {
      name: "somebody whom a person activates, and a connector that is deleted",
      run: async () => {
        const [someone] = await arrange<{ external_id: string }>(
          `SELECT external_id FROM subjects WHERE org_id = $1 AND id = $2`,
          [given.orgId, people[0]],
        );
        for (const status of ["inactive", "active"] as const)
          await bulkUpsertSubjects(ctx, { items: [{ externalId: someone!.external_id, status }] });
        const unused = await createConnector(ctx, { name: "Unused", type: "scim" });
        await deleteConnector(ctx, { id: unused.id });
        while (await fallBackFromDeleted(new Date()));
      },
    },
    ...directoryGroup(given, people, id),
    {
      name: "passes of credentials that changed",
      run: async () => {
        await arrange(
          `INSERT INTO wallet_changes (org_id, id, credential_id, created_at) SELECT $1, uuidv7(), id, now() FROM (SELECT id FROM credentials WHERE org_id = $1 LIMIT 500) AS taken`,
          [given.orgId],
        );
        while ((await applyWalletChanges(new Date())).more);
      },
    },
    {
      name: "messages that a template asks for",
      run: async () => {
        await arrange(`UPDATE templates SET message_kinds = '{expiring,revoked}' WHERE org_id = $1 AND id = $2`, [
          given.orgId,
          given.home.templateId,
        ]);
        await queueExpiringMessages(new Date(), new Date(Date.now() + 60_000));
        await listMessages(ctx, { state: "pending,sent", templateId: `${id},${id}x` });
        await arrange(`UPDATE templates SET message_kinds = '{}' WHERE org_id = $1`, [given.orgId]);
      },
    },
    {
      name: "what a sender of files sees",
      run: () =>
        readReports({
          orgId: given.orgId,
          connectorId: readId("con", id),
          user: "files",
          hash: null,
          publicKeys: [],
        }),
    },
    {
      name: "a list of users by an address, and by a group",
      run: async () => {
        const directory = await asDirectory(ctx, (await createConnector(ctx, { name: "Few", type: "scim" })).id);
        for (const filter of ['emails.value eq "a@example.org"', 'emails[type eq "work"].value eq "a@example.org"'])
          await listScimUsers(directory, { query: readListQuery({ filter }) });
        await listScimUsers(directory, { query: readListQuery({ filter: 'groups.value eq "none"' }) });
        await searchScim(directory, { query: readListQuery({ sortBy: "displayName" }) });
        // The actor has no connection of its own: the default one sees everybody.
        await listScimUsers(ctx, { query: readListQuery({ filter: 'userName eq "x-7"' }) });
        const [one] = await arrange<{ name: string }>(
          `SELECT external_id AS name FROM subjects WHERE org_id = $1 LIMIT 1`,
          [given.orgId],
        );
        const filter = `userName eq ${JSON.stringify(one!.name)}`;
        await listScimUsers(ctx, { query: readListQuery({ filter, sortBy: "emails" }) });
        await findUnwritten(ctx, await connectionOf(ctx), { keys: ["x-7"] });
      },
    },
  ].map((call) => ({ given: people.length, each: 70, ...call }));
}
