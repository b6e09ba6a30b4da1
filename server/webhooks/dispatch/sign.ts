import { createHmac, createSecretKey, type KeyObject } from "node:crypto";

/** A secret as the keys of both signatures. */
export interface SigningKey {
  /** The whole displayed secret, for svc-signature. */
  whole: KeyObject;
  /** The decoded bytes of its base64 part, for Standard Webhooks. */
  decoded: KeyObject;
}

export function signingKey(secret: string): SigningKey {
  return { whole: createSecretKey(secret, "utf8"), decoded: createSecretKey(secret.slice("whsec_".length), "base64") };
}

export interface Message {
  eventId: string;
  eventType: string;
  deliveryId: string;
  /** 1 for the first attempt. */
  attempt: number;
  body: string;
}

/**
 * Returns the headers of a delivery: ours (spec 6.4, keyed with the whole displayed secret) and those of Standard
 * Webhooks (keyed with the decoded base64 part of the secret).
 * @param keys the current key and, during a rotation, the previous one after it: both verifiers that keep the first
 * signature and verifiers that keep the last then find one that matches.
 */
export function signedHeaders(message: Message, keys: readonly SigningKey[], now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const ours = keys.map(({ whole }) => `v1=${hmac(whole, `${timestamp}.${message.body}`, "hex")}`);
  const standard = keys.map(
    ({ decoded }) => `v1,${hmac(decoded, `${message.eventId}.${timestamp}.${message.body}`, "base64")}`,
  );
  return {
    "content-type": "application/json",
    "user-agent": "Bonafide-Webhooks/1",
    "svc-signature": `t=${timestamp},${ours.join(",")}`,
    "svc-event-id": message.eventId,
    "svc-event-type": message.eventType,
    "svc-delivery-id": message.deliveryId,
    "svc-attempt": String(message.attempt),
    "webhook-id": message.eventId,
    "webhook-timestamp": timestamp,
    "webhook-signature": standard.join(" "),
  };
}

function hmac(key: KeyObject, content: string, encoding: "hex" | "base64"): string {
  return createHmac("sha256", key).update(content).digest(encoding);
}
