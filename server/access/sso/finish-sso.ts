import { authorizationCodeGrant, fetchUserInfo } from "openid-client";
import { z } from "zod";
import { sql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { line } from "@/server/core/input";
import { decrypt } from "@/server/core/secrets";
import { emailAddress } from "../password";
import { redeemChallenge } from "../second-factor/challenge";
import type { Visitor } from "../visitor";
import { provider, redirectUri } from "./provider";
import { flowBoundTo, type SsoFlow } from "./start-sso";

/** A person's identity as the identity provider states it. */
export interface SsoIdentity {
  issuer: string;
  subject: string;
  /** Null if the provider gives no address or does not state that it is verified. */
  email: string | null;
  /**
   * Empty if the provider gives no name, or one that is not a single line of text; the e-mail address is shown then.
   */
  name: string;
}

export interface SsoResult {
  identity: SsoIdentity;
  next: string;
  /** The person who connects their account; null for a sign-in. */
  userId: Id<"usr"> | null;
}

const claimsOf = z.object({
  email: emailAddress.optional().catch(undefined),
  email_verified: z.boolean().optional().catch(undefined),
  name: line(200).optional().catch(undefined),
});

/**
 * Exchanges the code with which the identity provider sent the browser back, and checks state, nonce, issuer, audience
 * and signature. The flow is used up even if a check fails.
 *
 * @param token the token in the browser's sign-in cookie
 * @param search the query of the redirect
 * @throws DomainError sign_in_expired; an error of openid-client if a check fails.
 */
export async function finishSso(visitor: Visitor, token: string, search: string): Promise<SsoResult> {
  const { sso, userId } = await redeemChallenge(sql, token, "sso", visitor.now);
  const { state, nonce, verifier, next } = JSON.parse(decrypt(sso!, flowBoundTo(token))) as SsoFlow;
  const configuration = await provider(visitor.now);
  const tokens = await authorizationCodeGrant(configuration, new URL(`${redirectUri()}${search}`), {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  const { iss: issuer, sub: subject, ...inToken } = tokens.claims()!;
  // Providers may leave the e-mail address out of the ID token (OpenID Connect Core 5.4).
  const claims = claimsOf.parse(
    "email" in inToken ? inToken : await fetchUserInfo(configuration, tokens.access_token, subject),
  );
  return {
    identity: {
      issuer,
      subject,
      email: claims.email_verified === true ? (claims.email ?? null) : null,
      name: claims.name ?? "",
    },
    next,
    userId,
  };
}
