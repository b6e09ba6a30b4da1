import { verifyRegistrationResponse } from "@simplewebauthn/server";
import { z } from "zod";
import { isUniqueViolation } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import { newId, publicId } from "@/server/core/ids";
import { line } from "@/server/core/input";
import { personCommand } from "@/server/core/operation";
import type { ConsoleSession } from "../console-session";
import { redeemChallenge } from "./challenge";
import { endEarlierSignIns } from "./end-earlier-sign-ins";
import { auditFactor } from "./factor-changed";
import { lockPerson } from "./keep-required";
import { attestation } from "./passkey-answer";
import { firstRecoveryCodes } from "./recovery-codes";
import { passkeyAlgorithms, relyingParty } from "./relying-party";

export const passkeyName = line(60).min(1, "must not be empty");

/**
 * Stores a passkey that the browser created. Ends the person's other sessions and leaves audit entries.
 *
 * @returns ten recovery codes, shown once, if it is the first second factor; otherwise null
 * @throws DomainError sign_in_expired; invalid_second_factor; second_factor_state for a passkey that is already stored.
 */
export const addPasskey = personCommand({
  name: "second_factors.add_passkey",
  input: z.strictObject({ name: passkeyName, response: attestation }),
  async run(visitor, tx, session: ConsoleSession, { name, response }) {
    const { id: userId } = session.user;
    await lockPerson(tx, session);
    const challenge = challengeIn(response.response.clientDataJSON);
    const asked = await redeemChallenge(tx.sql, challenge, "passkey_registration", visitor.now);
    if (asked.userId !== userId) throw refused();
    const { id: rpId, origin } = relyingParty();
    const verified = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: false,
      supportedAlgorithmIDs: passkeyAlgorithms,
    }).catch(() => null);
    if (!verified?.verified) throw refused();
    const { credential } = verified.registrationInfo;
    const id = newId("psk");
    await tx
      .sql(
        `INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          id,
          userId,
          credential.id,
          credential.publicKey,
          credential.counter,
          credential.transports ?? [],
          name,
          visitor.now,
        ],
      )
      .catch((error: unknown) => {
        if (isUniqueViolation(error))
          throw new DomainError("second_factor_state", "This passkey is registered already.");
        throw error;
      });
    await auditFactor(visitor, tx, session, "user.passkey_added", { passkeyId: publicId("psk", id), name });
    await endEarlierSignIns(tx, session, visitor.now);
    return { id: publicId("psk", id), recoveryCodes: await firstRecoveryCodes(tx.sql, userId, visitor.now) };
  },
});

/** Reads the challenge from the browser's answer. It only serves to find the challenge that was issued. */
function challengeIn(clientDataJSON: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString()) as { challenge?: unknown };
    if (typeof challenge === "string") return challenge;
  } catch {
    // Refused below, like any other unreadable answer.
  }
  throw refused();
}

const refused = () =>
  new DomainError("invalid_second_factor", "This passkey was not accepted. Try again, or use another device.");
