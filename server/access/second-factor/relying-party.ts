import { env } from "@/server/core/env";

/** This service as a WebAuthn relying party: passkeys belong to the host of PUBLIC_URL. */
export function relyingParty() {
  const { hostname, origin } = new URL(env().PUBLIC_URL);
  return { id: hostname, origin, name: "Bonafide" };
}

/**
 * Ed25519, ES256 and RS256 (COSE): the algorithms of common authenticators. The library's default also asks Node for
 * ML-DSA, which is experimental there.
 */
export const passkeyAlgorithms = [-8, -7, -257];
