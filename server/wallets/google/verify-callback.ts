import { createPublicKey, verify } from "node:crypto";
import { z } from "zod";
import { json } from "./access-token";
import { protocolVersion } from "./callback-keys";
import { bytesOf } from "./signed-bytes";

/** The sender id in the signatures of callbacks about passes. */
const sender = "GooglePayPasses";

const signature = z.base64().max(500);
const signedKey = z.object({ keyValue: z.base64().max(1000), keyExpiration: z.coerce.number() });

/** The body of a callback. */
export const callbackBody = z.object({
  protocolVersion: z.literal(protocolVersion),
  signature,
  intermediateSigningKey: z.object({ signedKey: z.string().max(5000), signatures: z.array(signature).min(1).max(10) }),
  signedMessage: z.string().max(10_000),
});

/** The signed message of a callback: a holder saved or deleted a pass. */
export interface CallbackMessage {
  /** The id of the pass: the issuer id, a full stop and a name. */
  objectId: string;
  eventType: "save" | "del";
}

const message = z.object({
  objectId: z.string().regex(/^\d{1,30}\.[\w.-]{1,100}$/),
  eventType: z.enum(["save", "del"]),
  expTimeMillis: z.coerce.number(),
});

/**
 * Verifies a callback with Google's root keys (payment method token, protocol ECv2SigningOnly): a root key must have
 * signed the intermediate key, and the intermediate key the message, for the issuer of the pass. Neither the intermediate
 * key nor the message may have expired.
 *
 * @param rootKeys SubjectPublicKeyInfo in base64
 * @returns the message; null if Google did not sign it
 */
export function verifyCallback(
  body: z.output<typeof callbackBody>,
  rootKeys: readonly string[],
  now: Date,
): CallbackMessage | null {
  const { intermediateSigningKey: intermediate, signedMessage } = body;
  const key = signedKey.safeParse(parse(intermediate.signedKey));
  const read = message.safeParse(parse(signedMessage));
  if (!key.success || !read.success) return null;
  if (key.data.keyExpiration <= now.getTime() || read.data.expTimeMillis <= now.getTime()) return null;
  const ofKey = bytesOf(sender, protocolVersion, intermediate.signedKey);
  if (!rootKeys.some((root) => intermediate.signatures.some((each) => isSigned(ofKey, root, each)))) return null;
  const recipient = read.data.objectId.slice(0, read.data.objectId.indexOf("."));
  const ofMessage = bytesOf(sender, recipient, protocolVersion, signedMessage);
  if (!isSigned(ofMessage, key.data.keyValue, body.signature)) return null;
  return { objectId: read.data.objectId, eventType: read.data.eventType };
}

/** Whether a key on P-256 signed the bytes (ECDSA with SHA-256, DER). */
function isSigned(bytes: Buffer, key: string, sent: string): boolean {
  try {
    const publicKey = createPublicKey({ key: Buffer.from(key, "base64"), format: "der", type: "spki" });
    const isP256 = publicKey.asymmetricKeyDetails?.namedCurve === "prime256v1";
    return isP256 && verify("sha256", bytes, publicKey, Buffer.from(sent, "base64"));
  } catch {
    return false;
  }
}

const parse = (text: string) => json(new TextEncoder().encode(text));
