import type { Id } from "@/server/core/ids";
import { decrypt, encrypt } from "@/server/core/secrets";

/** The context to which the encryption of a connector's secret is bound. */
export const connectorSecretBoundTo = (connectorId: Id<"con">) => `connector\n${connectorId}\nsecret`;

/** Encrypts a secret for this connector; it cannot be decrypted for another. */
export const sealSecret = (connectorId: Id<"con">, secret: string): Buffer =>
  Buffer.from(encrypt(secret, connectorSecretBoundTo(connectorId)));

export const openSecret = (connectorId: Id<"con">, sealed: Uint8Array | null): string | null =>
  sealed && decrypt(sealed, connectorSecretBoundTo(connectorId));
