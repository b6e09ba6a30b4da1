import { generateRegistrationOptions } from "@simplewebauthn/server";
import { z } from "zod";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { personCommand } from "@/server/core/operation";
import type { ConsoleSession } from "../console-session";
import { requireLiveSession } from "../session-stands";
import { createChallenge } from "./challenge";
import { confirmPerson, retypedPassword } from "./confirm-person";
import { passkeyAlgorithms, relyingParty } from "./relying-party";

/** Maximum number of passkeys; more than anybody has devices. */
const maxPasskeys = 20;

/**
 * Returns the options with which the browser creates a passkey. addPasskey accepts the answer within five minutes and
 * leaves the audit entries.
 *
 * @throws DomainError invalid_credentials; limit_reached for too many passkeys.
 */
export const passkeyRegistrationOptions = personCommand({
  name: "second_factors.passkey_options",
  input: z.strictObject({ password: retypedPassword }),
  prepare: (visitor, session: ConsoleSession, { password }) => confirmPerson(visitor, session, password),
  standing: requireLiveSession,
  async run(visitor, { sql }, { user: { id: userId, email, name } }) {
    const known = await sql<{ id: string; transports: string[] }>(
      `SELECT credential_id AS id, transports FROM passkeys WHERE user_id = $1`,
      [userId],
    );
    if (known.length >= maxPasskeys)
      throw new DomainError(
        "limit_reached",
        `An account has at most ${maxPasskeys} passkeys. Remove one that you no longer use.`,
      );
    const party = relyingParty();
    const { extensions: _, ...options } = await generateRegistrationOptions({
      rpName: party.name,
      rpID: party.id,
      userName: email,
      userDisplayName: name || email,
      userID: new TextEncoder().encode(publicId("usr", userId)),
      excludeCredentials: known,
      supportedAlgorithmIDs: passkeyAlgorithms,
      authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
    });
    const [row] = await sql<{ version: number }>(`SELECT session_version AS version FROM users WHERE id = $1`, [
      userId,
    ]);
    await createChallenge(
      sql,
      visitor.now,
      { purpose: "passkey_registration", userId, sessionVersion: row!.version },
      options.challenge,
    );
    return options;
  },
});
