import { authenticateClient, type AuthenticatedClient } from "@/server/access/authenticate-client";
import { clientAddress } from "@/server/http/rest/client-address";
import { endpoint, type Dialect, type Endpoint } from "@/server/http/rest/endpoint";
import { OAuthError, oauthErrorResponse } from "./error";
import { consumeAddress } from "@/server/http/rest/rate-limit";
import { readBytes } from "@/server/http/rest/read-body";

/** A form-encoded request of an authenticated client. */
export interface ClientRequest {
  client: AuthenticatedClient;
  /** The form's parameters; an empty value counts as absent (RFC 6749 section 3.2). */
  form: Map<string, string>;
  now: Date;
}

const bodyLimit = 16 * 1024;

/**
 * The dialect of OAuth: rate-limited by address, form-encoded only, client authentication by HTTP Basic or in the body,
 * errors as in RFC 6749 section 5.2.
 */
const oauth: Dialect<ClientRequest> = {
  headers: { "cache-control": "no-store", pragma: "no-cache" },
  async admit({ request, now, headers }) {
    Object.assign(headers, await consumeAddress(clientAddress(request)));
    const form = await readForm(request);
    return { client: await authenticated(request, form, now), form, now };
  },
  refuse: oauthErrorResponse,
};

/** Serves an OAuth endpoint. `serve` returns the JSON of the response, or null for an empty one. */
export function oauthRoute(serve: (request: ClientRequest) => Promise<object | null>): Endpoint {
  return endpoint(oauth, async (_, caller) => {
    const body = await serve(caller);
    return {
      status: 200,
      body: body && JSON.stringify(body),
      headers: { ...(body && { "content-type": "application/json" }) },
    };
  });
}

/** @throws OAuthError `invalid_request` if the parameter is missing. */
export function required(form: Map<string, string>, name: string): string {
  const value = form.get(name);
  if (value === undefined) throw new OAuthError("invalid_request", `The parameter ${name} is missing.`);
  return value;
}

async function readForm(request: Request): Promise<Map<string, string>> {
  const bytes = await readBytes(request, bodyLimit);
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.headers.get("content-type") ?? "")) {
    throw new OAuthError("invalid_request", "Send the parameters as application/x-www-form-urlencoded.");
  }
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(Buffer.from(bytes).toString())) {
    if (form.has(name)) throw new OAuthError("invalid_request", `The parameter ${name.slice(0, 50)} is given twice.`);
    form.set(name, value);
  }
  for (const [name, value] of form) if (value === "") form.delete(name);
  return form;
}

async function authenticated(request: Request, form: Map<string, string>, now: Date): Promise<AuthenticatedClient> {
  const basic = readBasic(request.headers.get("authorization"));
  if (basic && form.has("client_secret"))
    throw new OAuthError("invalid_request", "Authenticate by HTTP Basic or in the body, not by both.");
  if (basic && (form.get("client_id") ?? basic.id) !== basic.id)
    throw new OAuthError("invalid_request", "The client_id is not the one of HTTP Basic.");
  const { id, secret } = basic ?? { id: form.get("client_id"), secret: form.get("client_secret") };
  if (id === undefined || secret === undefined)
    throw new OAuthError("invalid_client", "Authenticate with the client's id and secret.");
  // Ids have no other characters, so anything else is refused without a query.
  const client = /^[\w-]{1,100}$/.test(id) ? await authenticateClient(id, secret, now) : null;
  if (!client) throw new OAuthError("invalid_client", "The client is unknown or revoked, or its secret is wrong.");
  return client;
}

/** Reads HTTP Basic. Id and secret are each form-encoded before they are joined (RFC 6749 section 2.3.1). */
function readBasic(header: string | null): { id: string; secret: string } | null {
  if (header === null) return null;
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header)?.[1];
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? "", "base64").toString()) ?? [];
  if (id === undefined || secret === undefined)
    throw new OAuthError("invalid_client", "The Authorization header holds no client id and secret by HTTP Basic.");
  try {
    return { id: formDecode(id), secret: formDecode(secret) };
  } catch {
    throw new OAuthError("invalid_client", "The client id and secret in HTTP Basic are not form-encoded.");
  }
}

const formDecode = (text: string) => decodeURIComponent(text.replaceAll("+", " "));
