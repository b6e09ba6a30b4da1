import { generateRegistrationOptions } from "@simplewebauthn/server";
import { z } from "zod";
import { sql } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import { parseInput } from "@/server/core/input";
import type { ConsoleSession } from "../console-session";
import type { Visitor } from "../visitor";
import { createChallenge } from "./challenge";
import { confirmPerson, retypedPassword } from "./confirm-person";
import { passkeyAlgorithms, relyingParty } from "./relying-party";

/** More than anybody has devices. */
export const maxPasskeys = 20;

const optionsInput = z.strictObject({ password: retypedPassword });

/**
 * What the browser makes a passkey with; addPasskey takes its answer within five minutes.
 * @throws DomainError invalid_credentials; second_factor_state for too many passkeys.
 */
export async function passkeyRegistrationOptions(visitor: Visitor, session: ConsoleSession, input: z.input<typeof optionsInput>) {
  const { password } = parseInput(optionsInput, input);
  await confirmPerson(visitor, session, password);
  const { id: userId, email, name } = session.user;
  const known = await sql<{ id: string; transports: string[] }>(`SELECT credential_id AS id, transports FROM passkeys WHERE user_id = $1`, [userId]);
  if (known.length >= maxPasskeys) throw new DomainError("second_factor_state", `An account has at most ${maxPasskeys} passkeys. Remove one that you no longer use.`);
  const party = relyingParty();
  const { extensions: _, ...options } = await generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userName: email,
    userDisplayName: name || email,
    userID: new TextEncoder().encode(userId),
    excludeCredentials: known,
    supportedAlgorithmIDs: passkeyAlgorithms,
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
  });
  const [row] = await sql<{ version: number }>(`SELECT session_version AS version FROM users WHERE id = $1`, [userId]);
  await createChallenge(sql, visitor.now, { purpose: "passkey_registration", userId, sessionVersion: row!.version }, options.challenge);
  return options;
}
