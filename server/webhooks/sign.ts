import { createHmac } from "node:crypto";

export interface Message {
  eventId: string;
  eventType: string;
  deliveryId: string;
  /** 1 for the first attempt. */
  attempt: number;
  body: string;
}

/**
 * The headers of a delivery: ours (spec 6.4, keyed with the whole displayed secret) and those of Standard Webhooks (keyed with
 * the bytes that its base64 part stands for).
 * @param secrets the current one and, during a rotation, the previous one after it: verifiers that keep the first signature
 * and verifiers that keep the last both find one that fits.
 */
export function signedHeaders(message: Message, secrets: readonly string[], now: Date): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000);
  const ours = secrets.map((secret) => `v1=${createHmac("sha256", secret).update(`${timestamp}.`).update(message.body).digest("hex")}`);
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    return `v1,${createHmac("sha256", key).update(`${message.eventId}.${timestamp}.`).update(message.body).digest("base64")}`;
  });
  return {
    "content-type": "application/json",
    "user-agent": "Bonafide-Webhooks/1",
    "svc-signature": `t=${timestamp},${ours.join(",")}`,
    "svc-event-id": message.eventId,
    "svc-event-type": message.eventType,
    "svc-delivery-id": message.deliveryId,
    "svc-attempt": String(message.attempt),
    "webhook-id": message.eventId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": standard.join(" "),
  };
}
