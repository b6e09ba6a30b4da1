import type { Ctx } from "@/server/core/context";
import { isId, readId, type Id } from "@/server/core/ids";
import type { Exchange, Reply } from "@/server/http/rest/endpoint";
import type { Noted } from "@/server/scim/requests/effect";
import { recordRequest } from "@/server/scim/requests/record";
import { reasonOf } from "./refusal";
import { tidyPath } from "./tidy-path";

/**
 * Records a request for the console: the endpoint, our id of its resource, its effect, and why it was refused. Queries
 * and bodies are left out, because they name people. Requests of tokens without the scope do not count as a
 * directory's.
 */
export function recordOutcome(
  { request, requestId, now, params }: Exchange,
  { orgId, actor }: Ctx,
  { connectorId, effect, refusal }: Noted,
  outcome: { reply: Reply } | { error: unknown },
): void {
  const { method } = request;
  const [, endpoint = "", ...rest] = tidyPath(new URL(request.url).pathname).slice("/scim/v2".length).split("/");
  const isSearch = rest.includes(".search") || endpoint === ".search";
  const isRead = method === "GET" || isSearch;
  const isList = isSearch || (method === "GET" && ["users", "groups"].includes(endpoint.toLowerCase()) && !rest[0]);
  const refused = "error" in outcome ? reasonOf(outcome.error) : null;
  if (refused?.status === 403 && connectorId === null) return;
  const status = "reply" in outcome ? outcome.reply.status : refused!.status;
  const about = params["id"] ?? ("reply" in outcome ? outcome.reply.headers["location"]?.split("/").at(-1) : undefined);
  recordRequest({
    id: readId("req", requestId),
    orgId,
    connectorId,
    keyId: actor.type === "api_key" ? readId("key", actor.id) : null,
    at: now,
    method,
    endpoint: endpoints.find((each) => each.toLowerCase() === endpoint.toLowerCase()) ?? "",
    resourceId: resourceOf(about),
    status,
    error: refused?.error ?? refusal,
    // A refused list records 0 results. By this, the console distinguishes it from a refused request for one person.
    effect: !refused ? effect : isList ? { found: 0 } : {},
    isRead: isRead && !refused,
    durationMs: Date.now() - now.getTime(),
  });
}

const endpoints = ["Users", "Groups", "Bulk", ".search", "ServiceProviderConfig", "ResourceTypes", "Schemas"];

const resourceOf = (text: string | undefined): Id | null =>
  text === undefined ? null : isId("sub", text) ? readId("sub", text) : isId("grp", text) ? readId("grp", text) : null;
