import type { OAuthClient, OAuthClientSecret } from "@/server/core/generated/client";
import { asId, publicId, type Id } from "@/server/core/ids";

export type ClientWithSecrets = Omit<OAuthClient, "id" | "orgId"> & { id: Id<"ocl">; secrets: OAuthClientSecret[] };

/** The Prisma `include` for the view of a client: its live secrets, newest first. */
export const withLiveSecrets = (now: Date) => ({
  secrets: { where: { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] }, orderBy: { id: "desc" as const } },
});

/** The public view of an OAuth client, without its secrets: only creating one returns it. */
export function oauthClientView(row: ClientWithSecrets) {
  return {
    id: publicId("ocl", row.id),
    object: "oauth_client" as const,
    clientId: row.clientId,
    name: row.name,
    scopes: row.scopes,
    secrets: row.secrets.map((secret) => ({
      id: publicId("ocs", asId(secret.id)),
      hint: `…${secret.lastFour}`,
      createdAt: secret.createdAt.toISOString(),
      expiresAt: secret.expiresAt?.toISOString() ?? null,
    })),
    createdBy: row.createdBy as { type: string; id: string },
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
  };
}
