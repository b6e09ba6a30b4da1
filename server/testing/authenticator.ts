import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";

interface Behaviour {
  /** The origin of the page that requests the passkey. */
  origin?: string;
  /** Whether the person entered a PIN or used a fingerprint. */
  userVerified?: boolean;
}

const rpId = "localhost";
const pageOrigin = "http://localhost:3000";
const flag = { userPresent: 1, userVerified: 4, attestedCredential: 64 };

/**
 * A passkey in software: registers and signs WebAuthn challenges as a browser with an authenticator does (ES256,
 * attestation "none").
 */
export class Authenticator {
  readonly id = randomBytes(32).toString("base64url");
  counter = 0;
  readonly #key: KeyObject;
  readonly #publicKey: { x: Buffer; y: Buffer };

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x, y } = publicKey.export({ format: "jwk" });
    this.#key = privateKey;
    this.#publicKey = { x: Buffer.from(x!, "base64url"), y: Buffer.from(y!, "base64url") };
  }

  create({ challenge }: { challenge: string }, { origin = pageOrigin, userVerified = true }: Behaviour = {}) {
    const id = Buffer.from(this.id, "base64url");
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, this.#coseKey()]);
    const authData = Buffer.concat([this.#head(flag.attestedCredential, userVerified), attested]);
    const attestationObject = Buffer.concat([
      map(3),
      text("fmt"),
      text("none"),
      text("attStmt"),
      map(0),
      text("authData"),
      bytes(authData),
    ]);
    return this.#answer({
      clientDataJSON: clientData("webauthn.create", challenge, origin),
      attestationObject: attestationObject.toString("base64url"),
      transports: ["internal"],
    });
  }

  get({ challenge }: { challenge: string }, { origin = pageOrigin, userVerified = true }: Behaviour = {}) {
    this.counter++;
    const authData = this.#head(0, userVerified);
    const clientDataJSON = clientData("webauthn.get", challenge, origin);
    const hash = createHash("sha256").update(Buffer.from(clientDataJSON, "base64url")).digest();
    const signature = sign("sha256", Buffer.concat([authData, hash]), this.#key).toString("base64url");
    return this.#answer({ clientDataJSON, authenticatorData: authData.toString("base64url"), signature });
  }

  #answer<R>(response: R) {
    return { id: this.id, rawId: this.id, type: "public-key" as const, clientExtensionResults: {}, response };
  }

  #head(flags: number, userVerified: boolean): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([
      createHash("sha256").update(rpId).digest(),
      Buffer.from([flag.userPresent | (userVerified ? flag.userVerified : 0) | flags]),
      counter,
    ]);
  }

  // RFC 9053: kty EC2, alg ES256, crv P-256, x, y.
  #coseKey(): Buffer {
    const { x, y } = this.#publicKey;
    return Buffer.concat([
      map(5),
      Buffer.from([0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      bytes(x),
      Buffer.from([0x22]),
      bytes(y),
    ]);
  }
}

const clientData = (type: string, challenge: string, origin: string) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString("base64url");

// CBOR (RFC 8949), only the parts that an attestation needs.
const map = (entries: number) => Buffer.from([0xa0 + entries]);
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
const bytes = (value: Buffer) =>
  Buffer.concat([
    value.length < 256 ? Buffer.from([0x58, value.length]) : Buffer.from([0x59, value.length >> 8, value.length & 255]),
    value,
  ]);
