import type { ApiKey } from "@/server/core/generated/client";
import { asId, publicId } from "@/server/core/ids";
import { apiKeyPrefix } from "./token-format";

/** The public view of an API key, without its secret: only creating a key returns that. */
export function apiKeyView(row: ApiKey) {
  return {
    id: publicId("key", asId(row.id)),
    object: "api_key" as const,
    name: row.name,
    hint: `${apiKeyPrefix}…${row.lastFour}`,
    scopes: row.scopes,
    createdBy: row.createdBy as { type: string; id: string },
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
  };
}
