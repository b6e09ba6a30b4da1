import type { Actor, Ctx } from "@/server/core/context";
import { readId, type Id } from "@/server/core/ids";
import type { Standing } from "@/server/core/operation";
import { personScopes, scopes, type Scope } from "@/server/core/scopes";
import type { Tx } from "@/server/core/transaction";
import { roleScopes, type Role } from "./roles";
import { organisationSuspended } from "./suspended";

interface Credentialed {
  name: string;
  scopes: Scope[];
  revoked: boolean;
  expired: boolean;
}

/**
 * Returns whether the actor of stored work may still act, and with which scopes (contract section 3). Locks the row
 * that decides this until the transaction ends: once a revocation is answered, no earlier step is still running.
 *
 * @throws DomainError organisation_suspended
 */
export async function standingOf(
  tx: Tx,
  who: Pick<Ctx, "orgId" | "actor" | "accessToken">,
  now: Date,
): Promise<Standing> {
  const [organisation] = await tx.sql<{ suspended: boolean }>(
    `SELECT suspended_at IS NOT NULL AS suspended FROM organisations WHERE id = $1 FOR SHARE`,
    [who.orgId],
  );
  if (organisation?.suspended) throw organisationSuspended();
  const { orgId, accessToken } = who;
  if (accessToken !== undefined && (await isRevoked(tx, orgId, accessToken)))
    return { ended: "The access token that asked for this was revoked." };
  return actorStanding(tx, orgId, who.actor, now);
}

/** A token that has expired and was purged is not revoked: a revoked one is kept while a job of it waits. */
async function isRevoked(tx: Tx, orgId: Id<"org">, hash: string): Promise<boolean> {
  const [token] = await tx.sql<{ revoked: boolean }>(
    `SELECT revoked_at IS NOT NULL AS revoked FROM access_tokens WHERE hash = $2 AND org_id = $1 FOR SHARE`,
    [orgId, hash],
  );
  return token?.revoked === true;
}

/** Returns whether an actor may still act, regardless of the organisation's state. */
export async function actorStanding(tx: Tx, orgId: Id<"org">, { type, id }: Actor, now: Date): Promise<Standing> {
  switch (type) {
    case "api_key": {
      const [key] = await tx.sql<Credentialed>(
        `SELECT name, scopes, revoked_at IS NOT NULL AS revoked, coalesce(expires_at <= $3, false) AS expired FROM api_keys WHERE org_id = $1 AND id = $2 FOR SHARE`,
        [orgId, readId("key", id), now],
      );
      return ofToken("API key", id, key);
    }
    case "oauth_client": {
      const [client] = await tx.sql<Credentialed>(
        `SELECT name, scopes, revoked_at IS NOT NULL AS revoked, false AS expired FROM oauth_clients WHERE org_id = $1 AND id = $2 FOR SHARE`,
        [orgId, readId("ocl", id)],
      );
      return ofToken("OAuth client", id, client);
    }
    case "user": {
      const [member] = await tx.sql<{ role: Role; disabled: boolean }>(
        `SELECT m.role, u.disabled_at IS NOT NULL AS disabled FROM memberships m JOIN users u ON u.id = m.user_id
         WHERE m.org_id = $1 AND m.user_id = $2 FOR SHARE`,
        [orgId, readId("usr", id)],
      );
      if (!member) return { ended: "The person who asked for this is no longer a member of the organisation." };
      if (member.disabled) return { ended: "The account of the person who asked for this was disabled." };
      return { scopes: roleScopes[member.role] };
    }
    // Neither can be revoked: the operator works on the machine itself, and the service's own jobs belong to the
    // organisation.
    case "operator":
    case "job":
      return { scopes: new Set<Scope>([...scopes, ...personScopes]) };
    case "public":
      return { ended: "Somebody who was not signed in asked for this." };
  }
}

function ofToken(what: string, id: string, row: Credentialed | undefined): Standing {
  if (!row) return { ended: `The ${what} ${id} that asked for this no longer exists.` };
  if (row.revoked) return { ended: `The ${what} “${row.name}” that asked for this was revoked.` };
  if (row.expired) return { ended: `The ${what} “${row.name}” that asked for this has expired.` };
  return { scopes: new Set(row.scopes) };
}
