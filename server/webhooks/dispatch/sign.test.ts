import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { newSecret } from "@/server/webhooks/endpoints/secret";
import { signedHeaders, signingKey } from "./sign";
import { verify } from "@/server/webhooks/testing/verifier";

const message = {
  eventId: "evt_1",
  eventType: "credential.revoked",
  deliveryId: "dlv_1",
  attempt: 2,
  body: '{"id":"evt_1","name":"Zoë"}',
};
const now = new Date();
const seconds = Math.floor(now.getTime() / 1000);
const [current, previous, other] = [newSecret(), newSecret(), newSecret()];
const alone = signedHeaders(message, [signingKey(current)], now);
const rotating = signedHeaders(message, [signingKey(current), signingKey(previous)], now);

describe("svc-signature", () => {
  it("follows section 6.4 of the specification", () => {
    expect(alone["svc-signature"]).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
    expect(verify(alone["svc-signature"]!, message.body, current, seconds, "first")).toBe(true);
  });

  it("does not match another body, secret or time", () => {
    expect(verify(alone["svc-signature"]!, message.body + " ", current, seconds, "first")).toBe(false);
    expect(verify(alone["svc-signature"]!, message.body, other, seconds, "first")).toBe(false);
    expect(verify(alone["svc-signature"]!, message.body, current, seconds + 301, "first")).toBe(false);
    expect(
      verify(alone["svc-signature"]!.replace(/t=\d+/, `t=${seconds + 1}`), message.body, current, seconds, "first"),
    ).toBe(false);
  });

  it("during a rotation matches the new secret for verifiers that keep the first v1, and the old one for those that keep the last", () => {
    expect(rotating["svc-signature"]).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    expect(verify(rotating["svc-signature"]!, message.body, current, seconds, "first")).toBe(true);
    expect(verify(rotating["svc-signature"]!, message.body, previous, seconds, "last")).toBe(true);
  });
});

describe("the Standard Webhooks headers", () => {
  it("are accepted by the standardwebhooks package", () => {
    expect(new Webhook(current).verify(message.body, alone)).toEqual(JSON.parse(message.body));
    expect(() => new Webhook(other).verify(message.body, alone)).toThrow();
    expect(() => new Webhook(current).verify(`${message.body} `, alone)).toThrow();
  });

  it("are accepted with either secret during a rotation", () => {
    for (const secret of [current, previous])
      expect(new Webhook(secret).verify(message.body, rotating)).toEqual(JSON.parse(message.body));
  });
});
