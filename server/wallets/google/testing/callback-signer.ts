import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { bytesOf } from "../signed-bytes";

const sender = "GooglePayPasses";
const protocolVersion = "ECv2SigningOnly";
const inAnHour = () => String(Date.now() + 3_600_000);

/** Signs callbacks as Google does: a root key signs an intermediate key, and the intermediate key signs each message. */
export class CallbackSigner {
  readonly #root = generateKeyPairSync("ec", { namedCurve: "P-256" });
  readonly #intermediate = generateKeyPairSync("ec", { namedCurve: "P-256" });

  /** The list of root keys, as Google publishes it. */
  keys(): object {
    return { keys: [{ keyValue: spki(this.#root.publicKey), keyExpiration: inAnHour(), protocolVersion }] };
  }

  /** @param some overrides the expiry of the message, the expiry of the intermediate key, or the issuer it is signed for */
  callback(
    objectId: string,
    eventType: "save" | "del",
    some: { expTimeMillis?: string; keyExpiration?: string; recipient?: string } = {},
  ) {
    const signedMessage = JSON.stringify({
      classId: `${objectId.split(".")[0]}.class`,
      objectId,
      eventType,
      expTimeMillis: some.expTimeMillis ?? inAnHour(),
      count: 1,
      nonce: "a-nonce",
    });
    const signedKey = JSON.stringify({
      keyValue: spki(this.#intermediate.publicKey),
      keyExpiration: some.keyExpiration ?? inAnHour(),
    });
    const recipient = some.recipient ?? objectId.split(".")[0]!;
    return {
      protocolVersion,
      intermediateSigningKey: {
        signedKey,
        signatures: [signed(this.#root.privateKey, sender, protocolVersion, signedKey)],
      },
      signature: signed(this.#intermediate.privateKey, sender, recipient, protocolVersion, signedMessage),
      signedMessage,
    };
  }
}

const spki = (key: KeyObject) => key.export({ type: "spki", format: "der" }).toString("base64");
const signed = (key: KeyObject, ...texts: string[]) => sign("sha256", bytesOf(...texts), key).toString("base64");
