import { createApiKey } from "@/server/access/create-api-key";
import { createOAuthClient } from "@/server/access/create-oauth-client";
import { listApiKeys } from "@/server/access/list-api-keys";
import { listOAuthClients } from "@/server/access/list-oauth-clients";
import { revokeApiKey } from "@/server/access/revoke-api-key";
import { revokeOAuthClient } from "@/server/access/revoke-oauth-client";
import { sql } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { scopes, type TokenScope } from "@/server/core/scopes";
import { define, operator, orgOption, Usage, wholeList } from "./command";

export const keyCreate = define({
  about: "Makes an API key. Its secret is shown this once.",
  options: {
    ...orgOption,
    name: { about: "what it is for", required: true },
    scopes: { about: "with commas between; without, all but those that approve" },
  },
  async run({ org, name, scopes: wanted }) {
    const { id, secret } = await createApiKey(await operator(org), {
      name: name!,
      ...(wanted && { scopes: readScopes(wanted) }),
    });
    return { id, secret };
  },
  say: ({ id, secret }) => `Made the API key ${id}. Keep its secret now; it is not shown again:\n${secret}`,
});

export const keyList = define({
  about: "Lists the API keys of an organisation, the newest first, without their secrets.",
  options: orgOption,
  run: async ({ org }) => wholeList(listApiKeys, await operator(org)),
  say: (keys) =>
    keys
      .map((key) => [key.id, key.hint, standing(key), `last used ${key.lastUsedAt ?? "never"}`, key.name].join("  "))
      .join("\n") || "There is no API key.",
});

export const oauthClientList = define({
  about: "Lists the OAuth clients of an organisation, the newest first, without their secrets.",
  options: orgOption,
  run: async ({ org }) => wholeList(listOAuthClients, await operator(org)),
  say: (clients) =>
    clients
      .map((client) =>
        [client.id, client.clientId, standing(client), `last used ${client.lastUsedAt ?? "never"}`, client.name].join(
          "  ",
        ),
      )
      .join("\n") || "There is no OAuth client.",
});

const standing = ({ revokedAt, expiresAt }: { revokedAt: string | null; expiresAt?: string | null }) =>
  revokedAt
    ? `revoked ${revokedAt}`
    : expiresAt
      ? `${Date.parse(expiresAt) <= Date.now() ? "expired" : "until"} ${expiresAt}`
      : "live";

export const oauthClientCreate = define({
  about: "Makes an OAuth client. Its secret is shown this once.",
  options: {
    ...orgOption,
    name: { about: "what it is for", required: true },
    scopes: { about: "with commas between; without, all but those that approve" },
  },
  async run({ org, name, scopes: wanted }) {
    const { clientId, clientSecret } = await createOAuthClient(await operator(org), {
      name: name!,
      ...(wanted && { scopes: readScopes(wanted) }),
    });
    return { clientId, clientSecret };
  },
  say: ({ clientId, clientSecret }) =>
    `Made the OAuth client ${clientId}. Keep its secret now; it is not shown again:\n${clientSecret}`,
});

export const keyRevoke = define({
  about: "Revokes an API key. Its next request is refused, and the jobs that it queued stop.",
  options: { ...orgOption, id: { about: "the key's id, key_…", required: true } },
  async run({ org, id }) {
    const key = await revokeApiKey(await operator(org), { id: id! });
    return { id: key.id, name: key.name, revokedAt: key.revokedAt };
  },
  say: ({ id, name }) => `Revoked the API key ${name} (${id}).`,
});

export const oauthClientRevoke = define({
  about:
    "Revokes an OAuth client and all of its tokens. Its next request is refused, and the jobs that it queued stop.",
  options: { ...orgOption, id: { about: "the client's id, ocl_…, or its client_id", required: true } },
  async run({ org, id }) {
    const ctx = await operator(org);
    const [named] = await sql<{ id: Id<"ocl"> }>(`SELECT id FROM oauth_clients WHERE org_id = $1 AND client_id = $2`, [
      ctx.orgId,
      id,
    ]);
    const client = await revokeOAuthClient(ctx, { id: named ? publicId("ocl", named.id) : id! });
    return { id: client.id, clientId: client.clientId, name: client.name, revokedAt: client.revokedAt };
  },
  say: ({ id, name }) => `Revoked the OAuth client ${name} (${id}).`,
});

/**
 * Parses a comma-separated list of scopes.
 *
 * @throws Usage naming the unknown scopes.
 */
function readScopes(text: string): TokenScope[] {
  const wanted = text
    .split(",")
    .map((s) => s.trim())
    .filter(Boolean);
  const unknown = wanted.filter((s) => !(scopes as readonly string[]).includes(s));
  if (unknown.length > 0 || wanted.length === 0)
    throw new Usage(`No such scope: ${unknown.join(", ") || text}. The scopes are: ${scopes.join(", ")}.`);
  return wanted as TokenScope[];
}
