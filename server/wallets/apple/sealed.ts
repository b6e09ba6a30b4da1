import { randomBytes } from "node:crypto";
import { decrypt, encrypt } from "@/server/core/secrets";
import { uuidOf, type Id } from "@/server/core/ids";

/** The context to which the encryption of an organisation's signing key is bound. */
export const appleKeyBoundTo = (orgId: Id<"org">) => `apple_wallet\n${uuidOf(orgId)}\nprivate_key`;

/** The context to which the encryption of a pass's token is bound. */
export const passTokenBoundTo = (orgId: Id<"org">, credentialId: Id<"crd">) =>
  `apple_pass\n${uuidOf(orgId)}\n${uuidOf(credentialId)}`;

/** Creates the token with which phones authenticate for a pass, encrypted. Apple requires at least 16 characters. */
export function newPassToken(orgId: Id<"org">, credentialId: Id<"crd">): Buffer {
  return Buffer.from(encrypt(randomBytes(24).toString("base64url"), passTokenBoundTo(orgId, credentialId)));
}

/** Creates the serial number by which phones identify a pass. */
export const newSerial = (): string => randomBytes(18).toString("base64url");

/** Decrypts the token of a pass. */
export const openPassToken = (pass: { org_id: Id<"org">; credential_id: Id<"crd">; token: Uint8Array }): string =>
  decrypt(pass.token, passTokenBoundTo(pass.org_id, pass.credential_id));
