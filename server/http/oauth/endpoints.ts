import { introspectAccessToken } from "@/server/access/introspect-access-token";
import { grantScopes, issueAccessToken, tokenSeconds } from "@/server/access/issue-access-token";
import { revokeAccessToken } from "@/server/access/revoke-access-token";
import { env } from "@/server/core/env";
import { required, type ClientRequest } from "./client-request";
import { OAuthError } from "./error";

/** POST /oauth/token: the client credentials grant (RFC 6749 section 4.4; spec section 5). */
export async function issueToken({ client, form, now }: ClientRequest) {
  if (required(form, "grant_type") !== "client_credentials")
    throw new OAuthError("unsupported_grant_type", "The only grant_type is client_credentials.");
  const scopes = grantScopes(client, form.get("scope"));
  if (!scopes)
    throw new OAuthError(
      "invalid_scope",
      `The scope asks for what the client does not have. It has: ${client.scopes.join(" ")}`,
    );
  const token = await issueAccessToken(client, scopes, now);
  return { access_token: token, token_type: "Bearer", expires_in: tokenSeconds, scope: scopes.join(" ") };
}

/** POST /oauth/revoke (RFC 7009). Answers 200 also for a token that does not exist, as section 2.2 requires. */
export async function revokeToken({ client, form, now }: ClientRequest) {
  if (!(await revokeAccessToken(client, required(form, "token"), now))) {
    throw new OAuthError("unauthorized_client", "The token was issued to another client.");
  }
  return null;
}

/** POST /oauth/introspect (RFC 7662). Says only `active: false` of a token that does not work. */
export async function introspectToken({ client, form, now }: ClientRequest) {
  const token = await introspectAccessToken(client, required(form, "token"), now);
  if (!token) return { active: false };
  return {
    active: true,
    client_id: token.clientId,
    sub: token.clientId,
    scope: token.scopes.join(" "),
    token_type: "Bearer",
    iss: env().PUBLIC_URL,
    iat: seconds(token.issuedAt),
    exp: seconds(token.expiresAt),
  };
}

const seconds = (time: Date) => Math.floor(time.getTime() / 1000);
