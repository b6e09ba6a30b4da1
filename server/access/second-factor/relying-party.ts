import { env } from "@/server/core/env";

/** This service as WebAuthn names it: passkeys belong to the host of PUBLIC_URL. */
export function relyingParty() {
  const { hostname, origin } = new URL(env().PUBLIC_URL);
  return { id: hostname, origin, name: "Bonafide" };
}

/**
 * Ed25519, ES256 and RS256 (COSE): what authenticators have. The library's default asks Node for ML-DSA besides, which
 * is experimental there.
 */
export const passkeyAlgorithms = [-8, -7, -257];
