import { env } from "@/server/core/env";
import { scopes } from "@/server/core/scopes";
import { respondJson } from "@/server/http/rest/respond";

const methods = ["client_secret_basic", "client_secret_post"];

/** Serves the metadata with which clients find the token endpoints (RFC 8414). */
export async function authorizationServerMetadata(): Promise<Response> {
  const issuer = env().PUBLIC_URL;
  const metadata = {
    issuer,
    token_endpoint: `${issuer}/oauth/token`,
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    revocation_endpoint_auth_methods_supported: methods,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    introspection_endpoint_auth_methods_supported: methods,
    grant_types_supported: ["client_credentials"],
    response_types_supported: [],
    scopes_supported: scopes,
    service_documentation: `${issuer}/docs`,
  };
  return respondJson(metadata, { headers: { "cache-control": "public, max-age=3600" } });
}
