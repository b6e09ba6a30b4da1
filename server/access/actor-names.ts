import { z } from "zod";
import { reading } from "@/server/core/db";
import { publicId, readAnyId, type Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";

interface ActorRow {
  id: string;
  name: string;
  policy_id: Id<"pol"> | null;
  connector_id: Id<"con"> | null;
  asked_at: Date | null;
  deleted: boolean | null;
}

/**
 * Returns the names of actors by id, for histories: people (also former members), API keys and OAuth clients; policies,
 * connectors and their runs, with the name of the policy or connector and, of a run, when it was asked for. Omits ids
 * that are not found, and policies and connectors that the caller may not read.
 */
export const actorNames = query({
  name: "actors.names",
  scope: "credentials:read",
  input: z.strictObject({ ids: z.array(z.string().max(64)).max(100) }),
  async run(ctx, { ids }) {
    const rows = await reading(ctx).sql<ActorRow>(selectNames, [
      ctx.orgId,
      ids,
      ids.map(readAnyId),
      ctx.scopes.has("policies:read"),
      ctx.scopes.has("connectors:read"),
    ]);
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      policyId: row.policy_id && publicId("pol", row.policy_id),
      connectorId: row.connector_id && publicId("con", row.connector_id),
      askedAt: row.asked_at?.toISOString() ?? null,
      isDeleted: row.deleted ?? false,
    }));
  },
});

const org = opaque("$1");
const given = "unnest($2::text[], $3::uuid[]) AS given (told, id)";
const policy = "id AS policy_id, NULL::uuid AS connector_id, name, deleted_at IS NOT NULL AS deleted";
const connector = "NULL::uuid AS policy_id, id AS connector_id, name, deleted_at IS NOT NULL AS deleted";

const selectNames = `
SELECT given.told AS id, coalesce(nullif(u.name, ''), u.email) AS name, NULL::uuid AS policy_id, NULL::uuid AS connector_id, NULL::timestamptz AS asked_at, false AS deleted
FROM ${given} CROSS JOIN LATERAL (SELECT * FROM users WHERE users.id = given.id OFFSET 0) u WHERE (
  EXISTS (SELECT 1 FROM memberships m WHERE m.org_id = ${org} AND m.user_id = u.id)
  OR EXISTS (SELECT 1 FROM audit_entries a WHERE a.org_id = $1 AND a.action = 'member.removed' AND a.detail ->> 'userId' = given.told))
UNION ALL SELECT given.told, named.name, NULL, NULL, NULL, false FROM ${given} CROSS JOIN LATERAL (
  SELECT k.name FROM api_keys k WHERE k.org_id = ${org} AND k.id = given.id
  UNION ALL SELECT c.name FROM oauth_clients c WHERE c.org_id = ${org} AND c.id = given.id OFFSET 0
) named
UNION ALL SELECT given.told, job.name, job.policy_id, job.connector_id, job.asked_at, job.deleted FROM ${given} CROSS JOIN LATERAL (
  SELECT ${policy}, NULL::timestamptz AS asked_at FROM policies WHERE $4 AND org_id = ${org} AND policies.id = given.id
  UNION ALL SELECT ${connector}, NULL FROM connectors WHERE $5 AND org_id = ${org} AND connectors.id = given.id
  UNION ALL SELECT p.*, run.created_at
    FROM (SELECT policy_id, created_at FROM policy_runs WHERE $4 AND org_id = ${org} AND policy_runs.id = given.id OFFSET 0) run
    CROSS JOIN LATERAL (SELECT ${policy} FROM policies WHERE org_id = ${org} AND policies.id = run.policy_id OFFSET 0) p
  UNION ALL SELECT c.*, run.created_at
    FROM (SELECT connector_id, created_at FROM connector_runs WHERE $5 AND org_id = ${org} AND connector_runs.id = given.id OFFSET 0) run
    CROSS JOIN LATERAL (SELECT ${connector} FROM connectors WHERE org_id = ${org} AND connectors.id = run.connector_id OFFSET 0) c
  OFFSET 0
) job`;
