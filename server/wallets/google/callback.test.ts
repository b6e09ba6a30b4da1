import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { eventsOf } from "@/server/testing/events";
import { call } from "@/server/testing/request";
import { CallbackSigner } from "./testing/callback-signer";
import { googleHolder } from "./testing/holder";

const path = "/wallet/google/v1/callback";
const post = async (body: object) => (await call("POST", path, { body })).status;

async function withPass() {
  const made = await googleHolder();
  await made.open();
  const objectId = made.object()!["id"] as string;
  return {
    ...made,
    objectId,
    signer: made.google.signer,
    statuses: async () => (await made.channels()).map(({ status }) => status),
    events: async () =>
      (await eventsOf(made.home.orgId))
        .map(({ type }) => type)
        .filter((type) => type.startsWith("credential.channel.")),
  };
}

describe("a callback of Google", () => {
  it("records that the holder added or removed the pass; a repeated callback changes nothing", async () => {
    const { objectId, signer, statuses, events } = await withPass();
    const added = signer.callback(objectId, "save");
    expect([await post(added), await post(added)]).toEqual([200, 200]);
    expect(await statuses()).toEqual(["installed"]);
    expect(await post(signer.callback(objectId, "del"))).toBe(200);
    expect(await statuses()).toEqual(["removed"]);
    expect(await post(signer.callback(objectId, "save"))).toBe(200);
    expect(await events()).toEqual([
      "credential.channel.provisioned",
      "credential.channel.installed",
      "credential.channel.removed",
      "credential.channel.installed",
    ]);
  });

  it("is accepted without effect for an unknown pass and for an erased holder", async () => {
    const { objectId, signer, home, credential, statuses } = await withPass();
    expect(await post(signer.callback("3388.nowhere", "save"))).toBe(200);
    await eraseSubject(home.ctx, { id: credential.subjectId, reason: "Asked for it" });
    expect(await post(signer.callback(objectId, "save"))).toBe(200);
    expect(await statuses()).toEqual([]);
  });

  it("is refused unless Google signed it for this issuer and neither the message nor the key has expired", async () => {
    const { objectId, signer, statuses } = await withPass();
    const past = String(Date.now() - 1000);
    const good = signer.callback(objectId, "save");
    const own = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey;
    const signedKey = JSON.stringify({
      keyValue: own.export({ type: "spki", format: "der" }).toString("base64"),
      keyExpiration: String(Date.now() + 60_000),
    });
    const bad = [
      new CallbackSigner().callback(objectId, "save"),
      signer.callback(objectId, "save", { recipient: "3388" }),
      signer.callback(objectId, "save", { expTimeMillis: past }),
      signer.callback(objectId, "save", { keyExpiration: past }),
      { ...good, signedMessage: good.signedMessage.replace('"save"', '"del"') },
      { ...good, intermediateSigningKey: { ...good.intermediateSigningKey, signedKey } },
    ];
    for (const each of bad) expect(await post(each)).toBe(401);
    expect(await post({ ...good, protocolVersion: "ECv1" })).toBe(400);
    expect(await post({})).toBe(400);
    expect(await statuses()).toEqual(["provisioned"]);
  });
});
