import { connectionOf } from "@/server/scim/connection";
import { requireScope } from "@/server/core/operation";
import { fingerprint, idempotent, readKey, type StoredResponse } from "@/server/http/rest/idempotency";
import type { Reply } from "@/server/http/rest/endpoint";
import { errorOf, mediaType } from "./refusal";
import type { ScimRequest, TextReply } from "./scim-route";

/**
 * Does the work of a POST or PATCH once per Idempotency-Key (contract section 2; docs/decisions/499). Without the header
 * it does the work. A key belongs to the connection that used it first: no other connection gets its answer.
 *
 * @throws DomainError idempotency_key_reused, idempotency_in_progress, invalid_idempotency_key
 */
export async function once(
  { ctx, request, requestId }: ScimRequest,
  body: unknown,
  work: (ctx: ScimRequest["ctx"]) => Promise<TextReply>,
): Promise<Reply> {
  const header = request.headers.get("idempotency-key");
  if (header === null) return work(ctx);
  const key = readKey(header);
  requireScope(ctx, "scim");
  const { id: connection } = await connectionOf(ctx);
  const { replayed, status, headers, ...answer } = await idempotent(
    ctx,
    { key, fingerprint: fingerprint(request, { connection, body }) },
    // `scim` is required above, also before a stored answer is repeated. Scopes that an operation grants itself for its
    // work in other modules must not be required of the token then.
    async ({ metDemands: _, ...within }) => toStored(await work(within)),
    (error) => {
      const refused = errorOf(error, requestId);
      return { ...refused, body: JSON.stringify(refused.body), headers: { "content-type": mediaType } };
    },
  );
  return {
    status,
    body: answer.body === "" ? null : answer.body,
    headers: { ...headers, ...(replayed && { "idempotent-replayed": "true" }) },
  };
}

const toStored = ({ body, ...reply }: TextReply): StoredResponse => ({ ...reply, body: body ?? "" });
