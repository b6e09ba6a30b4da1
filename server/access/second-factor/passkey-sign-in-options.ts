import { generateAuthenticationOptions } from "@simplewebauthn/server";
import { sql } from "@/server/core/db";
import type { Visitor } from "../visitor";
import { createChallenge, findChallenge, setWebauthnChallenge } from "./challenge";
import { relyingParty } from "./relying-party";

/**
 * Returns the options with which the browser asks for a passkey. After a right password: one of the account's passkeys.
 * Otherwise: any passkey of this service, with user verification, since it then serves as both factors.
 *
 * @param token the token in the sign-in cookie, if there is one
 * @returns `token` for the cookie if a new sign-in began
 */
export async function passkeySignInOptions(visitor: Visitor, token: string | undefined) {
  const { now } = visitor;
  const underway = token ? await findChallenge(sql, token, "sign_in", now) : null;
  const userId = underway?.userId ?? null;
  const known = userId
    ? await sql<{ id: string; transports: string[] }>(
        `SELECT credential_id AS id, transports FROM passkeys WHERE user_id = $1`,
        [userId],
      )
    : undefined;
  const { extensions: _, ...options } = await generateAuthenticationOptions({
    rpID: relyingParty().id,
    userVerification: userId ? "preferred" : "required",
    ...(known && { allowCredentials: known }),
  });
  if (token && underway && (await setWebauthnChallenge(sql, token, options.challenge, now)))
    return { options, token: null };
  return {
    options,
    token: await createChallenge(sql, now, { purpose: "sign_in", webauthnChallenge: options.challenge }),
  };
}
