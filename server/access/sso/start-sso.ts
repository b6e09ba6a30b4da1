import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { sql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { parseInput } from "@/server/core/input";
import { encrypt, hashToken } from "@/server/core/secrets";
import { createChallenge } from "../second-factor/challenge";
import type { Visitor } from "../visitor";
import { provider, redirectUri } from "./provider";

/** The state of a flow while the person is at the identity provider, encrypted and bound to the browser's cookie. */
export interface SsoFlow {
  state: string;
  nonce: string;
  verifier: string;
  /** The page of the console to open afterwards. */
  next: string;
}

/**
 * The context to which an encrypted SsoFlow is bound.
 *
 * @param token the token in the browser's cookie
 */
export const flowBoundTo = (token: string) => `sso:${hashToken(token)}`;

const startInput = z.strictObject({ next: z.string().max(2000).default("/") });

/**
 * Begins single sign-on: authorization code with PKCE, state and nonce (OpenID Connect Core 3.1; RFC 7636).
 *
 * @param person the signed-in person who connects their account; leave it out for a sign-in
 * @returns the URL to send the browser to, and the token for its sign-in cookie
 * @throws DomainError not_found if it is not configured; Error if the provider does not answer
 */
export async function startSso(
  visitor: Visitor,
  input: z.input<typeof startInput>,
  person?: { id: Id<"usr">; sessionVersion: number },
) {
  const { next } = parseInput(startInput, input);
  const configuration = await provider(visitor.now);
  const flow: SsoFlow = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier(), next };
  const token = randomBytes(32).toString("base64url");
  const sealed = encrypt(JSON.stringify(flow), flowBoundTo(token));
  await createChallenge(
    sql,
    visitor.now,
    { purpose: "sso", sso: sealed, ...(person && { userId: person.id, sessionVersion: person.sessionVersion }) },
    token,
  );
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri(),
    scope: "openid email profile",
    code_challenge: await calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: "S256",
    state: flow.state,
    nonce: flow.nonce,
  });
  return { url: url.href, token };
}
